"""Write the wheel and movfair_spark-VERSION.zip for ``spark-submit --py-files`` (pyspark does not load a wheel)."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))


def make(folder: Path) -> Path:
    """Zip the package, with the files of ``conf/`` as its data, into a folder.

    The same files give the same bytes: entries are sorted and carry no time.
    """
    from movfair_spark import __version__

    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"movfair_spark-{__version__}.zip"
    entries = {path.relative_to(ROOT): path for path in (ROOT / "movfair_spark").rglob("*.py")}
    entries |= {
        Path("movfair_spark/conf") / path.name: path for path in (ROOT / "conf").iterdir() if path.is_file()
    }
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(entries):
            archive.writestr(
                zipfile.ZipInfo(name.as_posix()), entries[name].read_bytes(), zipfile.ZIP_DEFLATED
            )
    return target


if __name__ == "__main__":
    dist = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist"
    print(make(dist))
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(dist)], cwd=ROOT, check=True
    )

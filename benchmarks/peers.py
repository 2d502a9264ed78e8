"""Other packages to compare with, each in an environment of its own under ``build/peers``.

They need other versions of pandas and NumPy than ours, so they never share our environment.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from benchmarks.harness import ROOT

REQUIREMENTS = {
    "fastmob": ["fastmob==0.3.2", "pandas", "pyarrow"],
    "skmob": [
        "scikit-mobility==1.3.1",
        "numpy==1.26.4",
        "pandas==1.5.3",
        "shapely<2",
        "geopandas<0.13",
        "setuptools<80",
        "pyarrow",
    ],
}

# igraph 0.9, which scikit-mobility asks for and its stop detection does not use, has no wheel: a minute of compiling.
OVERRIDES = "igraph>=0.11\npython-igraph>=0.11\n"


def python(peer: str) -> Path:
    """Interpreter of a peer's environment, made on first use.

    Parameters
    ----------
    peer : {"fastmob", "skmob"}
    """
    folder = ROOT / "build" / "peers" / peer
    interpreter = folder / "bin" / "python"
    if not (folder / ".ready").exists():
        uv = [sys.executable, "-m", "uv"]
        subprocess.run([*uv, "venv", "--quiet", "--python", sys.executable, str(folder)], check=True)
        overrides = folder / "overrides.txt"
        overrides.write_text(OVERRIDES)
        options = ("--quiet", "--python", str(interpreter), "--overrides", str(overrides))
        subprocess.run([*uv, "pip", "install", *options, *REQUIREMENTS[peer]], check=True)
        (folder / ".ready").touch()
    return interpreter


def output_of(peer: str, program: str, *arguments: str) -> str:
    """Run a program text in a peer's environment, on one core, and return what it printed."""
    command = [str(python(peer)), "-W", "ignore", "-c", program, *arguments]
    # Rust's and NumPy's own threads: one, as ours.
    alone = {name: "1" for name in ("RAYON_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")}
    return subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, env={**os.environ, **alone}
    ).stdout

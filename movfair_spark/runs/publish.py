"""Publishing: all names of a run folder are replaced together.

Copies are made first (slow, into a hidden folder), then a journal is written, then names are swapped (fast). A crash
before the journal leaves the old names; a crash after it is rolled forward by the next driver.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Mapping

from movfair_spark.session.filesystem import FileSystem

JOURNAL = ".publish.json"
STAGING = ".publish-"


def publish(
    files: FileSystem,
    folder: str,
    tables: Mapping[str, str],
    texts: Mapping[str, str],
    drop: Iterable[str] = (),
) -> None:
    """Replace the published names of a run folder.

    Parameters
    ----------
    files : FileSystem
    folder : str
        The run folder.
    tables : mapping
        Published name to the path of the file or folder to copy.
    texts : mapping
        Published name to the content of a small file.
    drop : iterable of str
        Published names of an earlier run that this one does not have.
    """
    staging = f"{STAGING}{uuid.uuid4().hex[:8]}"
    files.make_folder(f"{folder}/{staging}")
    for name, source in tables.items():
        files.copy(source, f"{folder}/{staging}/{name}")
    for name, text in texts.items():
        files.write(f"{folder}/{staging}/{name}", text)
    names = [*tables, *texts]
    journal = {"staging": staging, "names": names, "drop": sorted(set(drop) - set(names))}
    files.write(f"{folder}/{JOURNAL}", json.dumps(journal))
    recover(files, folder)


def recover(files: FileSystem, folder: str) -> None:
    """Finish a publication that a crash interrupted, and delete copies that no journal names."""
    text = files.read_text(f"{folder}/{JOURNAL}")
    if text is not None:
        journal = json.loads(text)
        staging = f"{folder}/{journal['staging']}"
        for name in journal["drop"]:
            files.delete(f"{folder}/{name}")
        for name in journal["names"]:
            if files.exists(f"{staging}/{name}"):
                files.delete(f"{folder}/{name}")
                files.rename(f"{staging}/{name}", f"{folder}/{name}")
        files.delete(f"{folder}/{JOURNAL}")
    for name in files.names(folder):
        if name.startswith(STAGING) and name != JOURNAL:
            files.delete(f"{folder}/{name}")

"""Files of ``conf/``: inside the installed package or the ``--py-files`` zip, else in the checkout."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path


def read(name: str) -> str:
    """Text of a file of ``conf/``.

    Parameters
    ----------
    name : str
        For example ``city.yaml``.

    Raises
    ------
    FileNotFoundError
        There is no such file.
    """
    packaged = files("movfair_spark") / "conf" / name
    if packaged.is_file():
        return packaged.read_text(encoding="utf-8")
    return (Path(__file__).resolve().parents[2] / "conf" / name).read_text(encoding="utf-8")

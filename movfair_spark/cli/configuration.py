"""The configuration of a command: defaults < ``--config`` FILE < ``--set``."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from movfair_spark.config import resources
from movfair_spark.config.base import Section
from movfair_spark.config.load import build, override, parse
from movfair_spark.errors import ConfigurationError

S = TypeVar("S", bound=Section)


def load(model: type[S], file: str | None, pairs: Sequence[str] = ()) -> S:
    """Read, override and validate.

    Parameters
    ----------
    model : type
        The configuration model.
    file : str, optional
        A path; a name without a folder may also be one of the package's own (``city.yaml``) or a file that
        ``spark-submit --files`` shipped.
    pairs : sequence of str
        ``key=value``.

    Raises
    ------
    ConfigurationError
        The file cannot be read, or a key or value is wrong.
    """
    content = parse(_text(file), file) if file else {}
    return build(model, override(content, pairs))


def _text(file: str) -> str:
    path = Path(file).expanduser()
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        pass
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise ConfigurationError(f"--config {file} cannot be read: {reason}") from None
    shipped = _shipped(path.name)
    if shipped is not None:
        return shipped.read_text(encoding="utf-8")
    if path.parent in (Path("."), Path("conf")):
        try:
            return resources.read(path.name)
        except FileNotFoundError:
            pass
    raise ConfigurationError(f"--config {file} does not exist", "check the path")


def _shipped(name: str) -> Path | None:
    # In cluster mode the driver runs elsewhere: --files puts the file into its working folder or SparkFiles' root.
    root = os.environ.get("SPARK_FILES_ROOT") or os.environ.get("PWD", "")
    found = Path(root) / name
    return found if root and found.is_file() else None

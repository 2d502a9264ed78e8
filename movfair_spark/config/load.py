"""Configuration from a YAML file and ``--set`` pairs; errors name the key, the value and the nearest key."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar, get_args

import yaml
from pydantic import BaseModel, ValidationError

from movfair_spark.config.base import Section
from movfair_spark.errors import ConfigurationError

S = TypeVar("S", bound=Section)


class _Loader(yaml.SafeLoader):
    """YAML in which a key may stand only once, and is always the text as written."""


def _mapping(loader: _Loader, node: yaml.MappingNode) -> dict[str, Any]:
    # Keys are taken as text: YAML would read the key `null` of the scan as nothing, and `on` as true.
    result: dict[str, Any] = {}
    for key_node, value_node in node.value:
        if not isinstance(key_node, yaml.ScalarNode):
            raise ConfigurationError(f"line {key_node.start_mark.line + 1}: a key must be plain text")
        key = key_node.value
        if key in result:
            raise ConfigurationError(
                f"the key '{key}' stands twice, again in line {key_node.start_mark.line + 1}", "remove one"
            )
        result[key] = loader.construct_object(value_node, deep=True)
    return result


_Loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)


def parse(text: str, source: str) -> dict[str, Any]:
    """Parse YAML text to a mapping.

    Parameters
    ----------
    text : str
    source : str
        Name of the file, for messages.

    Raises
    ------
    ConfigurationError
        No YAML, or no mapping at the top.
    """
    try:
        content = yaml.load(text, Loader=_Loader)  # noqa: S506 - a SafeLoader
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}" if mark else ""
        raise ConfigurationError(f"{source}{where} is no YAML: {getattr(error, 'problem', error)}") from None
    if content is None:
        return {}
    if not isinstance(content, dict):
        raise ConfigurationError(f"{source} holds a {type(content).__name__}, not keys with values")
    return content


def override(content: Mapping[str, Any], pairs: Iterable[str]) -> dict[str, Any]:
    """Apply ``--set key=value`` pairs (dotted keys, YAML values) over a file's content.

    Raises
    ------
    ConfigurationError
        A pair without ``=``, or a dotted key that leads into a plain value.
    """
    result: dict[str, Any] = dict(content)
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals or not key:
            raise ConfigurationError(
                f"--set {pair} has no key=value form", "write for example --set scan.alpha=0.05"
            )
        value = parse_value(text, key)
        level = result
        *parents, last = key.split(".")
        for parent in parents:
            child = level.get(parent)
            if child is not None and not isinstance(child, dict):
                raise ConfigurationError(f"--set {key}: '{parent}' is a plain value and has no keys below it")
            level[parent] = dict(child or {})
            level = level[parent]
        level[last] = value
    return result


def parse_value(text: str, key: str) -> Any:
    """Parse the value of a ``--set`` pair as YAML."""
    try:
        return yaml.load(text, Loader=_Loader)  # noqa: S506 - a SafeLoader
    except yaml.YAMLError:
        raise ConfigurationError(
            f"--set {key}: '{text}' is no YAML value", "put the text in quotes"
        ) from None


def build(model: type[S], content: Mapping[str, Any]) -> S:
    """Validate a mapping against a configuration model.

    Raises
    ------
    ConfigurationError
        The first fault: its key, its value, what is allowed and, for an unknown key, the nearest one.
    """
    try:
        return model.model_validate(dict(content))
    except ValidationError as error:
        faults = error.errors()
        # An unknown key explains more than the faults that follow from it.
        fault = next((item for item in faults if item["type"] == "extra_forbidden"), faults[0])
        raise _explain(model, fault, len(faults)) from None


def _explain(model: type[Section], fault: Mapping[str, Any], count: int) -> ConfigurationError:
    # Pydantic puts the tag of a union (square, polygons) into the path; the user wrote no such key.
    tags = {"square", "polygons", "grid", "random", "squares", "circles", "nearest"}
    path = [str(part) for part in fault["loc"] if part not in tags]
    key = ".".join(path)
    more = f" ({count - 1} more faults follow)" if count > 1 else ""
    if fault["type"] == "extra_forbidden":
        known = sorted(_keys_at(model, path[:-1]))
        near = difflib.get_close_matches(path[-1], known, n=1, cutoff=0.4)
        remedy = f"did you mean '{near[0]}'?" if near else f"known keys here: {', '.join(known)}"
        return ConfigurationError(f"unknown key '{key}'{more}", remedy)
    reason = fault["msg"].removeprefix("Value error, ")
    # A fault of a whole section is about several keys, which its text names: the values of all others say nothing.
    about = key if isinstance(fault["input"], dict | Section) else f"{key} = {fault['input']!r}"
    return ConfigurationError(
        ": ".join(part for part in (about, reason[0].lower() + reason[1:]) if part) + more
    )


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for part in get_args(annotation) for model in _models_in(part)]


def _keys_at(model: type[BaseModel], path: list[str]) -> set[str]:
    models: list[type[BaseModel]] = [model]
    for part in path:
        below = [
            m
            for parent in models
            if part in parent.model_fields
            for m in _models_in(parent.model_fields[part].annotation)
        ]
        models = below or models  # positions in lists and tags of unions stay on the same level
    return {name for item in models for name in item.model_fields}

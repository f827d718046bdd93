"""The space of configurations: the legal values of each key."""

from __future__ import annotations

from typing import Any, Mapping, TypedDict


class Key(TypedDict, total=False):
    """One configuration key. `type` is integer, number, boolean, string or array. `minimum` and `maximum` limit numbers and the items of an
    array. `choices` are the legal words; `arguments` are those of them that may have arguments."""

    type: str
    minimum: float
    maximum: float
    choices: list[str]
    arguments: list[str]
    default: Any
    unit: str
    description: str


def key_of(schema: Mapping[str, Any]) -> Key:
    """The JSON Schema of a key, flattened."""
    key: Key = {"type": schema.get("type", "integer"), "default": schema["default"], "description": schema["description"]}
    if "unit" in schema:
        key["unit"] = schema["unit"]
    alternatives = schema.get("anyOf", [])
    for part in [schema, schema.get("items", {}), *alternatives]:
        if "minimum" in part:
            key["minimum"], key["maximum"] = part["minimum"], part["maximum"]
    words = [part["const"] for part in alternatives if "const" in part]
    if words:
        key["choices"] = words
    with_arguments = [part["pattern"][1:].split(":")[0] for part in alternatives if "pattern" in part]
    if with_arguments:
        key["arguments"] = with_arguments
    return key

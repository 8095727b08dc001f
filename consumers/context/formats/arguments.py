"""A tool call's arguments: JSON text as a model gave it, which is not always JSON.

Providers want an object. What is none, or would not come through as it is, goes as text inside one, so that nothing
that the model wrote is lost or changed in silence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

from consumers.context.formats.message import writable_object

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import JsonValue

    from consumers.context.formats.message import Json

MOST_LEVELS = 64
"""Deeper objects than any tool takes; JSON writers stop not far above."""

EXACT_FLOATS = 2.0**53
"""From here on a float may be an integer that the parser could not keep."""


def parsed_object(arguments: str) -> Json | None:
    """Give `arguments` as an object, or none where they are no JSON object."""
    try:
        value: JsonValue = orjson.loads(arguments)
    except orjson.JSONDecodeError:
        return None
    return value if isinstance(value, dict) else None


def exact_object(arguments: str) -> Json | None:
    """Give `arguments` as an object that says the same when it is written again, or none."""
    value = parsed_object(arguments)
    return value if value is not None and _comes_through(value, MOST_LEVELS) else None


def object_for(arguments: str) -> Json:
    """Give `arguments` as an object, whatever they are: an empty one for none, the text inside one for no object."""
    if not arguments.strip():
        return {}
    value = exact_object(arguments)
    if value is None:
        return {"arguments": arguments}
    return writable_object(value) if "\\u0000" in arguments else value


def object_text_for(arguments: str) -> str:
    """Give `arguments` as the text of an object: their own text, byte for byte, where they are one."""
    if not arguments.strip():
        return "{}"
    return arguments if parsed_object(arguments) is not None else written({"arguments": arguments})


def written(value: Mapping[str, JsonValue]) -> str:
    """Give `value` as JSON text."""
    return orjson.dumps(value).decode()


def _comes_through(value: JsonValue, levels: int) -> bool:
    if isinstance(value, float):
        return abs(value) < EXACT_FLOATS
    if not isinstance(value, dict | list):
        return True
    items = value.values() if isinstance(value, dict) else value
    return levels > 0 and all(_comes_through(item, levels - 1) for item in items)

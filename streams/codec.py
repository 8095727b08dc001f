"""From a record's bytes to a body, one record at a time: an unreadable one never harms its neighbours.

Text that JSON can spell but UTF-8 cannot (a lone surrogate) reads as U+FFFD; the record's own bytes keep it.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Generic, TypeVar

from pydantic import ValidationError

from streams.bodies import Body
from streams.dead_letters import Reason
from streams.headers import UndecodableHeader, readable_headers

if TYPE_CHECKING:
    from aiokafka import ConsumerRecord
    from pydantic_core import ErrorDetails

AnyBody = TypeVar("AnyBody", bound=Body)

MOST_ERRORS_TOLD = 5
_LONE_SURROGATES = re.compile("[\ud800-\udfff]")
_FREE_FORM = frozenset({"metadata", "arguments"})
"""Fields whose inner names are content, and are not told."""


@dataclass(frozen=True, slots=True)
class Readable(Generic[AnyBody]):
    """A record with its body."""

    record: ConsumerRecord
    body: AnyBody


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A record that goes to the dead letters, and why. The error names fields, never what stands in them."""

    record: ConsumerRecord
    reason: Reason
    error: str


def read_record(record: ConsumerRecord, model: type[AnyBody], *, max_bytes: int) -> Readable[AnyBody] | Unreadable:
    """Read one record's value as a body of `model`, and check the headers that the contract reads."""
    value = record.value
    if value is None:
        return Unreadable(record, Reason.NULL_VALUE, "the value is null")
    if len(value) > max_bytes:
        return Unreadable(record, Reason.TOO_LARGE, f"{len(value)} bytes, the limit is {max_bytes}")
    if record.headers:
        try:
            readable_headers(record.headers)
        except UndecodableHeader as error:
            return Unreadable(record, Reason.BAD_HEADERS, str(error))
    outcome = read_body(value, model)
    if isinstance(outcome, tuple):
        return Unreadable(record, *outcome)
    return Readable(record, outcome)


def read_body(value: bytes, model: type[AnyBody]) -> AnyBody | tuple[Reason, str]:
    """Read bytes as a body, or say why not."""
    try:
        return model.model_validate_json(value)
    except ValidationError as error:
        if not _is_json_error(error):
            return Reason.WRONG_SCHEMA, describe(error)
    return _read_unusual_json(value, model)


def _read_unusual_json(value: bytes, model: type[AnyBody]) -> AnyBody | tuple[Reason, str]:
    """The strict parser refuses lone surrogates; the standard library's does not."""
    try:
        text = value.decode()
    except UnicodeDecodeError as error:
        return Reason.NOT_JSON, f"no UTF-8 at byte {error.start}"
    try:
        parsed = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        return Reason.NOT_JSON, _json_error(error)
    replaced = _LONE_SURROGATES.sub("\ufffd", json.dumps(parsed, ensure_ascii=False))
    try:
        return model.model_validate_json(replaced)
    except ValidationError as error:
        return (Reason.NOT_JSON if _is_json_error(error) else Reason.WRONG_SCHEMA), describe(error)


def _refuse_constant(name: str) -> None:
    msg = f"{name} is no JSON"
    raise ValueError(msg)


def _is_json_error(error: ValidationError) -> bool:
    return (
        error.error_count() == 1 and error.errors(include_input=False, include_url=False)[0]["type"] == "json_invalid"
    )


def _json_error(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"no JSON at character {error.pos}: {error.msg}"
    return "no JSON: nested too deeply" if isinstance(error, RecursionError) else f"no JSON: {error}"


def describe(error: ValidationError) -> str:
    """What is wrong, field by field, without what stands in the fields."""
    problems = error.errors(include_input=False, include_url=False, include_context=False)
    told = "; ".join(_describe_one(problem) for problem in problems[:MOST_ERRORS_TOLD])
    left = len(problems) - MOST_ERRORS_TOLD
    return f"{told}; and {left} more" if left > 0 else told


def _describe_one(problem: ErrorDetails) -> str:
    steps = list(takewhile(lambda step: step not in _FREE_FORM, problem["loc"])) or problem["loc"][:1]
    place = ".".join(str(step) for step in steps)
    return f"{place}: {problem['msg']}" if place else problem["msg"]

"""The providers' SDKs' request types, made into validators that mean it.

As they are, those types accept nearly anything: a field of type `Iterable` is validated only when somebody reads it,
keys that they do not know pass, and beside each type of a request stands a model of a reply, which takes any field.
Here iterables become lists, `TypedDict`s are closed, and replies are no requests.
"""

from __future__ import annotations

import collections.abc
import types
import typing
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

import typing_extensions
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Hint: TypeAlias = Any
"""A type as a value, of whatever kind."""

_MADE: dict[Hint, Hint] = {}
_LIST: Hint = list
_REQUIRED: Hint = typing_extensions.Required
_TYPED_DICT: Hint = typing_extensions.TypedDict

_REQUIREMENTS = (typing.Required, typing_extensions.Required)
_UNIONS = (typing.Union, types.UnionType)
_LISTS = (list, collections.abc.Iterable, collections.abc.Sequence)


def type_breaches(what: str, expected: Hint, values: Sequence[object]) -> Iterator[str]:
    """Name each of `values` that is not of the type `expected`, and the place in it where that shows."""
    validator = _validator(expected)
    for place, value in enumerate(values):
        try:
            validator.validate_python(value)
        except ValidationError as error:
            deepest = max(error.errors(), key=lambda found: len(found["loc"]))
            yield f"{what} {place}: not of the SDK's type at {deepest['loc']}: {deepest['msg']}"


@cache
def _validator(expected: Hint) -> TypeAdapter[Any]:
    return TypeAdapter(_strict(expected))


def _strict(hint: Hint) -> Hint:
    origin: Hint = typing.get_origin(hint)
    arguments = typing.get_args(hint)
    if typing_extensions.is_typeddict(hint):
        return _closed(hint)
    if origin in _LISTS:
        return _LIST[_strict(arguments[0])]
    if origin in _UNIONS:
        kept = tuple(_strict(argument) for argument in arguments if not _is_of_replies(argument))
        return typing.Union[kept or (None,)]  # noqa: UP007 - its members are known only when it runs
    if origin in _REQUIREMENTS:
        return _REQUIRED[_strict(arguments[0])]
    return _strict(arguments[0]) if origin is typing.Annotated else hint


def _is_of_replies(hint: Hint) -> bool:
    return isinstance(hint, type) and issubclass(hint, BaseModel)


def _closed(hint: Hint) -> Hint:
    """Give a copy of a `TypedDict` that takes no other keys; inside itself it is anything."""
    if hint not in _MADE:
        _MADE[hint] = Any
        fields = typing_extensions.get_type_hints(hint, include_extras=True)
        closed = _TYPED_DICT(
            hint.__name__, {name: _strict(field) for name, field in fields.items()}, total=hint.__total__
        )
        closed.__pydantic_config__ = ConfigDict(extra="forbid", arbitrary_types_allowed=True, strict=True)
        _MADE[hint] = closed
    return _MADE[hint]

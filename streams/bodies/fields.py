"""The field types that bodies share, and the model that all of them are."""

from __future__ import annotations

from typing import Annotated

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints

ID_CHARACTERS = 200
"""The longest id, in characters."""

Id = Annotated[
    str,
    StringConstraints(min_length=1, max_length=ID_CHARACTERS, pattern="^[^\x00-\x1f\x7f\ufffd]+$"),
]
"""An opaque id of the platform: 1 to 200 characters, spaces, slashes and emoji are fine.

Control characters are refused, and U+FFFD: an id that holds it was broken on its way, and may be another one's by now.
"""

Timestamp = Annotated[AwareDatetime, Field(examples=["2026-03-01T12:00:00+00:00"])]
"""An RFC 3339 time with an offset. A time without one is refused: nobody knows which instant it means."""


class Body(BaseModel):
    """A record's value. Frozen and strict; fields it does not know are no error and stay in the record's bytes."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore", use_attribute_docstrings=True)

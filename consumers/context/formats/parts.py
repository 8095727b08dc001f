"""What a part of content holds, whichever provider's shape it came in.

Producers send parts as their own provider writes them. A picture or a document that both APIs know is carried over
from one shape to the other; anything that is not whole is no part that an API would take, and is named as missing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from consumers.context.formats.message import Json

TEXT_TYPES = frozenset({"text", "input_text", "output_text"})
"""The names that providers give to text."""

IMAGE_TYPES = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
"""The pictures that both APIs take."""

PDF = "application/pdf"

_DATA_URL = re.compile(r"data:(?P<media_type>[\w.+-]+/[\w.+-]+);base64,(?P<data>[A-Za-z0-9+/=_-]+)")


@dataclass(frozen=True, slots=True)
class Media:
    """A picture or a document: exactly one of its bytes (in base64), its address, or a provider's id of it."""

    media_type: str = ""
    data: str | None = None
    url: str | None = None
    file_id: str | None = None

    def as_url(self) -> str:
        """Give its address; bytes become a `data:` URL."""
        return self.url or f"data:{self.media_type};base64,{self.data}"


def text_of(part: Json) -> str | None:
    """Give the text of a part that is text."""
    return text_in(part, "text") if part.get("type") in TEXT_TYPES else None


def image_of(part: Json) -> Media | None:
    """Give a picture in OpenAI's shape (`image_url`) or Anthropic's (`image`), if it is one that both could take."""
    media: Media | None = None
    if part.get("type") == "image_url":
        media = _from_url(text_in(object_in(part, "image_url"), "url") or text_in(part, "image_url"))
    elif part.get("type") == "image":
        media = _from_source(object_in(part, "source"))
    return media if media is not None and (not media.data or media.media_type in IMAGE_TYPES) else None


def document_of(part: Json) -> Media | None:
    """Give a PDF in OpenAI's shape (`file`) or Anthropic's (`document`), if it is one."""
    media: Media | None = None
    if part.get("type") == "file":
        media = _from_url(text_in(object_in(part, "file"), "file_data"))
    elif part.get("type") == "document":
        media = _from_source(object_in(part, "source"))
    return media if media is not None and (not media.data or media.media_type == PDF) else None


def object_in(part: Json, field: str) -> Json:
    """Give the object in `field`, or an empty one."""
    value = part.get(field)
    return value if isinstance(value, dict) else {}


def text_in(part: Json, field: str) -> str | None:
    """Give the text in `field`, or none."""
    value = part.get(field)
    return value if isinstance(value, str) else None


def _from_url(url: str | None) -> Media | None:
    if url is None:
        return None
    if url.startswith(("https://", "http://")):
        return Media(url=url)
    inline = _DATA_URL.fullmatch(url)
    return Media(media_type=inline["media_type"], data=inline["data"]) if inline else None


def _from_source(source: Json) -> Media | None:
    data, url, file_id = text_in(source, "data"), text_in(source, "url"), text_in(source, "file_id")
    match source.get("type"):
        case "base64" if data:
            return Media(media_type=text_in(source, "media_type") or "", data=data)
        case "url" if url:
            return _from_url(url)
        case "file" if file_id:
            return Media(file_id=file_id)
        case _:
            return None

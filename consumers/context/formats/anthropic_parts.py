"""Parts of content in Anthropic's shape: rebuilt from the fields that the API knows, since it refuses others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from consumers.context.formats.marks import part_mark
from consumers.context.formats.parts import Media, document_of, image_of, object_in, text_in, text_of
from streams.bodies import Role

if TYPE_CHECKING:
    from collections.abc import Iterable

    from consumers.context.formats.message import Json

PLAIN_TEXT = "text/plain"


def text_block(text: str) -> Json:
    """Give a block of text."""
    return {"type": "text", "text": text}


def rendered_parts(parts: Iterable[Json], role: Role) -> list[Json]:
    """Give the parts that a message of `role` may hold; a mark for each of the others; blank texts are left out."""
    return [block for part in parts if (block := _rendered(part, role)) is not None]


def _rendered(part: Json, role: Role) -> Json | None:
    text = text_of(part)
    if text is not None:
        return text_block(text) if text.strip() else None
    shown = None if role is Role.ASSISTANT else _image(part) or _document(part)
    return shown or text_block(part_mark(part.get("type")))


def _image(part: Json) -> Json | None:
    image = image_of(part)
    source = _source(image) if image is not None else None
    return {"type": "image", "source": source} if source else None


def _document(part: Json) -> Json | None:
    document = document_of(part)
    source = _source(document) if document is not None else _plain_text(part)
    if source is None:
        return None
    shown: Json = {"type": "document", "source": source}
    for field in ("title", "context"):
        text = text_in(part, field)
        if text:
            shown[field] = text
    return shown


def _source(media: Media) -> Json | None:
    if media.data:
        return {"type": "base64", "media_type": media.media_type, "data": media.data}
    if media.url:
        return {"type": "url", "url": media.url} if media.url.startswith("https://") else None
    return {"type": "file", "file_id": media.file_id}


def _plain_text(part: Json) -> Json | None:
    source = object_in(part, "source") if part.get("type") == "document" else {}
    data = text_in(source, "data")
    if source.get("type") != "text" or data is None or not data.strip():
        return None
    return {"type": "text", "media_type": PLAIN_TEXT, "data": data}

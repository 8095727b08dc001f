"""Parts of content in OpenAI's shape: rebuilt from the fields that the API knows, since it refuses others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from consumers.context.formats.marks import part_mark
from consumers.context.formats.parts import Media, document_of, image_of, object_in, text_in, text_of
from streams.bodies import Role

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pydantic import JsonValue

    from consumers.context.formats.message import Json

DETAILS = ("auto", "low", "high")
AUDIO_FORMATS = ("wav", "mp3")


def rendered_parts(parts: Iterable[Json], role: Role) -> list[JsonValue]:
    """Give the parts that a message of `role` may hold; a mark for each of the others; empty texts are left out."""
    rendered = (_rendered(part, role) for part in parts)
    return [part for part in rendered if part != {"type": "text", "text": ""}]


def _rendered(part: Json, role: Role) -> Json:
    text = text_of(part)
    if text is not None:
        return _text(text)
    shown: Json | None = None
    if role is Role.USER:
        shown = _image(part) or _audio(part) or _file(part)
    elif role is Role.ASSISTANT:
        shown = _refusal(part)
    return shown or _text(part_mark(part.get("type")))


def _text(text: str) -> Json:
    return {"type": "text", "text": text}


def _image(part: Json) -> Json | None:
    image = image_of(part)
    if image is None or image.file_id is not None:
        return None
    shown: Json = {"url": image.as_url()}
    detail = text_in(object_in(part, "image_url"), "detail")
    if detail in DETAILS:
        shown["detail"] = detail
    return {"type": "image_url", "image_url": shown}


def _audio(part: Json) -> Json | None:
    audio = object_in(part, "input_audio") if part.get("type") == "input_audio" else {}
    data, encoding = text_in(audio, "data"), text_in(audio, "format")
    if not data or encoding not in AUDIO_FORMATS:
        return None
    return {"type": "input_audio", "input_audio": {"data": data, "format": encoding}}


def _file(part: Json) -> Json | None:
    if part.get("type") == "file":
        return _own_file(object_in(part, "file"))
    document = document_of(part)
    if document is None or not document.data:
        return None
    return {"type": "file", "file": {"filename": _filename(part, document), "file_data": document.as_url()}}


def _own_file(file: Json) -> Json | None:
    shown: Json = {field: value for field in ("filename", "file_data", "file_id") if (value := text_in(file, field))}
    return {"type": "file", "file": shown} if "file_data" in shown or "file_id" in shown else None


def _filename(part: Json, document: Media) -> str:
    return text_in(part, "title") or f"document.{document.media_type.rpartition('/')[2]}"


def _refusal(part: Json) -> Json | None:
    refusal = text_in(part, "refusal") if part.get("type") == "refusal" else None
    return {"type": "refusal", "refusal": refusal} if refusal else None

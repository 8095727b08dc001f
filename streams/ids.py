"""Ids of derived things, made from what they derive from: handling a record again makes the same ids again."""

from __future__ import annotations

from uuid import UUID, uuid5

NAMESPACE = UUID("6d6e656d-6f73-5472-8561-6d0000000001")


def derived_id(kind: str, *parts: str | int | None) -> UUID:
    """The id of a `kind` that is made from `parts`, in their order.

    Each part is written with its length before it, so that no two lists of parts are the same text.
    """
    text = "".join("-;" if part is None else f"{len(str(part))}:{part};" for part in parts)
    return uuid5(NAMESPACE, f"{kind};{text}")

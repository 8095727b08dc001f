"""The headers that the contract names. Others pass through as the bytes that they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

RawHeaders = Sequence[tuple[str, bytes]]


class Header:
    """The headers' names: plain strings, because the producer takes no subclass of them."""

    CORRELATION_ID: Final = "correlation_id"
    REPLY_TO: Final = "reply_to"
    REPLY_PARTITION: Final = "reply_partition"
    SCHEMA: Final = "schema"
    TRACEPARENT: Final = "traceparent"
    DLQ_REASON: Final = "dlq.reason"
    DLQ_ERROR: Final = "dlq.error"
    DLQ_TOPIC: Final = "dlq.topic"
    DLQ_PARTITION: Final = "dlq.partition"
    DLQ_OFFSET: Final = "dlq.offset"
    DLQ_GROUP: Final = "dlq.group"
    DLQ_AT: Final = "dlq.at"
    DLQ_ID: Final = "dlq.id"


_READ = frozenset({Header.CORRELATION_ID, Header.REPLY_TO, Header.REPLY_PARTITION, Header.SCHEMA, Header.TRACEPARENT})


class UndecodableHeader(ValueError):
    """A header that the contract reads is no UTF-8."""


def readable_headers(headers: RawHeaders) -> dict[str, str]:
    """The contract's headers as text. The last of a name counts.

    Raises:
        UndecodableHeader: one of them is no UTF-8. Headers of other names may hold any bytes.
    """
    found: dict[str, str] = {}
    for name, value in headers:
        if name in _READ:
            try:
                found[name] = value.decode()
            except UnicodeDecodeError:
                raise UndecodableHeader(f"the header {name!r} is no UTF-8") from None
    return found


def schema_header(name: str, version: int = 1) -> tuple[str, bytes]:
    """The header that names a body's schema and its version."""
    return (Header.SCHEMA, f"{name}/{version}".encode())

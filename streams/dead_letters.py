"""Dead letters: records that could not be handled, with their bytes, where they stood and why.

A dead letter's id is made from where the record stood and who could not handle it: one that is sent twice can be told.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from streams.headers import Header
from streams.ids import derived_id
from streams.publisher import Outgoing

if TYPE_CHECKING:
    from aiokafka import ConsumerRecord

MOST_ERROR_CHARACTERS = 1_000


class Reason(StrEnum):
    """Why a record could not be handled."""

    NOT_JSON = "not_json"
    WRONG_SCHEMA = "wrong_schema"
    NULL_VALUE = "null_value"
    BAD_HEADERS = "bad_headers"
    TOO_LARGE = "too_large"
    CONFLICT_CONTENT = "conflict_content"
    CONFLICT_OWNER = "conflict_owner"
    THREAD_DELETED = "thread_deleted"
    THREAD_NOT_FOUND = "thread_not_found"
    INVALID_SETTING = "invalid_setting"
    NO_REPLY_TO = "no_reply_to"
    REPLY_UNDELIVERABLE = "reply_undeliverable"
    MODEL_FAILED = "model_failed"
    HANDLER_FAILED = "handler_failed"


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A record and the reason that it could not be handled. The error never holds content."""

    record: ConsumerRecord
    reason: Reason
    error: str

    def outgoing(self, topic: str, group: str) -> Outgoing:
        """The record for the dead-letter topic: original key, bytes and headers, and ours beside them."""
        record = self.record
        told = {
            Header.DLQ_REASON: self.reason,
            Header.DLQ_ERROR: self.error[:MOST_ERROR_CHARACTERS],
            Header.DLQ_TOPIC: record.topic,
            Header.DLQ_PARTITION: str(record.partition),
            Header.DLQ_OFFSET: str(record.offset),
            Header.DLQ_GROUP: group,
            Header.DLQ_AT: datetime.now(UTC).isoformat(timespec="milliseconds"),
            Header.DLQ_ID: str(derived_id("dead-letter", record.topic, record.partition, record.offset, group)),
        }
        kept = [(name, value) for name, value in record.headers if not name.startswith("dlq.")]
        return Outgoing(
            topic,
            record.key,
            record.value if record.value is not None or record.key is not None else b"",
            (*kept, *((name, text.encode("utf-8", errors="replace")) for name, text in told.items())),
        )

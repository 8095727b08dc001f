"""Answering over Kafka: whatever a handler's outcome is, it becomes a reply; a bad request never stops the consumer."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import UTC, datetime
from time import monotonic
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from streams.bodies import ContextRequest, ErrorCode, Reply, ReplyError, ToolRequest
from streams.codec import Unreadable, read_record
from streams.dead_letters import DeadLetter, Reason
from streams.errors import is_transient
from streams.headers import Header, UndecodableHeader, readable_headers, schema_header
from streams.in_flight import place
from streams.publisher import NoSuchTarget, Outgoing, Publisher, TooLarge
from streams.topics import TOPICS, Names, Topic

if TYPE_CHECKING:
    from collections.abc import Callable

    from aiokafka import ConsumerRecord

    from streams.settings import KafkaSettings
    from streams.topics import Group

log = logging.getLogger(__name__)

Request = TypeVar("Request", bound=ContextRequest | ToolRequest)
Asked_contra = TypeVar("Asked_contra", bound=ContextRequest | ToolRequest, contravariant=True)

TARGET_LOOKUP_SECONDS = 2.0
"""How long a reply topic that nobody knows may hold up one request."""
FORGET_UNKNOWN_SECONDS = 30.0


class Refused(Exception):
    """A handler's way to answer with an error. The message is for people, and holds no content."""

    def __init__(self, code: ErrorCode, message: str, *, retryable: bool = False) -> None:
        super().__init__(message)
        self.reply = Reply(ok=False, error=ReplyError(code=code, message=message, retryable=retryable))


class Answer(Protocol[Asked_contra]):
    """Answers one request, or raises `Refused`. It gives the reply's JSON, so that a large result is encoded once."""

    async def __call__(self, request: Asked_contra, record: ConsumerRecord) -> bytes: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class _Target:
    topic: str
    partition: int | None
    correlation_id: bytes | None


class RequestServer(Generic[Request]):
    """Serves one kind of request. Its `handle` is what an `InFlightConsumer` runs for each record.

    Args:
        works_late: says whether a request is worked on though its deadline has passed, or nobody waits: a write is.
    """

    def __init__(
        self,
        settings: KafkaSettings,
        publisher: Publisher,
        group: Group,
        model: type[Request],
        answer: Answer[Request],
        works_late: Callable[[Request], bool] = lambda _: False,
    ) -> None:
        self._settings = settings
        self._names = Names.of(settings)
        self._publisher = publisher
        self._group = self._names.group(group)
        self._model = model
        self._answer = answer
        self._works_late = works_late
        self._ours = frozenset(self._names.topic(spec.topic) for spec in TOPICS) - {self._names.topic(Topic.REPLIES)}
        self._unknown: dict[tuple[str, int | None], float] = {}

    async def handle(self, record: ConsumerRecord) -> None:
        """Read the request, answer it, send the reply."""
        try:
            target = self._target(record)
        except _NoTarget as problem:
            await self._without_target(record, problem)
            return
        value = await self._reply_to(record)
        try:
            await self._send(target, value)
        except (TooLarge, NoSuchTarget) as error:
            await self._bury(record, Reason.REPLY_UNDELIVERABLE, str(error))

    def _target(self, record: ConsumerRecord) -> _Target:
        try:
            headers = readable_headers(record.headers)
        except UndecodableHeader as error:
            raise _NoTarget(Reason.BAD_HEADERS, str(error)) from None
        topic = headers.get(Header.REPLY_TO)
        if not topic:
            raise _NoTarget(Reason.NO_REPLY_TO, "the request names no reply_to")
        if topic in self._ours:
            raise _NoTarget(Reason.REPLY_UNDELIVERABLE, "reply_to names a topic that is not for replies")
        partition = headers.get(Header.REPLY_PARTITION)
        if partition is not None and not (partition.isascii() and partition.isdigit()):
            raise _NoTarget(Reason.BAD_HEADERS, "reply_partition is no decimal number")
        correlation_id = headers.get(Header.CORRELATION_ID)
        return _Target(
            topic,
            None if partition is None else int(partition),
            None if correlation_id is None else correlation_id.encode(),
        )

    async def _without_target(self, record: ConsumerRecord, problem: _NoTarget) -> None:
        """Nobody can be told. A write is done all the same; anything else is a dead letter."""
        outcome = read_record(record, self._model, max_bytes=self._settings.max_record_bytes)
        if (
            problem.reason is Reason.NO_REPLY_TO
            and not isinstance(outcome, Unreadable)
            and self._works_late(outcome.body)
        ):
            await self._answer_or_error(outcome.body, record)
            return
        await self._bury(record, problem.reason, str(problem))

    async def _reply_to(self, record: ConsumerRecord) -> bytes:
        outcome = read_record(record, self._model, max_bytes=self._settings.max_record_bytes)
        if isinstance(outcome, Unreadable):
            return _encode(Refused(ErrorCode.INVALID_REQUEST, outcome.error).reply)
        deadline = outcome.body.deadline
        if deadline is not None and deadline < datetime.now(UTC) and not self._works_late(outcome.body):
            return _encode(Refused(ErrorCode.TIMEOUT, "the request's deadline has passed", retryable=True).reply)
        return await self._answer_or_error(outcome.body, record)

    async def _answer_or_error(self, request: Request, record: ConsumerRecord) -> bytes:
        try:
            return await self._answer(request, record)
        except Refused as refusal:
            return _encode(refusal.reply)
        except Exception as error:
            transient = is_transient(error)
            log.log(
                logging.WARNING if transient else logging.ERROR,
                "request failed",
                exc_info=None if transient else error,
                extra={"action": "request.failed", "error": type(error).__name__, **place(record)},
            )
            if transient:
                return _encode(Refused(ErrorCode.UNAVAILABLE, "a store cannot be reached now", retryable=True).reply)
            return _encode(Refused(ErrorCode.INTERNAL, "the request could not be handled").reply)

    async def _send(self, target: _Target, value: bytes) -> None:
        await self._check_known(target)
        headers = [schema_header("Reply")]
        if target.correlation_id is not None:
            headers.append((Header.CORRELATION_ID, target.correlation_id))
        key = target.correlation_id or b""
        if len(value) > self._settings.max_record_bytes:
            value = _encode(
                Refused(ErrorCode.INTERNAL, f"the result is larger than a record may be ({len(value)} bytes)").reply
            )
        await self._publisher.send(Outgoing(target.topic, key, value, headers, target.partition))

    async def _check_known(self, target: _Target) -> None:
        """A reply topic that does not exist would hold up every request that names it: remember it for a while."""
        asked = (target.topic, target.partition)
        since = self._unknown.get(asked)
        if since is not None and monotonic() - since < FORGET_UNKNOWN_SECONDS:
            raise NoSuchTarget("the reply topic, or its partition, does not exist")
        if not await self._publisher.has(target.topic, target.partition, timeout_seconds=TARGET_LOOKUP_SECONDS):
            if len(self._unknown) >= 1_000:  # noqa: PLR2004 - a flood of made-up names must not fill memory
                self._unknown.clear()
            self._unknown[asked] = monotonic()
            raise NoSuchTarget("the reply topic, or its partition, does not exist")
        self._unknown.pop(asked, None)

    async def _bury(self, record: ConsumerRecord, reason: Reason, error: str) -> None:
        log.warning("request buried", extra={"action": "request.dead_letter", "reason": str(reason), **place(record)})
        letter = DeadLetter(record, reason, error)
        await self._publisher.send(letter.outgoing(self._names.topic(Topic.DEAD_LETTERS), self._group))


class _NoTarget(Exception):
    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def _encode(reply: Reply) -> bytes:
    return reply.model_dump_json(exclude_none=True).encode()

"""What becomes of each arriving message. Pure: states go in, outcomes and the new states come out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import orjson

from stores.journal import NewMessage, Owner, Settled, StoredMessage, ThreadState
from streams.bodies import Role, TurnMessage
from streams.dead_letters import DeadLetter, Reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from aiokafka import ConsumerRecord

    from stores.journal import Source

DIGEST_BYTES = 16


@dataclass(frozen=True, slots=True)
class Arrival:
    """A readable message with what is made of it before the database is asked."""

    record: ConsumerRecord
    message: TurnMessage
    tokens: int
    digest: bytes

    @property
    def owner(self) -> Owner:
        """Whom the message says that its thread belongs to."""
        return Owner(self.message.agent_id, self.message.user_id)


@dataclass(frozen=True, slots=True)
class Appended:
    """The message is in the journal: now, or since this very record was handled before."""

    arrival: Arrival
    seq: int
    tokens: int
    now: bool


@dataclass(frozen=True, slots=True)
class Duplicate:
    """The producer sent it again, in another record: nothing happens (J2)."""

    arrival: Arrival


Outcome = Appended | Duplicate | DeadLetter


@dataclass(frozen=True, slots=True)
class Plan:
    """What an append does."""

    outcomes: Sequence[Outcome]
    messages: Sequence[NewMessage]
    threads: Sequence[ThreadState]


def digest_of(message: TurnMessage) -> bytes:
    """What J2 compares: what the message says, not when or how it was sent."""
    content = message.content
    said: list[Any] = [
        message.role,
        content if content is None or isinstance(content, str) else [part.model_dump() for part in content],
        message.tool_call_id,
        message.name,
        [[call.id, call.name, call.arguments] for call in message.tool_calls or ()],
    ]
    return blake2b(orjson.dumps(said, option=orjson.OPT_SORT_KEYS), digest_size=DIGEST_BYTES).digest()


def plan_append(
    arrivals: Iterable[Arrival],
    threads: Mapping[str, ThreadState],
    stored: Mapping[tuple[int, str], StoredMessage],
    sources: Mapping[tuple[str, int], Source],
    owner_keys: Mapping[Owner, int],
) -> Plan:
    """Decide on each arrival, in the log's order, given the locked states and what of them is journaled already."""
    states = dict(threads)
    known = dict(stored)
    outcomes: list[Outcome] = []
    messages: list[NewMessage] = []
    changed: set[str] = set()
    for arrival in arrivals:
        message, record = arrival.message, arrival.record
        state = states[message.thread_id]
        source_key = sources[record.topic, record.partition].source_key
        if not state.deleted and state.owner != arrival.owner:
            error = "the thread belongs to another agent or user"
            outcomes.append(DeadLetter(record, Reason.CONFLICT_OWNER, error))
            continue
        earlier = known.get((state.thread_key, message.message_id))
        if earlier is not None:
            outcomes.append(_compare(arrival, earlier, source_key))
            continue
        state = advance(state, arrival, owner_keys[arrival.owner])
        states[message.thread_id] = state
        changed.add(message.thread_id)
        known[state.thread_key, message.message_id] = StoredMessage(
            state.last_seq, arrival.digest, source_key, record.offset, arrival.tokens
        )
        messages.append(_row(arrival, state, source_key))
        outcomes.append(Appended(arrival, state.last_seq, arrival.tokens, now=True))
    return Plan(outcomes, messages, [states[thread_id] for thread_id in changed])


def advance(state: ThreadState, arrival: Arrival, owner_key: int) -> ThreadState:
    """The thread after one more message. A user message opens a turn, unless it names the turn that is open."""
    message = arrival.message
    seq = state.last_seq + 1
    counts = message.role is not Role.SYSTEM
    opens = opens_turn(message, state)
    return replace(
        state,
        owner_key=owner_key if state.deleted else state.owner_key,
        owner=arrival.owner,
        last_seq=seq,
        turn_seq=seq if opens else state.turn_seq,
        turn_id=message.turn_id if opens else state.turn_id,
        messages=state.messages + counts,
        tokens=state.tokens + (arrival.tokens if counts else 0),
        turn_messages=state.messages if opens else state.turn_messages,
        turn_tokens=state.tokens if opens else state.turn_tokens,
        deleted=False,
    )


def opens_turn(message: TurnMessage, state: ThreadState) -> bool:
    """Whether the message begins a turn: it is the first, names another turn, or is a user's without a name.

    A tool's result never does: one that comes late, under the name of an older turn, belongs where it came in.
    """
    if state.turn_seq < state.first_seq:
        return True
    if message.role is Role.TOOL:
        return False
    if message.turn_id is not None:
        return message.turn_id != state.turn_id
    return message.role is Role.USER


def _compare(arrival: Arrival, earlier: StoredMessage, source_key: int) -> Outcome:
    record = arrival.record
    if (earlier.source_key, earlier.source_offset) == (source_key, record.offset):
        return Appended(arrival, earlier.seq, earlier.tokens, now=False)
    if earlier.digest == arrival.digest:
        return Duplicate(arrival)
    return DeadLetter(record, Reason.CONFLICT_CONTENT, "the thread has another message under this message_id")


def _row(arrival: Arrival, state: ThreadState, source_key: int) -> NewMessage:
    message, record = arrival.message, arrival.record
    return NewMessage(
        thread_key=state.thread_key,
        seq=state.last_seq,
        turn_seq=state.turn_seq,
        owner_key=state.owner_key,
        source_offset=record.offset,
        source_key=source_key,
        tokens=arrival.tokens,
        created_at=message.created_at or datetime.fromtimestamp(max(record.timestamp, 0) / 1000, UTC),
        role=message.role,
        message_id=message.message_id,
        digest=arrival.digest,
        body=record.value or b"",
    )


COUNTED_AS = {Reason.CONFLICT_CONTENT: "conflict", Reason.CONFLICT_OWNER: "conflict", Reason.THREAD_DELETED: "rejected"}
"""As what a record that ends among the dead letters is counted (O7), where it was readable."""


def counted_as(outcome: Outcome) -> str:
    """As what a record is counted: exactly one of the balance's columns (O7)."""
    match outcome:
        case Appended():
            return "appended"
        case Duplicate():
            return "duplicate"
        case DeadLetter(reason=reason):
            return COUNTED_AS.get(reason, "dead_letter")


def settle(
    records: Sequence[ConsumerRecord], outcomes: Iterable[Outcome], sources: Mapping[tuple[str, int], Source]
) -> list[Settled]:
    """What a batch adds to each partition's balance. Records that were settled before add nothing."""
    ends = {_place(outcome_record(outcome)): counted_as(outcome) for outcome in outcomes}
    counts: dict[tuple[str, int], Counter[str]] = {}
    next_offsets: dict[tuple[str, int], int] = {}
    for record in records:
        partition = (record.topic, record.partition)
        count = counts.setdefault(partition, Counter())
        expected = next_offsets.setdefault(partition, sources[partition].next_offset)
        if record.offset >= expected:
            count["skipped"] += record.offset - expected
            count[ends[_place(record)]] += 1
            next_offsets[partition] = record.offset + 1
    return [
        Settled(sources[partition].source_key, next_offsets[partition], **count) for partition, count in counts.items()
    ]


def _place(record: ConsumerRecord) -> tuple[str, int, int]:
    return record.topic, record.partition, record.offset


def outcome_record(outcome: Outcome) -> ConsumerRecord:
    """The record that an outcome is of."""
    return outcome.record if isinstance(outcome, DeadLetter) else outcome.arrival.record


def begins_anew(outcomes: Iterable[Outcome], sources: Mapping[tuple[str, int], Source]) -> dict[tuple[str, int], int]:
    """Partitions whose log was made anew, and where it begins: what was settled before can't hold a new message."""
    found: dict[tuple[str, int], int] = {}
    for outcome in outcomes:
        if isinstance(outcome, Appended) and outcome.now:
            record = outcome.arrival.record
            partition = (record.topic, record.partition)
            if record.offset < sources[partition].next_offset:
                found.setdefault(partition, record.offset)
    return found

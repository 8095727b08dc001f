"""How FastStream hands us records: as they came, with nothing decoded on the way.

Its own parser decodes every header, and one that is no UTF-8 would fail a whole batch; its decoder guesses at bodies.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from faststream.kafka import Topic as DeclaredTopic

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection

    from aiokafka import ConsumerRecord
    from faststream.message import StreamMessage

    from streams.topics import Names, Topic


async def keep_raw(
    message: Any,  # noqa: ANN401 - a record, or a tuple of them in a batch
    parse: Callable[[Any], Awaitable[StreamMessage[Any]]],
) -> StreamMessage[Any]:
    """Parse without headers, and keep the record (or the batch of them) as it came."""
    bare = tuple(map(_bare, message)) if isinstance(message, tuple) else _bare(message)
    parsed = await parse(bare)
    parsed.raw_message = message
    return parsed


async def plain_body(message: StreamMessage[Any]) -> Any:  # noqa: ANN401 - whatever FastStream holds as the body
    """Decode nothing."""
    return message.body


def _bare(record: ConsumerRecord) -> ConsumerRecord:
    return replace(record, headers=()) if record.headers else record


def resolve_topics(names: Names, topics: Collection[Topic]) -> tuple[DeclaredTopic, ...]:
    """Topics for a subscriber, never created by it: `topics apply` does that, with the table's settings."""
    return tuple(DeclaredTopic(names.topic(topic), declare=False) for topic in topics)

"""The context builder's consumer group: `context.requests` in, replies out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from streams.bodies import ContextRequest
from streams.in_flight import InFlightConsumer
from streams.replies import RequestServer
from streams.topics import Group, Names, Topic

if TYPE_CHECKING:
    from aiokafka import ConsumerRecord

    from consumers.context.builder import ContextBuilder
    from streams.publisher import Publisher
    from streams.settings import KafkaSettings


class ContextServer:
    """Serves contexts over Kafka."""

    def __init__(self, settings: KafkaSettings, builder: ContextBuilder, publisher: Publisher) -> None:
        self._builder = builder
        self._server = RequestServer(settings, publisher, Group.CONTEXT, ContextRequest, self.answer)
        self.consumer = InFlightConsumer(
            settings, Names.of(settings), Group.CONTEXT, (Topic.CONTEXT_REQUESTS,), self._server.handle
        )

    async def answer(self, request: ContextRequest, record: ConsumerRecord) -> bytes:  # noqa: ARG002 - every request has one
        """The reply's JSON, the result put in as it was built."""
        return b'{"ok":true,"result":' + await self._builder.build(request) + b',"billable":false}'

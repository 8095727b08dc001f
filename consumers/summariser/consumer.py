"""The summariser's consumer group: `compaction.flushed` in, `summaries` out, in the background (S2).

A pass reads the thread's newest summary and the messages of its range and no other (S3), and its result is stored only
where it continues the chain (S6). A pass that fails is tried again with back-off; after the last try it is a dead
letter, the former summary stands, and the next pass covers the gap.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

import stamina

from consumers.summariser.folding import fold
from consumers.summariser.protocol import SummariserError, TransientSummariserError
from stores.compactions import BrokenRow
from streams.bodies import CompactionFlushed, SummaryUpdated
from streams.codec import Unreadable, read_record
from streams.dead_letters import DeadLetter, Reason
from streams.errors import is_transient
from streams.headers import schema_header
from streams.ids import derived_id
from streams.in_flight import InFlightConsumer, place
from streams.publisher import Outgoing
from streams.topics import Group, Names, Topic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aiokafka import ConsumerRecord

    from consumers.settings import CompactionSettings
    from consumers.summariser.protocol import Draft, Summariser
    from consumers.tokens import TokenCounter
    from stores.compactions import CompactionStore
    from stores.rows import JournalRow, SummaryRow
    from streams.publisher import Publisher
    from streams.settings import KafkaSettings

log = logging.getLogger(__name__)

FIRST_RETRY_SECONDS = 1.0
LONGEST_RETRY_SECONDS = 60.0


class SummariserPass:
    """Folds the ranges that were asked for, many threads at a time, each thread's one after the other."""

    def __init__(
        self,
        settings: KafkaSettings,
        compaction: CompactionSettings,
        store: CompactionStore,
        publisher: Publisher,
        summariser: Summariser,
        counter: TokenCounter,
    ) -> None:
        names = Names.of(settings)
        self._settings = settings
        self._compaction = compaction
        self._store = store
        self._publisher = publisher
        self._summariser = summariser
        self._counter = counter
        self._group = names.group(Group.SUMMARISER)
        self._summaries = names.topic(Topic.SUMMARIES)
        self._dead_letters = names.topic(Topic.DEAD_LETTERS)
        self.consumer = InFlightConsumer(
            settings, names, Group.SUMMARISER, (Topic.COMPACTION_FLUSHED,), self.handle, lane=lambda record: record.key
        )

    async def handle(self, record: ConsumerRecord) -> None:
        """Make a pass. While a store or the brokers are down, it waits for them: that is no failed try."""
        async for attempt in stamina.retry_context(on=is_transient, attempts=None, timeout=None, wait_max=10.0):
            with attempt:
                await self._handle(record)

    async def _handle(self, record: ConsumerRecord) -> None:
        outcome = read_record(record, CompactionFlushed, max_bytes=self._settings.max_record_bytes)
        if isinstance(outcome, Unreadable):
            await self._bury(DeadLetter(record, outcome.reason, outcome.error))
            return
        request = outcome.body
        try:
            summary = await self._summarised_already(request) or await self._summarise(request)
        except (SummariserError, BrokenRow) as error:
            await self._bury(DeadLetter(record, Reason.MODEL_FAILED, str(error)))
            await self._store.mark_failed(request.compaction_id)
            return
        if summary is None:
            log.info("range is no longer to be folded", extra={"action": "summary.superseded", **place(record)})
            await self._store.mark_failed(request.compaction_id)
            return
        await self._publisher.send(self._event(request, summary))
        log.info("summary stored", extra={"action": "summary.stored", "version": summary.version, **place(record)})

    async def _summarised_already(self, request: CompactionFlushed) -> SummaryRow | None:
        """The summary of this very range: a crash may have come between its storing and its telling."""
        state = await self._store.fold_state(request.thread_id, request.from_seq)
        newest = state.newest if state is not None else None
        if newest is not None and (newest.from_seq, newest.to_seq) == (request.from_seq, request.to_seq):
            return newest
        return None

    async def _summarise(self, request: CompactionFlushed) -> SummaryRow | None:
        state = await self._store.fold_state(request.thread_id, request.from_seq)
        if state is None or state.gone or state.folded_seq != request.from_seq - 1:
            return None
        rows = await self._store.range(request.thread_id, request.from_seq, request.to_seq)
        draft = await self._draft(state.newest.text if state.newest is not None else None, rows)
        return await self._store.store_summary(
            request,
            text=draft.text,
            tokens=self._counter.count(draft.text),
            model=draft.model,
            prompt_version=draft.prompt_version,
        )

    async def _draft(self, previous: str | None, rows: Sequence[JournalRow]) -> Draft:
        """An accepted draft, tried for as often as is configured.

        Raises:
            SummariserError: the last try failed too.
        """
        retries = stamina.AsyncRetryingCaller(
            attempts=self._compaction.attempts,
            timeout=None,
            wait_initial=FIRST_RETRY_SECONDS,
            wait_max=LONGEST_RETRY_SECONDS,
        )
        return await retries(TransientSummariserError, self._try, previous, rows)

    async def _try(self, previous: str | None, rows: Sequence[JournalRow]) -> Draft:
        try:
            async with asyncio.timeout(self._compaction.attempt_timeout_seconds):
                return await fold(
                    self._summariser,
                    previous,
                    rows,
                    max_tokens=self._compaction.summary_tokens,
                    input_tokens=self._compaction.input_tokens,
                    counter=self._counter,
                )
        except TimeoutError:
            raise TransientSummariserError("the summariser did not answer in time") from None

    async def _bury(self, letter: DeadLetter) -> None:
        log.warning("dead letter", extra={"action": "summariser.dead_letter", "reason": str(letter.reason)})
        await self._publisher.send(letter.outgoing(self._dead_letters, self._group))

    def _event(self, request: CompactionFlushed, summary: SummaryRow) -> Outgoing:
        body = SummaryUpdated(
            event_id=derived_id("summary", request.thread_id, summary.version),
            thread_id=request.thread_id,
            agent_id=request.agent_id,
            user_id=request.user_id,
            version=summary.version,
            from_seq=summary.from_seq,
            to_seq=summary.to_seq,
            text=summary.text,
            tokens=summary.tokens,
            model=summary.model,
            prompt_version=summary.prompt_version,
            created_at=summary.created_at,
        )
        return Outgoing(
            self._summaries,
            request.thread_id.encode(),
            body.model_dump_json().encode(),
            (schema_header("SummaryUpdated"),),
        )

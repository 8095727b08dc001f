"""Builds a context: one read, pure rules, one set of bytes."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from time import monotonic
from typing import TYPE_CHECKING, Any

import orjson

from consumers.context.assemble import Rendered, assemble
from consumers.context.snapshots import RULES, Recipe, read_id
from consumers.context.window import Window, select
from stores.journal import Owner
from streams.bodies import ErrorCode
from streams.replies import Refused

if TYPE_CHECKING:
    from consumers.settings import ContextSettings, WindowSettings
    from stores.contexts import ContextRead, ContextStore
    from streams.bodies import ContextRequest

FIRST_LOOK_SECONDS = 0.005
LONGEST_LOOK_SECONDS = 0.05

THREAD_NOT_FOUND = "there is no such thread for this agent and user"


class ContextBuilder:
    """Answers context requests. It never waits for a summary, a model or an index (S2)."""

    def __init__(self, store: ContextStore, window: WindowSettings, context: ContextSettings) -> None:
        self._store = store
        self._window = window
        self._context = context

    async def build(self, request: ContextRequest) -> bytes:
        """The result's JSON (`ContextResult`).

        Raises:
            Refused: the thread is not there for this agent and user, or the snapshot can't be given again.
            Unavailable: the database cannot be reached.
        """
        if request.snapshot_id is not None:
            return await self._again(request, request.snapshot_id)
        read, stale = await self._read_newest(request)
        recipe = Recipe(
            format=request.format,
            through_seq=read.through_seq,
            summary_version=read.summary.version if read.summary else 0,
            cap=read.cap,
            cut_characters=self._window.tool_characters,
            keep_cut_turn=self._window.keep_cut_turn,
        )
        return self._render(request.thread_id, read, recipe, stale=stale)

    async def _again(self, request: ContextRequest, snapshot_id: str) -> bytes:
        recipe = read_id(snapshot_id)
        if recipe is None:
            raise Refused(ErrorCode.INVALID_REQUEST, "snapshot_id is no id that a context was given")
        if recipe.rules != RULES:
            raise Refused(ErrorCode.NOT_FOUND, "the snapshot was built by rules that this version does not have")
        read = await self._store.read(
            request.thread_id,
            _owner(request),
            cap=recipe.cap,
            through_seq=recipe.through_seq,
            summary_version=recipe.summary_version,
        )
        if read is None:
            raise Refused(ErrorCode.THREAD_NOT_FOUND, THREAD_NOT_FOUND)
        return self._render(request.thread_id, read, recipe, stale=False, expected=snapshot_id)

    async def _read_newest(self, request: ContextRequest) -> tuple[ContextRead, bool]:
        """Read until the wanted message is there, or the wait is over (P5)."""
        until = monotonic() + self._patience(request)
        pause = FIRST_LOOK_SECONDS
        while True:
            read = await self._store.read(
                request.thread_id,
                _owner(request),
                cap=self._window.messages,
                message_id=request.after_message_id,
            )
            if read is not None and read.holds_message:
                return read, False
            left = until - monotonic()
            if left <= 0:
                break
            await asyncio.sleep(min(pause, left))
            pause = min(pause * 2, LONGEST_LOOK_SECONDS)
        if read is None:
            raise Refused(ErrorCode.THREAD_NOT_FOUND, THREAD_NOT_FOUND)
        return read, True

    def _patience(self, request: ContextRequest) -> float:
        if request.after_message_id is None:
            return 0.0
        if request.deadline is None:
            return self._context.wait_seconds
        return min(self._context.wait_seconds, (request.deadline - datetime.now(UTC)).total_seconds())

    def _render(
        self, thread_id: str, read: ContextRead, recipe: Recipe, *, stale: bool, expected: str | None = None
    ) -> bytes:
        window = select(read.rows, limit=recipe.cap, openings=read.openings, keep_cut_turn=recipe.keep_cut_turn)
        rendered = assemble(None, read.summary, window, format=recipe.format, cut_characters=recipe.cut_characters)
        content = orjson.dumps([rendered.system, rendered.messages])
        snapshot_id = recipe.id_for(content)
        if expected is not None and snapshot_id != expected:
            raise Refused(ErrorCode.NOT_FOUND, "the snapshot can't be given again: something in it was erased")
        return orjson.dumps(_result(thread_id, snapshot_id, read, window, rendered, stale=stale))


def _owner(request: ContextRequest) -> Owner:
    return Owner(request.agent_id, request.user_id)


def _result(
    thread_id: str, snapshot_id: str, read: ContextRead, window: Window, rendered: Rendered, *, stale: bool
) -> dict[str, Any]:
    summary = read.summary
    result: dict[str, Any] = {
        "snapshot_id": snapshot_id,
        "thread_id": thread_id,
        "built_at": read.newest_at or datetime.fromtimestamp(0, UTC),
        "stale": stale,
        "degraded": [],
    }
    if rendered.system is not None:
        result["system"] = rendered.system
    result |= {
        "messages": rendered.messages,
        "pinned": [],
        "summary": None
        if summary is None
        else {"version": summary.version, "from_seq": summary.from_seq, "to_seq": summary.to_seq},
        "window": {
            "count": len(window.rows),
            "first_seq": window.rows[0].seq if window.rows else None,
            "last_seq": window.rows[-1].seq if window.rows else None,
            "limit": window.limit,
            "partial_turn": window.partial_turn,
        },
    }
    return result

"""Contexts for tests: assembled as a request would get them, and everything that can be wrong with one."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import orjson

from consumers.context.assemble import Rendered, assemble
from stores.rows import SummaryRow
from streams.bodies import Format
from tests.unit.context.provider_rules import anthropic_breaches, openai_breaches, unclean_text
from tests.unit.context.threads import LIMIT, window_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from consumers.context.window import Window
    from stores.rows import JournalRow

CUT = 4_000


def summary(text: str, version: int = 1, created_at: datetime = datetime(2026, 3, 1, tzinfo=UTC)) -> SummaryRow:
    return SummaryRow(
        version=version,
        from_seq=1,
        to_seq=version,
        text=text,
        tokens=5,
        model="offline-test",
        prompt_version="1",
        created_at=created_at,
    )


def context(
    rows: Sequence[JournalRow],
    form: Format,
    *,
    limit: int = LIMIT,
    pinned: str | None = None,
    summed_up: SummaryRow | None = None,
    cut: int = CUT,
) -> Rendered:
    return assemble(pinned, summed_up, window_of(rows, limit), format=form, cut_characters=cut)


def breaches(window: Window, *, cut: int = CUT) -> list[str]:
    """Give everything for which any of the formats' readers would refuse this window, with and without system text."""
    found: list[str] = []
    for pinned, summed_up in ((None, None), ("what is known", summary("what was said"))):
        rendered = {form: assemble(pinned, summed_up, window, format=form, cut_characters=cut) for form in Format}
        orjson.dumps([[one.system, one.messages] for one in rendered.values()])  # a reply must be writable
        anthropic = rendered[Format.ANTHROPIC]
        found += _neutral_breaches(rendered[Format.NEUTRAL])
        found += openai_breaches(rendered[Format.OPENAI].messages)
        found += anthropic_breaches(anthropic.system, anthropic.messages)
        found += [
            f"{form}: NUL or a lone surrogate"
            for form, one in rendered.items()
            if unclean_text([one.system, one.messages])
        ]
    return found


def _neutral_breaches(rendered: Rendered) -> list[str]:
    due: list[object] = []
    found: list[str] = []
    for place, message in enumerate(rendered.messages):
        if message["role"] == "tool":
            if message["tool_call_id"] in due:
                due.remove(message["tool_call_id"])
            else:
                found.append(f"neutral {place}: a result of no call")
            continue
        if due:
            found.append(f"neutral {place}: no result yet of {due}")
        calls = message.get("tool_calls", [])
        due = [call["id"] for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []
        if not isinstance(message["content"], str | list):
            found.append(f"neutral {place}: content of no kind")
    return [*found, *(f"neutral end: no result of {call}" for call in due)]

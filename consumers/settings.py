"""Settings of what happens: windows, compactions, contexts."""

from __future__ import annotations

from pydantic import Field

from streams.settings import Section

WINDOW_MESSAGES = 20


class WindowSettings(Section):
    """The recent window."""

    messages: int = Field(default=WINDOW_MESSAGES, ge=1, le=WINDOW_MESSAGES)
    """The most messages in a window. A thread may lower it for itself, never raise it."""
    tool_characters: int = Field(default=4_000, ge=100)
    """Tool arguments and results longer than this are cut in a window, head and tail kept."""
    keep_cut_turn: bool = False
    """Whether an older turn that the cap cuts keeps its user message and its tail, instead of being dropped."""


class CompactionSettings(Section):
    """Thresholds and passes of the rolling summary."""

    message_threshold: int = Field(default=40, ge=1)
    """Messages since the last summary that ask for a compaction, where the agent sets none."""
    token_threshold: int = Field(default=8_000, ge=1)
    """Tokens since the last summary that ask for a compaction, where the agent sets none."""
    summary_tokens: int = Field(default=1_000, ge=50)
    """The longest summary."""
    input_tokens: int = Field(default=16_000, ge=1_000)
    """What a pass may read at once: a longer range is folded in pieces, in order."""
    attempts: int = Field(default=5, ge=1)
    """How often a pass is tried before it is a dead letter."""
    attempt_timeout_seconds: float = Field(default=120.0, gt=0)
    """How long one try may take."""
    retell_seconds: float = Field(default=600.0, gt=0)
    """After how long an open compaction's request counts as lost and is published again, under the same id."""


class ContextSettings(Section):
    """Building a context."""

    wait_seconds: float = Field(default=2.0, ge=0)
    """How long a build waits for `after_message_id` before it answers `stale`."""
    pinned_entries: int = Field(default=10, ge=0, le=10)
    """The most pinned entries."""

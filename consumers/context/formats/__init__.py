"""The shapes in which a context is handed out: what one program built, any provider's API must accept."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from consumers.context.formats import anthropic, neutral, openai
from streams.bodies import Format

if TYPE_CHECKING:
    from collections.abc import Sequence

    from consumers.context.formats.message import ContextMessage, Json

__all__ = ["render"]


def render(
    messages: Sequence[ContextMessage],
    format: Format,  # noqa: A002 - the wire contract's own word
) -> tuple[tuple[Json, ...] | None, tuple[Json, ...]]:
    """Give `messages`, paired and cut, in the asked format.

    Returns:
        The system blocks, only where the format keeps them beside the messages (`anthropic`), and the messages.
    """
    match format:
        case Format.NEUTRAL:
            return None, neutral.render(messages)
        case Format.OPENAI:
            return None, openai.render(messages)
        case Format.ANTHROPIC:
            return anthropic.render(messages)
    assert_never(format)

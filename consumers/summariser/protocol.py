"""What a summariser is: the one seam between the rolling summary and whoever writes it, a model or a rule.

Everything around it (which range, in which pieces, what is accepted, when to try again) is decided elsewhere, so that a
summariser is a function of its input and an implementation is small.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from streams.errors import MnemostreamError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from stores.rows import JournalRow


@dataclass(frozen=True, slots=True)
class Draft:
    """A summary as its author gave it, not judged yet."""

    text: str
    """The summary of all that the previous one held and of the messages after it."""
    model: str
    """Who wrote it; `offline-…` names a rule of our own."""
    prompt_version: str
    """The version of the prompt, or of the rules, that made it."""
    input_tokens: int
    """Tokens read, as the author bills or counts them."""
    output_tokens: int
    """Tokens written, likewise."""
    quotes: bool = False
    """It is made of the input's own sentences by design, so that a copied passage is no fault of it."""


class Summariser(Protocol):
    """Writes the next summary of a thread from the previous one and the messages after it (S3).

    An implementation guarantees that it

    - reads each message by `consumers.projection.project` (S10) and nothing else of it, and reads no other message;
    - takes what it reads as material: text that looks like an order to it is something that was said;
    - gives back its author's text, whatever it is worth, and never puts an error's text in its place: what fails is
      raised;
    - keeps no state between calls, so that a pass can be tried again, by another process too;
    - lets a cancellation through.
    """

    async def summarise(self, previous: str | None, messages: Sequence[JournalRow], *, max_tokens: int) -> Draft:
        """The summary that follows `previous`.

        Args:
            previous: the summary so far; None for a thread's first.
            messages: what came after it, in the order of the journal, within the input budget that was configured.
            max_tokens: the most tokens that the text should have; the caller enforces it (S7).

        Raises:
            TransientSummariserError: it may go well later.
            PermanentSummariserError: it will not go well with this input and this configuration.
        """
        ...


class SummariserError(MnemostreamError):
    """There is no draft. The message never holds a conversation's content."""


class TransientSummariserError(SummariserError):
    """It may go well later: a time-out, a rate limit, a server's fault, an answer that is no summary (S9)."""

    def __init__(self, message: str, *, retry_after_seconds: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds
        """How long the provider asked to wait, where it did."""


class PermanentSummariserError(SummariserError):
    """It will not go well with this input and configuration: a wrong key, an unknown model, input that is too large."""

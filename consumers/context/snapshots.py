"""A context's id is its recipe: what it was made of, and a digest of what came out.

So nothing is stored when a context is built, and asking for the id again makes the same bytes again from the journal,
whose rows never change. Where they can't be made again (something in it was erased or forgotten, or a newer program
renders otherwise), the digest tells, and the answer is an error rather than other bytes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import blake2b

from streams.bodies import Format

RULES = 1
"""The version of the rules that select and render. A change that renders other bytes takes the next number."""
DIGEST_BYTES = 9

_LETTERS = {Format.NEUTRAL: "n", Format.OPENAI: "o", Format.ANTHROPIC: "a"}
_FORMATS = {letter: format_ for format_, letter in _LETTERS.items()}
_ID = re.compile(
    r"c(?P<rules>\d{1,4})(?P<format>[noa])"
    r"\.(?P<through>\d{1,18})\.(?P<summary>\d{1,9})\.(?P<cap>\d{1,2})\.(?P<cut>\d{1,9})\.(?P<keep>[01])"
    r"\.(?P<entries>(?:\d{1,18}(?:-\d{1,18}){0,9})?)\.(?P<digest>[0-9a-f]{18})"
)


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a context is made of, beside the thread."""

    format: Format
    through_seq: int
    """The newest journal message (P4: the journal position)."""
    summary_version: int
    """0 where there was no summary."""
    cap: int
    """The cap on the window that applied."""
    cut_characters: int
    """Where tool arguments and results were cut."""
    keep_cut_turn: bool
    """How a cut turn was treated."""
    entry_versions: tuple[int, ...] = ()
    """The pinned entries, each by the key of its version."""
    rules: int = RULES

    def id_for(self, content: bytes) -> str:
        """The snapshot's id, given the context's bytes."""
        entries = "-".join(map(str, self.entry_versions))
        return (
            f"c{self.rules}{_LETTERS[self.format]}.{self.through_seq}.{self.summary_version}.{self.cap}"
            f".{self.cut_characters}.{int(self.keep_cut_turn)}.{entries}.{digest(content)}"
        )


def digest(content: bytes) -> str:
    """What tells a context's bytes from others."""
    return blake2b(content, digest_size=DIGEST_BYTES).hexdigest()


def read_id(snapshot_id: str) -> Recipe | None:
    """The recipe that an id names; None where it is no id of ours."""
    found = _ID.fullmatch(snapshot_id)
    if found is None:
        return None
    return Recipe(
        format=_FORMATS[found["format"]],
        through_seq=int(found["through"]),
        summary_version=int(found["summary"]),
        cap=int(found["cap"]),
        cut_characters=int(found["cut"]),
        keep_cut_turn=found["keep"] == "1",
        entry_versions=tuple(map(int, found["entries"].split("-"))) if found["entries"] else (),
        rules=int(found["rules"]),
    )

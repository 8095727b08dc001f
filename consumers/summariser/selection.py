"""Which sentences stand for all of them: the worthiest and most central, and no two that say the same.

Greedy maximal marginal relevance under a budget of tokens. What a sentence adds can only fall while others are chosen,
so a heap whose entries are revised late gives what comparing all pairs would, for a fraction of the comparisons.
"""

from __future__ import annotations

import heapq
import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from consumers.summariser.sentences import words

if TYPE_CHECKING:
    from collections.abc import Sequence

FEWEST: Final = 3
"""So many are chosen where none tells a fact, if the budget allows: they say at least what it was about."""

_CENTRALITY: Final = 0.5
"""What the most central sentence gains over one that has nothing to do with the others."""
_REDUNDANCY: Final = 1.0
"""What a sentence loses that is already said in full."""
_SAME: Final = 0.95
"""From this likeness on, two sentences say the same. Below it, one word may be another allergy, or a correction."""
_OVERHEAD: Final = 8
"""Tokens added to each cost, so that the shortest sentences do not win by being short."""

_STEM: Final = 6
_UNSPACED: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]"
)


@dataclass(frozen=True, slots=True)
class Weighed:
    """A sentence that may be chosen."""

    text: str
    tokens: int
    """What choosing it takes of the budget."""
    worth: float
    """What it is worth by itself; minus infinity where it must not be chosen."""


def select(sentences: Sequence[Weighed], budget: int) -> list[int]:
    """The positions of the chosen sentences, best first.

    Of two that are worth the same, the later one comes first.

    Args:
        sentences: in the order in which they were said.
        budget: the most tokens of all that are chosen.
    """
    terms = [_terms(sentence.text) for sentence in sentences]
    gains = [
        sentence.worth + _CENTRALITY * central
        for sentence, central in zip(sentences, _centralities(terms), strict=True)
    ]

    def entry(position: int, redundancy: float, compared: int) -> tuple[float, int, int]:
        sentence = sentences[position]
        density = (gains[position] - _REDUNDANCY * redundancy) / (sentence.tokens + _OVERHEAD)
        return -density, -position, compared

    heap = [entry(position, 0.0, 0) for position, gain in enumerate(gains) if gain > -math.inf]
    heapq.heapify(heap)
    redundancies = [0.0] * len(sentences)
    telling = any(gain > 0 for gain in gains)
    chosen: list[int] = []
    while heap:
        negative_density, negative_position, compared = heapq.heappop(heap)
        position = -negative_position
        if negative_density >= 0 and (telling or len(chosen) >= FEWEST):
            break
        if sentences[position].tokens > budget:
            continue
        if compared == len(chosen):
            chosen.append(position)
            budget -= sentences[position].tokens
            continue
        likest = max(_likeness(terms[position], terms[other]) for other in chosen[compared:])
        redundancies[position] = max(redundancies[position], likest)
        if redundancies[position] < _SAME:
            heapq.heappush(heap, entry(position, redundancies[position], len(chosen)))
    return chosen


def _terms(text: str) -> frozenset[str]:
    """What is compared: the beginnings of words, and pairs of signs where words are not set apart by spaces."""
    found: set[str] = set()
    for word in words(text.casefold()):
        if _UNSPACED.match(word):
            found.update(word[start : start + 2] for start in range(max(1, len(word) - 1)))
        else:
            found.add(word[:_STEM])
    return frozenset(found)


def _centralities(sentences: Sequence[frozenset[str]]) -> list[float]:
    """How near each sentence is to the centroid of all, 0 to 1: the cosine of their TF-IDF weights."""
    frequencies = Counter(term for terms in sentences for term in terms)
    weights = {term: math.log((len(sentences) + 1) / times) for term, times in frequencies.items()}
    centroid = {term: times * weights[term] for term, times in frequencies.items()}
    length = math.hypot(*centroid.values())
    return [
        sum(weights[term] * centroid[term] for term in terms)
        / (length * math.hypot(*(weights[term] for term in terms)))
        if terms
        else 0.0
        for terms in sentences
    ]


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """The share of terms that two sentences have in common (Dice): 0 for none, 1 for the same."""
    return 2 * len(one & other) / ((len(one) + len(other)) or 1)

# ruff: noqa: RUF001 - letters of many scripts stand here side by side, and some look alike
"""How much a sentence is worth keeping, by what can be seen on its face.

What a memory is asked for later are facts about somebody: who they are, what they have, want and decided, with names,
numbers and dates. Likeness to the whole conversation finds greetings and compliments, which stand in every message; so
facts count here. The marks are surface forms of the languages that users write most; a sentence in another one still
has its names and numbers.
"""

from __future__ import annotations

import re
from collections import Counter
from enum import Enum, auto
from typing import Final

from consumers.summariser.repetition import is_repetitive
from consumers.summariser.sentences import words

NEVER: Final = float("-inf")
"""The worth of what no summary may hold: no words, the same ones over and over, orders to whoever reads them."""


class _Mark(Enum):
    """What a word gives away about its sentence."""

    SELF = auto()
    LASTING = auto()
    DECISION = auto()
    NUMBER = auto()
    TIME = auto()
    HEDGE = auto()
    REQUEST = auto()
    LISTENER = auto()
    POLITE = auto()
    GREETING = auto()
    ORDER = auto()


_WORDS: Final = {
    _Mark.SELF: (
        "i i'm i've i'd i'll my mine myself me we we're we've our ours us "
        "ich mein meine meinen meiner meinem mir mich wir unser unsere je j'ai mon ma mes moi nous notre nos "
        "yo mi mis me soy tengo nosotros nuestro nuestra io mio mia miei sono noi nostro nostra "
        "eu meu minha meus minhas nós nosso nossa ik mijn wij ons onze jag min mitt mina ben benim bana biz "
        "ja mam jestem mój moja moje я мой моя моё мои меня мне мы наш наша нас мене мій моє "
        "أنا لدي نحن मैं मेरा मेरी मेरे मुझे हम हमारा"
    ),
    _Mark.LASTING: (
        "name names named called old born birthday live lives lived living moved work works married wife husband "
        "partner son sons daughter daughters child children kids mother father sister brother allergic allergy "
        "allergies diagnosed vegan vegetarian prefer prefers preferred favorite favourite always never "
        "heiße heisse wohne allergie allergisch m'appelle habite allergique llamo vivo alérgico alérgica chiamo abito "
        "chamo moro зовут живу работаю أعيش नाम रहता रहती एलर्जी"
    ),
    _Mark.DECISION: (
        "decide decided decision agree agreed agrees confirm confirmed confirms deadline promise promised plan plans "
        "planned planning chose chosen choose booked cancel cancelled canceled changed switch switched bought ordered "
        "started finished need needs needed want wants wanted must fixed solved cause entschieden décidé decidido "
        "решил решила решили договорились قررت फैसला"
    ),
    _Mark.NUMBER: (
        "two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty hundred thousand "
        "million half twice dozen"
    ),
    _Mark.TIME: (
        "monday tuesday wednesday thursday friday saturday sunday january february march april june july august "
        "september october november december today tomorrow yesterday tonight year years month months week weeks day "
        "days hour hours minute minutes weekly daily monthly ago since pm morgen gestern heute demain hier mañana ayer "
        "завтра вчера сегодня"
    ),
    _Mark.HEDGE: (
        "would could might may should maybe perhaps hope hopefully wonder wondering guess feel feels think just really "
        "honestly definitely"
    ),
    _Mark.REQUEST: "please let's bitte пожалуйста",
    _Mark.LISTENER: "you your yours yourself you're you've you'll",
    _Mark.POLITE: "appreciate welcome curious excited sorry glad forward",
    _Mark.GREETING: (
        "hi hey hello thanks thank great awesome perfect sure okay ok cheers hallo danke bonjour merci hola gracias "
        "ciao grazie привет здравствуйте спасибо 你好 谢谢 こんにちは ありがとう 안녕 안녕하세요 "
        "감사합니다 مرحبا شكرا नमस्ते धन्यवाद"
    ),
    _Mark.ORDER: "ignore disregard forget override system developer assistant inst now",
}
_MARK_OF: Final = {word: mark for mark, listed in _WORDS.items() for word in listed.split()}
_WITHIN: Final = {
    _Mark.SELF: re.compile(r"[我私僕俺]|わたし|저[는도]|제가|나는|내가|저의|ฉัน|ผม|اسمي|عندي"),
    _Mark.LASTING: re.compile(r"叫|名前|名字|住|过敏|過敏|アレルギー|이름|살아|살고|알레르기|اسمي|حساسية|аллерги"),
    _Mark.DECISION: re.compile(r"决定|決定|決め|喜欢|好き|需要|必要|결정"),
    _Mark.NUMBER: re.compile(r"[二三四五六七八九十百千万]"),
    _Mark.TIME: re.compile(r"[年月日時]|[0-9][분시]"),
    _Mark.REQUEST: re.compile(r"请|ください"),
}
"""The same inside of words, for scripts without spaces, and languages that put words together."""

_DIGITS: Final = re.compile(r"\d[\d.,:/-]*+")
_CODE: Final = re.compile(r"[{}<>=;|\\]|(?<=\w)\(|\)\.|::")
_CLOSERS: Final = "\"'”’»)]*_ "
_QUESTION_MARKS: Final = ("?", "？", "؟")
_END_MARKS: Final = (".", "!", "…", "。", "！", "｡", "۔", "।", *_QUESTION_MARKS)
_HEADING_MARKS: Final = (":", "：")
_ACRONYM: Final = 3
_LONG_WORD: Final = 12
_ORDER: Final = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instruction|prompt|rule|previous|above|system|everything)"
    r"|\byou (?:are|must) now\b|^\W*(?:system|developer)\s*:|<\|?/?\w*(?:system|assistant)|\[/?inst\]",
    re.IGNORECASE,
)


def salience(sentence: str, *, personal: bool) -> float:
    """The worth of a sentence: over 0 where it tells a fact, 0 or less where it does not.

    Args:
        sentence: one sentence, on one line.
        personal: whether "I" in it tells of somebody, and "you" asks for something; not so in an assistant's sentence.
    """
    spoken = words(sentence)
    marks = _marks(sentence, spoken)
    if not spoken or (marks[_Mark.ORDER] and _ORDER.search(sentence)):
        return NEVER
    if _is_poor(sentence, spoken) and is_repetitive(sentence):
        return NEVER
    own = _own(marks) if personal else 0.0
    told = _told(sentence, spoken, marks)
    end = sentence.rstrip(_CLOSERS)
    if not own and not end.endswith(_END_MARKS):
        # A heading, or an item of a list: it tells little without what stands around it.
        told = told / 2 - (0.5 if end.endswith(_HEADING_MARKS) else 0.0)
    return own + told - _idle(sentence, spoken, marks, personal=personal)


def _marks(sentence: str, spoken: list[str]) -> Counter[_Mark]:
    keys = (word.lower().replace("’", "'") for word in spoken)
    marks = Counter(_MARK_OF[key] for key in keys if key in _MARK_OF)
    if not sentence.isascii():
        marks.update({mark: len(pattern.findall(sentence)) for mark, pattern in _WITHIN.items()})
    return marks


def _own(marks: Counter[_Mark]) -> float:
    """What speakers tell of themselves: a lasting trait outweighs an episode."""
    return 0.5 + min(marks[_Mark.LASTING], 2) if marks[_Mark.SELF] else 0.0


def _told(sentence: str, spoken: list[str], marks: Counter[_Mark]) -> float:
    """What a sentence tells, whoever says it."""
    return (
        1.0 * min(len(_DIGITS.findall(sentence)) + marks[_Mark.NUMBER], 2)
        + 0.4 * min(_names(spoken), 3)
        + 0.5 * min(marks[_Mark.TIME], 1)
        + 0.3 * min(marks[_Mark.DECISION], 2)
    )


def _idle(sentence: str, spoken: list[str], marks: Counter[_Mark], *, personal: bool) -> float:
    """What speaks against a sentence: it asks, is polite, wavers, is meant for the listener, or is no language."""
    polite = marks[_Mark.POLITE] or _MARK_OF.get(spoken[0].lower()) is _Mark.GREETING
    asks_for = marks[_Mark.REQUEST] or (personal and marks[_Mark.LISTENER])
    return (
        (1.5 if sentence.rstrip(_CLOSERS).endswith(_QUESTION_MARKS) else 0.0)
        + (1.0 if polite else 0.0)
        + (0.6 if asks_for else 0.0)
        + (0.4 if marks[_Mark.HEDGE] else 0.0)
        + 0.6 * min(len(_CODE.findall(sentence)), 5)
    )


def _names(spoken: list[str]) -> int:
    """Words with a capital that do not open the sentence; neither "I" nor a shouted word is a name."""
    return sum(
        word[0].isupper() and word.partition("'")[0] != "I" and not (len(word) > _ACRONYM and word.isupper())
        for word in spoken[1:]
    )


def _is_poor(sentence: str, spoken: list[str]) -> bool:
    """Whether the same words, or signs where there are no words, come again: cheap to see, true of all that circles."""
    units = spoken if len(sentence) < _LONG_WORD * len(spoken) else sentence
    return 2 * len(set(units)) < len(units)

# ruff: noqa: RUF001 - letters of many scripts stand here side by side, and some look alike
"""How much a sentence is worth keeping, by what can be seen on its face.

What a memory is asked for later are facts about somebody: who they are, what they have, want and decided, with names,
numbers and dates. Likeness to the whole conversation finds greetings and compliments, which stand in every message; so
facts count here. The marks are surface forms of the languages that users write most; a sentence in another one still
has its names and numbers.
"""

from __future__ import annotations

import re
from typing import Final

from consumers.summariser.repetition import is_repetitive
from consumers.summariser.sentences import words

NEVER: Final = float("-inf")
"""The worth of what no summary may hold: no words, the same ones over and over, orders to whoever reads them."""

_FIRST_PERSON: Final = frozenset(
    word
    for language in (
        "i i'm i've i'd i'll my mine myself me we we're we've our ours us",
        "ich mein meine meinen meiner meinem mir mich wir unser unsere",
        "je j'ai mon ma mes moi nous notre nos",
        "yo mi mis me soy tengo nosotros nuestro nuestra",
        "io mio mia miei sono noi nostro nostra",
        "eu meu minha meus minhas nós nosso nossa",
        "ik mijn wij ons onze jag min mitt mina",
        "ben benim bana biz ja mam jestem mój moja moje",
        "я мой моя моё мои меня мне мы наш наша нас мене мій моє",
        "أنا اسمي لدي عندي نحن मैं मेरा मेरी मेरे मुझे हम हमारा",
    )
    for word in language.split()
)
_FIRST_PERSON_UNSPACED: Final = re.compile(r"[我私僕俺]|わたし|저[는도]|제가|나는|내가|저의|제 |내 |ฉัน|ผม")
_LASTING: Final = re.compile(
    r"\b(?:name[ds]?|called|call me|years old|born|birthday|live[sd]? in|moved to|works? (?:as|at|for|in)|married|wife"
    r"|husband|partner|sons?|daughters?|children|kids?|mother|father|allerg\w*|diagnosed|vegan|vegetarian|prefers?"
    r"|favou?rite|always|never|hei(?:ß|ss)e|wohne|allergi\w+|m'appelle|habite|me llamo|vivo|al[eé]rgic\w+|mi chiamo"
    r"|abito|chamo|moro|зовут|живу|работаю|аллерги\w+)\b"
    r"|叫|名前|名字|住|过敏|過敏|アレルギー|이름|살아|살고|알레르기|اسمي|أعيش|حساسية|नाम|रहता|रहती|एलर्जी",
    re.IGNORECASE,
)
_DECISION: Final = re.compile(
    r"\b(?:decid\w+|agree[ds]?|confirm\w*|deadline|promis\w+|plan(?:s|ned|ning)?|chose|chosen|booked|cancel\w*|changed"
    r"|switch\w*|bought|ordered|started|finished|need(?:s|ed)?|want(?:s|ed)?|must|fixed|solved|entschied\w*|d[ée]cid\w+"
    r"|решил\w*|договорились)\b"
    r"|决定|決定|決め|喜欢|好き|需要|必要|결정|قررت|फैसला",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(
    r"\d[\d.,:/-]*+|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty"
    r"|hundred|thousand|million|half|twice|dozen)\b|[二三四五六七八九十百千万]",
    re.IGNORECASE,
)
_TIME: Final = re.compile(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october"
    r"|november|december|today|tomorrow|yesterday|tonight|(?:year|month|week|day|hour|minute)s?|(?:week|dai|month)ly"
    r"|ago|since|morgen|gestern|heute|demain|hier|mañana|ayer|завтра|вчера|сегодня)\b|[年月日時]|분|시",
    re.IGNORECASE,
)
_HEDGE: Final = re.compile(
    r"\b(?:would|could|might|may|should|maybe|perhaps|hope|wonder\w*|guess|feels?|think|just|really|honestly"
    r"|definitely)\b",
    re.IGNORECASE,
)
_REQUEST: Final = re.compile(
    r"\b(?:please|i'll need|let me|let's|bitte|por favor|пожалуйста)\b|请|ください", re.IGNORECASE
)
_SECOND_PERSON: Final = re.compile(r"\byou(?:r|rs|rself)?\b", re.IGNORECASE)
_QUESTION: Final = re.compile(r"[?？؟][\"'”’»)\]*_]*$")
_PLEASANTRY: Final = re.compile(
    r"^\W*(?:hi|hey|hello|thanks?|good (?:morning|afternoon|evening)|great|awesome|perfect|sure|okay|ok|cheers"
    r"|you're welcome|no problem|please let me know|let me know|feel free|have a (?:great|nice|good)"
    r"|hallo|danke|bonjour|merci|hola|gracias|ciao|grazie|привет|здравствуйте|спасибо|你好|谢谢|こんにちは|ありがとう"
    r"|안녕|감사|مرحبا|شكرا|नमस्ते|धन्यवाद)(?!\w)"
    r"|\b(?:appreciate|i'm (?:so |really |just )*(?:curious|excited|happy to|wondering)|happy to help|sorry"
    r"|looking forward|love to (?:know|hear)|can't wait)\b",
    re.IGNORECASE,
)
_FINISHED: Final = re.compile(r"[.!?…。！？｡؟۔।][\"'”’»)\]]*$")
_CODE: Final = re.compile(r"[{}<>=;|\\]|\w\(|\)\.|::")
_ACRONYM: Final = 3
_ORDER: Final = re.compile(
    r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instruction|prompt|rule|previous|above|system|everything)"
    r"|\byou (?:are|must) now\b|^\W*(?:system|developer)\s*:|<\|?/?\w*(?:system|instruction|prompt|summary)|\[/?INST\]",
    re.IGNORECASE,
)


def salience(sentence: str, *, personal: bool) -> float:
    """The worth of a sentence: over 0 where it tells a fact, 0 or less where it does not.

    Args:
        sentence: one sentence, on one line.
        personal: whether "I" in it tells of somebody, and "you" asks for something; not so in an assistant's sentence.
    """
    spoken = words(sentence)
    if not spoken or _ORDER.search(sentence) or (_is_poor(sentence) and is_repetitive(sentence)):
        return NEVER
    own = _own(sentence, spoken) if personal else 0.0
    told = _told(sentence, spoken)
    # Headings and the items of lists: they tell little without what stands around them.
    whole = own > 0 or _FINISHED.search(sentence) is not None
    return own + (told if whole else told / 2) - _idle(sentence, personal=personal)


def _is_poor(sentence: str) -> bool:
    """Whether few different signs make up the sentence: cheap to see, and every repetitive one is."""
    return 3 * len(set(sentence)) < len(sentence)


def _told(sentence: str, spoken: list[str]) -> float:
    """What a sentence tells, whoever says it."""
    return (
        1.0 * min(len(_NUMBER.findall(sentence)), 2)
        + 0.4 * min(_names(spoken), 3)
        + 0.5 * min(len(_TIME.findall(sentence)), 1)
        + 0.3 * min(len(_DECISION.findall(sentence)), 2)
    )


def _own(sentence: str, spoken: list[str]) -> float:
    """What speakers tell of themselves: a lasting trait outweighs an episode."""
    own = any(word.lower().replace("’", "'") in _FIRST_PERSON for word in spoken)
    if not own and not _FIRST_PERSON_UNSPACED.search(sentence):
        return 0.0
    return 0.5 + min(len(_LASTING.findall(sentence)), 2)


def _idle(sentence: str, *, personal: bool) -> float:
    """What speaks against a sentence: it asks, is polite, wavers, is meant for the listener, or is no language."""
    return (
        (1.5 if _QUESTION.search(sentence) else 0.0)
        + (1.0 if _PLEASANTRY.search(sentence) else 0.0)
        + (0.4 if _HEDGE.search(sentence) else 0.0)
        + (0.6 if _REQUEST.search(sentence) or (personal and _SECOND_PERSON.search(sentence)) else 0.0)
        + 0.6 * min(len(_CODE.findall(sentence)), 5)
    )


def _names(spoken: list[str]) -> int:
    """Words with a capital that do not open the sentence; neither "I" nor a shouted word is a name."""
    return sum(
        word[0].isupper() and word.partition("'")[0] != "I" and not (len(word) > _ACRONYM and word.isupper())
        for word in spoken[1:]
    )

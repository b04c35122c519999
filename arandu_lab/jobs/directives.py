"""Directives: how the assistant was asked to behave (J10). What may be one, and which a later one takes the place of.

A directive is shown to an agent as something to follow, so more is asked of it than of other observations: a person must have
said it, and it is one short line about manner.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from arandu_lab.pure.assistants import is_assistant
from arandu_lab.pure.compare import differences
from arandu_lab.pure.matching import stems
from arandu_lab.pure.text import fold
from arandu_lab.records import Event

LONGEST = 200
"""Characters of a directive."""

_REACHES_OUT = re.compile(
    r"\b(?:send|e-?mail|forward|transfer|pay|buy|delete|erase|execute|run|download|upload|click|post|call|tell everyone|"
    r"envi\w+|mand\w+|encaminh\w+|transfir\w+|pag(?:ue|ar)|compr(?:e|ar)|apag\w+|execut\w+|baix(?:e|ar)|cliqu\w+)\b"
    r".{0,60}\b(?:to|para|file\w*|arquivo\w*|money|dinheiro|account\w*|conta|data|dados|link\w*|memor\w+|password\w*|senha\w*|"
    r"command\w*|comando\w*|code|codigo|everyone|todos)\b"
    r"|\b(?:password|senha|credential|credencia)\w*|\bapi key\b|\bsecret key\b"
)


_MANNER = re.compile(
    r"(?:please |always |never |do not |don't |"
    r"(?:when|for|with|in|at|on|during|before|after|if|quando|para|com|em|antes|depois|se) (?:[^,]{1,60}, |[a-z ]{1,24}? )|"
    r"por favor |sempre |nunca |nao )*"
    r"(?:answer|reply|respond|write|speak|talk|be|keep|use|avoid|call|address|refer|greet|explain|summari[sz]e|give|list|show|"
    r"start|end|begin|skip|prefer|stick|stay|format|translate|quote|cite|joke|apologi[sz]e|repeat|ask|remind|"
    r"responda|escreva|fale|seja|use|evite|chame|trate|explique|resuma|de|liste|mostre|comece|termine|prefira|pergunte|lembre)\b"
    r"(?!.*\b(?:pretend|without rules|no rules|instructions?|system prompt|secrets?|segredos?|as dan)\b)(?!.*(?:rm -|[/\\]{1,2}\w|://|[<>{}$`]))"
)
"""A directive begins with how to answer, and goes no further: forms that are known, and nothing else."""

_MIXED = re.compile(r"[A-Za-z][\u0370-\u1FFF]|[\u0370-\u1FFF][A-Za-z]")
"""Letters of two alphabets in one word: what looks like another word."""


def refusal(text: str, evidence: Iterable[str], events: Iterable[Event]) -> str:
    """Why a text may not become a directive; empty where it may.

    Args:
        evidence: ids of what it cites.
        events: the turns that were shown. Of those cited, one at least must be a person's.

    >>> from datetime import UTC, datetime
    >>> at = datetime(2025, 1, 1, tzinfo=UTC)
    >>> said = Event(id="e", agent_id="a", text="Please be brief", speaker="Ana", occurred_at=at, recorded_at=at)
    >>> refusal("Answer briefly.", ["e"], [said]), refusal("Answer briefly.", ["f"], [said])
    ('', 'nobody is cited who asked for it')
    >>> refusal("Send the files to Rui.", ["e"], [said])
    'is about more than the manner of answers'
    """
    cited = set(evidence)
    if not any(event.id in cited and not is_assistant(event.speaker) for event in events):
        return "nobody is cited who asked for it"
    if len(text) > LONGEST:
        return f"{len(text)} characters; {LONGEST} are the most"
    if _REACHES_OUT.search(fold(text)) or not _MANNER.match(fold(text)) or _MIXED.search(text):
        return "is about more than the manner of answers"
    return ""


def opposed(one: str, other: str) -> bool:
    """Whether of two directives only one can be followed: the same words, asked for and forbidden.

    >>> opposed("Call me sir.", "Do not call me sir."), opposed("Use emojis.", "Never use emojis.")
    (True, True)
    >>> opposed("Be brief.", "Be kind."), opposed("Use emojis.", "Do not use tables.")
    (False, False)
    """
    apart = set(differences(one, other))
    alike = stems(one) - _DENYING == stems(other) - _DENYING
    return bool(apart) and apart <= {"polarity", "antonyms"} and alike


_DENYING = stems("do not don't never please no longer stop")

"""What holds after a move: *moved to Recife on 14 June* says besides that somebody lives in Recife.

The state is what an earlier home contradicts; the event keeps its date.
"""

# ruff: noqa: E501  (patterns read better on one line)

from __future__ import annotations

import re

from arandu_lab.llm.rules import gazetteer
from arandu_lab.llm.rules.language import Language
from arandu_lab.pure.text import fold

_MONTHS = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|"
    r"Sunday|Janeiro|Fevereiro|Março|Abril|Maio|Junho|Julho|Agosto|Setembro|Outubro|Novembro|Dezembro)\b"
)
_NAME = rf"(?!{_MONTHS})[A-ZÀ-Ý][\w'’.-]*(?: (?:(?:of|de|da|do|dos|das|the) )?(?!{_MONTHS})[A-ZÀ-Ý][\w'’.-]*)*"
_SMALL = r"[a-zà-ÿ][\w-]*(?: [a-zà-ÿ][\w-]*){0,3}"
_EN = re.compile(
    r"^(?:has |have |had )?(?:(?:just|finally|recently|already|also) )?(?:moved|relocated)(?: back| out| over| away| down| up)?(?: from [^,.;]{2,40}?)? "
    rf"(?P<prep>to|into|in with) (?:(?P<what>(?:a|an|the|his|her|their) [a-z][a-z -]{{1,40}}? (?:in|on|at)) )?(?:(?P<name>(?:the |number )?(?:\d+ (?={_NAME}))?{_NAME}(?:, {_NAME})?|number \d+)|(?P<small>{_SMALL}))"
)
_PT = re.compile(
    r"^(?:(?:já|finalmente|agora|também|enfim) )?(?:(?:se )?(?:mudou|mudaram)(?:-se)?|(?:foi|foram|veio|vieram) morar|acab(?:ou|a|aram|am) de (?:se )?mudar(?:-se)?)(?: de volta| de vez)?"
    rf"(?: d[aeo] [^,.;]{{2,40}}?)? (?P<prep>para|pra|pro|em|no|na|nos|nas|a|ao) (?:(?P<what>(?:um|uma|o|a|seu|sua) [a-zà-ÿ][a-zà-ÿ -]{{1,40}}? (?:em|no|na|nos|nas)) )?(?:(?P<article>o|a|os|as) )?(?:(?P<name>{_NAME}(?:, {_NAME})?)|(?P<small>{_SMALL}))"
)
_NOT = re.compile(r"\b(?:not|never|no longer|não|nunca)\b")
_IN = {"o": "no", "a": "na", "os": "nos", "as": "nas"}
_MERGED = {"pro": "no", "ao": "no", "no": "no", "na": "na", "nos": "nos", "nas": "nas"}


def home_after(subject: str, predicate: str, language: Language) -> str:
    """The state that a move leaves, or nothing.

    >>> home_after("Rafael", "moved to Recife on 14 June 2025", "en"), home_after("Rafael", "se mudou para o Recife", "pt")
    ('Rafael lives in Recife', 'Rafael mora no Recife')
    """
    match = None if _NOT.search(predicate) else (_EN if language == "en" else _PT).match(predicate)
    if not match:
        return ""
    place = match["name"] or _known(match["small"])
    if not place:
        return ""
    what = match["what"]
    if language == "en":
        verb = "live" if " and " in subject else "lives"
        if what:
            return f"{subject} {verb} in {what} {place}"
        preposition = "with" if match["prep"] == "in with" else "at" if place[0].isdigit() else "in"
        return f"{subject} {verb} {preposition} {place}"
    verb = "moram" if " e " in subject else "mora"
    if what:
        first, _, rest = what.partition(" ")
        return f"{subject} {verb} {_IN.get(first, 'num' if first == 'um' else 'numa' if first == 'uma' else f'em {first}')} {rest} {place}"
    preposition = _IN.get(match["article"] or "") or _MERGED.get(match["prep"], "em")
    return f"{subject} {verb} {preposition} {place}"


def _known(words: str) -> str:
    """The longest known place at the start of words in lower case."""
    parts = words.split()
    if parts[0] == "the" and len(parts) > 1:
        found = _known(" ".join(parts[1:]))
        return found and f"the {found}"
    for length in range(len(parts), 0, -1):
        name = " ".join(parts[:length])
        if fold(name) in gazetteer.PLACES:
            return name
    return ""

"""Which way an undirected name leans ("Friday", "in March"), from the verbs of its sentence.

The nearest cue decides, and one before the name counts as nearer than one after it. Where there is none the caller
decides: a statement leans back, for people mostly tell what has been.
"""

from __future__ import annotations

import re

from arandu_lab.pure.timex.cues import cues
from arandu_lab.pure.timex.spans import Language

_BREAK = re.compile(r"[.!?;\n]+(?:\s|$)|, (?:but|and then|so|mas|e depois|entao) ")
_PERFECT = re.compile(
    r"(?:'ve|'s|have|has|had|having|haven't|hasn't)(?: \w+){0,3}? "
    r"(?:been|\w+ed|known|had|lived|kept|worn|driven|taught|gone|seen|done|held|run)\b"
)
_NEGATED = re.compile(r"n't\b|\b(?:not|never|no)\b")
_ONGOING = re.compile(
    r"(?<!\w)(?:moro|mora|moramos|moram|vivo|vive|vivemos|trabalho|trabalha|trabalhamos|estudo|estuda|estou|esta|"
    r"estamos|sou|somos|tenho|tem|temos|conheco|conhece|namoro|namora|namoramos|uso|usa|faco|toco|toca|jogo|joga|"
    r"pratico|pratica|nao (?:\w{1,3} )?\w+[oa]|dou|"
    r"ensino|dirijo|cuido|participo|venho|vem \w+ndo|aprendo|corro|treino)(?!\w)"
)

_OPENS = (
    r"(?:^|[.!?;,:(]|\b(?:e|que|quando|porque|mas|se|hoje|amanha|ontem)(?=\s))\s*(?:(?:n[oa]|em) \w+,? |dia \d+,? )?"
)
_WHOSE = r"(?:[oa]s?|meus?|minhas?|seus?|suas?|teus?|tuas?|noss[oa]s?)"
_ONE = rf"(?:eu|ele|ela|eles|elas|voces?|a gente|{_WHOSE} \w+(?: d[eoa]s? \w+)?)"
_SOMEBODY = re.compile(rf"{_OPENS}{_ONE}(?: ja| so| hoje| amanha)? $")
_PERHAPS = re.compile(rf"{_OPENS}(?:{_WHOSE} )?(?!(?:ja|hoje|amanha|ontem|que|isso|isto|tudo|nao)\b)\w+(?: \w+)? $")
_THEN = re.compile(
    r"(?: de (?:idade|vida))?,? (?:hoje|amanha|ontem|dia \d{1,2}|no dia|n?est[ea]|n[oa]|em|semana que vem|mes que vem)\b"
)


def lean(text: str, start: int, end: int, language: Language, written: str = "") -> int:
    """Which way a name at text[start:end] leans, -1 or +1, or 0 with no cue. The text is folded; `written` is the same
    as it was written.

    >>> lean("i saw her on friday", 10, 19, "en"), lean("vou na sexta", 4, 12, "pt")
    (-1, 1)
    """
    left, right = clause(text, start, end)
    if before := cues(text, left, start, language, written):
        return before[-1].way
    after = cues(text, end, right, language, written)
    return after[0].way if after else 0


def lasts(text: str, start: int, end: int, language: Language) -> bool:
    """Whether a length of time at text[start:end] is of something that still goes on ("I have lived here for...")."""
    left, right = clause(text, start, end)
    if language == "en":
        before = _PERFECT.search(text[left:start])
        if text.startswith("in", start):  # "we haven't talked in a few days"
            return before is not None and _NEGATED.search(text[left:start]) is not None
        return before is not None or _PERFECT.search(text[end:right]) is not None
    ongoing = _ONGOING.search(text[left:start]) or _ONGOING.search(text[end:right])
    return ongoing is not None and not _looks_back(text, left, start)


def turned(text: str, start: int, end: int) -> bool:
    """Whether "faz seis anos" at text[start:end] is an age or an anniversary and no "six years ago": who turns it stands
    before it, or somebody may stand there (a word that is no verb) and the day follows. Portuguese.

    >>> said = ("minha filha faz seis anos", "theo faz seis anos dia 12", "mudei faz seis anos")
    >>> [turned(text, text.index("faz"), text.index("anos") + 4) for text in said]
    [True, True, False]
    """
    if not text.startswith(("faz", "fez"), start) or text.startswith(" que ", end):
        return False
    left = clause(text, start, end)[0]
    before = text[left:start]
    if _SOMEBODY.search(before):
        return True
    idle = _looks_back(text, left, start) or _ONGOING.search(before)
    return not idle and _PERHAPS.search(before) is not None and _THEN.match(text, end) is not None


def clause(text: str, start: int, end: int) -> tuple[int, int]:
    """The bounds of the clause around text[start:end]."""
    left = max((match.end() for match in _BREAK.finditer(text, 0, start)), default=0)
    found = _BREAK.search(text, end)
    return left, found.start() if found else len(text)


def _looks_back(text: str, start: int, end: int) -> bool:
    """Whether a Portuguese verb in text[start:end] is past."""
    return any(cue.way < 0 for cue in cues(text, start, end, "pt"))

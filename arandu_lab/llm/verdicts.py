"""What a judge's answer says, strictly: CORRECT, INCORRECT, or nothing that can be relied on.

* A verdict is a whole word: INCORRECT is not CORRECT, and "not correct" is INCORRECT. ``false`` is INCORRECT.
* All verdicts of one answer agree, or there is none. In prose only a verdict by itself or in capitals counts, and none
  where the judge doubts, hedges or refuses. English and Portuguese.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Literal, TypeAlias

from arandu_lab.errors import BackendError
from arandu_lab.llm.scan import candidates, strict
from arandu_lab.pure.text import fold

Verdict: TypeAlias = Literal["CORRECT", "INCORRECT"]


def verdict_of(text: str) -> Verdict:
    """The verdict of an answer.

    Raises:
        BackendError: ``empty``, or ``malformed`` where the text holds no verdict, two, or a doubtful one.

    >>> verdict_of('Here: {"verdict": "INCORRECT"}'), verdict_of("**CORRETO**"), verdict_of("false")
    ('INCORRECT', 'CORRECT', 'INCORRECT')
    >>> verdict_of("CORRECT at first sight, but INCORRECT")
    Traceback (most recent call last):
    ...
    arandu_lab.errors.BackendError: judge: malformed: two verdicts in one answer: 'CORRECT at first sight, but INCORRECT'
    """
    if not text.strip():
        raise BackendError("the judge's answer is an empty text", kind="empty", backend="judge")
    said = _THOUGHT.sub(" ", text[:_LIMIT])
    found = set(_objects(said))
    found |= set(_prose(_bare(said), alone=not found))
    why = "two verdicts in one answer" if len(found) > 1 else "no clear verdict"
    if len(found) == 1 and (only := found.pop()) is not None:
        return only
    raise BackendError(f"{why}: {text.strip()[:160]!r}", kind="malformed", backend="judge")


def _objects(text: str) -> Iterator[Verdict | None]:
    """The verdict of each object that has one; None: one that says neither."""
    whole = strict(text)
    values = [whole] if isinstance(whole, dict | list) else [strict(piece.text) for piece in candidates(text)]
    for value in values:
        for one in value if isinstance(value, list) else [value]:
            yield from _fields(one)


def _fields(value: Any, depth: int = 0) -> Iterator[Verdict | None]:
    if not isinstance(value, dict):
        return
    for key, inner in value.items():
        name = fold(str(key)).strip().replace(" ", "_")
        if isinstance(inner, dict):
            yield from _fields(inner, depth + 1) if depth < 2 else ()
        elif name in _VERDICT_KEYS or name in _TRUTH_KEYS:
            yield _value(inner, truth=name in _TRUTH_KEYS)


def _value(said: Any, *, truth: bool = False) -> Verdict | None:
    """One value: a verdict word and nothing else, or a truth value; None: neither."""
    if isinstance(said, bool):
        return "CORRECT" if said else "INCORRECT"
    if not isinstance(said, str):
        return None
    word = fold(said).strip(" \t\n.!\"'*`_")
    return _WORDS.get(word) or (_YES_NO.get(word) if truth else None)


def _bare(text: str) -> str:
    """The text without its JSON objects and its marks of emphasis and code."""
    for piece in candidates(text):
        if isinstance(strict(piece.text), dict | list):
            text = text.replace(piece.text, "\n", 1)
    return re.sub(r"```\w*|[*`#>]|__", " ", text)


def _prose(text: str, *, alone: bool) -> Iterator[Verdict | None]:
    """Verdicts outside of JSON. Where there is JSON (not ``alone``), only what contradicts it in capitals counts."""
    if alone and (only := _value(text)) is not None:
        yield only
        return
    for line in text.splitlines() if alone else ():
        if labelled := _LABELLED.match(fold(line).strip()):
            yield _value(labelled["value"], truth=fold(labelled["key"]) in _TRUTH_KEYS)
        elif only := _value(line):
            yield only
    hedged = bool(_HEDGE.search(fold(text)))
    for word in _CAPITALS.finditer(text):
        said = _WORDS[fold(word["word"])]
        if hedged or word["after"].lstrip()[:1] in ("?", "/", "|"):
            yield None
        elif word["before"]:
            yield "INCORRECT" if said == "CORRECT" else None
        else:
            yield said


_LIMIT = 20_000
_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_WORDS: dict[str, Verdict] = {
    **dict.fromkeys(("correct", "correto", "correta", "true", "verdadeiro", "verdadeira"), "CORRECT"),
    **dict.fromkeys(("incorrect", "incorreto", "incorreta", "false", "falso", "falsa"), "INCORRECT"),
    **dict.fromkeys(("not correct", "nao correto", "nao correta", "nao esta correta", "nao esta correto"), "INCORRECT"),
    **dict.fromkeys(("the answer is correct", "a resposta esta correta", "resposta correta"), "CORRECT"),
    **dict.fromkeys(("the answer is incorrect", "the answer is not correct"), "INCORRECT"),
    **dict.fromkeys(("a resposta esta incorreta", "a resposta nao esta correta", "resposta incorreta"), "INCORRECT"),
}
_YES_NO: dict[str, Verdict] = {"yes": "CORRECT", "sim": "CORRECT", "no": "INCORRECT", "nao": "INCORRECT"}
_VERDICT_KEYS = frozenset("verdict veredito veredicto label judgment judgement julgamento result resultado".split())
_TRUTH_KEYS = frozenset("correct is_correct correto correta esta_correta esta_correto".split())
_LABELLED = re.compile(
    r"(?:final |my |meu |o )?(?P<key>verdict|veredic?to|label|judge?ment|julgamento|result(?:ado)?|(?:is_)?correct|corret[oa])"
    r"\s*(?::|=| is | e )\s*(?P<value>.+)"
)
_CAPITALS = re.compile(
    r"(?P<before>\b(?:not|isn't|NOT|não|NÃO|nao|NAO)(?: está| ESTÁ| é| É)? )?"
    r"\b(?P<word>CORRECT|INCORRECT|CORRET[OA]|INCORRET[OA])\b(?P<after>.{0,2})",
    re.DOTALL,
)
_HEDGE = re.compile(
    r"\b(?:cannot|can't|can not|unable|unsure|uncertain|whether|if|maybe|perhaps|possibly|partially|partly|mostly|sorry|"
    r"neither|nor|either|would be|could be|might be|nao posso|nao consigo|nao sei|talvez|parcialmente|em parte|desculpe|"
    r"seria|poderia|se a|se e)\b"
)

"""Answering from a context by rule, and judging an answer by rule: extractive, and honest where nothing is held.

The line of the context that ``relevance`` grades best is quoted: its value where it states the attribute that is asked
for, its date where a date is asked for, else the sentence. Below a grade of one half nothing is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from typing import Any, NamedTuple

from arandu_lab.llm.rules.language import Language, detect
from arandu_lab.llm.rules.relevance import asked_for, grade
from arandu_lab.llm.rules.slots import detect_slot
from arandu_lab.pure.answers import abstains, gold_tokens, overlap
from arandu_lab.pure.text import fold, words
from arandu_lab.pure.timex import find_times

KNOWN = 0.5
"""The least grade of a line that is taken for an answer."""

ENOUGH = 0.8
"""The least part of the gold's words that a right answer says; every number of them always."""


class Passage(NamedTuple):
    """A sentence of the context, the date that its line carries, and what the line begins with (a speaker)."""

    text: str
    dated: date | None
    speaker: str


def answer(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The answer of the ``answer`` task.

    >>> answer({"question": "Where does Ana live?", "context": "Known facts:\\n- Rui sings\\n- Ana lives in Recife"})
    {'answer': 'Recife', 'known': True}
    >>> answer({"question": "Quem é o chefe da Ana?", "context": "- Ana mora em Recife"})
    {'answer': None, 'known': False}
    """
    question = str(inputs.get("question") or "")[:600]
    best, found = 0.0, None
    for passage in passages(str(inputs.get("context") or "")):
        value = grade(question, f"{passage.speaker}: {passage.text}" if passage.speaker else passage.text)
        if value > best:
            best, found = value, passage
    if found is None or best < KNOWN:
        return {"answer": None, "known": False}
    return {"answer": _quoted(question, found, str(inputs.get("language") or "")), "known": True}


def verdict(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The answer of the ``verdict`` task.

    >>> verdict({"answer": "She lives in Recife", "gold": ["Recife"]}), verdict({"answer": "Not Recife", "gold": ["Recife"]})
    ({'verdict': 'CORRECT'}, {'verdict': 'INCORRECT'})
    >>> verdict({"answer": "Isso não foi mencionado", "absent": True, "language": "pt"})
    {'verdict': 'CORRECT'}
    """
    said, language = str(inputs.get("answer") or ""), str(inputs.get("language") or "en")
    silent = abstains(said)
    if inputs.get("absent"):
        right = silent and bool(said.strip())
    else:
        golds = inputs.get("gold") or []
        each = [golds] if isinstance(golds, str) else [str(gold) for gold in golds]
        right = not silent and any(_says(said, gold, language) for gold in each)
    return {"verdict": "CORRECT" if right else "INCORRECT"}


def passages(context: str) -> Iterator[Passage]:
    """The sentences of a context, without headings and bullets.

    >>> list(passages("Relevant conversations:\\n- (2024-03-09) I moved. It rains."))[0]
    Passage(text='I moved.', dated=datetime.date(2024, 3, 9), speaker='')
    """
    for raw in context.splitlines():
        line = raw.strip()
        if not line.startswith("- ") and line.endswith(":"):
            continue
        head = _HEAD.match(line)
        assert head is not None
        rest = line[head.end() :]
        for sentence in _SENTENCE.split(rest):
            if sentence.strip():
                yield Passage(sentence.strip(), _day(head["iso"] or head["told"]), head["speaker"] or "")


def _quoted(question: str, found: Passage, language: str) -> str:
    tongue: Language = "pt" if language.startswith("pt") or (not language and detect(question) == "pt") else "en"
    asked = fold(question)
    if _WHEN.search(asked):
        return _when(found)
    slot = detect_slot(found.text)
    if not _WH.search(asked):
        against = slot.negated or slot.ended or bool(_DENIAL & set(words(found.text)))
        lead = {"en": ("Yes", "No"), "pt": ("Sim", "Não")}[tongue][against]
        return f"{lead}, {found.text}"
    if slot.value and slot.name in asked_for(question) and not slot.negated:
        return slot.value
    return found.text


def _when(found: Passage) -> str:
    """The date that a sentence tells, counted from the date of its line; the sentence where it tells none."""
    at = found.dated or _NOWHERE
    said = datetime(at.year, at.month, at.day, 12, tzinfo=UTC)
    for span in find_times(found.text, said, language=detect(found.text)):
        if found.dated or re.search(r"\d{4}", span.text):
            return span.iso
        if not _RELATIVE.search(fold(span.text)):
            return span.text
    return found.dated.isoformat() if found.dated else found.text


def _says(said: str, gold: str, language: str) -> bool:
    """Whether an answer says a gold answer: most of its words, all of its numbers, and no more denials than it has."""
    if overlap(said, gold, language).recall < ENOUGH:
        return False
    wanted, found = gold_tokens(gold, language), gold_tokens(said, language)
    numbers = {word for word in wanted if word[0].isdigit() or _MONTH.fullmatch(word)}
    return numbers <= set(found) and _denials(said) == _denials(gold)


def _denials(text: str) -> bool:
    found = fold(text).replace("’", "'")
    return bool(_DENIAL & set(words(found))) or "n't" in found


def _day(said: str | None) -> date | None:
    """The day that a line carries, in figures or in words."""
    if not said:
        return None
    try:
        return date.fromisoformat(said)
    except ValueError:
        spans = find_times(said, datetime(2000, 1, 1, tzinfo=UTC), language=detect(said))
    iso = spans[0].iso if spans else None
    return date.fromisoformat(iso) if iso and len(iso) == 10 else None


_NOWHERE = date(2000, 1, 1)
_HEAD = re.compile(
    r"(?:[-*•] )?(?:[(\[](?:(?P<iso>\d{4}-\d\d-\d\d)|(?P<told>[^)\]]*\d{4}))[^)\]]*[)\]] )?"
    r"(?:(?P<speaker>[^\W\d_][\w'’.-]*(?: [^\W\d_][\w'’.-]*){0,3}): )?"
)
_SENTENCE = re.compile(r"(?<=[.!?…]) +(?=\S)")
_WHEN = re.compile(
    r"\b(?:when|what (?:date|day|month|year)|which (?:date|day|month|year)|since what year|how long ago)\b"
    r"|\bquando\b|\b(?:que|qual) (?:dia|data|mes|ano)\b|\bfaz quanto tempo\b"
)
_WH = re.compile(
    r"\b(?:what|which|who|whom|whose|where|why|how)\b|\b(?:onde|quem|qual|quais|como|quanto|quantos|quanta|quantas|por que)\b"
    r"|^(?:[oa] )?que\b|\b(?:em|de|com|a|para|por|do|no|na) que\b|\bque\?$|\bo que\b"
)
_RELATIVE = re.compile(
    r"\b(?:yesterday|today|tomorrow|ago|last|next|this|now|ontem|hoje|amanha|passad[oa]|proxim[oa]|atras|ha|faz|agora)\b"
)
_DENIAL = frozenset("not no never nor neither without cannot nao nunca jamais sem nem nenhum nenhuma".split())
_MONTH = re.compile(r"m\d\d")

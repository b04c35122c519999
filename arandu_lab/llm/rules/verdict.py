"""What a new fact does to what is known: add, update, nothing, delete. Similarity never decides; attributes do."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from arandu_lab.llm.rules import kinship
from arandu_lab.llm.rules.slots import MANY, SINGLE, Slot, detect_slot, same_value
from arandu_lab.llm.rules.stems import content, stems
from arandu_lab.pure.text import fold, normal


@dataclass(frozen=True, slots=True)
class Shown:
    """A known fact as the prompt shows it."""

    i: int
    text: str
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """The action, and the known fact it concerns."""

    action: str
    known: int | None = None


def shown_facts(inputs: Mapping[str, Any]) -> list[Shown]:
    """The numbered facts of an extraction prompt, with the entity each stands under."""
    out = []
    for entity in inputs.get("known") or []:
        if isinstance(entity, dict):
            for fact in entity.get("facts") or []:
                if isinstance(fact, dict) and isinstance(fact.get("i"), int):
                    out.append(Shown(fact["i"], str(fact.get("text", "")), str(entity.get("name", ""))))
    return out


def reconcile(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The answer of the ``reconcile`` task."""
    verdicts = []
    for item in inputs.get("items") or []:
        if not isinstance(item, dict) or not isinstance(item.get("i"), int):
            continue
        known = [Shown(fact["i"], str(fact.get("text", ""))) for fact in item.get("known") or []
                 if isinstance(fact, dict) and isinstance(fact.get("i"), int)]  # fmt: skip
        decided = decide(str(item.get("subject", "")), str(item.get("fact", "")), known)
        verdicts.append({"i": item["i"], "action": decided.action, "known": decided.known})
    return {"verdicts": verdicts}


def decide(subject: str, text: str, known: Sequence[Shown]) -> Decision:
    """The verdict for one fact: the first known fact that is the same, else the one it contradicts, else ADD."""
    new = _facts(text)
    best: tuple[int, Decision] = (0, Decision("ADD"))
    for fact in known:
        if not fact.text:
            continue
        action, weight = _compare(new, _facts(fact.text), subject)
        if weight > best[0]:
            best = (weight, Decision(action, fact.i))
    return best[1] if best[1].action != "ADD" else Decision("ADD")


@dataclass(frozen=True, slots=True)
class _Fact:
    text: str
    slot: Slot
    words: frozenset[str]
    numbers: frozenset[str]
    negative: bool
    head: str
    correcting: bool
    retracting: bool


_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_CORRECT = re.compile(r"\b(?:actually|correction|i mean|rather than|instead of|not the|e não|na verdade|corrigindo|ou melhor|em vez de|no lugar de|"
                      r"mudou para|moved to|pushed back|rescheduled|postponed|remarcad|adiad|now|agora|update)\b", re.IGNORECASE)  # fmt: skip
_RETRACT = re.compile(
    r"\b(?:no longer|any ?more|any longer|scratch that|forget (?:that|what)|cancel(?:l?ed|s)|called off|not happening|gave up|"
    r"quit|stopped|dropped out|is over|fell through|changed (?:his|her|their) mind|"
    r"não [^.]{1,60} mais|não mais|desistiu|cancel(?:ou|ad[oa])|deixou de|parou de|largou|abandonou|não vai (?:ter|rolar|acontecer))\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=8192)
def _facts(text: str) -> _Fact:
    slot = detect_slot(text)
    words = content(text)
    head = " ".join(normal(text).split()[:1])
    return _Fact(text, slot, words, frozenset(_NUMBER.findall(text)), slot.negated, head, bool(_CORRECT.search(text)), bool(_RETRACT.search(text)))


def _compare(new: _Fact, old: _Fact, subject: str) -> tuple[str, int]:
    """(action, weight) of the new fact beside one old fact; weight 0 means they have nothing to do with each other."""
    if normal(new.text) == normal(old.text):
        return "NOOP", 100
    if _other_subject(new, old, subject):
        return "ADD", 0
    own = stems(subject)
    a, b = new.words - own, old.words - own
    shared = len(a & b)
    overlap = 2 * shared / (len(a) + len(b)) if a and b else 0.0
    same_slot = new.slot.name == old.slot.name and new.slot.name != "other"
    same = same_slot and same_value(new.slot.value, old.slot.value)
    if new.negative != old.negative and (overlap >= 0.5 or same or _opposed(new, old, a, b)):
        if new.retracting and not new.correcting and not _replacement(new, a, b):
            return "DELETE", 80
        return "UPDATE", 80
    if new.negative == old.negative and not _differs(new, old) and (overlap >= 0.85 or (same and overlap >= 0.3 and _entailed(new, old, a, b))):
        return "NOOP", 90
    if new.retracting and same_slot and same and not old.retracting:
        return "DELETE", 75
    if same_slot and new.slot.name in SINGLE and not same and new.slot.value and old.slot.value:
        if new.slot.ended and new.slot.name == "works_at":
            return "ADD", 0
        return "UPDATE", 70
    if same_slot and new.slot.name in SINGLE and new.slot.ended and not old.slot.ended and (same or not new.slot.value):
        return "DELETE", 72
    if new.slot.name == "ex_partner" and old.slot.name in ("partner", "spouse") and (same_value(new.slot.value, old.slot.value) or
                                                                                   _names(new, old, subject)):  # fmt: skip
        return "UPDATE", 78
    if new.slot.name == "spouse" and old.slot.name == "partner" and _names(new, old, subject):
        return "UPDATE", 66
    if new.slot.name in ("likes", "dislikes") and old.slot.name in ("likes", "dislikes") and new.slot.name != old.slot.name:
        return ("UPDATE", 74) if same_value(new.slot.value, old.slot.value) else ("ADD", 0)
    if kinship.favourite(new.text) and kinship.favourite(new.text) == kinship.favourite(old.text):
        return ("NOOP", 80) if same else ("UPDATE", 76)
    if _differs(new, old) and _same_matter(new, old, a, b):
        return "UPDATE", 60
    if new.slot.name in MANY and same and overlap >= 0.6 and not _differs(new, old):
        return "NOOP", 65
    return "ADD", 0


def _other_subject(new: _Fact, old: _Fact, subject: str) -> bool:
    """Whether the sentences are about different people: their first words, both names, differ."""
    if new.head == old.head:
        possessed = re.compile(r"^\S+(?: \S+)?['’]s (?:\w+ )?(\w+)")
        one, other = possessed.match(new.text), possessed.match(old.text)
        if bool(one) != bool(other) and kinship.is_kin((one or other)[1] if (one or other) else ""):  # type: ignore[index]
            return new.slot.name != old.slot.name
        return bool(one and other and fold(one[1]) != fold(other[1]) and kinship.is_kin(one[1]) and kinship.is_kin(other[1]))
    first = {word for word in fold(subject).split()}
    return bool(first) and (new.head in first) != (old.head in first)


def _opposed(new: _Fact, old: _Fact, a: frozenset[str], b: frozenset[str]) -> bool:
    """A negation of the same predicate about the same object."""
    small = min(len(a), len(b))
    return small > 0 and len(a & b) / small >= 0.67 and len(a & b) >= 2


def _replacement(new: _Fact, a: frozenset[str], b: frozenset[str]) -> bool:
    return bool(re.search(r"\b(?:and now|now|instead|agora|em vez|e agora|but now)\b", new.text)) and len(a - b) >= 1


def _differs(new: _Fact, old: _Fact) -> bool:
    """W11: numbers or names on both sides that are not the same."""
    if new.numbers and old.numbers and not (new.numbers <= old.numbers or old.numbers <= new.numbers):
        return True
    one, other = _capitals(new.text), _capitals(old.text)
    return bool(one - other) and bool(other - one)


@lru_cache(maxsize=8192)
def _capitals(text: str) -> frozenset[str]:
    return frozenset(fold(word) for word in re.findall(r"(?<=\s)[A-ZÀ-Ý][\w'’-]+", text))


def _same_matter(new: _Fact, old: _Fact, a: frozenset[str], b: frozenset[str]) -> bool:
    """The same noun, told with another number, date or name."""
    numbers = {word for word in a | b if any(char.isdigit() for char in word)} | kinship.DATE_STEMS
    one, other = a - numbers, b - numbers
    if not one or not other:
        return False
    shared = one & other
    events = shared & kinship.event_stems()
    if new.slot.name != old.slot.name and not events:
        return False
    if not (new.numbers and old.numbers) and not new.correcting:
        return False
    return (len(shared) / min(len(one), len(other)) >= 0.75 and len(shared) >= 1) or (bool(events) and len(shared) >= 2)


def _entailed(new: _Fact, old: _Fact, a: frozenset[str], b: frozenset[str]) -> bool:
    """The new sentence says no more than the old: nothing in it is new, or only its verb."""
    return len(a - b) <= 1 and not (new.slot.name in ("plan", "event", "other", "habit", "opinion") and a - b)


def _names(new: _Fact, old: _Fact, subject: str) -> bool:
    own = set(fold(subject).split())
    return bool((_capitals(new.text) & _capitals(old.text)) - own) or not new.slot.value

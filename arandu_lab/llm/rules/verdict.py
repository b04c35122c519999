"""What a new fact does to what is known: add, update, nothing, delete. Similarity never decides; attributes do."""

# ruff: noqa: E501  (patterns read better on one line)

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from arandu_lab.llm.rules import kinship, lexicon_en, lexicon_pt
from arandu_lab.llm.rules.again import again
from arandu_lab.llm.rules.changes import changed, never_was
from arandu_lab.llm.rules.claiming import Said, ahead, apart, ruling
from arandu_lab.llm.rules.courses import next_step
from arandu_lab.llm.rules.deaths import ended_by
from arandu_lab.llm.rules.slots import MANY, SINGLE, same_value
from arandu_lab.llm.rules.statement import ONCE, PHASE, REGIME, UNBORN, Statement, statement, telling
from arandu_lab.llm.rules.stems import stem, stems
from arandu_lab.pure.text import fold, normal


@dataclass(frozen=True, slots=True)
class Shown:
    """A known fact as the prompt shows it."""

    i: int
    text: str
    owner: str = ""
    since: str = ""


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
        known = [
            Shown(fact["i"], str(fact.get("text", "")), since=str(fact.get("since") or ""))
            for fact in item.get("known") or []
            if isinstance(fact, dict) and isinstance(fact.get("i"), int)
        ]
        said = {"since": str(item.get("since") or ""), "message": str(inputs.get("message") or "")}
        decided = decide(str(item.get("subject", "")), str(item.get("fact", "")), known, **said)
        verdicts.append({"i": item["i"], "action": decided.action, "known": decided.known})
    return {"verdicts": verdicts}


def decide(subject: str, text: str, known: Sequence[Shown], *, since: str = "", message: str = "") -> Decision:
    """The verdict for one fact: the known fact that it says again, else the one that it ends or replaces, else ADD.

    Of several it would replace or end, the newest.
    """
    lost = ended_by(text, [fact.text for fact in known])
    if lost is not None:
        return Decision("UPDATE", known[lost].i)
    said, new = Said(text, since), statement(text)
    best: tuple[int, str] = (0, "")
    chosen = Decision("ADD")
    for fact in known:
        if not fact.text:
            continue
        old = Said(fact.text, fact.since)
        action, weight = _ruled(new, said, old, subject, message)
        if action in ("UPDATE", "DELETE") and new.besides:
            continue
        order = (weight, fact.since if action in ("UPDATE", "DELETE") else "")
        if action != "ADD" and order > best:
            best, chosen = order, Decision(action, fact.i)
    return chosen


def _ruled(new: Statement, said: Said, old: Said, subject: str, message: str) -> tuple[str, int]:
    """What the attributes say where they can be read, else what the words say."""
    before = statement(old.text)
    if normal(new.text) == normal(before.text):
        return "NOOP", 100
    coming = ahead(said)
    ruled = ruling(said, old, subject, message, former=new.former, planned=new.planned or coming)
    if ruled and ruled[0] in ("UPDATE", "DELETE"):
        return ruled
    told = _told_otherwise(new, before, subject, message, coming=coming)
    if told and _whose(new).may_be(_whose(before)):
        return told
    return ruled or _compare(new, before, subject, ahead=ahead(old) and not coming)


def _whose(fact: Statement) -> kinship.Relative:
    """The relative of whom a sentence tells, if it is one; who is not born yet is none, nor whom one loves in being named."""
    found = kinship.head_relative(fact.text)
    loved = fact.slot.name in ("partner", "spouse", "ex_partner")
    return kinship.Relative() if loved or found.word in UNBORN else found


def _told_otherwise(
    new: Statement, old: Statement, subject: str, message: str, *, coming: bool
) -> tuple[str, int] | None:
    """What neither attribute nor words say: a later step of one course, a state that has changed, the same again."""
    sure = next_step(new.text, old.text, subject, message)
    if sure:
        return "UPDATE", 62 + 5 * min(sure, 4)
    if changed(new.text, old.text, subject, planned=coming):
        return "UPDATE", 64
    if denied := never_was(new.text, old.text, subject):
        return denied, 82
    return ("NOOP", 67) if again(new.text, old.text, subject) else None


def _adds(new: Statement, old: Statement, own: frozenset[str], *, same: bool) -> bool:
    """Whether the new sentence says more than the old: a word, number or name that the old one lacks. Another verb
    before the same value is no more, nor is one of beginning and going on.
    """
    fresh = new.said - old.said - own
    if fresh & new.value or not new.numbers <= old.numbers:
        return True
    return bool(fresh - PHASE - (_verb(new.lead, own) if same else frozenset()))


def _verb(lead: tuple[str, ...], own: frozenset[str]) -> frozenset[str]:
    """The verb and its adverbs, in a sentence that opens with its subject: ``Ana really adores``."""
    after = next((at for at, word in enumerate(lead) if stem(word) not in own), 0)
    if not after or "s" in lead[: after + 1]:
        return frozenset()
    plain = [
        word
        for at, word in enumerate(lead[after:])
        if not at or word.endswith(("ly", "mente")) or word in lexicon_en.forms() or word in lexicon_pt.forms()
    ]
    return frozenset(stem(word) for word in plain)


def _compare(new: Statement, old: Statement, subject: str, *, ahead: bool = False) -> tuple[str, int]:
    """(action, weight) of the new fact beside one old fact; weight 0 means they have nothing to do with each other."""
    if _other_subject(new, old, subject):
        return "ADD", 0
    own = stems(subject)
    a, b = new.words - own, old.words - own
    matter, before = new.matter - own, old.matter - own
    overlap = 2 * len(a & b) / (len(a) + len(b)) if a and b else 0.0
    same_slot = new.slot.name == old.slot.name and new.slot.name != "other"
    same = same_slot and same_value(new.slot.value, old.slot.value)
    contained = _contained(matter, before)
    if new.off != old.off and (
        overlap >= 0.6
        or (same and new.slot.name != "other")
        or (contained and (new.retracting or old.retracting or overlap >= 0.4))
    ):
        fresh = a - b - PHASE
        return ("DELETE", 80) if new.retracting and not old.off and not fresh and not new.correcting else ("UPDATE", 80)
    adds = _adds(new, old, own | telling(subject), same=same)
    done = (old.planned or ahead) and not old.past and new.past and not new.planned
    carried = done and _carried(new, old, matter, before)
    if not carried and new.off == old.off and not adds and not _differs(new, old):
        if overlap >= 0.85 or (same and overlap >= 0.3):
            return "NOOP", 90
        if (
            matter
            and matter <= before
            and new.planned == old.planned
            and not new.correcting
            and len(a - b - PHASE) == 0
            and new.slot.name == old.slot.name
        ):
            return "NOOP", 68
    if _contrast(new, old):
        return "UPDATE", 79
    if same_slot and new.slot.name in SINGLE and not apart(new.text, old.text, subject):
        return _single(new, old, same=same)
    if (
        new.slot.name == "ex_partner"
        and old.slot.name in ("partner", "spouse")
        and (same_value(new.slot.value, old.slot.value) or _names(new, old, subject))
    ):
        return "UPDATE", 78
    wed = new.slot.name == "spouse" and old.slot.name == "partner" and not new.planned
    if wed and _names(new, old, subject):
        return "UPDATE", 66
    if {new.slot.name, old.slot.name} == {"likes", "dislikes"}:
        return ("UPDATE", 74) if same_value(new.slot.value, old.slot.value) else ("ADD", 0)
    favourite = kinship.favourite(new.text)
    if favourite and favourite == kinship.favourite(old.text):
        return ("ADD", 0) if same and adds else ("NOOP", 80) if same else ("UPDATE", 76)
    if new.slot.name == old.slot.name == "diet" and REGIME.search(new.text) and REGIME.search(old.text) and not same:
        return "UPDATE", 70
    if (old.planned or ahead) and not old.past and _carried(new, old, matter, before):
        return "UPDATE", 62
    if _differs(new, old) and _same_matter(new, old, matter, before):
        return "UPDATE", 60
    if new.slot.name in MANY and same and overlap >= 0.6 and not adds and not _differs(new, old):
        return "NOOP", 65
    return "ADD", 0


def _single(new: Statement, old: Statement, *, same: bool) -> tuple[str, int]:
    """Two statements of an attribute that one has once at a time."""
    if new.slot.ended or new.slot.negated:
        return (
            ("DELETE", 72)
            if not old.slot.ended and (same or not new.slot.value) and not new.numbers
            else (("UPDATE", 72) if (same or not new.slot.value) and not old.slot.ended else ("ADD", 0))
        )
    if same or not new.slot.value or not old.slot.value:
        return "ADD", 0
    if new.former or (new.planned and not old.planned) or new.slot.at > 60 or old.slot.at > 60:
        return "ADD", 0
    if ONCE.search(old.text):
        return "ADD", 0  # what was so stays true of then
    if new.slot.name in ("lives_in", "works_at") and not (
        new.slot.value[:1].isupper() and old.slot.value[:1].isupper()
    ):
        return ("UPDATE", 55) if re.search(r"\b(?:moved|mudou|changed|now|agora)\b", new.text) else ("ADD", 0)
    return "UPDATE", 70


def _contained(a: frozenset[str], b: frozenset[str]) -> bool:
    """The matter of the one lies within the other's."""
    return bool(a and b) and (a <= b or b <= a or len(a & b) / min(len(a), len(b)) >= 0.67)


def _contrast(new: Statement, old: Statement) -> bool:
    """``cashew, not peanut``: the new sentence takes back a word that the old one says of the same attribute."""
    if new.slot.name != old.slot.name:
        return False
    taken = {
        stem(fold(match[1]))
        for match in re.finditer(
            r"\b(?:e não|and not|, not|rather than|instead of|em vez de)\s+(?:(?:a|o|as|os|the|on|em|no|na|to|de|do|da)\s+)?([\w]+)",
            new.text,
            re.IGNORECASE,
        )
    }
    return bool(taken & old.words)


def _carried(new: Statement, old: Statement, a: frozenset[str], b: frozenset[str]) -> bool:
    """A plan that came about, fell through or got another date: the same matter, told again."""
    shared = a & b
    if not shared or not (new.past or new.planned):
        return False
    if new.planned and not new.correcting and b <= a and old.numbers <= new.numbers and (a - b or old.numbers):
        return False  # the same plan with more to it
    return len(shared) / min(len(a), len(b)) >= 0.6 and (len(shared) >= 2 or bool(shared & kinship.event_stems()))


def _other_subject(new: Statement, old: Statement, subject: str) -> bool:
    """Whether the sentences are about different people: a relative of somebody is not that somebody (faults A22,
    G1).
    """
    mine, other = kinship.head_relative(new.text), kinship.head_relative(old.text)
    if not mine.may_be(other) and new.slot.name not in _KIN_SLOTS:
        return True
    if new.head == old.head:
        return False
    first = set(fold(subject).split())
    return bool(first) and (new.head in first) != (old.head in first) and not mine.word


_KIN_SLOTS = frozenset("spouse partner ex_partner child parent sibling friend relative colleague boss pet".split())


def _differs(new: Statement, old: Statement) -> bool:
    """W11: numbers or names on both sides that are not the same."""
    if new.numbers and old.numbers and not (new.numbers <= old.numbers or old.numbers <= new.numbers):
        return True
    one, other = _capitals(new.text), _capitals(old.text)
    return bool(one - other) and bool(other - one)


@lru_cache(maxsize=8192)
def _capitals(text: str) -> frozenset[str]:
    return frozenset(fold(word) for word in re.findall(r"(?<=\s)[A-ZÀ-Ý][\w'’-]+", text))


def _same_matter(new: Statement, old: Statement, a: frozenset[str], b: frozenset[str]) -> bool:
    """The same noun, told with another number, date or name."""
    if not a or not b:
        return False
    shared = a & b
    events = shared & kinship.event_stems()
    if new.slot.name != old.slot.name and not events:
        return False
    if not (new.numbers and old.numbers) and not new.correcting:
        return False
    return len(shared) / min(len(a), len(b)) >= 0.75 or (bool(events) and len(shared) >= 2)


def _names(new: Statement, old: Statement, subject: str) -> bool:
    own = set(fold(subject).split())
    return bool((_capitals(new.text) & _capitals(old.text)) - own) or not new.slot.value

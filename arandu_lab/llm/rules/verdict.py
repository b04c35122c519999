"""What a new fact does to what is known: add, update, nothing, delete. Similarity never decides; attributes do."""

# ruff: noqa: E501  (patterns read better on one line)

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from arandu_lab.llm.rules import kinship, lexicon_en, lexicon_pt
from arandu_lab.llm.rules.claiming import Said, ahead, apart, ruling
from arandu_lab.llm.rules.slots import MANY, SINGLE, Slot, detect_slot, same_value
from arandu_lab.llm.rules.stems import content, stem, stems
from arandu_lab.pure.text import STOP, fold, normal
from arandu_lab.pure.text import words as words_of


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
    said, new = Said(text, since), _facts(text)
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


def _ruled(new: _Fact, said: Said, old: Said, subject: str, message: str) -> tuple[str, int]:
    """What the attributes say where they can be read, else what the words say."""
    before = _facts(old.text)
    if normal(new.text) == normal(before.text):
        return "NOOP", 100
    coming = ahead(said)
    ruled = ruling(said, old, subject, message, former=new.former, planned=new.planned or coming)
    return ruled or _compare(new, before, subject, ahead=ahead(old) and not coming)


@dataclass(frozen=True, slots=True)
class _Fact:
    """A sentence as verdicts see it. ``matter``: its content without dates, phase verbs and light verbs."""

    text: str
    slot: Slot
    words: frozenset[str]
    matter: frozenset[str]
    numbers: frozenset[str]
    off: bool
    correcting: bool
    retracting: bool
    planned: bool
    past: bool
    former: bool
    head: str
    besides: bool
    said: frozenset[str]
    value: frozenset[str]
    lead: tuple[str, ...]


_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_CORRECT = re.compile(
    r"\b(?:actually|correction|i mean|rather than|instead of|not (?:the|on|at|in)|e não|na verdade|corrigindo|ou melhor|em vez de|no lugar de|"
    r"moved? to|moved from|pushed back|rescheduled|postponed|remarcad\w|adiad\w|mudou para|changed to|now|agora|update)\b",
    re.IGNORECASE,
)
_RETRACT = re.compile(
    r"\b(?:no longer|any ?more|any longer|scratch that|forget (?:that|what)|cancel(?:l?ed|s)|called off|not happening|gave up|given up|"
    r"quit|stopped|dropped out|is over|fell through|changed (?:his|her|their) mind|"
    r"não [^.]{1,60} mais|não mais|desistiu|cancel(?:ou|ad[oa])|deixou de|parou de|largou|abandonou|não vai (?:ter|rolar|acontecer))\b",
    re.IGNORECASE,
)
_PLANNED = re.compile(
    r"\b(?:will|going to|plans?|wants?|hopes?|intends?|booked|scheduled|due|is (?:flying|moving|getting|having|starting|taking|leaving)|"
    r"starts? (?:on|at|in)|vai|quer|pretende|planeja|deve|começa (?:a |em |no |na )|marcou|marcad[oa]|reservou|muda-se|se muda)\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:was|were|had|did|went|got|made|took|came|left|gave|bought|sold|met|ran|won|lost|\w{3,}ed|\w{2,}(?:ou|eu|iu|aram|eram|iram)|foi|fez|teve|veio|deu)\b"
)
_FORMER = re.compile(
    r"\b(?:used to|lived|worked|studied|was an?|were|formerly|morou|morava|trabalhou|trabalhava|estudou|estudava|era|foi(?! (?:morar|trabalhar|estudar|promovid|contratad))|would|might|may|"
    r"estaria|teria|seria|talvez|perhaps|maybe)\b",
    re.IGNORECASE,
)
_REGIME = re.compile(
    r"\b(?:vegan\w?|vegetarian\w?|pescatarian|pescetarian\w?|keto|omnivore|onívor[oa])\b", re.IGNORECASE
)
_BESIDES = re.compile(
    r"\b(?:also|as well|besides|in addition|on top of|too(?=\W*$|[,.;!])|também|tambem|tbm?|ainda|além d[aeo]s?|além diss?o)\b",
    re.IGNORECASE,
)
_TELLING = frozenset({"without", "sem"})
_PHASE = frozenset(
    stem(fold(word))
    for word in (
        "start started begin began stop stopped quit give gave given up resume again still continue keep kept longer anymore more finish end over leave "
        "take taken took pick drop cancel cancelled call called get got go goes going went have been do does try apply applied want hope plan "
        "começar começou parar parou deixar deixou largar largou voltar voltou continuar continua continuou continua ainda mais desistir desistiu fazer faz fez "
        "ficar ficou passar passou virar virou querer quer pretender vai ir foi ter tem teve estar está aula aulas lesson lessons trocar trocou novo de "
        "acabar acabou cancelar cancelou remarcar adiar previsto planejado planned expected"
    ).split()
)


@lru_cache(maxsize=8192)
def _facts(text: str) -> _Fact:
    slot = detect_slot(text)
    words = content(text)
    lead = text.partition(slot.value)[0] if slot.value else ""
    matter = frozenset(word for word in words - _PHASE - kinship.DATE_STEMS if not word.isdigit())
    head = " ".join(normal(text).split()[:1])
    return _Fact(
        text,
        slot,
        words,
        matter,
        frozenset(_NUMBER.findall(text)),
        slot.negated or slot.ended,
        bool(_CORRECT.search(text)),
        bool(_RETRACT.search(text)),
        bool(_PLANNED.search(text)),
        bool(_PAST.search(text)),
        bool(_FORMER.search(text)),
        head,
        bool(_BESIDES.search(text)),
        _telling(text),
        _telling(slot.value),
        tuple(words_of(lead)),
    )


def _telling(text: str) -> frozenset[str]:
    """The stems of all that says something: no function words, but letters, digits and *without*."""
    letters = (f"{letter.lower()}." for letter in _LETTER.findall(text))  # vitamin D, which is no "d" of a contraction
    said = (stem(word) for word in words_of(text) if word in _TELLING or word not in STOP)
    return frozenset((*said, *letters))


_LETTER = re.compile(r"(?<=\w )[B-DF-HJ-NP-Z](?![\w'’])")


def _adds(new: _Fact, old: _Fact, own: frozenset[str], *, same: bool) -> bool:
    """Whether the new sentence says more than the old: a word, number or name that the old one lacks. Another verb
    before the same value is no more, nor is one of beginning and going on.
    """
    fresh = new.said - old.said - own
    if fresh & new.value or not new.numbers <= old.numbers:
        return True
    return bool(fresh - _PHASE - (_verb(new.lead, own) if same else frozenset()))


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


def _compare(new: _Fact, old: _Fact, subject: str, *, ahead: bool = False) -> tuple[str, int]:
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
        fresh = a - b - _PHASE
        return ("DELETE", 80) if new.retracting and not old.off and not fresh and not new.correcting else ("UPDATE", 80)
    adds = _adds(new, old, own | _telling(subject), same=same)
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
            and len(a - b - _PHASE) == 0
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
    if new.slot.name == "spouse" and old.slot.name == "partner" and _names(new, old, subject):
        return "UPDATE", 66
    if {new.slot.name, old.slot.name} == {"likes", "dislikes"}:
        return ("UPDATE", 74) if same_value(new.slot.value, old.slot.value) else ("ADD", 0)
    favourite = kinship.favourite(new.text)
    if favourite and favourite == kinship.favourite(old.text):
        return ("ADD", 0) if same and adds else ("NOOP", 80) if same else ("UPDATE", 76)
    if new.slot.name == old.slot.name == "diet" and _REGIME.search(new.text) and _REGIME.search(old.text) and not same:
        return "UPDATE", 70
    if (old.planned or ahead) and not old.past and _carried(new, old, matter, before):
        return "UPDATE", 62
    if _differs(new, old) and _same_matter(new, old, matter, before):
        return "UPDATE", 60
    if new.slot.name in MANY and same and overlap >= 0.6 and not adds and not _differs(new, old):
        return "NOOP", 65
    return "ADD", 0


def _single(new: _Fact, old: _Fact, *, same: bool) -> tuple[str, int]:
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
    if new.slot.name in ("lives_in", "works_at") and not (
        new.slot.value[:1].isupper() and old.slot.value[:1].isupper()
    ):
        return ("UPDATE", 55) if re.search(r"\b(?:moved|mudou|changed|now|agora)\b", new.text) else ("ADD", 0)
    return "UPDATE", 70


def _contained(a: frozenset[str], b: frozenset[str]) -> bool:
    """The matter of the one lies within the other's."""
    return bool(a and b) and (a <= b or b <= a or len(a & b) / min(len(a), len(b)) >= 0.67)


def _contrast(new: _Fact, old: _Fact) -> bool:
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


def _carried(new: _Fact, old: _Fact, a: frozenset[str], b: frozenset[str]) -> bool:
    """A plan that came about, fell through or got another date: the same matter, told again."""
    shared = a & b
    if not shared or not (new.past or new.planned):
        return False
    if new.planned and not new.correcting and b <= a and old.numbers <= new.numbers and (a - b or old.numbers):
        return False  # the same plan with more to it
    return len(shared) / min(len(a), len(b)) >= 0.6 and (len(shared) >= 2 or bool(shared & kinship.event_stems()))


def _other_subject(new: _Fact, old: _Fact, subject: str) -> bool:
    """Whether the sentences are about different people: a relative of somebody is not that somebody (faults A22,
    G1).
    """
    if kinship.head_relative(new.text) != kinship.head_relative(old.text) and new.slot.name not in _KIN_SLOTS:
        return True
    if new.head == old.head:
        return False
    first = set(fold(subject).split())
    return bool(first) and (new.head in first) != (old.head in first) and kinship.head_relative(new.text) == ""


_KIN_SLOTS = frozenset("spouse partner ex_partner child parent sibling friend relative colleague boss pet".split())


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
    if not a or not b:
        return False
    shared = a & b
    events = shared & kinship.event_stems()
    if new.slot.name != old.slot.name and not events:
        return False
    if not (new.numbers and old.numbers) and not new.correcting:
        return False
    return len(shared) / min(len(a), len(b)) >= 0.75 or (bool(events) and len(shared) >= 2)


def _names(new: _Fact, old: _Fact, subject: str) -> bool:
    own = set(fold(subject).split())
    return bool((_capitals(new.text) & _capitals(old.text)) - own) or not new.slot.value

"""Whether two facts of one topic contradict each other (S3): a contradiction, never mere likeness. English and Portuguese.

Two statements disagree where all else in them is the same and one says what the other denies, gives another number or
date, another value of what has one, or an opposite. Where another word differs too they may be about different things,
and nothing is said. So what is found is a contradiction as a rule, and contradictions in free wording are missed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import cache, lru_cache
from types import ModuleType
from typing import NamedTuple

from arandu_lab.knowledge import Disagreed, MemoryFact
from arandu_lab.pure.alternatives import exclusive, known, opposite
from arandu_lab.pure.contradictions import contradictions
from arandu_lab.pure.episodic import same_topic
from arandu_lab.pure.memory_types import DECAYS, USE_GAIN, Decays, last_said, retained
from arandu_lab.pure.quantities import DATES, Quantity, apart, counted
from arandu_lab.pure.statements import CASES, Statement, Word, statements
from arandu_lab.pure.stems import LANGUAGES, Language, stem
from arandu_lab.pure.text import normal, words
from arandu_lab.records import Fact

VALUE = 3
"""The most words that a differing value has."""


class Disagreement(NamedTuple):
    """How two statements contradict each other, and what stands against what (folded stems; "" where it is the whole)."""

    why: Disagreed
    one: str = ""
    other: str = ""


def disagreement(one: str, other: str, *, topic: str = "") -> Disagreement | None:
    """How two statements about one topic contradict each other; None where they do not, or nobody can tell.

    >>> disagreement("deploys run on Fridays", "deploys never run on Fridays").why
    'polarity'
    >>> disagreement("the API limit is 100", "the API limit is 250").why
    'number'
    >>> disagreement("usamos PostgreSQL", "usamos MySQL")
    Disagreement(why='value', one='postgresql', other='mysql')
    >>> disagreement("uses Postgres for billing", "uses MySQL for search") is None
    True
    """
    if _plain(one) == _plain(other):
        return None
    about = _about(topic)
    for mine, keys in _keyed(one):
        for theirs, others in _keyed(other):
            far = not (mine.instead or theirs.instead) and _far(keys - about, others - about)
            if not far and (found := _compared(mine, theirs, topic)):
                return found
    return _of_people(one, other, topic)


def against(
    new: MemoryFact, stored: Iterable[MemoryFact], now: datetime
) -> tuple[tuple[MemoryFact, Disagreement], ...]:
    """The live facts of the same workspace, domain, scope and topic that a fact contradicts, by id."""
    near = (fact for fact in stored if fact.agent_id == new.agent_id and same_topic(new, fact))
    return _disagreeing(new, near, now)


def elsewhere(
    new: MemoryFact, stored: Iterable[MemoryFact], now: datetime
) -> tuple[tuple[MemoryFact, Disagreement], ...]:
    """The live facts of the same domain and topic in another scope that a fact contradicts, by id: nobody's place is taken,
    and a result says so.
    """
    near = (
        fact
        for fact in stored
        if fact.agent_id == new.agent_id
        and fact.repo != new.repo
        and fact.domain == new.domain
        and normal(fact.topic) == normal(new.topic)
    )
    return _disagreeing(new, near, now)


def prevails(
    new: MemoryFact, old: MemoryFact, now: datetime, *, table: Decays = DECAYS, use_gain: float = USE_GAIN
) -> bool:
    """Whether of two that contradict each other the new one takes the place of the old: where its confidence, times what
    is still there of it, is not below that of the old.
    """
    mine, theirs = (fact.confidence * retained(fact, now, table=table, use_gain=use_gain) for fact in (new, old))
    return mine >= theirs


def supplants(
    new: MemoryFact, old: MemoryFact, now: datetime, *, table: Decays = DECAYS, use_gain: float = USE_GAIN
) -> bool:
    """Whether a newly told fact takes the place of an old one that it contradicts.

    What was said before the old one was, and is only told after it (minutes of an earlier meeting), does as it would have done
    in the order in which the two were said: late news do not displace what came after.
    """
    after = last_said(old)
    if last_said(new) < after:
        return not prevails(old, new, after, table=table, use_gain=use_gain)
    return prevails(new, old, now, table=table, use_gain=use_gain)


def _disagreeing(
    new: MemoryFact, near: Iterable[MemoryFact], now: datetime
) -> tuple[tuple[MemoryFact, Disagreement], ...]:
    found = []
    for fact in sorted((fact for fact in near if fact.id != new.id and fact.live_at(now)), key=lambda fact: fact.id):
        if disagrees := disagreement(new.content, fact.content, topic=new.topic):
            found.append((fact, disagrees))
    return tuple(found)


# ------------------------------------------------------------ two statements


_plain = lru_cache(maxsize=8192)(normal)


def _compared(one: Statement, other: Statement, topic: str) -> Disagreement | None:
    if one.past != other.past or one.future != other.future or one.hedged != other.hedged:
        return None
    if one.partial or other.partial or one.excepted != other.excepted:
        return None
    if one.denied != other.denied:
        return _polarity(one, other) if one.denied else _polarity(other, one)
    if one.denied or one.hedged or one.additive or other.additive:
        return None
    found = _given_up(one, other) or _given_up(other, one)
    return found or _differing(one, other, frozenset()) or _differing(one, other, _about(topic))


@lru_cache(maxsize=8192)
def _keyed(text: str) -> tuple[tuple[Statement, frozenset[str]], ...]:
    """The statements of a text, each with the keys of its words that are no numbers."""
    return tuple(
        (said, frozenset(word.key for word in said.words if word.quantity is None)) for said in statements(text)
    )


def _far(keys: frozenset[str], others: frozenset[str]) -> bool:
    """Whether each of two statements has words of its own, and one more than a value has: such are never compared.

    It changes no answer and saves the comparing, which in a topic of thousands of facts is most of the work.
    """
    more, less = keys - others, others - keys
    return bool(more and less) and max(len(more), len(less)) > VALUE


@lru_cache(maxsize=512)
def _about(topic: str) -> frozenset[str]:
    return frozenset(stem(word, language) for word in words(topic) for language in LANGUAGES)


def _polarity(denial: Statement, said: Statement) -> Disagreement | None:
    """The denial holds nothing that the other does not say: "never on Fridays" and "on Fridays, after lunch"."""
    mine, theirs = _content(denial.words), _content(said.words)
    if (denial.verb and denial.verb != said.verb) or not mine or mine - theirs:
        return None
    if any("¬" in held for held in (mine, theirs)) and mine["¬"] != theirs["¬"]:
        return None
    numbers, others = _quantities(denial), list(_quantities(said))
    for quantity in numbers:
        if (
            same := next((each for each in others if not apart(quantity, each) and each.kind == quantity.kind), None)
        ) is None:
            return None
        others.remove(same)
    extra = theirs - mine
    for word in said.words:
        plain = word.after and not word.case and word.key != said.verb
        if word.quantity is None and extra[word.key] and plain:
            return None
    if not numbers and sum(mine.values()) == 1 and denial.verb in mine and len(theirs) > 1:
        return None
    return Disagreement("polarity")


def _given_up(one: Statement, other: Statement) -> Disagreement | None:
    """What one of them gave up for its own is what the other has."""
    mine, theirs = _content(one.words), _content(other.words)
    more, less = mine - theirs, theirs - mine
    if not one.instead or not more or not less or len(more) > 3 or one.verb != other.verb:
        return None
    return Disagreement("value", _shown(more), _shown(less)) if set(less) <= one.instead else None


def _differing(one: Statement, other: Statement, about: frozenset[str]) -> Disagreement | None:
    a, b = ([word for word in said.words if word.key not in about] for said in (one, other))
    a, b = _without_weak(a, b)
    mine, theirs = _content(a), _content(b)
    more, less = mine - theirs, theirs - mine
    held, others = ([word for word in said if word.quantity] for said in (a, b))
    if not (more and less):
        units = [
            word for said, extra in ((a, more), (b, less)) for word in said if extra[word.key] and not word.quantity
        ]
        if not held or len(held) != len(others) or one.verb != other.verb or any(not word.beside for word in units):
            return None
        if any(word.key in _MULTIPLIERS for word in units):
            return None
        return _number(one, other, held, others)
    values, rivals = (
        [word for word in said if extra[word.key] and not word.quantity] for said, extra in ((a, more), (b, less))
    )
    if not _same_quantities(held, others, values, rivals, a, b):
        return None
    return _value(one, other, values, rivals, about, a, b)


_MULTIPLIERS = frozenset(
    stem(word, language)
    for word in (
        "hundred hundreds thousand thousands million millions billion billions dozen dozens k "
        "cem cento centos mil milhar milhares milhao milhoes bilhao bilhoes duzia duzias"
    ).split()
    for language in LANGUAGES
)
"""Words that multiply the number before them: "2 thousand" is no other number than "2,000" just because a word is more."""


def _number(one: Statement, other: Statement, held: Sequence[Word], others: Sequence[Word]) -> Disagreement | None:
    """The same words with one other quantity, of the same kind, in the same place."""
    pairs = [(x, y) for x, y in zip(held, others, strict=True) if x.quantity != y.quantity]
    if len(pairs) != 1:
        return None
    x, y = pairs[0]
    assert x.quantity is not None
    assert y.quantity is not None
    mine, theirs = counted(x.quantity, y.quantity) if x.beside and y.beside else (x.quantity, y.quantity)
    kind = mine.kind
    if x.case != y.case or not apart(mine, theirs) or x.phrase in one.joined or y.phrase in other.joined:
        return None
    if not one.verb and any(said.index(word) < len(said) - 2 for said, word in ((one.words, x), (other.words, y))):
        return None  # "version 2 mended …": the number may be a name
    if kind in DATES:
        timed = kind == "clock" and one.verb in _verbs(one, "TIMED")
        if not (one.verb == "be" or one.verb in _verbs(one, "DATED") or timed):
            return None
        if any(word.after and word.quantity is None and word.key != one.verb and not word.case for word in one.words):
            return None
        return Disagreement("date")
    if (kind == "version" or (kind == "count" and x.beside)) and one.verb in _verbs(one, "MULTIPLE"):
        return None
    if one.past and one.verb not in ("be", "last", "cost", "tak", "dur", "cust", "lev"):
        return None
    return Disagreement("number", *(each.label if kind == "version" else f"{each.low:g}" for each in (mine, theirs)))


def _value(
    one: Statement,
    other: Statement,
    values: list[Word],
    rivals: list[Word],
    about: frozenset[str],
    a: list[Word],
    b: list[Word],
) -> Disagreement | None:
    """The same words with one other value, in the same place."""
    shown = _shown(_content(values)), _shown(_content(rivals))
    places = {word.phrase for word in values}, {word.phrase for word in rivals}
    if any(len(place) != 1 for place in places) or max(len(values), len(rivals)) > VALUE:
        return None
    if places[0] & one.joined or places[1] & other.joined:
        return None
    head, rival = values[0], rivals[0]
    if len(values) == len(rivals) == 1 and _opposes(one, other, head, rival):
        return Disagreement("opposite", *shown)
    if one.verb != other.verb or head.case != rival.case or head.key.startswith("#") or rival.key.startswith("#"):
        return None
    if not (head.after and rival.after):
        chosen = (
            one.passive and one.verb == "use" and len(values) == len(rivals) == 1 and not head.after and not rival.after
        )
        if chosen and exclusive(head.key, rival.key):
            return Disagreement("value", *shown)
        return Disagreement("value", *shown) if _holders(one, other, values, rivals) else None
    if len(values) == len(rivals) == 1 and exclusive(head.key, rival.key):
        return Disagreement("value", *shown)
    names = all(word.proper or known(word.key) for word in (*values, *rivals))
    if names and _one_at_a_time(one, head, about, a, b):
        return Disagreement("value", *shown)
    return None


def _opposes(one: Statement, other: Statement, head: Word, rival: Word) -> bool:
    if not opposite(head.key, rival.key):
        return False
    if head.key in _SIDES or rival.key in _SIDES:
        return one.verb == other.verb
    last = head == one.words[-1] and rival == other.words[-1] and head.after and rival.after
    adverbs = last and one.verb == other.verb and one.verb != "be" and not head.case and len(one.words) <= 3
    return (head.complement and rival.complement) or adverbs


_SIDES = frozenset(("with", "without", "com", "sem", "before", "after", "antes", "depois", "up", "down"))


def _one_at_a_time(one: Statement, head: Word, about: frozenset[str], a: list[Word], b: list[Word]) -> bool:
    """Whether what the verb, the subject or the topic speaks of has one value."""
    table = one.table
    if not {one.verb, f"{one.verb} {head.case}"}.isdisjoint(_single(table, one.language)):
        return True
    slots = frozenset(stem(word, one.language) for word in table.SLOTS)
    if one.verb == "be" and head.complement:
        return any(word.key in slots for word in one.words if not word.after)
    if one.verb in ("be", "use", "") and about & slots:
        rest = [
            word
            for word in (*a, *b)
            if word.after and word.phrase != head.phrase and word.key != one.verb and word.case
        ]
        return not rest
    return False


def _holders(one: Statement, other: Statement, values: list[Word], rivals: list[Word]) -> bool:
    """ "Ana is the lead" and "Bruno is the lead": two for an office that one holds."""
    if one.verb != "be" or other.verb != "be" or not (one.definite and other.definite):
        return False
    offices = frozenset(stem(word, one.language) for word in one.table.ROLES)
    office = any(word.key in offices for word in one.words if word.after)
    subjects = [{word.key for word in said.words if not word.after} for said in (one, other)]
    return office and subjects[0] == {word.key for word in values} and subjects[1] == {word.key for word in rivals}


def _same_quantities(
    held: list[Word], others: list[Word], values: list[Word], rivals: list[Word], a: list[Word], b: list[Word]
) -> bool:
    """Whether all numbers are the same, versions of the differing values apart."""
    mine = [word.quantity for word in held if not _version_of(word, values, a)]
    theirs = [word.quantity for word in others if not _version_of(word, rivals, b)]
    return mine == theirs


def _version_of(word: Word, values: list[Word], said: list[Word]) -> bool:
    place = next(number for number, each in enumerate(said) if each is word)
    return word.quantity is not None and word.quantity.kind == "version" and place > 0 and said[place - 1] in values


def _without_weak(a: list[Word], b: list[Word]) -> tuple[list[Word], list[Word]]:
    strong = [[word for word in said if not (word.quantity and word.quantity.weak)] for said in (a, b)]
    counts = [sum(word.quantity is not None for word in said) for said in strong]
    return (strong[0], strong[1]) if counts[0] == counts[1] else (a, b)


def _quantities(said: Statement) -> tuple[Quantity, ...]:
    return tuple(word.quantity for word in said.words if word.quantity is not None and not word.quantity.weak)


def _content(said: Iterable[Word]) -> Counter[str]:
    return Counter(word.key for word in said if word.quantity is None)


def _shown(content: Counter[str]) -> str:
    return " ".join(content)


def _verbs(said: Statement, name: str) -> frozenset[str]:
    return frozenset(stem(word, said.language) for word in getattr(said.table, name))


@cache
def _single(table: ModuleType, language: Language) -> frozenset[str]:
    """Verbs, each with the case that leads its value, of which there is one at a time."""
    found = set()
    for entry in table.SINGLE:
        verb, _, case = entry.strip().partition(" ")
        found.add(f"{stem(verb, language)} {CASES.get(case, case)}".strip())
    return frozenset(found)


def _of_people(one: str, other: str, topic: str) -> Disagreement | None:
    """Where the topic is a name and both open with it, they are read as attributes: a home, an employer, likes."""
    if topic[:1].isupper() and all(text.startswith(topic) for text in (one, other)):
        a, b = (_fact(text, topic, number) for number, text in enumerate((one, other)))
        for found in contradictions((a, b)):
            return Disagreement("value" if found.why == "value" else "polarity")
    return None


_THEN = datetime(2000, 1, 1, tzinfo=UTC)


def _fact(text: str, name: str, number: int) -> Fact:
    return Fact(
        id=str(number), agent_id="", entity_key=name, entity_name=name, text=text, confidence=1.0, importance=1.0, category="",
        speaker="", source_event_id="", valid_from=_THEN, recorded_at=_THEN,
    )  # fmt: skip

"""Facts that cannot both be so: two values of what one has once at a time, or the same said and denied. English, Portuguese.

Consolidation looks for them before anything is merged (J4, A19). Nothing is decided here about which of the two is right.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import combinations
from typing import Literal, NamedTuple

from arandu_lab.pure.attributes import Claim, alike, claim, content_of, ends, rivals
from arandu_lab.pure.compare import differences, unreal
from arandu_lab.pure.cues import month_numbers
from arandu_lab.pure.matching import stems
from arandu_lab.pure.text import fold, words
from arandu_lab.records import Fact


class Contradiction(NamedTuple):
    """Two facts of one entity that hold at the same time and cannot. ``value``: other values of one attribute;
    ``polarity``: what the one states the other denies or says is over.
    """

    earlier: Fact
    later: Fact
    why: Literal["value", "polarity"]


def contradictions(facts: Iterable[Fact]) -> tuple[Contradiction, ...]:
    """All pairs of contradicting facts, each once, in the order of the earlier and then the later one.

    Two facts hold at the same time where ``[valid_from, valid_to)`` of both share a moment and neither was taken back as
    never true. Of two, the earlier began first (then: was recorded first; then by id). What is planned, wished or past is
    no statement of what is, and of lists (likes, languages, pets) several values stand side by side.

    The order of ``facts`` never shows. Give open facts, or all of them.
    """
    by_entity: dict[str, list[tuple[Fact, Claim | None]]] = {}
    for fact in sorted(facts, key=_begun):
        if fact.closed_by not in _NEVER_WERE and not unreal(fact.text, subject=fact.entity_name):
            read = claim(fact.text, fact.entity_name)
            if not (read is not None and _bygone(fact.text, read)):
                by_entity.setdefault(fact.entity_key, []).append((fact, read))
    found = {
        (one.id, other.id): Contradiction(one, other, why)
        for told in by_entity.values()
        for one, other, why in (*_values(told), *_denials(told))
        if _together(one, other)
    }
    return tuple(sorted(found.values(), key=lambda pair: (_begun(pair.earlier), _begun(pair.later))))


Told = Sequence[tuple[Fact, Claim | None]]
Pair = tuple[Fact, Fact, Literal["value", "polarity"]]

_NEVER_WERE = ("correction", "merge")
_FOREVER = datetime.max.replace(tzinfo=UTC)
_WAS = frozenset("was were era eram".split())
NO_EMPLOYER = re.compile(r"\bwork(?:s|ed|ing)? (?:closely |together )?with\b|\btrabalha(?:ndo)? em casa\b")
"""With whom or where somebody works need not be who pays, though a table may read "works with" as an employer."""


def _values(told: Told) -> Iterator[Pair]:
    by_attribute: dict[str, list[tuple[Fact, Claim]]] = {}
    for fact, read in told:
        if read is None or not read.single or not read.value or read.ended or read.negative:
            continue
        if read.attribute != "employer" or not NO_EMPLOYER.search(fold(fact.text)):
            by_attribute.setdefault(read.attribute, []).append((fact, read))
    for held in by_attribute.values():
        for (one, mine), (other, theirs) in combinations(held, 2):
            if rivals(theirs, mine) and not _may_agree(one, mine, other, theirs):
                yield one, other, "value"


def _may_agree(one: Fact, mine: Claim, other: Fact, theirs: Claim) -> bool:
    """Whether two values with other words may be one: a part and the whole, two languages, two ways to write a date."""
    if content_of(mine) <= theirs.rest or content_of(theirs) <= mine.rest:
        return True
    if mine.attribute == "birthday":
        return _one_day(one.text, mine.value, other.text, theirs.value)
    if mine.attribute == "age":
        return _grown(one, mine.value, other, theirs.value)
    if mine.language != theirs.language:
        if not (mine.proper and theirs.proper):
            return True
        return any(a[:4] == b[:4] for a in content_of(mine) for b in content_of(theirs))
    return False


def _one_day(text: str, value: str, other_text: str, other_value: str) -> bool:
    months, others = month_numbers(text), month_numbers(other_text)
    if not months or not others:
        return True
    numbers, more = ({int(n) for n in re.findall(r"\d+", said)} for said in (value, other_value))
    return months == others and (numbers <= more or more <= numbers)


def _grown(one: Fact, age: str, other: Fact, later_age: str) -> bool:
    if not (age.isdigit() and later_age.isdigit()):
        return False
    years = (other.valid_from - one.valid_from).days / 365.25
    return abs(int(later_age) - int(age) - years) <= 1.0


def _denials(told: Told) -> Iterator[Pair]:
    """Claims are compared with those that deny or end something, other statements with those of the same words."""
    denying = [place for place, (_, read) in enumerate(told) if read is not None and _denies(read)]
    apart = {
        (min(place, other), max(place, other)) for place in denying for other in range(len(told)) if other != place
    }
    for one, other in sorted(apart):
        if _opposed(told[one][1], told[other][1]):
            yield told[one][0], told[other][0], "polarity"
    alike_words: dict[frozenset[str], list[Fact]] = {}
    for fact, _ in told:
        said = stems(_NO_MORE.sub(" ", fold(fact.text)))
        alike_words.setdefault(said - stems(fact.entity_name) - _NEVER, []).append(fact)
    for content, group in alike_words.items():
        for first, second in combinations(group, 2) if content else ():
            if differences(first.text, second.text, subject=first.entity_name) == ("polarity",):
                yield first, second, "polarity"


def _denies(read: Claim) -> bool:
    return read.negative or read.ended or read.attribute == "dislikes"


def _opposed(mine: Claim | None, theirs: Claim | None) -> bool:
    if mine is None or theirs is None:
        return False
    if ends(theirs, mine):
        return not theirs.rest - mine.rest
    if mine.ended or theirs.ended:
        return False
    if {mine.attribute, theirs.attribute} == {"likes", "dislikes"}:
        denial, said = (mine, theirs) if mine.attribute == "dislikes" else (theirs, mine)
        opposite = mine.negative == theirs.negative
    else:
        denial, said = (mine, theirs) if mine.negative else (theirs, mine)
        opposite = mine.attribute == theirs.attribute and mine.negative != theirs.negative
    return opposite and bool(mine.value) and _same(mine, theirs) and denial.rest <= said.rest


def _same(mine: Claim, theirs: Claim) -> bool:
    return alike(mine, theirs) or content_of(mine) == content_of(theirs)


_NO_MORE = re.compile(r"\bno longer\b|\bany ?more\b|\bany longer\b")
_NEVER = stems("never nunca jamais cannot nor neither")


def _bygone(text: str, read: Claim) -> bool:
    """Whether a statement tells a value of then: "Ana's boss was Paulo"."""
    return read.single and read.attribute != "birthday" and not _WAS.isdisjoint(words(text))


def _together(one: Fact, other: Fact) -> bool:
    return max(one.valid_from, other.valid_from) < min(one.valid_to or _FOREVER, other.valid_to or _FOREVER)


def _begun(fact: Fact) -> tuple[datetime, datetime, str]:
    return fact.valid_from, fact.recorded_at, fact.id

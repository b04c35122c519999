"""The verdict on two statements whose attributes can be read (``arandu_lab.pure.attributes``): attribute, value, polarity.

None where the attributes do not decide; the words then do (``verdict``).
"""

# ruff: noqa: E501  (patterns read better on one line)

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache

from arandu_lab.llm.rules import families
from arandu_lab.llm.rules.corrections import corrected
from arandu_lab.pure.attributes import ANY, SINGLE, Claim, alike, claim, content_of, ends, rivals
from arandu_lab.pure.matching import stem
from arandu_lab.pure.text import fold, words

Ruling = tuple[str, int]
"""An action and its weight; weight 0 of an ADD means that the two have nothing to do with each other."""

_LOOSE = frozenset({ANY, "has", "owns", "plan"})
_NEEDS_NAME = frozenset("home employer school partner spouse boss".split())
_ASIDE = frozenset(
    stem(word)
    for word in """english french spanish german italian portuguese chinese mandarin japanese russian korean arabic hindi dutch swedish norwegian danish
    finnish greek turkish polish hebrew latin catalan irish welsh czech piano guitar violin cello flute drums singing ballet ingles frances espanhol alemao
    italiano portugues chines mandarim japones russo coreano arabe holandes sueco noruegues dinamarques finlandes grego turco polones hebraico latim catalao
    libras violao guitarra violino violoncelo flauta bateria canto bale cavaquinho""".split()
)
_KIN = frozenset({"partner", "spouse"})
_PERFECT = re.compile(r"\b(?:has|have)(?: been)? (?:lived|worked|studied|resided|been)\b")
_OPEN = {"en": re.compile(r"(?:a|an|another|some)\b|$"), "pt": re.compile(r"(?:um|uma|outro|outra)\b|$")}
_DENIED_PAST = re.compile(
    r"\b(?:(?:has|have|had|did|was|were) ?(?:not|never|n't)|hasn't|haven't|hadn't|didn't|wasn't|weren't)\b|\b(?:nao|nunca) (?:se )?\w{2,}(?:ou|eu|iu|aram|eram|iram)\b|\b(?:nao|nunca) (?:foi|teve|fez|veio|deu|esta)\b"
)
_PAST = re.compile(
    r"\b(?:was|were|had|did|went|got|made|took|came|left|gave|bought|sold|met|ran|won|lost|spent|saw|flew|swam|sang|spoke|taught|threw|held|began|\w{3,}ed|\w{2,}(?:ou|eu|iu|aram|eram|iram)|foi|fez|teve|veio|deu|esteve|houve)\b"
)


@dataclass(frozen=True, slots=True)
class Said:
    """A statement, and the day (ISO) since which it holds; empty when that is not known."""

    text: str
    since: str = ""


def ruling(new: Said, old: Said, subject: str, message: str, *, former: bool, planned: bool) -> Ruling | None:
    """The verdict on the new statement beside the old one.

    ``former`` and ``planned`` say of the new statement that it tells of what was, or of what is only meant to be.
    """
    mine, other = claim(new.text, subject), claim(old.text, subject)
    if mine is None or other is None:
        return None
    if ends(mine, other):
        return "DELETE", 85
    if came_about(new, other, planned=planned) and not (mine.ended or mine.negative):
        return "UPDATE", 86
    if {mine.attribute, other.attribute} == {"likes", "dislikes"} and not (mine.ended or other.ended):
        return ("UPDATE", 76) if content_of(mine) == content_of(other) else ("ADD", 0)
    if mine.attribute != other.attribute:
        apart = not ({mine.attribute, other.attribute} & _LOOSE or {mine.attribute, other.attribute} <= _KIN)
        named = not (mine.attribute.startswith("do ") or other.attribute.startswith("do "))
        return ("ADD", 0) if apart and named else None
    return _one_attribute(mine, other, new, old, message, former=former, planned=planned)


def _one_attribute(
    mine: Claim, other: Claim, new: Said, old: Said, message: str, *, former: bool, planned: bool
) -> Ruling | None:
    named = not mine.attribute.startswith("do ")
    if mine.ended or other.ended:
        return ("ADD", 0) if mine.ended and named and mine.value else None
    if alike(mine, other) or _translated(mine, other):
        if mine.negative and not other.negative:
            return ("DELETE", 84) if named or _DENIED_PAST.search(fold(new.text)) else ("UPDATE", 80)
        if mine.negative != other.negative:
            return "UPDATE", 80
        return _same(mine, other, new, old, planned=planned)
    if not (mine.negative or other.negative or former or planned) and within(mine, other):
        return "NOOP", 90
    if mine.negative or other.negative or (former and not _PERFECT.search(fold(new.text))):
        return None
    if not planned and corrected(message, other.value, mine.value):
        return "UPDATE", 78
    if rivals(mine, other) and not planned and _comparable(mine, other):
        return ("UPDATE", 75) if not ahead(old) else None
    if mine.attribute == "employer" and not (mine.proper and other.proper):
        return "ADD", 0  # a ward, a place without a name
    return ("ADD", 0) if mine.attribute in ("likes", "dislikes", "named", "hobby", "language", "allergy") else None


def _same(mine: Claim, other: Claim, new: Said, old: Said, *, planned: bool) -> Ruling | None:
    """The same value twice: nothing new, unless something is said besides or it is told as past or as a plan."""
    if mine.attribute.startswith("do ") and _is_past(new.text) != _is_past(old.text):
        return None
    if mine.attribute[:3] == "do " and ahead(new) and ahead(old) and _days(new.text) != _days(old.text):
        return (
            ("ADD", 0) if _OPEN[mine.language].match(mine.value) else ("UPDATE", 72)
        )  # one more of its kind, or the same on another day
    if mine.attribute != "plan" and planned:
        return None
    known = _stems(old.text) | (content_of(mine) if _translated(mine, other) else frozenset())
    if mine.attribute.startswith("do ") and _is_past(new.text) and (mine.rest | other.rest) - (mine.rest & other.rest):
        return "ADD", 0  # what happened, happened again
    fresh = (mine.rest | content_of(mine)) - known
    if not fresh:
        return "NOOP", 92
    if mine.attribute == "plan" and mine.rest - known and other.rest:
        return "UPDATE", 72
    return None


def within(new: Claim, old: Claim) -> bool:
    """Whether the new value is one of those that the old one lists.

    >>> within(claim("Ana likes tea", "Ana"), claim("Ana likes tea and coffee", "Ana"))
    True
    """
    said, listed = ({content_of(replace(one, value=part)) for part in _AND.split(one.value)} for one in (new, old))
    return len(listed) > 1 and said <= listed


_AND = re.compile(r",? (?:and|e) |, ")


def _translated(mine: Claim, other: Claim) -> bool:
    """Whether two values are the same word of two languages, as far as the families of words know."""
    one, two = ({families.family(word) for word in words(found.value)} for found in (mine, other))
    return one == two and any(word.startswith("=") for word in one)


def came_about(new: Said, plan: Claim, *, planned: bool) -> bool:
    """Whether the new statement tells as done what was planned: all that was planned stands in it.

    >>> plan = claim("Ana plans a trip to Ouro Preto for 3 May 2024", "Ana")
    >>> came_about(Said("Ana took a trip to Ouro Preto in May 2024"), plan, planned=False)
    True
    """
    if plan.attribute != "plan" or plan.ended or planned or not _is_past(new.text):
        return False
    wanted = content_of(plan) - {"go", "hav", "have", "tak", "take", "visit"}
    return bool(wanted) and wanted <= _stems(new.text)


def apart(new: str, old: str, subject: str) -> bool:
    """Whether one of two statements states what one has once and the other plainly something else: a plan, a deed.

    >>> apart("Ana works at Vertix", "Ana plans a job interview for May", "Ana"), apart("Ana is a vet", "Ana works", "Ana")
    (True, True)
    """
    mine, other = claim(new, subject), claim(old, subject)
    if mine is None or other is None or mine.attribute == other.attribute or not (mine.single or other.single):
        return False
    return any(
        one.attribute == "plan" or (one.attribute[:3] == "do " and one.attribute != "do be") for one in (mine, other)
    )


def ahead(said: Said) -> bool:
    """Whether a statement names a day or month after the day since which it holds: something to come.

    >>> ahead(Said("A prova de Ana é em 3 de maio de 2024", "2024-04-01")), ahead(Said("Ana ran on 3 May 2024", "2024-05-03"))
    (True, False)
    """
    days = _days(said.text)
    return bool(days and said.since) and max(days) > said.since[:10]


_MONTHS = {
    name: number
    for line in (
        "january february march april may june july august september october november december",
        "janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro",
    )
    for number, name in enumerate(line.split(), 1)
}
_DAY = re.compile(
    rf"\b(?:(?P<d>\d{{1,2}})(?:st|nd|rd|th|o|º)? (?:de |of )?)?(?P<m>{'|'.join(_MONTHS)})(?: (?P<e>\d{{1,2}}),?)?(?: de|,)? (?P<y>\d{{4}})\b"
)


@lru_cache(maxsize=8192)
def _days(text: str) -> tuple[str, ...]:
    out = []
    for found in _DAY.finditer(fold(text)):
        day = int(found["d"] or found["e"] or 1)
        if 1 <= day <= 28 or _valid(int(found["y"]), _MONTHS[found["m"]], day):
            out.append(f"{found['y']}-{_MONTHS[found['m']]:02}-{day:02}")
    return tuple(out)


def _valid(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def _comparable(mine: Claim, other: Claim) -> bool:
    """Whether two values can stand for each other: two names, or two words of one language for what one is or studies.

    A language or an instrument is studied beside anything.
    """
    if mine.attribute in _NEEDS_NAME:
        house = mine.attribute == "home"
        return all(one.proper or (house and any(c.isdigit() for c in one.value)) for one in (mine, other))
    if mine.language != other.language and not (mine.proper and other.proper):
        return False
    if mine.attribute == "study" and (content_of(mine) | content_of(other)) & _ASIDE:
        return False
    return mine.attribute in SINGLE and mine.attribute not in ("birthday", "age")


def _is_past(text: str) -> bool:
    return bool(_PAST.search(fold(text)))


@lru_cache(maxsize=8192)
def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words(text))

"""Which attribute a statement states, and whether it holds: ``Ana no longer lives in Recife`` ends ``home = recife``.

A statement opens with its subject (``Ana lives in Recife``, ``Ana's home is Recife``, ``A casa de Ana fica em Recife``).
Read in English and Portuguese by the tables beside this file. Of some attributes one has one value at a time (``SINGLE``):
two values of such a one are rivals, whatever the words. Everything else is read as its verb and object, and never rivals.
"""

# ruff: noqa: E501  (the table of hints reads better on long lines)

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from types import ModuleType

from arandu_lab.pure import attributes_en, attributes_pt
from arandu_lab.pure.matching import stem
from arandu_lab.pure.text import STOP, fold, guess_language, words

SINGLE = frozenset("home employer role school study partner spouse boss birthday age".split())
"""Attributes of which somebody has one value at a time."""

LASTING = frozenset("likes dislikes allergy origin birthday age sibling child parent".split())
"""Attributes that nobody gives up by leaving something: "gave up chocolate" ends no liking of it."""

ANY = "any"
"""The attribute of "gave up fencing", "largou a ioga": whatever it was, it is over."""


@dataclass(frozen=True, slots=True)
class Claim:
    """An attribute and its value, folded; ``negative``: that it is not so; ``ended``: that it is so no more.

    ``ended`` lies outside ``negative``: it is no longer true that she does not drink. ``rest`` are the stems of what is
    said besides (since when, with whom). ``proper``: the value is written as a name. ``language``: ``en`` or ``pt``.
    """

    attribute: str
    value: str
    negative: bool = False
    ended: bool = False
    proper: bool = False
    rest: frozenset[str] = frozenset()
    language: str = ""

    @property
    def single(self) -> bool:
        """Whether one has one value of it at a time."""
        return self.attribute in SINGLE


@lru_cache(maxsize=32768)
def claim(text: str, subject: str) -> Claim | None:
    """What a statement claims of its subject (a name; one part of it is enough), None where it opens with another.

    >>> [(c.attribute, c.value) for c in (claim("Ana Dias works as a nurse.", "Ana Dias"), claim("Ana é enfermeira", "Ana"))]
    [('role', 'nurse'), ('role', 'enfermeira')]
    >>> claim("Ana não gosta mais de jazz", "Ana").ended, claim("Ana doesn't like jazz", "Ana").attribute
    (True, 'dislikes')
    >>> claim("Ana's aunt lives in Recife", "Ana") is None
    True
    """
    folded = re.sub(r"[’´`]", "'", fold(text)).strip(" .!…\n")
    names = frozenset(words(subject))
    if (lead := _LEAD.match(text)) and names & set(words(lead[0])):
        names |= set(words(lead[0]))  # "Ana Dias lives …" is of Ana
    best: Claim | None = None
    tables = (attributes_en, attributes_pt) if guess_language(text) == "en" else (attributes_pt, attributes_en)
    for table in tables:
        found = _read(_spelled(folded), names, table)
        if found is not None and (best is None or (_loose(best) and not _loose(found))):
            best = replace(found, language="en" if table is attributes_en else "pt")
        if best is not None and not _loose(best):
            break
    if best is None or not best.value:
        return best
    if best.attribute == "employer" and (work := _AS.fullmatch(best.value)):
        best = replace(best, value=work["where"], rest=best.rest | {stem(word) for word in words(work["what"])})
    place = _spelled(folded).rfind(best.value)
    written = (
        text.strip()[place : place + len(best.value)] if len(_spelled(folded)) == len(text.strip(" .!…\n")) else ""
    )
    proper = place >= 0 and all(word[0].isupper() for word in written.split() if fold(word) not in _SMALL)
    return replace(best, proper=bool(written) and proper)


_LEAD = re.compile(r"[A-ZÀ-Ý][\w-]+(?: (?:d[aeo]s? )?[A-ZÀ-Ý][\w-]+)+")
_AS = re.compile(r"(?P<where>.+?) (?:as an?|as the|as|como) (?P<what>.+)")
"""Where somebody works, and as what."""


def rivals(new: Claim, old: Claim) -> bool:
    """Whether both state what one has once at a time, with values that are not the same.

    >>> a, b = claim("Ana lives in Recife", "Ana"), claim("Ana se mudou para Natal", "Ana")
    >>> rivals(a, b), rivals(a, claim("Ana works at Vertix", "Ana"))
    (True, False)
    """
    if new.attribute != old.attribute or not new.single or not (new.value and old.value):
        return False
    off = new.ended or old.ended or new.negative or old.negative
    return not off and not alike(new, old)


def alike(one: Claim, other: Claim) -> bool:
    """Whether two values name the same: equal stems, or, of names, the one within the other.

    >>> alike(claim("Ana lives in Recife", "Ana"), claim("Ana mora no Recife", "Ana"))
    True
    """
    a, b = _key(one.value), _key(other.value)
    if a == b:
        return bool(a) or (one.attribute == other.attribute and one.attribute.startswith("do "))
    if not (one.proper and other.proper) and not (one.attribute == other.attribute == "role"):
        return False
    short, long = sorted((a, b), key=len)
    return bool(short) and any(long[i : i + len(short)] == short for i in range(len(long) - len(short) + 1))


def ends(new: Claim, old: Claim) -> bool:
    """Whether the new claim says that what the old one says is over (or never was).

    >>> was = claim("Ana's hobby is fencing", "Ana")
    >>> ends(claim("Ana has given up fencing", "Ana"), was), ends(claim("Ana has given up fencing as a hobby", "Ana"), was)
    (True, True)
    """
    if not new.ended or old.ended:
        return False
    if new.attribute == ANY:
        return old.attribute not in LASTING and not old.negative and (alike(new, old) or _doing(new, old))
    if new.attribute != old.attribute or new.negative != old.negative:
        return False
    return alike(new, old) or (new.single and not new.value)


def matches(new: Claim | None, old: Claim | None) -> bool:
    """Whether an old claim bears on a new one whatever their likeness: a rival, the same said again, or what it ends."""
    if new is None or old is None or old.ended:
        return False
    if ends(new, old):
        return True
    return new.single and new.attribute == old.attribute and not old.negative


def may_match(new: Claim, stored: str) -> bool:
    """A cheap look at a stored text before it is read: False only where ``matches`` would be False.

    >>> may_match(claim("Ana lives in Recife", "Ana"), "Ana likes jazz")
    False
    """
    text = fold(stored)
    hint = _HINTS.get(new.attribute)
    if hint is not None:
        return _whole(hint).search(text) is not None
    return new.attribute == "role" or any(word[:3] in text for word in words(new.value) if word not in _SMALL)


_HINTS = {
    "home": r"liv|mora|vive|resid|mud|mov|reloc|settle|based|home|casa|house|apart|flat|address|ender|dwel|instal|city|town|cidade",
    "employer": r"work|trabalh|employ|empreg|job|position|started|began|begun|staff|payroll|team|funcion|colabor|contrat|admit|hired|engaged|compan|empresa",
    "school": r"stud|estud|enrol|attend|school|alun|matric|frequent|universit",
    "study": r"stud|estud|major|cour|curs|degree|program|reading|bachelor|master|phd|doctor|faculdade|gradua|licenc|bacharel|mestrad|doutorad|alun|subject|follows|takes|does",
    "partner": r"partner|friend|dat|see|court|going|engag|relation|together|involved|love|couple|fianc|namor|companheir|noiv|parceir|romance|casal|junt| with|other",
    "spouse": r"wife|husband|spouse|marri|espos|marido|mulher|conjuge|cas",
    "boss": r"report|answer|under|manag|supervis|led|boss|advis|chef|gerent|orient|superior|respond|subordin|gerid",
    "birthday": r"born|birth|nasc|anivers",
    "age": r"old|age|anos|turned",
}


def content_of(found: Claim) -> frozenset[str]:
    """The stems of the value."""
    return frozenset(_key(found.value))


def _loose(found: Claim) -> bool:
    return found.attribute.startswith("do ") or found.attribute == "has"


# ------------------------------------------------------------ reading

_SMALL = frozenset(f"{attributes_en.SMALL} {attributes_pt.SMALL} and e &".split())
_SHORT = re.compile(r"\b(do|does|did|is|are|was|were|has|have|had|would|should|could|wo|ca)n't\b|\bcannot\b")
_BASE = {"wo": "will", "ca": "can"}


def _spelled(folded: str) -> str:
    return _SHORT.sub(lambda m: f"{_BASE.get(m[1], m[1])} not" if m[1] else "can not", folded)


def _read(text: str, names: frozenset[str], table: ModuleType) -> Claim | None:
    ended = negative = False
    for frame in table.TRUE_NO_MORE:
        if found := _whole(frame).match(text):
            text, ended = text[found.end() :].strip(), True
    owned = _owned(text, names, table)
    if owned is not None:
        return Claim(owned.attribute, owned.value, owned.negative, owned.ended or ended, rest=owned.rest)
    said = _after(text, names)
    if not said or said.startswith("'"):
        return None
    said = _plain(said, table)
    for frame in table.HABIT:
        if found := _whole(frame).fullmatch(said):
            said = _plain(found[1], table)
    if found := _whole(_shape(table)["dislikes"]).fullmatch(said):  # "nao suporta" denies nothing
        return _made("dislikes", found, table, negative=False, ended=ended)
    if found := _whole(table.LET_GO).fullmatch(said):
        value, _ = _cut(found["v"], table.TAIL)
        return Claim(ANY, value, False, not ended)
    for shapes, off in ((table.ENDED, True), (table.DENIED, False)):
        for shape, plain in shapes:
            if found := _whole(shape).fullmatch(said):
                said = _plain(found.expand(plain), table)
                ended, negative = ended or off, not off
                break
        else:
            continue
        break
    return _predicate(said, table, negative, ended)


def _predicate(said: str, table: ModuleType, negative: bool, ended: bool) -> Claim | None:
    said = said.replace("e de novo ", "e ")
    for name, pattern in table.ABOUT:
        found = _whole(pattern).fullmatch(said)
        if found is None:
            continue
        if name == "role?":
            made = _made("role", found, table, negative=negative, ended=ended)
            if _occupation(made.value, table):
                return made
            return Claim("do be", made.value, negative, ended, rest=made.rest)
        if name in ("role", "home", "employer") and not _fits(name, found):
            continue
        made = _made(name, found, table, negative=negative, ended=ended)
        if name == "likes" and made.negative:
            return Claim("dislikes", made.value, False, made.ended, rest=made.rest)
        return made
    verb, _, value = said.partition(" ")
    head, rest = _cut(value, table.TAIL)
    return Claim(f"do {stem(verb)}", head, negative, ended, rest=rest)


def _fits(name: str, found: re.Match[str]) -> bool:
    value = _value(found)
    if name == "home":
        return not _whole(r"(?:with|com|sozinh)\b").match(value) and bool(value)
    return bool(value)


def _made(name: str, found: re.Match[str], table: ModuleType, *, negative: bool, ended: bool) -> Claim:
    value, rest = _cut(_value(found), table.ROLE_TAIL if name == "role" else table.TAIL)
    if name == "role":
        value, more = _cut(value, table.TAIL)
        rest |= more
    beside = " ".join(text for key, text in found.groupdict().items() if key.startswith("x") and text)
    value = _whole(rf"^(?:(?:{'|'.join(table.SMALL.split())}) )+").sub("", value)
    return Claim(name, value.strip(" ,;:'\""), negative, ended, rest=rest | _stems(beside))


def _value(found: re.Match[str]) -> str:
    return next((text for key, text in found.groupdict().items() if key.startswith("v") and text), "")


def _owned(text: str, names: frozenset[str], table: ModuleType) -> Claim | None:
    """``Ana's hobby is fencing``, ``O hobby de Ana e esgrima``: an attribute by its noun."""
    said = _after(text, names)
    if (said is None or said[:1] != "'") if table is attributes_en else said is not None:
        return None
    if (off := _off(text, names, table)) is not None:
        return off
    for name, noun in table.OF.items():
        said = _possessed(text, names, noun, table)
        if said is None:
            continue
        for cop, over, no in _copulas(table):
            if found := _whole(rf"{cop} (?P<v>.+)").fullmatch(said):
                return _made(name, found, table, negative=no, ended=over)
    return None


@cache
def _copulas(table: ModuleType) -> tuple[tuple[str, bool, bool], ...]:
    """Copula, whether it ends, whether it denies: the telling ones first."""
    if table is attributes_en:
        return ((r"(?:is|are) no longer", True, False), (r"(?:is|are) not", False, True), (table.COPULA, False, False))
    return (
        (rf"(?:ja nao|nao) {table.COPULA} mais", True, False),
        (rf"ja nao {table.COPULA}", True, False),
        (rf"nao {table.COPULA}", False, True),
        (table.COPULA, False, False),
    )


def _off(text: str, names: frozenset[str], table: ModuleType) -> Claim | None:
    """``Ana's trip to Oslo is off``, ``A viagem de Ana foi cancelada``: what was meant to be is not."""
    if table is attributes_en:
        said = _after(text, names)
        found = (
            _whole(
                rf"'s? (?:{table.OF['plan']} )?(?P<v>.+?) (?:is|was|has been|got) (?:probably )?{table.OFF}"
            ).fullmatch(said)
            if said
            else None
        )
    else:
        found = _whole(
            rf"[oa]s? (?:{table.OF['plan']} )?(?P<v>.+?) d[aeo]s? (?P<n>\S.*?) (?:esta |ja )?{table.OFF}"
        ).fullmatch(text)
        if found is not None and _after(found["n"], names) != "":
            return None
    return _made("plan", found, table, negative=False, ended=True) if found else None


def _possessed(text: str, names: frozenset[str], noun: str, table: ModuleType) -> str | None:
    if table is attributes_en:
        said = _after(text, names)
        found = _whole(rf"'s? (?:new |current )?(?:{noun}) ").match(said) if said else None
        return said[found.end() :] if said and found else None
    found = _whole(rf"(?:[oa]s? )?(?:nov[ao] |atual )?(?:{noun})(?: atual| nov[ao])? d[aeo]s? (?=\S)").match(text)
    return _after(text[found.end() :], names) if found else None


def _after(text: str, names: frozenset[str]) -> str | None:
    """What a statement says after its subject; None where it opens with something else."""
    said = (
        _whole(r"^(?:[oa]|the) (?=\S)").sub("", text, count=1) if names and not text.startswith(tuple(names)) else text
    )
    place = 0
    for found in re.finditer(r"[^\W_]+(?:-[^\W_]+)*", said):
        if found[0] not in names and not set(found[0].split("-")) <= names:
            break
        if place and said[place : found.start()].strip(" .") not in ("", "-"):
            break
        place = found.end()
    return said[place:].lstrip(" .") if place else None


def _plain(said: str, table: ModuleType) -> str:
    return " ".join(_whole(table.FILLERS).sub(" ", said).split()).strip(" ,")


def _cut(value: str, tail: str) -> tuple[str, frozenset[str]]:
    found = _whole(tail).search(value)
    if found is None or not value[: found.start()].strip():
        return value.strip(" ,;"), frozenset()
    return value[: found.start()].strip(" ,;"), _stems(value[found.start() :])


def _occupation(value: str, table: ModuleType) -> bool:
    """Whether a value names what somebody works as: by its head, the last word in English, the first in Portuguese."""
    found = words(value)
    if not found or len(found) > 4:
        return False
    if table is attributes_en:
        return found[-1] in _occupations(table)
    return (
        found[0] in _occupations(table)
        or _whole(r"(?:[oa]|ora|ona)s?$").sub("", found[0]) in _occupations(table)
        or (found[0].endswith("ora") and found[0][:-1] in _occupations(table))
    )


@cache
def _occupations(table: ModuleType) -> frozenset[str]:
    return frozenset(table.OCCUPATIONS.split())


@cache
def _whole(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


@cache
def _shape(table: ModuleType) -> dict[str, str]:
    return dict(table.ABOUT)


@lru_cache(maxsize=16384)
def _key(value: str) -> tuple[str, ...]:
    found = words(value)
    return tuple(stem(word) for word in found if word not in _SMALL) or tuple(found)


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words(text) if word not in STOP and len(word) > 1)


def _doing(new: Claim, old: Claim) -> bool:
    """ "gave up smoking" beside "smokes", "largou a ioga" beside "faz ioga às segundas": the verb, or what stands first after it."""
    if not old.attribute.startswith("do "):
        return False
    mine, other = _key(new.value), _key(old.value) if old.value else ()
    return bool(mine) and (mine == (old.attribute[3:], *other) or other[: len(mine)] == mine)

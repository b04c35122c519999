"""Numbers, lengths, sizes, sums, versions and dates as a statement tells them, and whether two of them can both be so."""

# ruff: noqa: E501  (tables and patterns read better on long lines)

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal, TypeAlias

from arandu_lab.pure.stems import Language
from arandu_lab.pure.text import fold
from arandu_lab.pure.verbs import infinitive_of, role, table_of

Kind: TypeAlias = Literal[
    "count", "time", "size", "percent", "money", "version", "clock", "weekday", "month", "day", "year"
]
Bound: TypeAlias = Literal["is", "least", "most", "about"]

DATES: frozenset[Kind] = frozenset({"clock", "weekday", "month", "day", "year"})
"""Kinds that say when."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """``low`` to ``high`` in base units (seconds, bytes; 0 for Monday; minutes of the day), ``is``, at ``least``, at ``most``
    or ``about``. ``label``: a version as written (its number is only for comparing it with a count), a currency. ``weak``: "um", "an hour", where an article may be meant.
    """

    kind: Kind
    low: float
    high: float
    bound: Bound = "is"
    label: str = ""
    weak: bool = False


MARK = 0xF0000
"""The character that stands in the text of :func:`marked` for the first quantity; the next characters for the next."""


def marked(text: str, language: Language) -> tuple[str, tuple[Quantity, ...]]:
    """A text with each quantity replaced by a mark, and the quantities in the order of their numbers.

    >>> said, held = marked("Retry at least 3 times within 2 minutes, on Fridays", "en")
    >>> [(each.kind, each.low, each.bound) for each in held]
    [('weekday', 4, 'is'), ('count', 3.0, 'least'), ('time', 120.0, 'most')]
    """
    held: list[Quantity] = []

    def put(quantity: Quantity) -> str:
        held.append(quantity)
        return f" {chr(MARK + len(held) - 1)} "

    said = _CODED.sub(lambda m: m[0].translate(_AWAY), _PRIVATE.sub(" ", text))
    said = _ISO.sub(lambda m: put(_on(int(m[1]), int(m[2]), int(m[3]))), said)
    said = _DAY_MONTH.sub(lambda m: put(_on(m["y"], _MONTHS[fold(m["m"])], int(m["d"]))), said)
    said = _MONTH_DAY.sub(lambda m: put(_on(m["y"], _MONTHS[fold(m["m"])], int(m["d"]))), said)
    said = _MONTH.sub(lambda m: put(_one("month", _MONTHS[fold(m["m"])], m["y"] or "")), said)
    said = _WEEKDAY.sub(lambda m: put(_one("weekday", _WEEKDAYS[fold(m["w"])])), said)
    said = _CLOCK.sub(lambda m: put(_clock(m)), said)
    said = _YEAR.sub(lambda m: m[1] + put(_one("year", int(m[2]))), said)
    said = _WORDS.sub(lambda m: _COUNTS[fold(m[0])], said)
    for sign, pattern in _BOUNDS:
        said = pattern.sub(sign, said)
    said = _VERSION.sub(lambda m: _led(m) + put(_version(m, language)) if _named(m, language) else m[0], said)
    said = _NUMBER.sub(lambda m: put(_number(m, language)), said)
    said = _WEAK[language].sub(lambda m: put(_weak(m)), said)
    return said.translate(_BACK), tuple(held)


def apart(one: Quantity, other: Quantity) -> bool:
    """Whether both cannot be so: other values of one kind and bound, a value outside a bound, bounds that leave nothing.

    >>> three, five = Quantity("count", 3, 3), Quantity("count", 5, 5)
    >>> apart(three, five), apart(Quantity("count", 4, 4, "least"), five), apart(Quantity("count", 4, 4, "least"), three)
    (True, False, True)
    """
    if one.kind != other.kind:
        return False
    if one.kind in ("version", "money", "month", "day") and one.label != other.label:
        return one.kind == "version" or (bool(one.label and other.label) and one.kind != "money")
    if one.bound == other.bound and one.bound in ("least", "most"):
        return one.low != other.low
    if "about" in (one.bound, other.bound):
        return abs(one.low - other.low) > 0.25 * max(abs(one.low), abs(other.low))
    (a, b), (c, d) = _span(one), _span(other)
    return b < c or d < a


def counted(one: Quantity, other: Quantity) -> tuple[Quantity, Quantity]:
    """A version and a count after the same word, both as counts: "Python 3" and "python 3" differ in a capital only."""
    if {one.kind, other.kind} != {"version", "count"}:
        return one, other
    first, second = (replace(each, kind="count", label="") for each in (one, other))
    return first, second


def _span(quantity: Quantity) -> tuple[float, float]:
    if quantity.bound == "least":
        return quantity.low, float("inf")
    return (float("-inf"), quantity.high) if quantity.bound == "most" else (quantity.low, quantity.high)


def _one(kind: Kind, value: float, label: str = "") -> Quantity:
    return Quantity(kind, value, value, label=label)


def _on(year: str | int | None, month: int, day: int) -> Quantity:
    return _one("day", month * 100 + day, str(year or ""))


def _led(found: re.Match[str]) -> str:
    return found["word"] or found["name"] or found["start"] or ""


def _named(found: re.Match[str], language: Language) -> bool:
    """Whether a number is a version of what stands before it: a function word and a verb name nothing, however loud."""
    word = fold(found["name"] or found["start"] or "").strip()
    return role(word, language) is None and not infinitive_of(word, language, table_of(language))


def _version(found: re.Match[str], language: Language) -> Quantity:
    written = found["v"] or found["w"] or found["n"] or found["s"]
    return _one("version", _value(written, language), written)


@cache
def _units() -> dict[str, tuple[Kind, float]]:
    return {unit: (kind, factor) for kind, units in _UNITS.items() for unit, factor in units.items()}


def _weak(found: re.Match[str]) -> Quantity:
    kind, factor = _units().get(fold(found["unit"] or ""), ("count", 1.0))
    return Quantity(kind, factor, factor, weak=True)


def _clock(found: re.Match[str]) -> Quantity:
    hour = int(found["h"] or found["h2"] or found["h3"])
    half = fold(found["half"] or "")
    if half.startswith("p") and hour < 12:
        hour += 12
    elif half.startswith("a") and hour == 12:
        hour = 0
    return _one("clock", hour * 60 + int(found["min"] or found["min3"] or 0))


def _number(found: re.Match[str], language: Language) -> Quantity:
    bound = _SIGNS.get(found["bound"] or "", "is")
    unit = fold(found["unit"] or "").strip()
    low = _value(found["num"], language)
    high = _value(found["to"], language) if found["to"] else low
    kind, factor = _units().get(unit, ("count", _SCALES.get(unit, 1.0)))
    currency = (found["cur"] or "").strip().upper()
    if currency:
        kind = "money"
    return Quantity(kind, min(low, high) * factor, max(low, high) * factor, bound, currency)


def _value(written: str, language: Language) -> float:
    thousands, point = (".", ",") if language == "pt" else (",", ".")
    if re.fullmatch(rf"\d{{1,3}}(?:{re.escape(thousands)}\d{{3}})+(?:{re.escape(point)}\d+)?", written):
        written = written.replace(thousands, "")
    return float(re.sub(r"[.,](?=.*[.,])", "", written).replace(",", "."))


_MONTHS = {
    name: number
    for names in (
        "january february march april may june july august september october november december",
        "janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro",
    )
    for number, name in enumerate(names.split(), 1)
}
_WEEKDAYS = {
    name: day
    for names in (
        "monday tuesday wednesday thursday friday saturday sunday",
        "mondays tuesdays wednesdays thursdays fridays saturdays sundays",
        "segunda terca quarta quinta sexta sabado domingo",
        "segundas tercas quartas quintas sextas sabados domingos",
    )
    for day, name in enumerate(names.split())
}
_MONTH_WORD = "|".join(
    [name.capitalize() for name in _MONTHS if name in ("may", "march")]
    + [f"(?i:{name.replace('marco', 'mar[cç]o')})" for name in _MONTHS if name not in ("may", "march")]
)
_MONTHS["março"] = 3
_CODED = re.compile(r"(?<!\w)(?!v\d)[^\W\d]+[-_]?\d[\w-]*", re.UNICODE)
_AWAY = {ord(str(digit)): 0xE010 + digit for digit in range(10)}
_BACK = {code: chr(digit) for digit, code in _AWAY.items()}
"""Digits of names (``S3``, ``utf-8``) are put away while quantities are read."""
_PRIVATE = re.compile("[\ue010-\ue019\U000f0000-\U000fffff]")
_ISO = re.compile(r"\b(\d{4})-(\d\d)-(\d\d)\b")
_DAY_MONTH = re.compile(
    rf"\b(?P<d>\d{{1,2}})(?i:st|nd|rd|th|º)? (?i:of |de )?(?P<m>{_MONTH_WORD})\b(?:,? (?i:de )?(?P<y>(?:19|20)\d\d))?"
)
_MONTH_DAY = re.compile(
    rf"\b(?P<m>(?i:may|march)|{_MONTH_WORD}) (?P<d>\d{{1,2}})(?i:st|nd|rd|th)?\b(?:,? (?P<y>(?:19|20)\d\d))?"
)
_MONTH = re.compile(rf"\b(?P<m>{_MONTH_WORD})\b(?:,? (?i:of |de )?(?P<y>(?:19|20)\d\d))?")
_WEEKDAY = re.compile(
    r"\b(?P<w>(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:segunda|ter[cç]a|quarta|quinta|sexta)s?(?=-feiras?)|(?:segunda|ter[cç]a|quarta|quinta|sexta)s?(?=\s*(?:$|[.,;!)]|(?:[àa]s|de|à|e|ou|pela|no|na|em|para|que|depois|antes|so|só|apenas)\b))|s[aá]bados?|domingos?)\b(?:-feiras?)?",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"\b(?P<h>\d{1,2})(?:[:h](?P<min>\d\d))? ?(?P<half>[ap]\.?m\b\.?)|\b(?P<h3>\d{1,2})[:h](?P<min3>\d\d)\b|(?<=\bàs )(?P<h2>\d{1,2}) ?(?:h\b|horas?\b)?",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b((?:in|since|by|until|from|em|desde|até|de) )((?:19|20)\d\d)\b(?![.,]?\d)", re.IGNORECASE)
_COUNTS = dict(
    zip(
        """two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty ninety
        dois duas tres quatro cinco seis sete oito nove dez onze doze quinze vinte trinta quarenta cinquenta sessenta noventa""".split(),
        map(
            str,
            (*range(2, 13), 15, 20, 30, 40, 50, 60, 90, 2, 2, *range(3, 13), 15, 20, 30, 40, 50, 60, 90),
        ),
        strict=True,
    )
) | {"one": "1", "três": "3"}
_WORDS = re.compile(
    r"(?<!\bno )(?<!\bthis )(?<!\bthat )(?<!\bthe )(?<!\bany )(?<!\beach )\bone\b(?! of\b)|\b(?:"
    + "|".join(sorted({word for word in _COUNTS if word != "one"} | {"três"}, key=len, reverse=True))
    + r")\b",
    re.IGNORECASE,
)
_UNITS: dict[Kind, dict[str, float]] = {
    "time": {
        unit: seconds
        for units, seconds in (
            ("ms millisecond milliseconds milissegundo milissegundos", 0.001),
            ("s sec secs second seconds segundo segundos seg", 1.0),
            ("min mins minute minutes minuto minutos", 60.0),
            ("h hr hrs hour hours hora horas", 3600.0),
            ("d day days dia dias", 86400.0),
            ("week weeks semana semanas", 604800.0),
            ("month months mes meses", 2629800.0),
            ("year years ano anos", 31557600.0),
        )
        for unit in units.split()
    },
    "size": {"b": 1.0, "byte": 1.0, "bytes": 1.0, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "kib": 1024.0, "mib": 1024.0**2, "gib": 1024.0**3},
    "percent": {"%": 1.0, "percent": 1.0, "por cento": 1.0},
}  # fmt: skip
_SCALES = {"k": 1e3, "thousand": 1e3, "mil": 1e3, "million": 1e6, "milhao": 1e6, "milhoes": 1e6, "m": 1e6}
_LEAST = r"""at least|no less than|no fewer than|not less than|more than|over|above|a minimum of|minimum of|min|>=?|≥|pelo menos|ao menos
|no m[ií]nimo(?: de)?|mais de|acima de|um m[ií]nimo de|m[ií]nimo de"""
_MOST = r"""at most|up to|no more than|not more than|less than|fewer than|under|below|within|a maximum of|maximum of|max|<=?|≤|no m[aá]ximo(?: de)?
|em at[eé]|at[eé]|menos de|abaixo de|um m[aá]ximo de|m[aá]ximo de"""
_ABOUT = r"about|around|roughly|approximately|~|≈|cerca de|aproximadamente|por volta de|em torno de|uns|umas"
_SIGNS: dict[str, Bound] = {"≥": "least", "≤": "most", "≈": "about"}
_BOUNDS = tuple(
    (sign, re.compile(rf"(?<!\w)(?:{said})\s*(?=R?\$?[€£]?\d)".replace("\n", ""), re.IGNORECASE))
    for sign, said in (("≥", _LEAST), ("≤", _MOST), ("≈", _ABOUT))
)
_UNIT = "|".join(
    sorted(
        {u for units in _UNITS.values() for u in units} | set(_SCALES) | {"mês", "milhões", "milhão"},
        key=len,
        reverse=True,
    )
)
_NUMBER = re.compile(
    r"(?P<bound>[≥≤≈])?\s?(?P<cur>R\$|US\$|[$€£])?\s?(?<![\w.])(?P<num>\d+(?:[.,]\d+)*)"
    r"(?:\s?(?:-|–|\bto\b|\ba\b)\s?(?P<to>\d+(?:[.,]\d+)*))?"
    rf"(?:[\s-]?(?P<unit>(?:{_UNIT})(?!\w)))?",
    re.IGNORECASE,
)
_BARE = rf"(?![.,]?\d|[\s-]?(?i:{_UNIT})(?!\w))"
"""Nothing follows that makes a number an amount."""
_VERSION = re.compile(
    r"\bv(?P<v>\d+(?:\.\d+)*)\b|(?P<word>(?i:\b(?:version|vers[aã]o|release) ))v?(?P<w>\d+(?:\.\d+)*)\b"
    r"|(?P<name>(?:(?<=\w )[A-Z]\w*|\b[A-Za-z]*[a-z][A-Z]\w*|\b[A-Z]{3,}) )(?P<n>\d+(?:\.\d+)*)\b(?! ?:)"
    rf"{_BARE}|(?P<start>\b[A-Z]\w+ )(?P<s>\d+\.\d+(?:\.\d+)*)\b{_BARE}"
)
_WEAK = {
    "pt": re.compile(rf"\b(?:um|uma)\b(?:\s(?P<unit>(?:{_UNIT})(?!\w)))?", re.IGNORECASE),
    "en": re.compile(r"\ban?\s(?P<unit>second|minute|hour|day|week|month|year)\b", re.IGNORECASE),
}

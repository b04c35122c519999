"""Numbers in words, English and Portuguese: counts, ordinals, days of the month and years, as grammar lexicons.

Texts reach these readers folded: lower case, without accents.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from arandu_lab.pure.timex.grammar import Lexicon

YEAR_DIGITS = r"(?:1[0-9]|20|21)\d\d"


def century(two_digits: int) -> int:
    """The year that two digits stand for.

    >>> century(74), century(7)
    (1974, 2007)
    """
    return two_digits + (1900 if two_digits >= 50 else 2000)


def full_year(number: int) -> int:
    """A year in four digits, from two or four."""
    return century(number) if number < 100 else number


def lexicons(
    units: str, ordinals: str, tens: str, tenths: str, *, joint: str, loose: str
) -> tuple[Lexicon, Lexicon, Lexicon]:
    """Lexicons of counts (1-99), of ordinals (1-31) and of days (1-31), from the words of one language.

    `units` lists the words of 1 to 19 and `tens` those of 20 to 90, variants parted by "|"; `joint` is what stands
    between the two, `loose` a pattern of the marks after an ordinal in digits ("3rd", "1º").
    """
    counts = _table(units, tens, units, joint)
    ranks = _table(ordinals, tenths, ordinals, "" if joint == " e " else " ")
    if joint != " e ":  # "twenty-first": a cardinal ten before an ordinal unit
        ranks = {**ranks, **_table(ordinals, tens, ordinals, joint, only_compounds=True)}
    else:  # "vigésimo primeiro"
        ranks = {**ranks, **_table(ordinals, tenths, ordinals, " ", only_compounds=True)}
    ranks = {word: value for word, value in ranks.items() if value <= 31}
    days = {**{word: value for word, value in counts.items() if value <= 31}, **ranks}
    numeral = r"(?:0?[1-9]|[12]\d|3[01])"
    return (
        _reader(counts, r"\d{1,4}", ""),
        _reader(ranks, rf"{numeral}\s?(?:{loose})", loose),
        _reader(days, rf"{numeral}(?:\s?(?:{loose}))?", loose),
    )


def english_years() -> Lexicon:
    """Years: "2019", "'98", "two thousand and eighteen", "nineteen seventy eight", "nineteen zero one"."""
    small = _table(EN_UNITS, EN_TENS, EN_UNITS, " ")
    words = _alternation(small)

    def read(text: str) -> int | None:
        text = re.sub(r"[\s-]+", " ", text)
        if digits := re.sub(r"\D", "", text):
            return century(int(digits)) if len(digits) == 2 else int(digits)
        if match := re.fullmatch(r"two thousand(?: and)?(?: (.+))?", text):
            return 2000 + small.get(match[1] or "", 0)
        head, _, tail = text.partition(" ")
        return small[head] * 100 + small.get(re.sub(r"^(?:zero|oh) ", "", tail), 0)

    tail = rf"(?:hundred|(?:zero|oh)[\s-](?:{words})|(?:{words}))"
    things = r"hundred|million|people|men|women|percent|(?!(?:is|was|has|this|as)\b)[a-z]+s\b"
    counted = rf"(?!\s+(?:{things}))"  # "two thousand miles" tells no year
    spoken = rf"two\s+thousand(?:(?:\s+and)?\s+(?:{words})\b|{counted})|(?:eighteen|nineteen|twenty)\s+{tail}"
    return Lexicon(pattern=rf"{YEAR_DIGITS}|'\d\d|{spoken}", read=read)


def portuguese_years() -> Lexicon:
    """Years: "2019", "'98", "dois mil e dezoito", "mil novecentos e noventa e oito"."""
    small = _table(PT_UNITS, PT_TENS, PT_UNITS, " e ")
    words = _alternation(small)

    def read(text: str) -> int | None:
        text = re.sub(r"\s+", " ", text)
        if digits := re.sub(r"\D", "", text):
            return century(int(digits)) if len(digits) == 2 else int(digits)
        base = 2000 if text.startswith("dois mil") else 1900
        rest = re.sub(r"^(?:dois mil|mil(?: e)? novecentos)(?: e)?(?: |$)", "", text)
        return base + small.get(rest, 0)

    spoken = rf"(?:dois\s+mil|mil(?:\s+e)?\s+novecentos)(?:\s+e\s+(?:{words}))?"
    return Lexicon(pattern=rf"{YEAR_DIGITS}|'\d\d|{spoken}", read=read)


def _reader(table: Mapping[str, int], digits: str, loose: str) -> Lexicon:
    def read(text: str) -> int | None:
        if text[0].isdigit():
            return int(re.match(r"\d+", text)[0])  # type: ignore[index]  # it starts with a digit
        return table.get(re.sub(r"[\s-]+", " ", text))

    return Lexicon(pattern=rf"{digits}|{_alternation(table)}", read=read)


def _table(units: str, tens: str, last: str, joint: str, *, only_compounds: bool = False) -> dict[str, int]:
    ones = {word: value for value, words in enumerate(units.split(), 1) for word in words.split("|")}
    ends = {word: value for value, words in enumerate(last.split()[:9], 1) for word in words.split("|")}
    decades = {word: 10 * value for value, words in enumerate(tens.split(), 2) for word in words.split("|")}
    compounds = {f"{ten}{joint}{one}": decades[ten] + ends[one] for ten in decades for one in ends}
    return compounds if only_compounds else {**compounds, **decades, **ones}


def _alternation(table: Mapping[str, int]) -> str:
    return "|".join(word.replace(" ", r"[\s-]+") for word in sorted(table, key=len, reverse=True))


EN_UNITS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
EN_TENS = "twenty thirty forty|fourty fifty sixty seventy eighty ninety"
EN_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth"
)
EN_TENTHS = "twentieth thirtieth"

PT_UNITS = (
    "um|uma dois|duas tres quatro cinco seis sete oito nove dez onze doze treze quatorze|catorze quinze "
    "dezesseis|dezasseis dezessete|dezassete dezoito dezenove|dezanove"
)
PT_TENS = "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa"
PT_ORDINALS = (
    "primeiro|primeira segundo|segunda terceiro|terceira quarto|quarta quinto|quinta sexto|sexta setimo|setima "
    "oitavo|oitava nono|nona decimo|decima"
)
PT_TENTHS = "vigesimo|vigesima trigesimo|trigesima"

ENGLISH = lexicons(EN_UNITS, EN_ORDINALS, EN_TENS, EN_TENTHS, joint=" ", loose="st|nd|rd|th")
PORTUGUESE = lexicons(PT_UNITS, PT_ORDINALS, PT_TENS, PT_TENTHS, joint=" e ", loose="o|a|º|ª|°")

"""Feasts that are fixed or can be computed, and their names in English and Portuguese."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from arandu_lab.pure.timex import calendar, eastern
from arandu_lab.pure.timex.calendar import MONDAY, SATURDAY, SUNDAY, THURSDAY, Interval
from arandu_lab.pure.timex.grammar import Lexicon
from arandu_lab.pure.timex.meaning import Feast


def english() -> Lexicon:
    """English names of feasts."""
    return Lexicon({_folded(name): rule for name, rule in {**_ENGLISH, **eastern.NAMES}.items()})


def portuguese() -> Lexicon:
    """Portuguese names of feasts, as kept in Brazil."""
    return Lexicon({_folded(name): rule for name, rule in {**_PORTUGUESE, **_NAMESAKES}.items()})


def fixed(month: int, day: int) -> Feast:
    """The same day of every year.

    >>> fixed(12, 25)(2024)
    (datetime.date(2024, 12, 25), datetime.date(2024, 12, 25))
    """
    return lambda year: _one(calendar.day_of(year, month, day))


def nth(rank: int, weekday: int, month: int, offset: int = 0) -> Feast:
    """The n-th weekday of a month, or so many days from it."""

    def rule(year: int) -> Interval | None:
        span = calendar.month(year, month)
        found = span and calendar.nth_weekday(span, rank, weekday)
        return _one(found and calendar.shift(found, offset))

    return rule


def from_easter(first: int, last: int | None = None, *, orthodox: bool = False) -> Feast:
    """So many days from Easter Sunday."""

    def rule(year: int) -> Interval | None:
        sunday = (calendar.orthodox_easter if orthodox else calendar.easter)(year) if 1 <= year <= 9999 else None
        begun = sunday and calendar.shift(sunday, first)
        ended = sunday and calendar.shift(sunday, first if last is None else last)
        return (begun, ended) if begun and ended else None

    return rule


def working(rule: Feast) -> Feast:
    """A feast kept on the working day nearest to it."""

    def moved(year: int) -> Interval | None:
        span = rule(year)
        return _one(span and calendar.shift(span[0], {SATURDAY: -1, SUNDAY: 1}.get(span[0].weekday(), 0)))

    return moved


def _kings_day(year: int) -> Interval | None:
    day = calendar.day_of(year, 4, 27 if year >= 2014 else 30)
    return _one(day and calendar.shift(day, -1 if day.weekday() == SUNDAY else 0))


def _one(day: date | None) -> Interval | None:
    return (day, day) if day else None


def _folded(name: str) -> str:
    return name.replace(" ?", r"[\s-]?").replace(" ", r"[\s-]+")


_DAY = r"(?:[\s-]+day)?"
_S = r"(?:'?s|s')?"

_ENGLISH: Mapping[str, Feast] = {
    rf"(?:christmas|xmas|x-mas){_DAY}": fixed(12, 25),
    r"(?:christmas|xmas|x-mas)[\s-]+eve": fixed(12, 24),
    r"boxing day": fixed(12, 26),
    rf"new year{_S}[\s-]+eve|nye": fixed(12, 31),
    rf"new year{_S}[\s-]+day|new year's": fixed(1, 1),
    rf"(?:saint |st\.? )?valentine{_S} day|valentine's": fixed(2, 14),
    rf"(?:saint|st\.?) (?:patrick|paddy){_S} day": fixed(3, 17),
    r"april fools?'?s?(?: day)?": fixed(4, 1),
    r"groundhogs? day": fixed(2, 2),
    r"earth day": fixed(4, 22),
    r"(?:the )?ides of march": fixed(3, 15),
    r"cinco de mayo": fixed(5, 5),
    r"independence day": fixed(7, 4),
    r"juneteenth": fixed(6, 19),
    r"bastille day": fixed(7, 14),
    r"halloween(?: day)?|all hallows'? eve": fixed(10, 31),
    r"all saints'? day": fixed(11, 1),
    r"all souls'? day": fixed(11, 2),
    r"guy fawkes (?:day|night)|bonfire night": fixed(11, 5),
    r"veterans?'?s? day|remembrance day|armistice day": fixed(11, 11),
    r"anzac day": fixed(4, 25),
    r"australia day": fixed(1, 26),
    r"canada day": fixed(7, 1),
    r"epiphany day|three kings'? day": fixed(1, 6),
    r"(?:international )?women's day": fixed(3, 8),
    r"pi day": fixed(3, 14),
    rf"(?:martin luther king|mlk){_S}(?: jr\.?)?{_S} day|civil rights day": nth(3, MONDAY, 1),
    r"presidents?'?s? day|washington's birthday": nth(3, MONDAY, 2),
    r"mother'?s'? day": nth(2, SUNDAY, 5),
    r"memorial day": nth(-1, MONDAY, 5),
    r"father'?s'? day": nth(3, SUNDAY, 6),
    r"labou?r day": nth(1, MONDAY, 9),
    r"columbus day|indigenous peoples'? day": nth(2, MONDAY, 10),
    r"thanks?giving(?: day)?": nth(4, THURSDAY, 11),
    r"black friday": nth(4, THURSDAY, 11, 1),
    r"cyber monday": nth(4, THURSDAY, 11, 4),
    r"giving tuesday": nth(4, THURSDAY, 11, 5),
    r"boss(?:'?s?'?)(?: day)": working(fixed(10, 16)),
    r"election day": nth(1, MONDAY, 11, 1),
    r"king'?s day|koningsdag": _kings_day,
    r"(?:mardi gras|shrove tuesday|pancake (?:tues)?day)": from_easter(-47),
    r"shrove monday": from_easter(-48),
    r"ash wednesday": from_easter(-46),
    r"palm sunday": from_easter(-7),
    r"holy week": from_easter(-7, -1),
    r"(?:maundy|covenant|holy|sheer) thu(?:rsday)?": from_easter(-3),
    r"(?:good|great|holy) friday": from_easter(-2),
    r"holy saturday": from_easter(-1),
    r"easter(?: sunday| day)?": from_easter(0),
    r"easter monday": from_easter(1),
    r"ascension(?: day| thursday)": from_easter(39),
    r"pentecost|whit sunday": from_easter(49),
    r"whit monday": from_easter(50),
    r"trinity sunday": from_easter(56),
    r"corpus christi": from_easter(60),
    r"orthodox easter(?: sunday)?|pascha": from_easter(0, orthodox=True),
    r"orthodox easter monday": from_easter(1, orthodox=True),
    r"orthodox (?:good|great|holy) friday": from_easter(-2, orthodox=True),
    r"orthodox palm sunday": from_easter(-7, orthodox=True),
    r"orthodox ash monday|orthodox shrove monday|clean monday": from_easter(-48, orthodox=True),
    r"lazarus saturday": from_easter(-8, orthodox=True),
    r"military spouse day": nth(2, SUNDAY, 5, -2),
    r"orthodox pentecost": from_easter(49, orthodox=True),
    r"(?:the )?great (?:lent|fast)": from_easter(-48, -9, orthodox=True),
}

_PORTUGUESE: Mapping[str, Feast] = {
    r"vespera de natal|noite de natal": fixed(12, 24),
    r"vespera d[eo] ano novo|noite da virada|virada do ano": fixed(12, 31),
    r"reveillon|vespera de reveillon": fixed(12, 31),
    r"(?:dia de )?ano novo|dia da confraternizacao universal": fixed(1, 1),
    r"dia de reis": fixed(1, 6),
    r"dia (?:internacional )?da(?:s)? mulher(?:es)?": fixed(3, 8),
    r"dia da mentira|primeiro de abril": fixed(4, 1),
    r"descobrimento do brasil": fixed(4, 22),
    r"dia da liberdade": fixed(4, 25),
    r"dia do trabalh(?:o|ador)": fixed(5, 1),
    r"dia dos namorados": fixed(6, 12),
    r"dia da independencia": fixed(9, 7),
    r"(?:dia de )?nossa senhora aparecida|dia das criancas": fixed(10, 12),
    r"dia dos professores|dia do professor": fixed(10, 15),
    r"dia das bruxas|halloween": fixed(10, 31),
    r"(?:dia de )?finados|dia dos mortos": fixed(11, 2),
    r"proclamacao da republica": fixed(11, 15),
    r"dia da consciencia negra": fixed(11, 20),
    r"dia d[ao]s? maes?": nth(2, SUNDAY, 5),
    r"dia d[ao]s? pai?s?": nth(2, SUNDAY, 8),
    r"dia de acao de gracas": nth(4, THURSDAY, 11),
    r"black friday": nth(4, THURSDAY, 11, 1),
    r"carnaval": from_easter(-50, -47),
    r"(?:segunda|segunda-feira) de carnaval": from_easter(-48),
    r"(?:terca|terca-feira) (?:de carnaval|gorda)": from_easter(-47),
    r"quarta(?:-feira| feira)? de cinzas": from_easter(-46),
    r"quaresma": from_easter(-46, -1),
    r"domingo de ramos": from_easter(-7),
    r"semana santa": from_easter(-7, -1),
    r"quinta(?:-feira| feira)? santa": from_easter(-3),
    r"sexta(?:-feira| feira)? santa|sexta(?:-feira)? da paixao": from_easter(-2),
    r"sabado de aleluia": from_easter(-1),
    r"domingo de pascoa|(?<!\bilha\sd[ae]\s)pascoa": from_easter(0),
    r"pentecostes": from_easter(49),
    r"corpus christi": from_easter(60),
}


_OF_A_FEAST = (
    "o no ao do pelo um meu seu teu nosso cada todo este neste deste esse nesse desse aquele naquele proximo ultimo primeiro"
).split()
_OF_A_PLACE = "em de para pra por a".split()


def _namesake(name: str, *, articled: bool = False) -> str:
    """The name of a feast that cities and persons have, too: alone, as a day (*dia de Tiradentes*), with its year
    (*Natal passado*) or, where the feast takes the article that the city has not, behind it (*no Natal*, not *em Natal*).
    """
    elsewhere = "".join(rf"(?<!\b{word}\s)" for word in _OF_A_PLACE)
    ways = [
        rf"(?:dia|feriado|feriadao) de {name}",
        rf"(?<![\s\S]){name}(?=\W*$)",
        rf"{elsewhere}{name}(?=\s(?:passado|que\svem|d[eo]\s(?:\d|ano)|d[eo]s[st]e\sano))",
    ]
    if articled:
        led = "|".join(rf"(?<=\b{word}\s)" for word in _OF_A_FEAST)
        ways.append(rf"(?:{led}){name}")
    return "|".join(ways)


_NAMESAKES: Mapping[str, Feast] = {
    _namesake("natal", articled=True): fixed(12, 25),
    _namesake("sao joao", articled=True): fixed(6, 24),
    _namesake("tiradentes"): fixed(4, 21),
    _namesake("santo ant[oô]nio"): fixed(6, 13),
    _namesake("todos os santos"): fixed(11, 1),
}

"""The Portuguese grammar: rules. Its words are in `pt_words`; texts reach it folded (lower case, no accents)."""

from __future__ import annotations

from arandu_lab.pure.timex import meaning as m
from arandu_lab.pure.timex import numbers, periods
from arandu_lab.pure.timex.grammar import Grammar
from arandu_lab.pure.timex.meaning import Meaning
from arandu_lab.pure.timex.pt_words import LEXICONS


def grammar() -> Grammar[Meaning]:
    """The rules, by category, as in the English grammar."""
    rules: Grammar[Meaning] = Grammar(
        LEXICONS, {"when": ("date", "period"), "top": ("idiom", "date", "bare", "period", "range")}
    )
    _idioms(rules)
    _relative_days(rules)
    _weekdays(rules)
    _calendar_days(rules)
    _periods(rules)
    _feasts(rules)
    _ranges(rules)
    return rules


def _relative_days(rules: Grammar[Meaning]) -> None:
    add = rules.add
    for pattern, offset in {
        "hoje(?: em dia(?!))?|esta (?:noite|manha|tarde)|essa (?:noite|manha|tarde)|(?:n?este|n?esse) dia": 0,
        "ontem|(?:no )?(?:ultimo dia|dia anterior)|noite passada": -1,
        "amanha|(?:no )?(?:proximo dia|dia seguinte)": 1,
        "anteontem|antes de ontem|(?:no )?dia antes de ontem|antes d'ontem": -2,
        "trasanteontem": -3,
        "(?:no )?(?:dia )?depois de amanha": 2,
    }.items():
        add("date", pattern, lambda offset=offset: m.day(offset))
    ago = r"(?:ha|faz(?:em)?|fez)(?: uns| umas| cerca de| mais de| quase| mais ou menos| so)?"
    add("date", rf"{ago} <count> <unit>(?: atras)?", lambda n, unit: m.counts([(n, unit)], -1))
    add("date", "tem (?:uns |umas )?<count> <unit>(?: que(?= )| atras)", lambda n, unit: m.counts([(n, unit)], -1))
    add("date", r"(?:a )?<count> <unit> (?:atras|antes de hoje)", lambda n, unit: m.counts([(n, unit)], -1))
    add(
        "date",
        rf"(?:{ago} )?<count> <unit>(?:,| e|, e) <count2> <unit2>(?: atras)?",
        lambda n, u, n2, u2: m.counts([(n, u), (n2, u2)], -1),
    )
    add("date", rf"(?:{ago} )?<count> <unit> e mei[oa](?: atras)", lambda n, unit: m.and_half(n, unit, -1))
    add("date", rf"{ago} <count> <unit> e mei[oa]", lambda n, unit: m.and_half(n, unit, -1))
    add("date", rf"{ago} meio ano|meio ano atras", lambda: m.counted([(6, "month")], -1))
    add("date", r"(?:ha|faz) uma quinzena|uma quinzena atras", lambda: m.counted([(15, "day")], -1))
    add(
        "date",
        "(?:daqui(?: a| ha)?|dentro de|em|d'aqui a|de hoje a|daqui uns|daqui umas) "
        "(?:mais |cerca de |uns |umas )?<count> <unit>",
        lambda n, unit: m.counts([(n, unit)], 1),
    )
    add("date", r"(?:daqui a|dentro de|em) meio ano", lambda: m.counted([(6, "month")], 1))
    add("date", "<count> <unit> (?:a partir de agora|mais tarde)", lambda n, unit: m.counts([(n, unit)], 1))
    add("date", "<count> <unit> <side> <date>", lambda n, unit, sign, base: m.counts([(n, unit)], sign, base))
    add("date", "(?:o |no )?dia <side> <date>", lambda sign, base: m.counted([(1, "day")], sign, base))
    add(
        "lasting",
        rf"(?:{ago}|por) <count> <unit>",
        lambda n, unit: m.counts([(n, unit)], -1) and m.lasting([(n, unit)]),
    )


def _weekdays(rules: Grammar[Meaning]) -> None:
    add = rules.add
    add("date", "<fullday>", m.weekday)
    add("date", "<weekday>", m.weekday, weak=True)
    add("date", "<before> <weekday>", lambda which, name: m.weekday(name, which))
    add("date", "<weekday> <behind>", lambda name, which: m.weekday(name, which))
    add("date", "<weekday> retrasad[oa]", lambda name: m.weekday_in(name, periods.unit("week", -2)))
    add("date", "<weekday>,?(?: da| de| na| desta| dessa|) <period>", m.weekday_in)
    add("date", "<weekday> <of> <unit>", lambda name, which, unit: m.weekday_in(name, periods.unit(unit, which)))
    add("date", "<nth> <weekday> (?:d[eoa]|em|no) <period>", m.nth_weekday_in)
    add(
        "date",
        "<nth> <weekday> <of> <unit>",
        lambda n, name, which, unit: m.nth_weekday_in(n, name, periods.unit(unit, which)),
    )
    add(
        "date", "ultim[oa] <weekday> (?:d[eoa]|em|no) <period>", lambda name, period: m.nth_weekday_in(-1, name, period)
    )
    add(
        "date",
        "ultim[oa] <weekday> <of> <unit>",
        lambda name, which, unit: m.nth_weekday_in(-1, name, periods.unit(unit, which)),
    )
    add(
        "date",
        "(?:a |o )?<weekday> (?:logo )?<side> <when>",
        lambda name, sign, base: m.weekday_steps(name, sign, base),
    )
    add("date", "<nth> <weekday> <side> <when>", lambda n, name, sign, base: m.weekday_steps(name, n * sign, base))
    add("date", r"(?:ha|faz)?\s*<count> (?:<fullday>)s? atras", lambda n, name: m.weekday_steps(name, -n))
    add("date", "<weekday>,? dia <day>", lambda name, d: m.day_of_month(d, name))


def _calendar_days(rules: Grammar[Meaning]) -> None:
    add = rules.add
    head = r"(?:<weekday>,?\s*(?:dia )?)?"
    year = r"(?:(?:,\s*| | de | do ano(?: de)? )<year>)?"
    for day in (r"(?:dia )?<day> de ", r"(?:dia )?<dom>(?:\s*/|\s*-| de | )\s*"):
        add(
            "date", rf"{head}{day}<month>\b\.?{year}(?:,? <weekday2>)?", lambda w, d, mo, y, _: m.month_day(mo, d, y, w)
        )
    add("date", rf"{head}<month> <day>{year}", lambda w, mo, d, y: m.month_day(mo, d, y, w))
    add("date", r"<dom>[-/]<month>[-/]<num>", lambda d, mo, y: m.month_day(mo, d, numbers.full_year(y)))
    add(
        "date",
        r"<year>[-/.]<num>[-/.]<num2>(?:t[\d:.]+(?:z|[+-][\d:]+)?)?",
        lambda y, mo, d: m.month_day(mo, d, y) if mo < 32 and d < 32 else None,
    )
    add("date", rf"{head}<num>/<num2>(?:/|,\s*)<num3>", lambda w, a, b, y: _numeric(a, b, numbers.full_year(y)))
    add("date", rf"{head}<num>-<num2>-<num3>", lambda w, a, b, y: _numeric(a, b, numbers.full_year(y)))
    add("date", rf"{head}<num>\.<num2>\.<num3>", lambda w, a, b, y: _numeric(a, b, y) if y > 99 else None)
    add("bare", r"(?:dia )?<num>\s?[/.-]\s?<num2>", lambda a, b: _numeric(a, b, None), weak=True)
    add(
        "date",
        r"(?:dia )?<num>/<num2>",
        lambda a, b: _numeric(a, b, None) if max(a, b) > 12 and (a, b) != (24, 7) else None,
    )
    add("date", r"dia <num>/<num2>", lambda a, b: _numeric(a, b, None))
    add("date", r"(?:n?este |n?esse |n?essa |n?esta )?dia <day>", m.day_of_month)
    add("bare", r"<dom>(?=\s*(?:[.!?,;]|$))", m.day_of_month, weak=True)
    add("date", "(?:dia )?<day> (?:d[eoa]|no) <period>", m.dom_in)
    add("date", "(?:dia )?<day> <of> <unit>", lambda d, which, unit: m.dom_in(d, periods.unit(unit, which)))
    add("date", "ultimo dia (?:d[eoa]|no) <period>", lambda period: m.nth_in(-1, "day", period))
    add(
        "date",
        "ultimo dia (?:<of>|d[oa]|no) <unit>",
        lambda which, unit: m.nth_in(-1, "day", periods.unit(unit, which or 0)),
    )
    add("date", "<nth> dia (?:d[eoa]|no) <period>", lambda n, period: m.nth_in(n, "day", period))


def _periods(rules: Grammar[Meaning]) -> None:
    add = rules.add
    add("period", "<before> <unit>", lambda which, unit: None if unit == "day" else periods.unit(unit, which))
    add("period", "<unit> <behind>", lambda unit, which: None if unit == "day" else periods.unit(unit, which))
    add(
        "period",
        "<unit> (?:retrasad[oa]|antepassad[oa]|antes d[oa] ultim[oa])",
        lambda unit: None if unit == "day" else periods.unit(unit, -2),
    )
    add("period", "<of> <unit>", lambda which, unit: None if unit == "day" else periods.unit(unit, which))
    add("period", "<before> <count> <unit>", periods.several)
    add("period", "<count> <before> <unit>", lambda n, which, unit: periods.several(which, n, unit))
    add("period", "<count> <unit> <behind>", lambda n, unit, which: periods.several(which, n, unit))
    add("period", "(?:fim|final) de semana", periods.the_weekend)
    add("period", "(?:tod[oa] [oa]|durante [oa]) <unit>", lambda unit: None if unit == "day" else periods.unit(unit, 0))
    add(
        "period",
        "(?:a )?semana (?:de|do dia|do|que comeca em|que comeca no dia) <date>",
        lambda base: periods.unit_of("week", base),
    )
    add(
        "period",
        "(?:o )?(?:fim|final) de semana (?:de|do dia|do) <date>",
        lambda base: periods.unit_of("weekend", base),
    )
    add("period", "(?:a )?semana <side> <when>", lambda sign, base: periods.unit_steps("week", sign, base))
    add(
        "period",
        "(?:o )?(?:fim|final) de semana <side> <when>",
        lambda sign, base: periods.unit_steps("weekend", sign, base),
    )
    add("period", "(?:ha|faz) <count> (?:fins|finais) de semana", lambda n: periods.unit("weekend", -n))
    add("period", "<count> (?:fins|finais) de semana atras", lambda n: periods.unit("weekend", -n))
    add("period", r"(?:mes de )?<month>\b\.?(?:,? | de |[-/.]| do ano de )<year>", periods.month)
    add("period", r"<num>/<year>", lambda mo, y: periods.month(mo, y) if 1 <= mo <= 12 else None)
    add("period", r"<year>[-/.]<num>", lambda y, mo: periods.month(mo, y) if 1 <= mo <= 12 else None)
    add("period", "(?:mes de )?<clearmonth>", periods.month)
    add("period", r"(?!(?:dez\s|mar\b|set\b|out\b|ago\b)(?!\.))<month>\b\.?", periods.month, weak=True)
    add("period", "<before> <month>", lambda which, mo: periods.named_month(mo, which))
    add("period", "<month> <behind>", lambda mo, which: periods.named_month(mo, which))
    add("period", r"<month>,?(?: de| do) <period>", periods.month_in)
    add("period", r"<month>,? <of> <unit>", lambda mo, which, unit: periods.month_in(mo, periods.unit(unit, which)))
    add("period", "(?:ano de )<year>", periods.year)
    add("period", "<year>", periods.year, weak=True)
    add(
        "period",
        "(?:anos|decada de|os anos|a decada de|nos anos) '?<num>",
        lambda y: periods.decade(y) if y % 10 == 0 and (10 <= y <= 90 or y > 1000) else None,
    )
    for word, tens in {
        "vinte": 1920,
        "trinta": 30,
        "quarenta": 40,
        "cinquenta": 50,
        "sessenta": 60,
        "setenta": 70,
        "oitenta": 80,
        "noventa": 90,
    }.items():
        add("period", f"(?:anos|decada de) {word}", lambda tens=tens: periods.decade(tens))
    add("period", "<season>(?: de|,)? <year>", lambda name, y: periods.season(name, year=y))
    add("period", "<season> d[eo] <period>", lambda name, period: periods.season(name, within=period))
    add("period", "<before> <season>", lambda which, name: periods.season(name, which=which))
    add("period", "<season> <behind>", lambda name, which: periods.season(name, which=which))
    add("period", "<season>", lambda name: periods.season(name), weak=True)
    add("period", "<nth> <unit>(?:(?: d[eo]|,)? <year>)?", _nth_of_year)
    add(
        "period",
        "ultim[oa] <unit>(?: d[eo]|,)? <year>",
        lambda unit, y: m.nth_in(-1, unit, periods.year(y)) if unit != "day" else None,
    )
    add(
        "period",
        "<nth> <unit> d[eoa] <period>",
        lambda n, unit, period: None if unit == "day" else m.nth_in(n, unit, period),
    )
    add(
        "period",
        "<nth> <unit> <of> <unit2>",
        lambda n, unit, which, whole: None if unit == "day" else m.nth_in(n, unit, periods.unit(whole, which)),
    )
    add(
        "period",
        "ultim[oa] <unit> d[eoa] <period>",
        lambda unit, period: None if unit == "day" else m.nth_in(-1, unit, period),
    )
    add(
        "period",
        "ultim[oa] <unit> <of> <unit2>",
        lambda unit, which, whole: None if unit == "day" else m.nth_in(-1, unit, periods.unit(whole, which)),
    )
    add("period", "<end> d[eoa] <period>", periods.part)
    add("period", "<end> (?:d[oa]|de) <unit>", _part_of_present)
    add(
        "period",
        "<end> <of> <unit>",
        lambda end, which, unit: None if unit == "day" else periods.part(end, periods.unit(unit, which)),
    )


def _feasts(rules: Grammar[Meaning]) -> None:
    add = rules.add
    add("date", "<feast>", m.feast)
    add("date", "<feast>,?(?: de| em)? <year>", lambda rule, y: m.feast(rule, year=y))
    add("date", "<before> <feast>", lambda which, rule: m.feast(rule, which=which))
    add("date", "<feast> <behind>", lambda rule, which: m.feast(rule, which=which))
    add("date", "<feast> d[eo] <period>", lambda rule, period: m.feast(rule, within=period))
    add("date", "<feast> <of> <unit>", lambda rule, which, unit: m.feast(rule, within=periods.unit(unit, which)))


def _ranges(rules: Grammar[Meaning]) -> None:
    add = rules.add
    to = r"(?:\s*[-–—]\s*| (?:a|ao?|ate(?: [oa]| ao)?(?: dia)?|as?) )"
    start = r"(?:de|do|da|desde(?: [oa])?|a partir d[eoa]|entre(?: [oa]s?)?)"
    numbered = r"(?!(?:segunda|terca|quarta|quinta|sexta)\b)<day>"  # "de sexta a domingo" names no sixth day
    add("range", rf"(?:{start} )?(?:dia )?{numbered}{to}(?:o )?(?:dia )?<date>", periods.days_range)
    add("range", rf"entre (?:os dias |o dia |o )?{numbered} e (?:o )?<date>", periods.days_range)
    add("range", rf"(?:{start} )?<month>{to}<month2>(?: d[eo])? <period>", periods.months_range)
    add("range", "entre <month> e <month2>(?: d[eo])? <period>", periods.months_range)
    for days in (
        rf"(?:{start} )?<weekday>{to}(?:o |a )?<weekday2>",
        r"entre (?:o |a )?<weekday> e (?:o |a )?<weekday2>",
    ):
        add("range", rf"{days},?(?: da| de| na|) <period>", periods.weekdays_range)
        add(
            "range",
            rf"{days} <of> <unit>",
            lambda a, b, which, unit: periods.weekdays_range(a, b, periods.unit(unit, which)),
        )
    add("range", rf"(?:{start} )?<when>{to}(?:o |a )?<when2>", periods.range_of)
    add("range", r"entre (?:o |a )?<when> e (?:o |a )?<when2>", periods.range_of)


_WEEKLY = "(?:segunda|terca|quarta|quinta|sexta|sabado|domingo)s?(?:[ -]feiras)?"


def _idioms(rules: Grammar[Meaning]) -> None:
    add = rules.add
    names = "(?:<weekday>|<unit>|<month>|<season>|<feast>|manha|tarde|noite|santo dia)"
    add("idiom", rf"(?:tod[oa]s?|cada)(?: santo| santa| <num>| <nth>)? {names}(?! inteir)", lambda *_: m.nothing)
    add("idiom", r"tod[oa]s [oa]s? (?:<fullday>|<weekday>|<unit>|manhas|tardes|noites)s?", lambda *_: m.nothing)
    add(
        "idiom",
        rf"(?:as|aos|nas|nos) {_WEEKLY}(?: e {_WEEKLY})*(?<=s)",
        lambda: m.nothing,
    )
    add("idiom", "(?:uma vez|<count> vezes|duas vezes) (?:por|ao|a|na) <unit>", lambda *_: m.nothing)
    add("idiom", "todo dia <day>", lambda *_: m.nothing)
    add(
        "idiom",
        "dia a dia|dia apos dia|um dia|algum dia|hoje em dia|outro dia|bom dia|em dia|(?:de )?segunda a sexta",
        lambda: m.nothing,
    )
    add("idiom", r"(?:a |na |pela |em )?<nth> (?:vez|vezes|mao|opcao|parte|temporada|lugar)", lambda *_: m.nothing)


def _nth_of_year(nth: int, unit: m.Unit, year: int | None) -> Meaning | None:
    if unit == "quarter" or (year and unit in ("month", "week")):
        return m.nth_in(nth, unit, periods.year(year) if year else periods.unit("year", 0))
    return None


def _numeric(first: int, second: int, year: int | None) -> Meaning | None:
    """Day before month, unless that cannot be."""
    day, month = (first, second) if second <= 12 else (second, first)
    return m.month_day(month, day, year) if 1 <= month <= 12 and 1 <= day <= 31 else None


def _part_of_present(end: m.Part, unit: m.Unit) -> Meaning | None:
    if unit in ("day", "weekend") or (unit, end) == ("week", "late"):  # "fim de semana" is the weekend
        return None
    return periods.part(end, periods.unit(unit, 0))

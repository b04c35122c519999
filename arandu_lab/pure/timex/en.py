"""The English grammar: rules. Its words are in `en_words`; texts reach it folded (lower case, no accents)."""

from __future__ import annotations

from arandu_lab.pure.timex import meaning as m
from arandu_lab.pure.timex import numbers, periods
from arandu_lab.pure.timex.en_words import LEXICONS
from arandu_lab.pure.timex.grammar import Grammar
from arandu_lab.pure.timex.meaning import COMING, Meaning


def grammar() -> Grammar[Meaning]:
    """The rules, by category: `date` is a day, `period` a longer span, `when` either, `top` what may stand alone."""
    rules: Grammar[Meaning] = Grammar(
        LEXICONS, {"when": ("date", "period"), "span": ("period",), "top": ("idiom", "date", "bare", "period", "range")}
    )
    _idioms(rules)
    _relative_days(rules)
    _weekdays(rules)
    _calendar_days(rules)
    _periods(rules)
    _feasts(rules)
    _ranges(rules)
    _lasting(rules)
    return rules


def _relative_days(rules: Grammar[Meaning]) -> None:
    add = rules.add
    for pattern, offset in {
        "(?:earlier |later )?(?:today|tonight|tonite)": 0,
        "this (?:morning|afternoon|evening)|(?:the )?(?:current|this) day": 0,
        "yesterday|yday|last (?:night|evening)|(?:the )?(?:last|past|previous|prior) day|the night before": -1,
        "tomorrow|tmrw|tmr|tomorow|(?:the )?(?:next|following) day": 1,
        "(?:the )?day before yesterday|(?:the )?night before last": -2,
        "(?:the )?day after (?:tomorrow|tmrw|tmr)": 2,
    }.items():
        add("date", rf"(?:late |early )?(?:{pattern})", lambda offset=offset: m.day(offset))
    add("date", "<count> <unit> <ago>", lambda n, unit, sign: m.counts([(n, unit)], sign))
    add(
        "date",
        "<count> <unit>,?(?: and)? <count2> <unit2> <ago>",
        lambda n, u, n2, u2, s: m.counts([(n, u), (n2, u2)], s),
    )
    add(
        "date",
        "<count> <unit>,?(?: and)? <count2> <unit2>,?(?: and)? <count3> <unit3> <ago>",
        lambda n, u, n2, u2, n3, u3, sign: m.counts([(n, u), (n2, u2), (n3, u3)], sign),
    )
    add(
        "date",
        "(?:with)?in(?: about| around| another| like)? <count>(?: more)? <unit>(?:'s? time)?",
        lambda n, unit: m.counts([(n, unit)], 1),
    )
    add("date", "<count> <unit>(?: and)? a half <ago>", m.and_half)
    add("date", "<count> and a half <unit> <ago>", m.and_half)
    for name, halved in {"year": (6, "month"), "month": (15, "day"), "decade": (5, "year")}.items():
        add("date", rf"half an? {name} <ago>", lambda sign, halved=halved: m.counted([halved], sign))
        add("date", rf"in half an? {name}", lambda halved=halved: m.counted([halved], 1))
    add("date", "(?:an?|one) fortnight <ago>", lambda sign: m.counted([(2, "week")], sign))
    add("date", "<num> fortnights <ago>", lambda n, sign: m.counted([(2 * n, "week")], sign))
    add("date", "in (?:an?|one) fortnight", lambda: m.counted([(2, "week")], 1))
    add("date", "<count> <unit> <side> <date>", lambda n, unit, sign, base: m.counts([(n, unit)], sign, base))
    add("date", "(?:the )?(?:day|night) <side> <date>", lambda sign, base: m.counted([(1, "day")], sign, base))
    add("date", "yesterday last year", lambda: m.day_in_other_year(m.day(-1), -1))
    add("date", "(?:this|on this) (?:day|date) last year", lambda: m.day_in_other_year(m.day(0), -1))


def _weekdays(rules: Grammar[Meaning]) -> None:
    add = rules.add
    add("date", "(?:the )?<fullday>", m.weekday)
    add("date", "<weekday>", m.weekday, weak=True)
    add("date", "<which> <weekday>", lambda which, name: m.weekday(name, which))
    add("date", "<weekday>(?: of| from| in)? <period>", m.weekday_in)
    add("date", "<period>(?:'s|,)?(?: on)? <weekday>", lambda period, name: m.weekday_in(name, period))
    add("date", "<weekday> after next", lambda name: m.weekday_steps(name, 2))
    add("date", "<weekday> before last", lambda name: m.weekday_steps(name, -2))
    add("date", "<count> (?:<fullday>)s? <ago>", lambda n, name, sign: m.weekday_steps(name, n * sign))
    add(
        "date",
        "(?:the )?<nth> <weekday> <side> <when>",
        lambda n, name, sign, base: m.weekday_steps(name, n * sign, base),
    )
    add(
        "date",
        "(?:the )?<weekday> (?:right |just )?<side> <when>",
        lambda name, sign, base: m.weekday_steps(name, sign, base),
    )
    add("date", "(?:the )?(?:closest|nearest) <weekday> to <date>", m.nearest_weekday)
    add("date", "<fullday> week", lambda name: m.counted([(1, "week")], 1, m.weekday(name, COMING)))
    add("date", "(?:the )?<nth> <weekday> (?:of|in) <span>", m.nth_weekday_in)
    add("date", "(?:the )?last <weekday> (?:of|in) <span>", lambda name, period: m.nth_weekday_in(-1, name, period))
    add(
        "date",
        "(?:the )?<nth>[ -](?:last|to last) <weekday> (?:of|in) <span>",
        lambda n, name, p: m.nth_weekday_in(-n, name, p),
    )
    add(
        "date",
        "<nth> <fullday>",
        lambda n, name: m.nth_weekday_in(n, name, periods.unit("month", 0)) if n <= 5 else None,
    )


def _calendar_days(rules: Grammar[Meaning]) -> None:
    add = rules.add
    head = r"(?:<weekday>,?\s*(?:the )?)?"
    add(
        "date",
        rf"{head}(?:the )?<month>[\s.,/-]*(?:the )?<day>(?:(?:,\s*| |\s*of | in )<year>)?",
        lambda w, mo, d, y: m.month_day(mo, d, y, w),
    )
    for day in (r"<day>(?: day)? of ", r"<dom>(?:\s*of |[\s/-]*)"):
        add(
            "date",
            rf"{head}(?:the )?{day}<month>(?![a-z])\.?(?:(?:[,\s/-]*|\s*of )<year>)?",
            lambda w, d, mo, y: m.month_day(mo, d, y, w),
        )
    add("date", r"<day>-<month>-<num>", lambda d, mo, y: m.month_day(mo, d, numbers.full_year(y), None))
    add("date", r"<year>[-/.]<month>[-/.]<day>", lambda y, mo, d: m.month_day(mo, d, y, None))
    add(
        "date",
        r"<year>[-/.]<num>[-/.]<num2>(?:t[\d:.]+(?:z|[+-][\d:]+)?)?",
        lambda y, mo, d: m.month_day(mo, d, y) if mo < 32 and d < 32 else None,
    )
    add("date", rf"{head}<num>/<num2>(?:/|,\s*)<num3>", lambda w, a, b, y: _numeric(a, b, numbers.full_year(y)))
    add("date", rf"{head}<num>-<num2>-<num3>", lambda w, a, b, y: _numeric(a, b, numbers.full_year(y)))
    add("date", rf"{head}<num>\.<num2>\.<num3>", lambda w, a, b, y: _numeric(a, b, y) if y > 99 else None)
    add("date", r"<dom>\. <month>\.? <year>", lambda d, mo, y: m.month_day(mo, d, y, None))
    add("bare", r"<num>\s?[/.-]\s?<num2>", lambda a, b: _numeric(a, b, None), weak=True)
    add("date", r"<num>/<num2>", lambda a, b: _numeric(a, b, None) if max(a, b) > 12 and (a, b) != (24, 7) else None)
    add("date", "<weekday>,?(?: the)? <nth>", lambda name, d: m.day_of_month(d, name))
    add("date", "<weekday>,? the <day>", lambda name, d: m.day_of_month(d, name))
    add("date", r"the <num>(?:st|nd|rd|th)", lambda d: m.day_of_month(d) if 1 <= d <= 31 else None)
    add("bare", r"(?:the )?<nth>", m.day_of_month, weak=True)
    add("bare", r"the <day>(?=\s*(?:[.!?,;]|$))", m.day_of_month, weak=True)
    add("date", "(?:the )?<nth>(?: day)? (?:of|in) <span>", m.dom_in)
    add("date", "(?:the )?last day (?:of|in) <span>", lambda period: m.nth_in(-1, "day", period))
    add(
        "date", "(?:the )?<nth>[ -](?:last|to last) day (?:of|in) <span>", lambda n, period: m.nth_in(-n, "day", period)
    )
    add("date", "(?:the )?<nth> day of <year>", lambda n, y: m.nth_in(n, "day", periods.year(y)))


def _periods(rules: Grammar[Meaning]) -> None:
    add = rules.add
    add("span", "(?:the|that) <unit>", lambda unit: None if unit == "day" else periods.unit(unit, 0))
    add("span", "the <period>", lambda period: period)
    add("period", "<which> <unit>", lambda which, unit: periods.unit(unit, min(which, 1)) if unit != "day" else None)
    add(
        "period",
        "(?:all|the whole|the entire)(?: of)? <which> <unit>",
        lambda which, unit: periods.unit(unit, min(which, 1)),
    )
    add(
        "period",
        "(?:all|this|later this|earlier this|the rest of the) <unit>",
        lambda unit: None if unit == "day" else periods.unit(unit, 0),
    )
    add("period", "(?:the )?<unit> before last", lambda unit: periods.unit(unit, -2))
    add("period", "(?:the )?<unit> after next", lambda unit: periods.unit(unit, 2))
    add("period", "<count> weekends <ago>", lambda n, sign: periods.unit("weekend", n * sign))
    add("period", "(?:the )?weekend", periods.the_weekend, weak=True)
    add("period", "<which>,? <count> <unit>", periods.several)
    add(
        "period",
        "<which> fortnight",
        lambda which: periods.several(which, 2, "week"),
    )
    add(
        "period",
        "(?:the )?week(?: of|commencing| beginning)(?: the)? <date>",
        lambda base: periods.unit_of("week", base),
    )
    add("period", "(?:the )?weekend of <date>", lambda base: periods.unit_of("weekend", base))
    add("period", "(?:the )?week <side> <when>", lambda sign, base: periods.unit_steps("week", sign, base))
    add("period", "(?:the )?weekend <side> <date>", lambda sign, base: periods.unit_steps("weekend", sign, base))
    add("period", r"<month>\.?(?:,? | of |[-/.])<year>", periods.month)
    add("period", r"<num>/<year>", lambda mo, y: periods.month(mo, y) if 1 <= mo <= 12 else None)
    add("period", r"<year>[-/.]<num>", lambda y, mo: periods.month(mo, y) if 1 <= mo <= 12 else None)
    add("period", "(?:the month of )<month>", periods.month)
    add("period", "<clearmonth>", periods.month)
    add("period", r"<month>\b\.?", periods.month, weak=True)
    add("period", "<which> <month>", lambda which, mo: periods.named_month(mo, min(which, 1)))
    add("period", r"<month>(?: of| in)?,? <period>", periods.month_in)
    add("period", "<month> after next", lambda mo: periods.month_in(mo, periods.unit("year", 1)))
    add("period", "(?:the )?(?:year )?<year>", periods.year, weak=True)
    add("period", "the year <year>", periods.year)
    add(
        "period",
        "<count> <unit> <ago>",
        lambda n, unit, sign: m.counts([(n, unit)], sign) if unit in ("year", "month") else None,
    )
    add("period", "in <count> <unit>", lambda n, unit: m.counts([(n, unit)], 1) if unit in ("year", "month") else None)
    add("period", "(?:the )?<year>'?s", lambda y: periods.decade(y) if y % 10 == 0 else None)
    add("period", "the '?<num>'?s", lambda y: periods.decade(y) if 10 <= y <= 90 and y % 10 == 0 else None)
    for word, tens in {
        "twenties": 20,
        "thirties": 30,
        "forties": 40,
        "fifties": 50,
        "sixties": 60,
        "seventies": 70,
        "eighties": 80,
        "nineties": 90,
    }.items():
        add("period", f"the {word}", lambda tens=tens: periods.decade(tens) if tens > 20 else periods.decade(1920))
    add("period", "(?:the )?<season>(?: of|,)? <year>", lambda name, y: periods.season(name, year=y))
    add("period", "(?:the )?<season>(?: of)? <period>", lambda name, period: periods.season(name, within=period))
    add("period", "<which> <season>", lambda which, name: periods.season(name, which=min(which, 1)))
    add("period", "(?:the )?<season>", lambda name: periods.season(name), weak=True)
    add(
        "period",
        "(?:the )?<nth> (?:quarter|qtr)(?:(?: of|,)? <year>)?",
        lambda n, y: m.nth_in(n, "quarter", periods.year(y) if y else periods.unit("year", 0)),
    )
    add("period", "(?:the )?<nth> (?:quarter|qtr) of <period>", lambda n, period: m.nth_in(n, "quarter", period))
    add("period", r"<roman>[\s,/-]*<year>", lambda n, y: m.nth_in(n, "quarter", periods.year(y)))
    add("period", r"<year>[\s,/-]*<roman>", lambda y, n: m.nth_in(n, "quarter", periods.year(y)))
    add(
        "period",
        "(?:the )?<nth> <unit> (?:of|in) <span>",
        lambda n, unit, p: None if unit == "day" else m.nth_in(n, unit, p),
    )
    add(
        "period",
        "(?:the )?last <unit> (?:of|in) <span>",
        lambda unit, p: None if unit == "day" else m.nth_in(-1, unit, p),
    )
    add(
        "period", "(?:the )?<nth>[ -](?:last|to last) <unit> (?:of|in) <span>", lambda n, unit, p: m.nth_in(-n, unit, p)
    )
    add("period", r"<end>(?: of|\s?-)?(?: the)?(?: around)?[\s-]+<period>", periods.part)
    add(
        "period",
        "<end> of (?:the )?<unit>",
        lambda end, unit: None if unit == "day" else periods.part(end, periods.unit(unit, 0)),
    )
    for letters, (end, unit) in {
        "bom": ("early", "month"),
        "eom": ("late", "month"),
        "boy": ("early", "year"),
        "eoy": ("late", "year"),
    }.items():
        add(
            "period",
            f"(?:the )?{letters}",
            lambda end=end, unit=unit: periods.part(end, periods.unit(unit, 0)),
            weak=True,
        )


def _feasts(rules: Grammar[Meaning]) -> None:
    add = rules.add
    add("date", "<feast>", m.feast)
    add("date", "<feast>(?:,? (?:of |in )?)<year>", lambda rule, y: m.feast(rule, year=y))
    add("date", "<which> <feast>", lambda which, rule: m.feast(rule, which=min(which, 1)))
    for joint in (" ", " of ", " in "):
        add("date", f"<feast>{joint}<period>", lambda rule, period: m.feast(rule, within=period))
    add("date", "(?:the )?(?:closest|nearest) <feast> to <date>", m.nearest_feast)
    add(
        "date",
        "(?:the )?<nth> (?:closest|nearest) <feast> to <date>",
        lambda n, rule, base: m.nearest_feast(rule, base, n),
    )


def _ranges(rules: Grammar[Meaning]) -> None:
    add = rules.add
    to = r"(?:\s*[-–—]\s*| (?:to|till|until|through|thru) )"
    add("range", rf"(?:from |between )?(?:the )?<day>(?:{to}|\s+and\s+)<date>", periods.days_range)
    add(
        "range",
        rf"(?:from |between )?<month> (?:the )?<day>(?:{to}|\s+and\s+)(?:the )?<day2>(?:,? <year>)?",
        _month_days,
    )
    add("range", rf"(?:from )?<month>{to}<month2>,?(?: of)? <period>", periods.months_range)
    add("range", r"between <month>\s+and\s+<month2>,?(?: of)? <period>", periods.months_range)
    for days in (rf"(?:from )?<weekday>{to}<weekday2>", r"between <weekday>\s+and\s+<weekday2>"):
        add("range", rf"{days}(?: of| in|,)? <period>", periods.weekdays_range)
    add("range", rf"from <when>,?{to}<when2>", periods.range_of)
    add("range", "between <when> and <when2>", periods.range_of)
    add("range", rf"<when>{to}<when2>", periods.range_of)


def _idioms(rules: Grammar[Meaning]) -> None:
    """What looks like a date and names none."""
    add = rules.add
    names = "(?:<weekday>|<unit>|<month>|<season>|<feast>|morning|afternoon|evening|night)"
    add(
        "idiom", rf"(?:every|each)(?: other| second| single| few| <nth>| <num>)? {names}s?(?:'s)?", lambda *_: m.nothing
    )
    add("idiom", r"(?:on |in )?<fullday>s", lambda *_: m.nothing)
    add("idiom", "(?:once|twice|<count> times) (?:an?|per|each|every) <unit>", lambda *_: m.nothing)
    add("idiom", r"may (?:or may )?(?:not|be|have|i|we|you)|may as well|(?:in|on) march to", lambda *_: m.nothing)
    add(
        "idiom",
        "(?:sunday|saturday) school|monday blues|casual friday|friday night lights|"
        "spring (?:roll|break|clean\\w*|onions?)",
        lambda *_: m.nothing,
    )
    add(
        "idiom",
        "(?:the )?<nth> (?:time|thing|one|step|floor|place|grade|half|person|hand|thought|class|of all)s?",
        lambda *_: m.nothing,
    )
    add("idiom", "one day|the other day|these days|some ?day|day by day|day to day|day after day", lambda *_: m.nothing)


def _lasting(rules: Grammar[Meaning]) -> None:
    add = rules.add
    add(
        "lasting",
        "(?:for|in)(?: about| around| over| almost| nearly| more than| at least| like)?(?: the)?(?: past| last)? "
        "<count> <unit>(?: now)?",
        lambda n, unit: m.counts([(n, unit)], 0) and m.lasting([(n, unit)]),
    )


def _month_days(month: int, first: int, last: int, year: int | None) -> Meaning:
    return periods.days_range(first, m.month_day(month, last, year))


def _numeric(first: int, second: int, year: int | None) -> Meaning | None:
    """Month before day, unless that cannot be."""
    month, day = (first, second) if first <= 12 else (second, first)
    return m.month_day(month, day, year) if 1 <= month <= 12 and 1 <= day <= 31 else None

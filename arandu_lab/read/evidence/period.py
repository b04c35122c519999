"""Stage 1a of reading: a past time that the question itself names ("in 2023", "antes") opens what held then."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from datetime import time as clock_time
from zoneinfo import ZoneInfo

from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure.cues import cues, month_numbers
from arandu_lab.pure.stems import Language
from arandu_lab.pure.text import fold, guess_language
from arandu_lab.pure.timex import find_times
from arandu_lab.read.evidence.reel import reel_of
from arandu_lab.read.found import Plan


@stage
def period(plan: Plan, lab: Lab, *, timezone: str) -> Plan:
    """Put down the past time that a question names, so that what held at some moment of it may answer.

    Closed facts too: "where did Ana live in 2023?", "onde a Ana morava antes?". A question that names none asks about
    ``as_of``. Days are those of ``timezone``. A word for the past without a date means all the time before ``as_of``.
    """
    if plan.strategy == "skip":
        return plan
    text = plan.query.text
    zone = ZoneInfo(timezone)
    reel = reel_of(lab.memory)
    tongue = reel.tongue(reel.at <= plan.now_us)
    language: Language = "pt" if guess_language(text, tongue) == "pt" else "en"
    now = plan.as_of.astimezone(zone)
    told = "time" in cues(text, language) or month_numbers(text)
    times = find_times(text, now, language=language, weekday="past") if told else ()
    spans = [span for span in times if span.first < now.date()]
    if spans:
        first = datetime.combine(min(span.window[0] for span in spans), clock_time(), zone)
        last = datetime.combine(max(span.window[1] for span in spans), clock_time(), zone) + timedelta(days=1)
        named = (first.astimezone(UTC), min(last.astimezone(UTC), plan.as_of))
    elif _BEFORE.search(fold(text)):
        named = (datetime.min.replace(tzinfo=UTC), plan.as_of)
    else:
        return plan
    lab.log(period=[moment.isoformat() for moment in named])
    return replace(plan, period=named)


_BEFORE = re.compile(
    r"\b(?:used to|before|previously|formerly|in the past|originally|back then|ex|former|previous"
    r"|antes|antigamente|anteriormente|no passado|costumava|costumavam|antig[oa]s?|anterior(?:es)?"
    r"|morava|moravam|trabalhava|trabalhavam|estudava|estudavam)\b"
)

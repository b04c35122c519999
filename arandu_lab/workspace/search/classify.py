"""Stage 1: what a query is after, what time it names, and which facts may answer it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from datetime import time as clock_time
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from arandu_lab.errors import ConfigError
from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure import intents
from arandu_lab.pure.cues import cues, month_numbers
from arandu_lab.pure.stems import Language
from arandu_lab.pure.text import fold, guess_language
from arandu_lab.pure.timex import find_times
from arandu_lab.workspace.search.found import Asked, Request

READ = 2_000
"""Characters of a query that are looked at for its intent and its time."""


@stage
def classify(request: Request, lab: Lab, *, timezone: str) -> Asked:
    """Name the intent (English and Portuguese), the past period that the query names, and the facts that may answer.

    Reads fail open: a domain is closed to a role only by a grant of ``none`` (S4). Days are those of ``timezone``.
    """
    library = request.library
    query = request.query[:READ]
    intent, cue = intents.classify(query)
    seen = library.seen(request.role)
    period = _period(query, library.now, timezone)
    lab.log(intent=intent, cue=cue, open=int((library.live & seen).sum()))
    return Asked(
        request=request,
        intent=intent,
        cue=cue,
        period=period,
        open=library.live & seen,
        walked=library.told & seen,
    )


def _period(query: str, now: datetime, timezone: str) -> tuple[datetime, datetime] | None:
    """The past time that a query names; None where it names none. A bare "Friday" is a habit as often as a date."""
    language: Language = "pt" if guess_language(query, "en") == "pt" else "en"
    if "time" not in cues(query, language) and not month_numbers(query):
        return None
    try:
        zone = ZoneInfo(timezone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ConfigError(f"timezone={timezone!r}; wants a name such as 'America/Recife'") from None
    local = now.astimezone(zone)
    times = find_times(query, local, language=language, weekday="past")
    spans = [one for one in times if one.first < local.date() and fold(one.text) not in _WEEKDAYS]
    if not spans:
        return None
    first = datetime.combine(min(one.window[0] for one in spans), clock_time(), zone)
    last = datetime.combine(max(one.window[1] for one in spans), clock_time(), zone) + timedelta(days=1)
    return first.astimezone(UTC), min(last.astimezone(UTC), now)


_WEEKDAYS = frozenset(
    f"{day}{more}"
    for days, endings in (
        ("monday tuesday wednesday thursday friday saturday sunday", ("", "s")),
        ("segunda terca quarta quinta sexta", ("", "s", "-feira", "s-feiras")),
        ("sabado domingo", ("", "s")),
    )
    for day in days.split()
    for more in endings
)

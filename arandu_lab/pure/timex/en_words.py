"""The words of English time expressions, folded (lower case, no accents)."""

from __future__ import annotations

import re

from arandu_lab.pure.timex import feasts, numbers
from arandu_lab.pure.timex import meaning as m
from arandu_lab.pure.timex.grammar import Lexicon
from arandu_lab.pure.timex.meaning import COMING, LAST, NEXT, THIS

#: Words that may stand before a time expression, by the relation they give it; the empty relation is "at".
PREPOSITIONS = {
    "since": r"since|ever since|starting(?: from| on| in)?|beginning|from",
    "until": r"until|till|'til|up (?:to|until)|through|thru|by|no later than|due",
    "before": r"before|prior to|ahead of",
    "after": r"after|following",
    "at": r"on|in|at(?! to| ye)|during|over|around|about|throughout|within|as of|back in|back on|for|sometime",
}
#: Prepositions that are company enough for a weak name: "on sat", "in may".
COMPANY = re.compile(
    r"(?:since|until|till|through|by|before|after|on|in|during|around|throughout|from|"
    r"back in|back on|(?:over|for|at) (?:the )?(?=weekend|summer|winter)|for the (?=\d|twent|thirt))\b"
)

CLOCK = (
    r"(?:,?\s+|,\s*|\s*@\s*)(?:(?:at|around|about|by|@)\s+)*(?P<hour>\d{1,2})(?:[:.h](?P<minute>[0-5]\d))?(?::[0-5]\d)?"
    r"\s*(?P<half>[ap]\.?\s?m\b\.?|[ap]\b|h(?:ours?|rs?|s)?\b|o'?clock)?"
)
NAMED_CLOCK = {r"(?:at )?(?:noon|midday)": 12, r"(?:at )?midnight": 0}
DAY_PART = (
    r",?\s+(?:early\s+|late\s+|bright and early\s+)?(?:in\s+the\s+|at\s+)?(?:early\s+|late\s+)?"
    r"(?:morning|afternoon|evening|night|lunch(?:time)?|dinner(?:time)?|breakfast)\b"
)

#: What may open an expression before its preposition: a part of the day, or a clock time.
LEAD = (
    r"(?:(?:at )?(?P<hour>\d{1,2})(?:[:.](?P<minute>[0-5]\d))?\s?(?P<half>[ap]\.?m\.?|h|o'?clock)|"
    r"(?:on |in )?(?:the )?(?:early |late )?(?:morning|afternoon|evening|night) of),?(?: on)?(?: the)? (?=\w)"
)
#: What may not follow: "3/4 of the games".
REFUSAL = (
    r" (?:trees?|eggs?|bunny|island|cards?|gifts?|presents?|carols?|songs?|movies?|decorations?|lights|sweaters?|"
    r"costumes?|candy|resolutions?)\b|"
    r"(?<=\bmay\x20\d) (?:of|people|(?!was|is|has)\w+s)\b|"
    r"(?<=\d/\d)(?: of\b| cups?\b|\s?(?:tsp|tbsp|inch|hours?|miles?|stars)\b)"
)
#: What is a person or a verb, though a month has its name: "I met April on Monday", "I saw June 3 years ago". A month
#: with no preposition before it has none behind it either, nor a weekday, nor a number that counts something.
NAMESAKE = (
    r"(?:march|april|may|june|august),? (?:(?:on|in|at|yesterday|today|tomorrow|\w+day)\b|"
    r"(?:last|this|next|past|coming) (?!year\b)|"
    r"(?!(?:last|this|next|past|coming|of|the)\b)[\w-]+ (?:days?|weeks?|months?|years?)\b)"
)
HINT = (
    r"\d|day|week|month|year|fortnight|decade|night|evening|morning|afternoon|tom?mo?r|tmr|second|"
    r"\b(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|spring|summer|autumn|fall|winter|"
    r"christmas|xmas|easter|[a-z]+een|twent|thirt|fort|fift|sixt|sevent|eight|ninet|thousand|first|third|ago|hence|bo[my]|eo[my])"
)

_WEEKDAYS = (
    "mon(?:day)?",
    "tue(?:s(?:day)?)?",
    "wed(?:nesday|s)?",
    "thu(?:r(?:s(?:day)?)?)?",
    "fri(?:day)?",
    "sat(?:urday)?",
    "sun(?:day)?",
)
_FULL_WEEKDAYS = ("monday", "tuesday", "wednesday|wendsday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    r"jan(?:uary)?",
    r"feb(?:ruary)?",
    r"mar(?:ch)?",
    r"apr(?:il)?",
    r"may",
    r"june?",
    r"july?",
    r"aug(?:ust)?",
    r"sept?(?:ember)?",
    r"oct(?:ober)?",
    r"nov(?:ember)?",
    r"dec(?:ember)?",
)
_UNITS: dict[str, m.Unit] = {
    "days?": "day",
    "(?:business|working|work) days?": "business",
    r"weeks?|wks?": "week",
    "weekends?": "weekend",
    "months?": "month",
    "quarters?|qtrs?": "quarter",
    "years?|yrs?": "year",
    "decades?": "decade",
}
_COUNT, _NTH, _DAY = numbers.ENGLISH

LEXICONS = {
    "count": Lexicon(
        pattern=rf"(?:a |the )?couple(?: of)?|(?:a |the )?few|an?|{_COUNT.pattern}",
        read=lambda text: (
            2 if "couple" in text else 3 if "few" in text else 1 if text in ("a", "an") else _COUNT.value(text)
        ),
    ),
    "nth": _NTH,
    "day": _DAY,
    "year": numbers.english_years(),
    "weekday": Lexicon({rf"(?:{word})(?:\.|\b)": index for index, word in enumerate(_WEEKDAYS)}),
    "fullday": Lexicon({word: index for index, word in enumerate(_FULL_WEEKDAYS)}),
    "month": Lexicon({rf"(?:{word})": index for index, word in enumerate(_MONTHS, 1)}),
    "clearmonth": Lexicon(
        {
            "january": 1,
            "february": 2,
            "july": 7,
            "september": 9,
            "october": 10,
            "november": 11,
            "december": 12,
        }
    ),
    "unit": Lexicon({f"(?:{word})": unit for word, unit in _UNITS.items()}),
    "season": Lexicon({"spring": "spring", "summer": "summer", "autumn|fall": "autumn", "winter": "winter"}),
    "feast": feasts.english(),
    "which": Lexicon(
        {
            r"(?:the )?(?:last|past|previous)|this (?:past|last)": LAST,
            r"(?:this|(?:the )?current)(?: very)?": THIS,
            r"(?:the )?(?:next|following)|(?:around|about) next": NEXT,
            r"(?:this |the )?(?:coming|upcoming)": COMING,
        }
    ),
    "end": Lexicon(
        {
            r"(?:the |very )*(?:early|beginning|start)": "early",
            r"(?:the |very )*(?:mid|middle)": "mid",
            r"(?:the |very )*(?:late|end|close)": "late",
        }
    ),
    "ago": Lexicon({"ago|back|earlier": -1, "from (?:right )?now|hence|later|from today": 1}),
    "side": Lexicon({"before|prior to": -1, "after|from|following": 1}),
    "dom": Lexicon(pattern=r"(?:0?[1-9]|[12]\d|3[01])(?:\s?(?:st|nd|rd|th))?", read=_DAY.value),
    "num": Lexicon(pattern=r"\d{1,4}", read=int),
    "roman": Lexicon({"q1": 1, "q2": 2, "q3": 3, "q4": 4}),
}

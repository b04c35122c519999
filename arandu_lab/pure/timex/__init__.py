"""Time expressions in English and Portuguese, resolved by rule to civil days.

Two functions do the work: `find_times` finds and resolves, `absolutise` rewrites a sentence so that it still tells
the day when it is read years later. Both are pure: the moment of speech is an argument, and no clock is read.

>>> from datetime import datetime
>>> from zoneinfo import ZoneInfo
>>> said = datetime(2025, 6, 15, 22, 30, tzinfo=ZoneInfo("America/Sao_Paulo"))
>>> absolutise("Vi a Ana ontem e viajo daqui a duas semanas.", said, language="pt")
'Vi a Ana em 14 de junho de 2025 e viajo na semana de 23 de junho de 2025.'
>>> find_times("I was there the Sunday before Easter 2024.", said, language="en")[0].iso
'2024-03-24'
"""

from arandu_lab.pure.timex.finding import find_times
from arandu_lab.pure.timex.spans import TimeSpan
from arandu_lab.pure.timex.wording import absolutise

__all__ = ["TimeSpan", "absolutise", "find_times"]

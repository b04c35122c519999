"""Is the difference real, and could this run have seen one? Conversations are the units, not questions.

=====================  ======================================================================================
:func:`interval`       a mean over questions with its interval over conversations
:func:`compare`        the paired difference of two systems: interval, wins, ties, losses, exact sign flip
:func:`student`        the two-sided p of a mean of 0, by the same clusters as its interval
:func:`holm`           p values of a family of comparisons, adjusted
:func:`design_effect`  how much less questions of shared conversations say than as many unrelated ones
:func:`detectable`     the least effect that a run could see, from a pilot, before the run
:func:`verdict`        a difference in words
=====================  ======================================================================================
"""

from arandu_lab.bench.statistics.design import Design, design_effect
from arandu_lab.bench.statistics.family import holm
from arandu_lab.bench.statistics.intervals import Interval, interval, student
from arandu_lab.bench.statistics.paired import Difference, compare, pairs
from arandu_lab.bench.statistics.power import Detectable, detectable, detectable_of
from arandu_lab.bench.statistics.words import verdict

__all__ = [
    "Design",
    "Detectable",
    "Difference",
    "Interval",
    "compare",
    "design_effect",
    "detectable",
    "detectable_of",
    "holm",
    "interval",
    "pairs",
    "student",
    "verdict",
]

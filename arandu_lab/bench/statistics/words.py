"""A difference in words, so that nobody reads a win off two means."""

from __future__ import annotations

from arandu_lab.bench.statistics.paired import Difference
from arandu_lab.bench.statistics.power import Detectable


def verdict(
    found: Difference,
    *,
    least: Detectable | None = None,
    scale: float = 100.0,
    unit: str = "points",
    p: float | None = None,
    falls: bool = False,
) -> str:
    """What may be said of a difference.

    Args:
        least: What such a run could have seen, said where nothing was.
        scale: What values are multiplied with; ``unit``: what that is called. Shares are told in points.
        p: The adjusted p where the comparison is one of a family; one above .05 takes the word *better* away.
        falls: Less is better.

    >>> from arandu_lab.bench.statistics.intervals import Interval
    >>> def told(mean, low, high, clusters=10, **more):
    ...     one = Interval(mean=mean, low=low, high=high, n=100, clusters=clusters)
    ...     counts = dict(wins=20, ties=70, losses=10, clusters_up=8, sign_flip=0.01, unpaired=0)
    ...     return verdict(Difference(interval=one, **{**counts, **more}))
    >>> told(0.031, 0.012, 0.050)
    'better by 3.1 points [1.2, 5.0]'
    >>> told(-0.031, -0.050, -0.012)
    'worse by 3.1 points [-5.0, -1.2]'
    >>> told(0.005, -0.01, 0.02)
    'not distinguishable: the interval [-1.0, 2.0] holds 0'
    >>> told(0.031, 0.031, 0.031, wins=100, ties=0, losses=0)
    'higher by 3.1 points on each of the 100 questions'
    >>> told(0.031, None, None, clusters=1)
    'higher by 3.1 points in the one conversation that was heard; of others nothing is known'
    >>> verdict(Difference(interval=Interval(mean=0.02, low=None, high=None, n=9, clusters=1), wins=2, ties=7, losses=0,
    ...                    clusters_up=1, sign_flip=None, unpaired=0), falls=True)
    'higher, which is worse, by 2.0 points in the one conversation that was heard; of others nothing is known'
    """
    one = found.interval
    size = f"{abs(one.mean) * scale:.1f} {unit}"
    if not found.wins and not found.losses:
        return f"no difference: the same on all {one.n:,} questions"
    way = "higher" if one.mean > 0 else "lower" if one.mean < 0 else "neither higher nor lower,"
    if falls and one.mean:  # of other measures the word says it already
        way += f", which is {'worse' if one.mean > 0 else 'better'},"
    if one.low is None or one.high is None:
        return f"{way} by {size} in the one conversation that was heard; of others nothing is known"
    if one.high <= one.low:  # every question moved alike: that is all there is to say
        return f"{way} by {size} on each of the {one.n:,} questions"
    between = f"[{one.low * scale:.1f}, {one.high * scale:.1f}]"
    if one.excludes_zero and (p is None or p <= 0.05):
        return f"{'better' if (one.mean > 0) is not falls else 'worse'} by {size} {between}"
    if one.excludes_zero:
        why = f"the interval {between} is without 0, but among so many comparisons that is no wonder (Holm p = {p:.2f})"
    else:
        why = f"the interval {between} holds 0"
    if least is not None and least.effect is not None:
        many = f"{least.units} {least.unit}{'' if least.units == 1 else 's'}"
        why += f"; an effect under {least.effect * scale:.1f} {unit} cannot be seen with {many}"
    return f"not distinguishable: {why}"

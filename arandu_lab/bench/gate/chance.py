"""Whether what is worse is worse by chance: every figure of a gate is one of a family."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from arandu_lab.bench import statistics
from arandu_lab.bench.gate.tolerance import LEAST, Tolerance
from arandu_lab.bench.gate.verdict import Finding


def judged(findings: Sequence[Finding], limits: Tolerance) -> list[Finding]:
    """Findings with their adjusted p and with why they regressed, if they did.

    Beyond its limit a figure regresses whatever chance may do. Within it, it does where it is worse by more than
    :data:`LEAST`, its interval is without 0, and its p of being worse, adjusted for all figures of the gate (Holm), is at
    most ``1 - level``: so of gates over runs that are as good, ``1 - level`` at most fail by noise, however many figures
    they have.
    """
    adjusted = statistics.holm([worse(one) for one in findings])
    return [
        replace(one, p_holm=p, why=_why(one, p, 1 - limits.level)) for one, p in zip(findings, adjusted, strict=True)
    ]


def said(findings: Sequence[Finding], limits: Tolerance) -> list[str]:
    """What a judgement says of chance, a line for all figures; nothing where no figure moved."""
    tested = sum(one.p is not None for one in findings)
    if not tested:
        return []
    figures = (
        "1 figure that moved is tested" if tested == 1 else f"{tested} figures that moved are tested as one family"
    )
    return [
        f"{figures} (Holm): a run that is as good fails by noise {100 * (1 - limits.level):.3g} times in 100 at most; "
        "a tolerance is a limit and no test, and fails what is beyond it whatever chance may do"
    ]


def worse(found: Finding) -> float | None:
    """The one-sided p of a figure that got worse: a gate asks no more. None where nothing moved."""
    if found.p is None:
        return None
    return found.p / 2 if found.change > 0 else 1 - found.p / 2


def _why(found: Finding, p: float | None, alpha: float) -> str:
    if found.limit is not None and found.change > found.limit:
        return "limit"
    told = found.change > LEAST[found.kind] and found.low is not None and found.low > 0
    return "noise" if told and p is not None and p <= alpha else ""

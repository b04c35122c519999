"""What each of the four studies varies."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from arandu_lab.bench.studies.plan import StudyPlan


class ExtractionPlan(StudyPlan):
    """``teacher`` is the arm whose writing the shared memory takes; ``free`` also runs both freely."""

    teacher: Literal["informed", "blind"] = "informed"
    free: bool = True


class RerankerPlan(StudyPlan):
    """``weights`` and ``vetoes`` are the grid; ``hold_out`` the share that has no say in choosing; ``measure`` leads."""

    weights: tuple[float, ...] = Field((0.0, 0.3, 0.5, 0.7, 0.9, 1.0), min_length=1)
    vetoes: tuple[float, ...] = Field((0.0, 0.05, 0.1, 0.2, 0.3, 0.5), min_length=1)
    hold_out: float = Field(0.5, gt=0, lt=1)
    measure: str = "R@10"


class DedupPlan(StudyPlan):
    """``thresholds`` are reckoned; of them ``written`` are run whole where they behave differently; ``gates`` likewise.

    Thresholds lie on the calibrated scale, as everywhere (.85 is the default).
    """

    thresholds: tuple[float, ...] = Field(tuple(round(0.40 + 0.025 * n, 3) for n in range(25)), min_length=2)
    written: tuple[float, ...] = (0.5, 0.7, 0.85, 1.0)
    gates: tuple[float, ...] = ()


class DecayPlan(StudyPlan):
    """Each list is varied alone, the others as by default; ``both`` also crosses half-lives and weights.

    ``weights`` are of the recency signal in ``score_weights``, the other weights as they are. ``bins`` end the spans of age,
    in days.
    """

    half_lives: tuple[float, ...] = (1.0, 3.5, 7.0, 14.0, 30.0, 90.0, 365.0, 1460.0)
    weights: tuple[float, ...] = (0.0, 0.1, 0.2, 0.4, 0.8)
    confidences: tuple[float, ...] = (90.0, 365.0, 730.0, 1460.0)
    both: bool = True
    bins: tuple[int, ...] = Field((30, 90, 180, 365), min_length=1)

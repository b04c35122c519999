"""Does an interval that says 95 % hold the truth 95 times in a hundred? Simulated conversations, drawn again and again.

Differences of a question are -1, 0 or 1, conversations differ with a correlation of .05 or .15 inside them, and sizes are
equal (60 questions) or from 12 to 180. ``held`` is how often the interval held the true mean, ``wide`` its mean width in
points. ``questions`` takes questions for units, ``percentile`` and ``BCa`` draw conversations, ``sandwich t`` and
``jackknife t`` put Student's t on the variance between them; the last is the laboratory's, which is never
narrower than over as many unrelated questions.

    python benchmarks/coverage.py [--rounds 2000]
"""

from __future__ import annotations

import argparse
import sys

import numpy as np
from measured import measured
from scipy.special import ndtr, ndtri, stdtrit

from arandu_lab.bench.statistics.intervals import half_width

CLUSTERS = (2, 3, 4, 6, 10, 20, 50)
METHODS = ("questions", "percentile", "BCa", "sandwich t", "jackknife t")
LOW, HIGH = -1.0, 0.9
TRUTH = float((1 - ndtr(HIGH)) - ndtr(LOW))
_EDGES = np.array([0.025, 0.975])


def main() -> None:
    """Print the table."""
    given = argparse.ArgumentParser(description="how often intervals hold the truth")
    given.add_argument("--rounds", type=int, default=2000)
    rounds = given.parse_args().rounds
    chance = np.random.default_rng(11)
    head = "".join(f"{name:>20}" for name in METHODS)
    print(f"{rounds} rounds; held %, wide in points\n\n{'conversations':<15}{'sizes':<9}{'corr':>5}{head}")
    for number in CLUSTERS:
        for sizes in ("equal", "unequal"):
            for correlation in (0.05, 0.15):
                held, wide = dict.fromkeys(METHODS, 0), dict.fromkeys(METHODS, 0.0)
                for _ in range(rounds):
                    for name, (low, high) in _intervals(*_drawn(number, sizes, correlation, chance), chance).items():
                        held[name] += low <= TRUTH <= high
                        wide[name] += high - low
                cells = "".join(
                    f"{100 * held[name] / rounds:>12.1f}{100 * wide[name] / rounds:>8.1f}" for name in METHODS
                )
                print(f"{number:<15}{sizes:<9}{correlation:>5.2f}{cells}")


def _drawn(
    number: int, sizes: str, correlation: float, chance: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, float]:
    """Sums, counts, and the variance of single questions."""
    counts = np.full(number, 60) if sizes == "equal" else chance.permutation(np.linspace(12, 180, number).astype(int))
    shared = chance.normal(0, correlation**0.5, number)
    where = np.repeat(np.arange(number), counts)
    latent = shared[where] + chance.normal(0, (1 - correlation) ** 0.5, len(where))
    values = np.where(latent < LOW, -1.0, np.where(latent > HIGH, 1.0, 0.0))
    return np.bincount(where, weights=values, minlength=number), counts.astype(float), float(values.var(ddof=1))


def _intervals(
    sums: np.ndarray, counts: np.ndarray, variance: float, chance: np.random.Generator
) -> dict[str, tuple[float, float]]:
    number, total = len(sums), counts.sum()
    mean = sums.sum() / total
    drawn = chance.integers(number, size=(999, number))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    below = float(np.clip((means < mean).mean() + 0.5 * (means == mean).mean(), 1e-3, 1 - 1e-3))
    without = (sums.sum() - sums) / (total - counts)
    lean = without.mean() - without
    pull = float((lean**3).sum() / (6 * max(float((lean**2).sum()), 1e-15) ** 1.5))
    bias = float(ndtri(below))
    shifted = bias + ndtri(_EDGES)
    corrected = ndtr(bias + shifted / (1 - pull * shifted))
    times = float(stdtrit(number - 1, 0.975))
    sandwich = float(np.sqrt(number / (number - 1) * ((sums - mean * counts) ** 2).sum()) / total)
    halves = {
        "questions": 1.96 * float(np.sqrt(variance / total)),
        "sandwich t": times * sandwich,
        "jackknife t": half_width(sums, counts, variance),
    }
    out = {name: (mean - half, mean + half) for name, half in halves.items()}
    for name, edges in (("percentile", _EDGES), ("BCa", corrected)):
        low, high = np.quantile(means, np.clip(edges, 0, 1))
        out[name] = (float(low), float(high))
    return out


if __name__ == "__main__":
    sys.exit(measured(main))

"""How long facts rest between uses, whether a curve foretells it, and what forgetting hides for what it frees.

    python benchmarks/decay.py [--worlds 12] [--turns 400] [--questions 300] [--rounds 60] [--into docs/measured.md]

First the instrument: logs whose curve is known, and how often the 95 % intervals hold its parameters. Then logs of simulated
worlds (BM25 hears them, so something is retrieved) and of the two sets written by hand, with curves, calibration and policies.
Last made logs: facts that fade, and facts of which some are needed often, each with a memory that finds what is needed alone and
with one that returns strangers beside it.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace

import numpy as np
import polars as pl
from measured import measured

from arandu_lab.bench.data.registry import load
from arandu_lab.bench.decay import fit_decay, gaps, reinforcement, replay_log, synthetic_log, world_log
from arandu_lab.bench.decay.comparing import parameters
from arandu_lab.bench.decay.curves import FAMILIES, family
from arandu_lab.bench.decay.fitting import fitted, sample_of
from arandu_lab.bench.world.config import WorldConfig

KNOWN = {
    "exponential": {"half_life": 40.0},
    "weibull": {"half_life": 40.0, "shape": 0.7},
    "power": {"scale": 30.0, "exponent": 1.0},
}
MADE = {
    "facts that fade (power curve), what is needed is found alone": ("power", {"scale": 30.0, "exponent": 0.5}, 0.0, 0),
    "facts that fade, nine strangers beside each that is needed": ("power", {"scale": 30.0, "exponent": 0.5}, 0.0, 9),
    "some facts needed often, found alone": ("exponential", {"half_life": 120.0}, 1.3, 0),
    "some facts needed often, nine strangers": ("exponential", {"half_life": 120.0}, 1.3, 9),
}


def main() -> int:
    """Print the figures."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--worlds", type=int, default=12, help="simulated worlds, seeds 101 and up")
    options.add_argument("--turns", type=int, default=400, help="turns of each")
    options.add_argument("--questions", type=int, default=300, help="questions of each")
    options.add_argument("--rounds", type=int, default=60, help="known logs of each kind")
    asked = options.parse_args()
    held(asked.rounds)
    worlds = [
        WorldConfig(name=f"w{seed}", seed=seed, turns=asked.turns, questions=asked.questions, people=8, speakers=3)
        for seed in range(101, 101 + asked.worlds)
    ]
    told(f"{asked.worlds} worlds of two years, {asked.turns} turns and {asked.questions} questions, heard by bm25",
         world_log(*worlds, system="bm25"), None)  # fmt: skip
    hand = replay_log(load("harbor_en"), load("mare_pt"), system="bm25")
    told("harbor_en and mare_pt, heard by bm25; subjects as units", hand, "subject")
    for title, (curve, values, unequal, strangers) in MADE.items():
        log = synthetic_log(curve, values, agents=16, spread=0.2, unequal=unequal, strangers=strangers, seed=3)
        print(f"\n== made: {title}")
        print(reinforcement(log))
    return 0


def held(rounds: int) -> None:
    """How often intervals over agents hold what is true: parameters as drawn, or as a log of many agents has them."""
    print(f"known curves: {rounds} logs of 12 agents with 20 facts; held %, and the mean of the fits\n")
    print(f"{'curve':<13}{'agents':<9}{'parameter':<12}{'true':>8}{'mean':>8}{'held %':>8}")
    for name, values in KNOWN.items():
        for spread in (0.0, 0.3):
            true = dict(values) if not spread else _many(name, values, spread)
            rows = [_fitted(name, values, spread, seed, 12) for seed in range(rounds)]
            for parameter, value in true.items():
                mine = [row[parameter] for row in rows]
                hits = [low <= value <= high for _, low, high in mine]
                mean = float(np.mean([one for one, _, _ in mine]))
                kind = "unequal" if spread else "equal"
                print(
                    f"{name:<13}{kind:<9}{parameter:<12}{value:>8.2f}{mean:>8.2f}{100 * np.mean(hits):>8.0f}",
                    flush=True,
                )


def _fitted(name: str, values: dict[str, float], spread: float, seed: int, agents: int) -> dict[str, tuple[float, ...]]:
    """Value, low and high of each parameter."""
    sample = sample_of(gaps(_made(name, values, spread, seed, agents)), apart=1.0)
    found = parameters([fitted(family(name), sample)], sample)
    return {row["parameter"]: (row["value"], row["low"], row["high"]) for row in found.iter_rows(named=True)}


def _many(name: str, values: dict[str, float], spread: float) -> dict[str, float]:
    """What fits tend to where agents are unequal: the fit of a log of very many of them."""
    sample = sample_of(gaps(_made(name, values, spread, 10_000, 500)), apart=1.0)
    found = fitted(family(name), replace(sample, groups=1))
    return dict(zip(values, found.values.tolist(), strict=True))


def _made(name: str, values: dict[str, float], spread: float, seed: int, agents: int) -> pl.DataFrame:
    return synthetic_log(name, values, agents=agents, facts=20, spread=spread, seed=seed)


def told(title: str, log: pl.DataFrame, over: str | None) -> None:
    """Curves, calibration and policies of a log."""
    counts = ", ".join(f"{kind} {number:,}" for kind, number in log["kind"].value_counts().sort("kind").iter_rows())
    print(f"\n== {title}\n{counts}")
    print(fit_decay(log, curves=tuple(FAMILIES), over=over))
    print()
    print(reinforcement(log, over=over))


if __name__ == "__main__":
    sys.exit(measured(main))

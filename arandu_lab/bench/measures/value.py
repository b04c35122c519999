"""A measure as a value: its exact name, and what it makes of one ranking and one set of evidence."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Literal, TypeAlias, cast, get_args

from arandu_lab.errors import ConfigError, nearest

Name: TypeAlias = Literal["R", "hit", "all", "P", "nDCG", "RR", "Stale"]
Unit: TypeAlias = Literal["turn", "session", "session-of-turns"]
_SETS = ("R", "hit", "all")
"""Measures that ask which items are there, not where."""


@dataclass(frozen=True, slots=True)
class Budget:
    """A cut by tokens: ``R @ tokens(500)``."""

    tokens: int


def tokens(size: int) -> Budget:
    """The cut where the turns that are shown no longer fit into so many tokens."""
    return Budget(size)


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure of one ranking against one set of evidence. ``k`` None: the whole ranking (``RR`` only), or a budget.

    ``budget`` cuts the ranking before the first turn with which the turns shown so far would pass so many tokens, whatever
    comes after it. ``Stale`` is told the turns that say what was over instead of the evidence.

    >>> str(R @ 10), str((hit @ 5).by("session")), eval(repr(RR)) == RR, str(R @ tokens(500))
    ('R@10', 'hit@5(session)', True, 'R@tokens(500)')
    >>> (R @ 2)(["t7", "t1", "t3"], {"t1", "t3"}), (RR)(["t7", "t1"], {"t1"}), (R @ 2)(["t7"], set())
    (0.5, 0.5, None)
    >>> (R @ tokens(25))(["t1", "t2", "t3"], {"t1", "t3"}, {"t1": 12, "t2": 20, "t3": 5}.__getitem__)
    0.5
    """

    name: Name
    k: int | None = None
    unit: Unit = "turn"
    budget: int | None = None

    def __matmul__(self, cut: int | Budget) -> Measure:
        """This measure cut at ``cut`` items, or at a budget of tokens, each at least 1.

        Raises:
            ConfigError: a cut below 1, or a budget for a measure that needs a number of places.
        """
        if isinstance(cut, Budget):
            if self.name not in _SETS:
                raise ConfigError(f"{self.name}@tokens({cut.tokens}); only {', '.join(_SETS)} can be cut by tokens")
            if cut.tokens < 1 or self.unit == "session":
                raise ConfigError(
                    f"{self.name}@tokens({cut.tokens}) over {self.unit}; at least 1 token, and over turns"
                )
            return replace(self, k=None, budget=cut.tokens)
        if cut < 1:
            raise ConfigError(f"measure {self.name}@{cut}; a cut is at least 1")
        return replace(self, k=cut, budget=None)

    def by(self, unit: Unit) -> Measure:
        """This measure over another unit.

        Raises:
            ConfigError: an unknown unit, or one that this measure cannot be over.
        """
        if unit not in get_args(Unit):
            raise ConfigError(f"unit {unit!r} of {self}; {nearest(unit, get_args(Unit))}")
        if unit == "session-of-turns" and self.name not in _SETS:
            raise ConfigError(f"{self} over session-of-turns; only R, hit and all have no need of an order")
        if unit != "turn" and self.name == "Stale":
            raise ConfigError(f"{self} over {unit}; it is over turns only")
        if unit == "session" and self.budget is not None:
            raise ConfigError(f"{self} over sessions; tokens are of turns, so session-of-turns is meant")
        return replace(self, unit=unit)

    @property
    def falls(self) -> bool:
        """Whether less is better."""
        return self.name == "Stale"

    def __str__(self) -> str:
        cut = f"@tokens({self.budget})" if self.budget is not None else "" if self.k is None else f"@{self.k}"
        return f"{self.name}{cut}" + ("" if self.unit == "turn" else f"({self.unit})")

    def shown(self, ranked: Sequence[str], size: Callable[[str], int] | None = None) -> list[str]:
        """The turns within the cut, each once, best first.

        Raises:
            ConfigError: a measure that needs a cut and has none, or a budget without ``size``, the tokens of a turn.
        """
        once = list(dict.fromkeys(ranked))
        if self.budget is None:
            if self.k is None and self.name != "RR":
                raise ConfigError(f"measure {self.name} needs a cut, like {self.name}@10")
            return once[: self.k]
        if size is None:
            raise ConfigError(f"{self} needs to know how many tokens a turn has")
        fits = sum(total <= self.budget for total in accumulate(map(size, once)))
        return once[:fits]

    def __call__(
        self, ranked: Sequence[str], evidence: Collection[str], size: Callable[[str], int] | None = None
    ) -> float | None:
        """The value for ids best first (a repeated id counts once, where it first stands); None without evidence.

        Args:
            evidence: for ``Stale`` the turns that say what was over; there may be none, and None is for a ranking of
                nothing.
            size: tokens of an item, at least 0; asked only where the cut is a budget.

        Raises:
            ConfigError: as :meth:`shown`.
        """
        shown = self.shown(ranked, size)
        wanted = frozenset(evidence)
        if self.name == "Stale":
            return sum(item in wanted for item in shown) / len(shown) if shown else None
        if not wanted:
            return None
        return _value(self.name, self.k or 0, [item in wanted for item in shown], len(wanted))


R, hit, P, RR = Measure("R"), Measure("hit"), Measure("P"), Measure("RR")
nDCG = Measure("nDCG")  # noqa: N816 - its exact name
all_ = Measure("all")
"""``all_ @ 10`` is ``all@10``; the name without the dash is taken."""
Stale = Measure("Stale")


def parse(text: str | Measure) -> Measure:
    """A measure of quality by its exact name.

    Raises:
        ConfigError: an unknown measure, unit or cut.

    >>> parse("nDCG@10"), parse("R@5(session)").unit, parse("all@tokens(500)").budget
    (Measure(name='nDCG', k=10, unit='turn', budget=None), 'session', 500)
    """
    if isinstance(text, Measure):
        return text
    found = re.fullmatch(r"([A-Za-z]+)(?:@(?:(\d+)|tokens\((\d+)\)))?(?:\(([a-z-]+)\))?", text.strip())
    head = re.split(r"[@(.]", text.strip())[0]
    if head not in get_args(Name):
        raise ConfigError(f"measure {text!r}; {nearest(head, [*get_args(Name), 'Tokens', 'Calls', 'Seconds'])}")
    if found is None:
        raise ConfigError(f"measure {text!r}; expected one like 'R@10', 'R@10(session)' or 'R@tokens(500)'")
    name, cut, budget, unit = found.groups()
    if cut is None and budget is None and name != "RR":
        raise ConfigError(f"measure {text!r} needs a cut, like {name}@10")
    bare = Measure(cast("Name", name))
    if cut is not None:
        bare = bare @ int(cut)
    if budget is not None:
        bare = bare @ Budget(int(budget))
    return bare.by(cast("Unit", unit or "turn"))


def gains(places: int) -> float:
    """The sum of the discounts of the first places."""
    return sum(1.0 / math.log2(place + 2) for place in range(places))


def _value(name: Name, k: int, found: Sequence[bool], wanted: int) -> float:
    match name:
        case "R":
            return sum(found) / wanted
        case "hit":
            return float(any(found))
        case "all":
            return float(sum(found) == wanted)
        case "P":
            return sum(found) / k
        case "nDCG":
            gained = sum(1.0 / math.log2(place + 2) for place, good in enumerate(found) if good)
            return gained / gains(min(wanted, k))
        case "RR":
            return next((1.0 / (place + 1) for place, good in enumerate(found) if good), 0.0)
        case "Stale":
            raise AssertionError("has no evidence")

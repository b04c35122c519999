"""What a blend shall be learned from, on paper: ``configs/blend.toml``, read strictly.

::

    [blend]
    name    = "default"
    system  = "tuned-turns"                  # whose read pipeline makes the columns
    sets    = ["harbor_en", {name = "brook_en", weight = 0.333, story = "brook"}]
    l2      = 100.0
    signs   = true                           # whether common sense bounds signs (blends/design.py)
    bends   = false                          # whether weights bend with questions that want several turns (blends/fit.py)
    without = ["dates"]                      # families or columns that are left out

    [system.tuned-turns]                     # as in [run] files: settings and stages of the system
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from arandu_lab.bench.plan import Row
from arandu_lab.bench.toml import read_toml
from arandu_lab.errors import ConfigError, nearest
from arandu_lab.read.evidence import COLUMNS, FAMILIES


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A set to learn from. ``weight``: what each question of it counts. ``story``: sets of one story are held out as one."""

    name: str
    weight: float = 1.0
    story: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlendPlan:
    """A blend before it is learned. ``without`` names columns."""

    name: str
    sets: tuple[Source, ...]
    row: Row
    l2: float = 100.0
    signs: bool = True
    bends: bool = False
    without: tuple[str, ...] = field(default=())

    @property
    def stories(self) -> dict[str, str]:
        """Set -> story, where one is told."""
        return {one.name: one.story for one in self.sets if one.story}

    @property
    def weights(self) -> dict[str, float]:
        """Set -> what a question of it counts."""
        return {one.name: one.weight for one in self.sets}

    def over(self, names: Sequence[str]) -> BlendPlan:
        """The same over other sets; a set that the plan knows keeps its weight and story."""
        known = {one.name: one for one in self.sets}
        return replace(self, sets=tuple(known.get(name, Source(name=name)) for name in names)) if names else self


def read_blend_plan(path: str | Path) -> BlendPlan:
    """A plan from its file.

    Raises:
        ConfigError: an unknown key, a value that cannot be meant, or no sets; with the file's name.
    """
    return read_toml(path, plan_of)


def plan_of(data: Mapping[str, Any]) -> BlendPlan:
    """A plan from parsed tables. Raises as :func:`read_blend_plan`."""
    _known(data, ("blend", "system"), "table")
    said = dict(data.get("blend", {}))
    _known(said, ("name", "system", "sets", "l2", "signs", "bends", "without"), "[blend] key")
    base = str(said.get("system", "tuned-turns"))
    table = dict(data.get("system", {}))
    _known(table, (base,), "[system] table")
    options = dict(table.get(base, {}))
    write, read = options.pop("write", {}), options.pop("read", {})
    row = Row(name=base, base=str(options.pop("base", base)), options=options, write=write, read=read)
    l2, signs = said.get("l2", 100.0), said.get("signs", True)
    if isinstance(l2, bool) or not isinstance(l2, int | float) or not 0 <= l2 < float("inf"):
        raise ConfigError(f"[blend] l2 = {l2!r}; wants a number, 0 or above")
    bends = said.get("bends", False)
    for name, value in (("signs", signs), ("bends", bends)):
        if not isinstance(value, bool):
            raise ConfigError(f"[blend] {name} = {value!r}; wants true or false")
    sets = tuple(_source(one) for one in said.get("sets", ()))
    if not sets:
        raise ConfigError('[blend] sets: wants at least one, e.g. ["harbor_en", "mare_pt"]')
    return BlendPlan(
        name=str(said.get("name", "blend")),
        sets=sets,
        row=row,
        l2=float(l2),
        signs=signs,
        bends=bends,
        without=left_out(said.get("without", ())),
    )


def left_out(names: Sequence[str]) -> tuple[str, ...]:
    """The columns that families and columns by these names are.

    >>> left_out(["speakers"])
    ('spk_one', 'spk_other', 'spk_any')

    Raises:
        ConfigError: a name that is neither.
    """
    out: list[str] = []
    for name in names:
        if name not in FAMILIES and name not in COLUMNS:
            raise ConfigError(f"no family or column {name!r}; {nearest(name, [*FAMILIES, *COLUMNS])}")
        out += FAMILIES.get(name, (name,))
    return tuple(dict.fromkeys(out))


def _source(one: Any) -> Source:
    if isinstance(one, str):
        return Source(name=one)
    if not isinstance(one, Mapping) or "name" not in one:
        raise ConfigError(f"[blend] sets: {one!r}; wants a name, or a table with one")
    _known(one, ("name", "weight", "story"), "key of a set")
    weight = one.get("weight", 1.0)
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 < weight < float("inf"):
        raise ConfigError(f"[blend] sets: weight {weight!r} of {one['name']!r}; wants a number above 0")
    return Source(name=str(one["name"]), weight=float(weight), story=str(one.get("story", "")))


def _known(table: Mapping[str, Any], names: Sequence[str], what: str) -> None:
    for key in table:
        if key not in names:
            raise ConfigError(f"unknown {what} {key!r}; {nearest(key, names)}")

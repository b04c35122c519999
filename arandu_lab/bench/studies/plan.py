"""A study before it happens, and its file: ``configs/study_*.toml``, read strictly.

::

    [study]
    datasets  = ["harbor_en", "mare_pt"]
    model     = "offline/rules"          # any litellm model string
    priced_as = "openai/gpt-4.1-mini"    # whose price is told beside tokens that cost nothing
    cap       = "2.50 USD"               # it stops before that is passed

    [quick]                              # what --quick changes
    turns     = 30
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from arandu_lab.bench.data.model import Dataset
from arandu_lab.bench.plan import Row
from arandu_lab.bench.sweeps.costs import Cap, cap_of
from arandu_lab.bench.toml import read_toml
from arandu_lab.errors import ConfigError, nearest
from arandu_lab.llm.prices import FREE

P = TypeVar("P", bound="StudyPlan")


class StudyPlan(BaseModel):
    """What every study takes. Each has a kind of its own with what it alone varies.

    ``turns`` is how many turns of each conversation are heard and ``questions`` how many of its questions are put: 0 for
    all. ``settings`` stay the same throughout, as in a ``[system.NAME]`` table. ``jobs``, ``data`` and ``cap`` are no part
    of a result.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    datasets: tuple[str, ...] = Field(min_length=1)
    model: str = FREE
    embedder: str = "use"
    priced_as: str = ""
    settings: dict[str, Any] = {}
    turns: int = Field(0, ge=0)
    questions: int = Field(0, ge=0)
    depth: int = Field(20, ge=10)
    seed: int = Field(0, ge=0)
    jobs: int = Field(2, ge=1)
    data: str = ""
    cap: str = ""

    @property
    def most(self) -> Cap | None:
        """The cap. Raises ``ConfigError`` where its words are none."""
        return cap_of(self.cap or None)

    def row(self, name: str = "arandu") -> Row:
        """The system under study."""
        return Row(name=name, base="arandu", options={**self.settings, "llm": self.model, "embedder": self.embedder})


def read_study(path: str | Path, kind: type[P], *, quick: bool = False, **given: Any) -> P:
    """The plan in a file; ``given`` goes before what it says, ``quick`` takes the values of its ``[quick]`` table.

    Raises:
        ConfigError: no such file, not TOML, or an unknown key or wrong value, each with its place.
    """

    def meaning(data: Mapping[str, Any]) -> P:
        for table in data:
            if table not in ("study", "quick"):
                raise ConfigError(f"unknown table {table!r}; {nearest(table, ('study', 'quick'))}")
        said = {**data.get("study", {}), **(data.get("quick", {}) if quick else {}), **given}
        plan_of(kind, {**data.get("study", {}), **data.get("quick", {})})  # a wrong [quick] is told at once
        return plan_of(kind, said)

    return read_toml(path, meaning)


def plan_of(kind: type[P], given: Mapping[str, Any]) -> P:
    """A plan from values of any origin, each checked.

    Raises:
        ConfigError: an unknown key or a wrong value.

    >>> plan_of(StudyPlan, {"datasets": ["harbor_en"], "turn": 30})
    Traceback (most recent call last):
    ...
    arandu_lab.errors.ConfigError: [study] unknown key 'turn'; did you mean 'turns'?
    """
    for key in given:
        if key not in kind.model_fields:
            raise ConfigError(f"[study] unknown key {key!r}; {nearest(key, kind.model_fields)}")
    try:
        plan = kind(**{key: _tupled(value) for key, value in given.items()})
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ConfigError(f"[study] {where} = {first.get('input')!r}: {first['msg']}") from None
    plan.most  # noqa: B018 - a cap that is none is told before anything is done
    return plan


def planned(kind: type[P], dataset: Any, options: Mapping[str, Any]) -> tuple[P, dict[str, Dataset]]:
    """The plan of a call and its datasets, given by name, as objects, or one of either.

    Raises:
        ConfigError: names and objects mixed, an unknown option, or a wrong value.
        DatasetError: data that break their format.
    """
    several = list(dataset) if isinstance(dataset, list | tuple) else [dataset]
    objects = {one.name: one for one in several if isinstance(one, Dataset)}
    if objects and len(objects) < len(several):
        raise ConfigError("datasets by name and as objects, or two of one name; give all as objects")
    plan = plan_of(kind, {**options, "datasets": list(objects or several)})
    return plan, objects or loaded(plan)


def loaded(plan: StudyPlan) -> dict[str, Dataset]:
    """The datasets of a plan by name. Raises as :func:`arandu_lab.bench.data.registry.load`."""
    from arandu_lab.bench.plan import Plan
    from arandu_lab.bench.run import load_datasets

    return load_datasets(Plan(name="study", datasets=plan.datasets, rows=(plan.row(),), data=plan.data))


def languages(datasets: Iterable[Dataset]) -> dict[str, list[Dataset]]:
    """The datasets of each language, in the order given."""
    out: dict[str, list[Dataset]] = {}
    for one in datasets:
        out.setdefault(one.language.split("-")[0], []).append(one)
    return out


def _tupled(value: Any) -> Any:
    return tuple(_tupled(one) for one in value) if isinstance(value, list | tuple) else value

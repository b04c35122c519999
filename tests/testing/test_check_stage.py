"""``check_stage`` catches a stage that breaks a claim, whichever, and says which and what to do."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest

from arandu_lab.errors import ConfigError
from arandu_lab.llm import tasks
from arandu_lab.pipeline import REGISTRY, Lab, stage
from arandu_lab.pipeline.stage import Definition
from arandu_lab.records import Turn
from arandu_lab.testing import Broken, check_stage
from arandu_lab.testing.stages import STAGE_CLAIMS
from arandu_lab.units import Count, Share

ticks = itertools.count()
kept: list[Any] = []


@dataclass
class Bag:
    """Something of a user's own that can change."""

    items: list[int]


def t_good(turn: Turn, lab: Lab, *, t_share: Share = 0.5) -> Turn:
    """Say less of a turn."""
    return replace(turn, text=turn.text[: round(len(turn.text) * t_share)])


def t_no_doc(turn: Turn, lab: Lab) -> Turn:
    return turn


def t_no_sentence(turn: Turn, lab: Lab) -> Turn:
    """does things"""
    return turn


def t_untyped(turn: Turn, lab: Lab, *, t_any=1) -> Turn:  # type: ignore[no-untyped-def]
    """A parameter without a type."""
    return turn


def t_missing(turn: Turn, lab: Lab, *, t_nowhere: Share) -> Turn:
    """A parameter that nobody sets."""
    return turn


def t_twice(turn: Turn, lab: Lab, *, min_score: Share = 0.3) -> Turn:
    """A setting with a second default."""
    return turn


def t_outside(turn: Turn, lab: Lab, *, t_over: Share = 7.0) -> Turn:
    """A default out of range."""
    return turn


def t_unlimited(turn: Turn, lab: Lab, *, t_object: object = 1) -> Turn:
    """A parameter that takes anything."""
    return turn


def t_promises(turn: Turn, lab: Lab) -> Turn:
    """It promises a turn."""
    return turn.text  # type: ignore[return-value]


def t_fails(turn: Turn, lab: Lab) -> Turn:
    """It has a bug."""
    raise KeyError("bug")


async def t_behind(turn: Turn, lab: Lab) -> Turn:
    """It asks a model behind the back of its meter."""
    from arandu_lab.llm.mind import messages

    await lab.llm.default.complete(  # type: ignore[attr-defined]
        messages(tasks.judge(), {"query": "?", "facts": []}), schema=None, max_tokens=5
    )
    return turn


async def t_embeds_behind(turn: Turn, lab: Lab) -> Turn:
    """It keeps the embedder of its first run."""
    kept.append(lab.embed)
    await kept[0]([turn.text])
    return turn


def t_counts(turn: Turn, lab: Lab) -> Turn:
    """Its answer depends on how often it was asked."""
    return replace(turn, text=f"{turn.text} {next(ticks)}")


def t_changes(bag: Bag, lab: Lab) -> Bag:
    """It changes what it is given."""
    bag.items.append(1)
    return Bag([1])


CAUGHT = [
    (t_no_doc, "sentence"),
    (t_no_sentence, "sentence"),
    (t_untyped, "ranges"),
    (t_missing, "ranges"),
    (t_twice, "ranges"),
    (t_outside, "ranges"),
    (t_unlimited, "refuses"),
    (t_promises, "gives"),
    (t_fails, "gives"),
    (t_behind, "usage"),
    (t_counts, "again"),
]


@pytest.fixture(autouse=True)
def _registry() -> Iterator[None]:
    known = dict(REGISTRY._known)
    yield
    REGISTRY._known.clear()
    REGISTRY._known.update(known)


def test_a_stage_of_ones_own_holds() -> None:
    """A stage written here gains config, trace, usage, a place in sweeps and a verdict on all claims, with no more than @stage."""
    held = check_stage(stage(t_good))
    assert held.claims == tuple(claim.name for claim in STAGE_CLAIMS)
    assert not held.passed_over


@pytest.mark.parametrize(("function", "claim"), CAUGHT, ids=lambda one: getattr(one, "__name__", one))
def test_a_broken_stage_is_caught(function: Any, claim: str) -> None:
    """Each way of breaking a claim is caught as that claim, in a sentence that names the stage and what to do."""
    with pytest.raises(Broken) as told:
        check_stage(stage(function))
    found = next(one for one in STAGE_CLAIMS if one.name == claim)
    assert str(told.value).startswith(f"{function.__name__} breaks '{claim}': {found.says} Seen: ")
    assert str(told.value).endswith(found.do)


def test_a_changed_input_is_caught() -> None:
    """A value that a stage writes into is told by its place; a type of one's own needs an example, and says so."""
    made = stage(t_changes)
    over = dict(check_stage(made).passed_over)
    assert "give check_stage an example=" in over["gives"]
    with pytest.raises(Broken, match=r"changed in \.items"):
        check_stage(made, example=Bag([0]), only=["untouched"])


class Sticky(Definition):
    """A definition whose pinned values get lost, and that takes any parameter."""

    def __call__(self, **pins: Any) -> Any:
        return super().__call__(**{name: 0.5 for name in pins if name in self.parameters})


class Blunt(Definition):
    """A definition that never looks at the values it is given."""

    def _checked(self, pins: Any) -> Any:
        return tuple(sorted(pins.items()))


class Deaf(Definition):
    """A definition whose address does not depend on its parameters."""

    def __call__(self, **pins: Any) -> Any:
        made = super().__call__(**pins)
        object.__setattr__(made, "__class__", _DeafStage)
        return made


class _DeafStage(type(REGISTRY.stage("cut")())):  # type: ignore[misc]
    def fingerprint(self, values: Any) -> Any:
        return [self.name]


class Unlike(Definition):
    """A definition whose stages are equal to nothing."""

    def __call__(self, **pins: Any) -> Any:
        made = super().__call__(**pins)
        object.__setattr__(made, "__class__", _UnlikeStage)
        return made


class _UnlikeStage(type(REGISTRY.stage("cut")())):  # type: ignore[misc]
    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__


class Nameless(Definition):
    """A definition whose stages go by another name."""

    def __call__(self, **pins: Any) -> Any:
        made = super().__call__(**pins)
        object.__setattr__(made, "name", "cut")
        return made


@pytest.mark.parametrize(
    ("kind", "claim"),
    [
        (Unlike, "value"),
        (Blunt, "refuses"),
        (Sticky, "keeps"),
        (Sticky, "unknown"),
        (Deaf, "sweep"),
        (Nameless, "edits"),
    ],
)
def test_a_broken_decorator_is_caught(kind: type[Definition], claim: str) -> None:
    """What @stage itself promises is tried too: equality, refusal, pins, addresses and names."""
    made = kind(t_good)
    REGISTRY.add(made.name, made)
    with pytest.raises(Broken, match=f"breaks '{claim}'"):
        check_stage(made, only=[claim])


def test_what_is_no_stage_is_refused() -> None:
    """A function without @stage, or a claim of no such name, is told."""
    with pytest.raises(ConfigError, match="@stage"):
        check_stage(t_good)
    with pytest.raises(ConfigError, match="did you mean 'sweep'"):
        check_stage(stage(t_good), only=["sweeps"])


def test_a_group_and_a_pinned_stage_are_checked() -> None:
    """Groups hold what concerns them; a stage with pinned values is run as it is pinned."""
    held = check_stage(REGISTRY.stage("semantic_dedup"))
    assert {"value", "edits", "gives", "untouched"} <= set(held.claims)
    assert "again" in check_stage(stage(t_good)(t_share=0.25), only=["gives", "again"]).claims


def test_counts_are_units() -> None:
    """A parameter of each unit and kind gets two legal values, so that its address can be seen to move."""

    def t_kinds(
        turn: Turn,
        lab: Lab,
        *,
        t_count: Count = 3,
        t_flag: bool = False,
        t_word: str = "x",
        t_many: dict[str, Share] = {},  # noqa: B006 - a stage reads its default
    ) -> Turn:
        """All kinds of parameters."""
        return turn

    held = check_stage(stage(t_kinds), only=["ranges", "refuses", "keeps", "sweep"])
    assert len(held.claims) == 4

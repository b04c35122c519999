"""The algebra: what pipelines promise."""

from __future__ import annotations

import asyncio
import pickle
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest

from arandu_lab.config import MemoryConfig, settings
from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.pipeline import REGISTRY, Lab, Pipeline, grouped, stage, together
from arandu_lab.presets import assembled, from_toml, read, write
from arandu_lab.read.stages import cross_encoder
from arandu_lab.trace import Span
from arandu_lab.units import Share

LAB = Lab(llm=None, embed=None, memory=None, now=datetime(2025, 1, 1, tzinfo=UTC), log=Span("test"))  # type: ignore[arg-type]


@dataclass(frozen=True)
class Box:
    """A value to flow."""

    n: int = 0


@dataclass(frozen=True)
class BigBox(Box):
    """A kind of box."""


@stage
def t_add(box: Box, lab: Lab, *, t_step: int = 1) -> Box:
    """Add a step."""
    return Box(box.n + t_step)


@stage
async def t_slow_add(box: Box, lab: Lab, *, t_wait: float = 0.0) -> Box:
    """Add one after a wait."""
    await asyncio.sleep(t_wait)
    return Box(box.n + 1)


@stage
def t_grow(box: Box, lab: Lab) -> BigBox:
    """Make it big."""
    return BigBox(box.n)


@stage
def t_big_only(box: BigBox, lab: Lab) -> BigBox:
    """Only big ones."""
    return box


@stage
async def t_dead(box: Box, lab: Lab) -> Box:
    """A backend that fails."""
    raise BackendError("no answer", kind="timeout", backend="test")


@stage
def t_bug(box: Box, lab: Lab) -> Box:
    """A programming error."""
    raise KeyError("bug")


@stage
def t_sum(boxes: tuple[Box, ...], lab: Lab) -> Box:
    """Join what ran side by side."""
    return Box(sum(box.n * 10**place for place, box in enumerate(boxes)))


@stage
def t_season(box: Box, lab: Lab, *, season_weight: Share = 0.1) -> Box:
    """A stage of a user's own with a parameter that ``MemoryConfig`` lacks."""
    return Box(box.n + round(season_weight * 10))


async def run(pipeline: Any, value: Any = Box(), **values: Any) -> Any:
    node = pipeline if isinstance(pipeline, Pipeline) else Pipeline((pipeline,))
    return await node(value, LAB, {**MemoryConfig().values(), **values})


def test_types_meet() -> None:
    """A neighbour that does not take what comes is refused when the pipeline is built, by name."""
    assert (t_grow() >> t_big_only()).gives is BigBox
    with pytest.raises(ConfigError, match="t_add >> t_big_only: t_big_only takes BigBox, not Box"):
        t_add() >> t_big_only()


async def test_runs_sync_and_async_alike() -> None:
    """A stage that computes and a stage that waits are run by the same words."""
    result, trace = await run(t_add(t_step=2) >> t_slow_add())
    assert result == Box(3)
    assert [step.name for step in trace.steps] == ["t_add", "t_slow_add"]
    assert all(step.duration_ms > 0 for step in trace.steps)


async def test_otherwise_on_backend_failure() -> None:
    """The second runs on the same value when a backend fails in the first, and the trace names stage and kind."""
    result, trace = await run(t_dead().otherwise(t_add()))
    assert result == Box(1)
    assert trace.degraded == ("t_dead",)
    assert trace.failures[0].kind == "timeout"


async def test_otherwise_never_hides_a_bug() -> None:
    """A programming error is not a failure of a backend: it comes through."""
    with pytest.raises(KeyError):
        await run(t_bug().otherwise(t_add()))


async def test_together_keeps_the_order_of_writing() -> None:
    """Results come in the order of the nodes, whichever ends first (O2)."""
    result, _ = await run(together(t_slow_add(t_wait=0.02), t_add(t_step=7), t_slow_add()) >> t_sum())
    assert result == Box(171)


async def test_group_is_one_step() -> None:
    """A group is one word of the pipeline and one step of the trace, its parts inside."""
    result, trace = await run(grouped("extraction", t_add() >> t_slow_add()))
    assert result == Box(2)
    assert [step.name for step in trace.steps] == ["extraction"]
    assert [child.name for child in trace.steps[0].children] == ["t_add", "t_slow_add"]


def test_edits() -> None:
    """``without``, ``replace``, ``after`` and ``before`` reach into groups and fall-backs, and the original stays."""
    p = grouped("g", t_add() >> t_dead().otherwise(t_slow_add())) >> t_grow()
    assert p.without("t_dead").names() == ["pipeline", "g", "t_add", "t_slow_add", "t_grow"]
    assert "t_bug" in p.replace("t_dead", t_bug()).names()
    assert p.after("t_dead", t_add(t_step=9)).names() == [
        "pipeline",
        "g",
        "t_add",
        "t_dead",
        "t_slow_add",
        "t_add",
        "t_grow",
    ]
    assert p.without("g").names() == ["pipeline", "t_grow"]
    assert p.names() == ["pipeline", "g", "t_add", "t_dead", "t_slow_add", "t_grow"]
    with pytest.raises(ConfigError, match="did you mean 't_grow'"):
        p.without("t_grew")


@pytest.mark.parametrize("make", [write, read])
def test_presets_are_values(make: Any) -> None:
    """A preset equals itself built again, pickles, and its repr rebuilds it."""
    p = make()
    assert p == make()
    assert hash(p) == hash(make())
    assert pickle.loads(pickle.dumps(p)) == p
    assert eval(repr(p), REGISTRY.namespace()) == p
    edited = p.without("semantic_dedup" if "semantic_dedup" in p.names() else "spread")
    assert edited != p


def test_prefixes_share_until_the_change() -> None:
    """Settings that differ in a late stage share the addresses of all stages before it."""
    p = read()
    a, b = p.prefixes(), p.prefixes({"min_score": 0.3})
    cut = [node.name for node in p.nodes].index("cut")
    assert a[:cut] == b[:cut]
    assert a[cut] != b[cut]
    assert p.prefixes() == read().prefixes()


def test_without_pins_a_smaller_pipeline() -> None:
    """Flags choose the assembly: what a flag turns off is gone, what stands in for it stays."""
    off = MemoryConfig(enable_reranker=False, enable_informed_extraction=False, enable_llm_resolution=False)
    assert "judge" not in assembled(read(), off).names()
    assert "unjudged" in assembled(read(), off).names()
    encoded = read().replace("judge", cross_encoder())
    assert "cross_encoder" in assembled(encoded, MemoryConfig()).names()
    assert "cross_encoder" not in assembled(encoded, off).names()
    names = assembled(write(), off).names()
    assert "informed" not in names
    assert "blind" in names
    assert "ask_names" not in names
    assert "leave_undecided" in names


def test_override_of_a_users_own_parameter() -> None:
    """A pipeline that holds a user's stage takes the stage's parameter as an override, checked."""
    p = t_add() >> t_season()
    _, values = settings(MemoryConfig(), (p,), {"season_weight": 0.7})
    assert values["season_weight"] == 0.7
    with pytest.raises(ConfigError, match="season_weight"):
        settings(MemoryConfig(), (p,), {"season_weight": 7.0})


def test_override_of_a_pinned_value() -> None:
    """An override that could have no effect is refused."""
    with pytest.raises(ConfigError, match="pinned"):
        settings(MemoryConfig(), (t_add() >> t_season(season_weight=0.5),), {"season_weight": 0.7})


def test_unknown_override() -> None:
    """W23: an unknown name is warned about and ignored in a call, refused in a sweep, with the nearest name."""
    with pytest.warns(UserWarning, match="did you mean 'topk_facts'"):
        config, _ = settings(MemoryConfig(), (), {"topk_fact": 3})
    assert config == MemoryConfig()
    with pytest.raises(ConfigError, match="did you mean 'topk_facts'"):
        settings(MemoryConfig(), (), {"topk_fact": 3}, strict=True)


@pytest.mark.parametrize("bad", [{"topk_facts": "5"}, {"topk_facts": True}, {"min_score": 2}, {"enable_reranker": 1}])
def test_wrong_override(bad: dict[str, Any]) -> None:
    """A value of a wrong type or out of range is a ``ValueError`` that names the setting."""
    with pytest.raises(ValueError, match=next(iter(bad))):
        settings(MemoryConfig(), (), bad)


def test_toml(tmp_path: Any) -> None:
    """``use`` swaps a registered stage, other keys pin values, settings are checked strictly."""
    file = tmp_path / "a.toml"
    file.write_text('[config]\ntopk_facts = 3\n[read.judge]\nuse = "unjudged"\n[read.blend]\nreranker_weight = 0.5\n')
    made = from_toml(file)
    assert made.config.topk_facts == 3
    assert "judge" not in made.read.names()
    assert made.read.pinned()["reranker_weight"] == 0.5
    for text, match in (
        ("[read.jugde]\nx = 1\n", "did you mean 'judge'"),
        ('[read.judge]\nuse = "croos"\n', "no stage 'croos'"),
        ("[config]\ntopk = 1\n", "unknown setting 'topk'"),
        ("[reading]\n", "unknown table"),
    ):
        file.write_text(text)
        with pytest.raises(ConfigError, match=match):
            from_toml(file)

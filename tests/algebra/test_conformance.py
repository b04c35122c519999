"""Every registered stage keeps the contract, whoever wrote it."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arandu_lab.config import MemoryConfig
from arandu_lab.errors import ConfigError
from arandu_lab.pipeline import REGISTRY, Group, Param, Stage
from arandu_lab.pipeline.compose import GroupDefinition
from arandu_lab.pipeline.node import flows
from arandu_lab.pipeline.stage import Definition
from arandu_lab.testing.strategies import illegal, legal

STAGES = [name for name in REGISTRY.names() if isinstance(REGISTRY.stage(name), Definition)]
GROUPS = [name for name in REGISTRY.names() if isinstance(REGISTRY.stage(name), GroupDefinition)]
PARAMETERS = [(name, parameter) for name in STAGES for parameter in REGISTRY.stage(name).parameters]


@pytest.mark.parametrize("name", [*STAGES, *GROUPS])
def test_default_is_a_value(name: str) -> None:
    """A stage without arguments works, compares, hashes, pickles, copies, and is rebuilt by its repr."""
    node = REGISTRY.stage(name)()
    assert isinstance(node, Stage | Group)
    assert eval(repr(node), REGISTRY.namespace()) == node
    assert pickle.loads(pickle.dumps(node)) == node == copy.deepcopy(node)
    assert hash(node) == hash(REGISTRY.stage(name)())
    assert flows(node, node.accepts) is not None


@pytest.mark.parametrize("name", [*STAGES, *GROUPS])
def test_docstring(name: str) -> None:
    """Every stage says in a sentence what it does."""
    doc = REGISTRY.stage(name).doc
    assert doc.strip()
    assert doc.strip().splitlines()[0].rstrip().endswith((".", ":", ","))


@pytest.mark.parametrize(("name", "parameter"), PARAMETERS)
def test_parameter_is_known_or_has_a_default(name: str, parameter: str) -> None:
    """What a stage reads is a setting of ``MemoryConfig`` with the same type, or its own with a default."""
    param = REGISTRY.stage(name).parameters[parameter]
    if param.default is Param.required:
        value = getattr(MemoryConfig(), parameter)
        assert param.check(value) == value
    else:
        assert parameter not in MemoryConfig.model_fields, "a default is written once"
        assert param.check(param.default) == param.default


@pytest.mark.parametrize(("name", "parameter"), PARAMETERS)
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_illegal_values_are_refused(name: str, parameter: str, data: st.DataObject) -> None:
    """A value outside the annotation is a ``ConfigError`` that names stage and parameter."""
    bad = data.draw(illegal(REGISTRY.stage(name).parameters[parameter].annotation))
    with pytest.raises(ConfigError, match=parameter):
        REGISTRY.stage(name)(**{parameter: bad})


@pytest.mark.parametrize(("name", "parameter"), PARAMETERS)
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_legal_values_are_kept(name: str, parameter: str, data: st.DataObject) -> None:
    """A value within the annotation is pinned as it is, and the pinned stage is a value like the default one."""
    good = data.draw(legal(REGISTRY.stage(name).parameters[parameter].annotation))
    node = REGISTRY.stage(name)(**{parameter: good})
    assert dict(node.pins)[parameter] == good
    assert eval(repr(node), REGISTRY.namespace()) == node
    assert pickle.loads(pickle.dumps(node)) == node


@pytest.mark.parametrize("name", STAGES)
def test_unknown_parameter(name: str) -> None:
    """A parameter that a stage does not have is refused with the nearest name."""
    with pytest.raises(ConfigError, match="no parameter"):
        REGISTRY.stage(name)(no_such_parameter=1)


def test_every_setting_is_read_or_chooses() -> None:
    """Each setting of ``MemoryConfig`` is read by some stage, chooses the assembly, or is named as the memory's or a job's."""
    read: set[str] = {parameter for _, parameter in PARAMETERS}
    elsewhere: dict[str, str] = {
        "recent_messages_limit": "Memory cuts the messages it passes on",
        "auto_reinforce": "Memory counts retrievals",
        "fuzzy_threshold": "resolution",
        "cluster_max_age_days": "job",
        "community_similarity_threshold": "job",
        "community_edge_strength": "job",
        "consolidation_min_events": "job",
        "consolidation_lookback_days": "job",
        "summary_refresh_interval_days": "job",
        "importance_half_life_days": "job",
        "vitality_half_life_days": "job",
        "vitality_stale_threshold": "job",
    }
    flags = {name for name in MemoryConfig.model_fields if name.startswith("enable_")}
    assert set(MemoryConfig.model_fields) - read - flags - set(elsewhere) == set()


def test_every_setting_is_documented() -> None:
    """Each setting has one line of doc that ends with a full stop."""
    for row in MemoryConfig.table():
        assert row["doc"].endswith("."), row["name"]

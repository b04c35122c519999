"""Claims about the strategies that are shipped: what they draw is what they say."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arandu_lab.config import MemoryConfig
from arandu_lab.config import settings as chosen
from arandu_lab.errors import ConfigError
from arandu_lab.pipeline import REGISTRY
from arandu_lab.presets import read, write
from arandu_lab.records import Fact, Turn
from arandu_lab.store import Store
from arandu_lab.testing import strategies as drawn
from arandu_lab.units import Count, Days, Share, Tokens

few = settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))


@few
@given(drawn.settings_of(REGISTRY.stage("blend")), drawn.settings_of(read()))
def test_settings_are_legal(of_stage: dict, of_pipeline: dict) -> None:
    """Settings of a stage, or of a whole pipeline, are overrides that are taken as they are."""
    _, values = chosen(MemoryConfig(), (read(),), of_stage, strict=True)
    assert {name: values[name] for name in of_stage} == of_stage
    assert set(of_pipeline) <= set(read().parameters())


@few
@given(drawn.turns("bia"))
def test_turns_are_turns(turn: Turn) -> None:
    """A turn has words, a moment with an offset, and an id that follows from what was said."""
    assert turn.agent_id == "bia"
    assert turn.text.strip()
    assert turn.occurred_at.tzinfo is not None


@few
@given(drawn.chains())
def test_chains_do_not_overlap(chain: tuple[Fact, ...]) -> None:
    """Versions follow each other without a gap or an overlap, and only the last is open."""
    for before, after in pairwise(chain):
        assert before.valid_to == after.valid_from
        assert after.supersedes_fact_id == before.id
    assert [fact.valid_to is None for fact in chain] == [False] * (len(chain) - 1) + [True]


@few
@given(st.data())
def test_decisions_concern_what_is_known(data: st.DataObject) -> None:
    """A decision names a known fact exactly where it concerns one."""
    known = data.draw(st.lists(drawn.facts(), max_size=3))
    decision = data.draw(drawn.decisions(known))
    assert (decision.target_id in {fact.id for fact in known}) == (decision.action != "ADD")


@few
@given(drawn.tables())
def test_tables_are_ranked(table: object) -> None:
    """A table of candidates has one length, and its best formula first."""
    scores = table["formula"].tolist()  # type: ignore[index]
    assert scores == sorted(scores, reverse=True)
    assert len(table) == len(scores)  # type: ignore[arg-type]


@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(drawn.facts(dim=8), max_size=4, unique_by=lambda fact: fact.id))
def test_facts_can_be_stored(facts: list[Fact]) -> None:
    """Facts that are drawn go into a store and come back."""
    with Store.open("memory://", embedder_name="test", embedder_dim=8) as store:
        store.append("write", "ana", facts, unit_id="u", recorded_at=drawn.START)
        assert [store.view("ana").fact(fact.id) for fact in facts] == facts


@pytest.mark.parametrize("unit", [Share, Count, Days, Tokens, bool, dict[str, Share], tuple[Share, ...], Share | None])
def test_examples_are_legal(unit: object) -> None:
    """The fixed examples of an annotation are at least two legal values."""
    from pydantic import TypeAdapter

    found = drawn.examples_of(unit)
    assert len(found) >= 2
    for value in found:
        TypeAdapter(unit).validate_python(value)


def test_every_parameter_of_the_box_can_be_drawn() -> None:
    """There is a strategy for each parameter of both documented pipelines."""
    for pipeline in (read(), write()):
        assert drawn.settings_of(pipeline) is not None


def test_without_hypothesis() -> None:
    """Where hypothesis is missing, importing arandu_lab.testing works and what needs it says what to install."""
    code = (
        "import sys; sys.modules['hypothesis'] = None\n"
        "from arandu_lab.testing import check_stage\n"
        "try: check_stage(None)\n"
        "except ValueError as error: print(error)\n"
        "try: import arandu_lab.testing.strategies\n"
        "except ValueError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.count("pip install 'arandu-lab[testing]'") == 2
    assert issubclass(ConfigError, ValueError)

"""Every registered stage keeps the contract, whoever wrote it: ``arandu_lab.testing.check_stage`` tries each claim."""

from __future__ import annotations

import pytest

from arandu_lab.config import MemoryConfig
from arandu_lab.pipeline import REGISTRY
from arandu_lab.pipeline.stage import Definition
from arandu_lab.testing import Broken, check_stage
from arandu_lab.testing.stages_on_paper import ON_PAPER
from arandu_lab.testing.stages_running import RUNNING

BOX = ("arandu_lab.write.", "arandu_lab.read.", "arandu_lab.jobs.", "arandu_lab.workspace.")
"""Where stages of a memory live; those of an instrument (``overhear``) are tried where it is."""

NAMES = [name for name in REGISTRY.names() if REGISTRY.stage(name).module.startswith(BOX)]
STAGES = [name for name in NAMES if isinstance(REGISTRY.stage(name), Definition)]
PARAMETERS = [(name, parameter) for name in STAGES for parameter in REGISTRY.stage(name).parameters]
ELSEWHERE = {
    "cross_encoder": "needs a model on this machine",
    "join_readings": "takes what three askings of a fall-back gave",
}


@pytest.mark.parametrize("name", NAMES)
def test_stages_on_paper(name: str) -> None:
    """A stage is a value with a sentence, types, ranges that refuse, a place in every sweep, and a name to edit by."""
    held = check_stage(REGISTRY.stage(name), only=[claim.name for claim in ON_PAPER])
    assert {why for _, why in held.passed_over} <= {"it has no parameters", "a group has no parameters of its own"}


def test_stages_as_they_run() -> None:
    """On what flows in the box each stage gives its type, a span, a full account, the same again, and changes nothing."""
    broken, silent = [], {}
    for name in NAMES:
        if name != "cross_encoder":
            try:
                held = check_stage(REGISTRY.stage(name), only=[claim.name for claim in RUNNING])
                silent |= dict.fromkeys([name] if held.passed_over else [], True)
            except Broken as error:
                broken.append(str(error))
    assert not broken, "\n".join(broken)
    assert set(silent) <= set(ELSEWHERE)


def test_every_setting_is_read_or_chooses() -> None:
    """Each setting of ``MemoryConfig`` is read by some stage, chooses the assembly, or is named as the memory's."""
    read: set[str] = {parameter for _, parameter in PARAMETERS}
    elsewhere: dict[str, str] = {
        "recent_messages_limit": "Memory cuts the messages it passes on",
        "auto_reinforce": "Memory counts retrievals",
        "fuzzy_threshold": "resolution",
    }
    flags = {name for name in MemoryConfig.model_fields if name.startswith("enable_")}
    assert set(MemoryConfig.model_fields) - read - flags - set(elsewhere) == set()


def test_every_setting_is_documented() -> None:
    """Each setting has one line of doc that ends with a full stop."""
    for row in MemoryConfig.table():
        assert row["doc"].endswith("."), row["name"]

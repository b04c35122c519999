"""Pipelines and systems of one's own: in a run, in its address, in its workers, in ``made.toml`` and back."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from arandu_lab import stage
from arandu_lab.bench.artifacts import own_source, step_address
from arandu_lab.bench.assemblies import read_assembly, told_assembly
from arandu_lab.bench.made import rows_made
from arandu_lab.bench.owned import owned, packed, source_digest, unpacked
from arandu_lab.bench.plan import Row, plan_of
from arandu_lab.bench.rows import changed, filled, open_row
from arandu_lab.bench.toml import toml
from arandu_lab.config import MemoryConfig
from arandu_lab.errors import ConfigError
from arandu_lab.pipeline.registry import REGISTRY
from arandu_lab.presets import Assembly, arandu, tuned, tuned_turns
from arandu_lab.read.found import Candidates

STAGE = """
from arandu_lab import stage
from arandu_lab.read.found import Candidates
from {beside} import FLOOR

@stage
def {name}(found: Candidates, lab: object, *, halves: int = 1) -> Candidates:
    "Nothing, in a module of its own."
    return found
"""


@stage
def nothing_at_all(found: Candidates, lab: object, *, halves: int = 1) -> Candidates:
    """Passes on what it gets."""
    return found


def assembly(**config: object) -> Assembly:
    box = arandu(**config)
    return Assembly(box.config, box.write, box.read.before("cut", nothing_at_all()))


def address(row: Row) -> str:
    return step_address(row, digest="d", conversation="c", depth=20, seed=0, code="x")


def test_an_assembly_of_the_box_goes_through_text_and_back() -> None:
    """Pipelines written down are the pipelines read, pins, groups and fall-backs included."""
    for one in (arandu(), tuned(), tuned_turns()):
        again = read_assembly(told_assembly(one))
        assert (again.write, again.read) == (one.write, one.read)
    pinned = arandu().read.pin({"score_weights": {"semantic": 1.0}, "topk_facts": 3})
    assert read_assembly({"read": repr(pinned)}).read == pinned


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"read": "__import__('os').system('true')"}, "is no stage"),
        ({"read": "plan(now=open('x'))"}, "plain value"),
        ({"read": "plan() >>"}, "invalid syntax"),
        ({"read": "plann()"}, "'plan'"),
        ({"reed": "plan()"}, "'read'"),
        ({"read": "plan()", "modules": ["no_such_module_of_mine"]}, "no_such_module_of_mine.*PYTHONPATH"),
        ({"read": "plan()", "modules": ["__main__"]}, "notebook or script .* module of your own"),
    ],
)
def test_a_text_is_read_as_stages_and_nothing_else(table: dict[str, object], said: str) -> None:
    """A configuration runs no code of its own: what is no stage with plain values is refused, and says what it is."""
    with pytest.raises(ConfigError, match=said):
        read_assembly(table)


def test_a_row_is_addressed_by_pipelines_settings_and_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another pin, setting, stage or source is another address; the row's name is not, nor is the file's place."""
    base = Row(name="a", base="arandu", assembly=assembly())
    assert address(base) == address(replace(base, name="b"))
    other = Assembly(base.assembly.config, base.assembly.write, base.assembly.read.without("judge"))
    differing = [
        base,
        Row(name="a", base="arandu"),
        replace(base, options={"topk_facts": 3}),
        replace(base, options={"halves": 2}),
        replace(base, assembly=assembly(topk_facts=4)),
        replace(base, assembly=other),
    ]
    assert len({address(row) for row in differing}) == len(differing)
    assert address(replace(base, options={"topk_facts": 4})) == address(replace(base, assembly=assembly(topk_facts=4)))
    assert changed(replace(base, options={"halves": 2})) == {"halves": 2}

    digests = []
    for floor, used in ((1, "mine"), (2, "mine"), (2, "not_used")):
        monkeypatch.delitem(sys.modules, "own_floor_of_mine", raising=False)
        folder = tmp_path / f"{floor}{used}"
        folder.mkdir()
        (folder / "own_floor_of_mine.py").write_text(f"FLOOR = {floor}\n")
        (folder / "own_stage_of_mine.py").write_text(STAGE.format(beside="own_floor_of_mine", name="own_stage_of_mine"))
        (folder / "other_of_mine.py").write_text(f"# {used}\n")
        monkeypatch.syspath_prepend(str(folder))
        monkeypatch.delitem(sys.modules, "own_stage_of_mine", raising=False)
        made = __import__("own_stage_of_mine").own_stage_of_mine
        digests.append(source_digest(owned(made() >> nothing_at_all())))
    assert digests[0] != digests[1] == digests[2]  # a module that is imported counts, one that is not does not


def test_a_row_of_ones_own_is_written_down_filled_and_read_back(tmp_path: Path) -> None:
    """``made.toml`` holds pipelines and settings; read back, it is the row that was run, under the same address."""
    row = Row(name="mine", base="arandu", assembly=assembly(topk_facts=4), options={"halves": 2, "embedder": "hashing"})
    text = toml(rows_made([row], 0))
    import tomllib

    table = tomllib.loads(text)["system"]["mine"]
    table["assembly"].pop("modules")  # this file is no module that can be imported by its name
    (again,) = plan_of({"run": {"datasets": ["x"], "systems": ["mine"]}, "system": {"mine": table}}).rows
    assert filled(again) == filled(row)
    assert address(again) == address(row)
    system = open_row(again, None, language="en", seed=0, path=tmp_path)
    assert "nothing_at_all(halves=2)" in repr(system.assembly.read)
    assert system.assembly.config == MemoryConfig(topk_facts=4)
    for wrong, said in (
        ({"options": {"topk_fact": 3}}, "topk_facts"),
        ({"read": {"cut": {}}}, "beside an assembly"),
        ({"base": "tuned"}, "only 'arandu' takes one"),
    ):
        with pytest.raises(ConfigError, match=said):
            filled(replace(row, **wrong))


def test_sources_of_main_count_by_what_is_used() -> None:
    """In ``__main__`` a stage counts by itself and by what it uses, not by the cells beside it."""
    cells = {
        "SHARE = 0.5": "SHARE = 0.6",
        "def help(x):\n    return x * SHARE": "def help(x):\n    return x + SHARE",
        "def used(x):\n    return help(x)": "def used(y):\n    return help(y)",
        "def beside(x):\n    return 1": "def beside(x):\n    return 2",
    }

    def digest(*swapped: str) -> str | None:
        space: dict[str, object] = {"__name__": "__main__"}
        exec("\n".join(cells[one] if one in swapped else one for one in cells), space)
        return source_digest([space["used"]])

    *mine, beside = cells
    assert digest() == digest() == digest(beside)
    assert len({digest(), *(digest(one) for one in mine[:2])}) == 3


def test_what_was_defined_in_main_goes_to_another_process(tmp_path: Path) -> None:
    """A script without a guard, with stages, a group and a system of its own, runs in two workers; so does a notebook."""
    script = tmp_path / "study.py"
    script.write_text(SCRIPT, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.split() == ["mine", "newest", "0"]


@pytest.mark.parametrize("command", ["run", "sweep"])
def test_a_module_in_the_current_folder_goes_to_another_process(tmp_path: Path, command: str) -> None:
    """A stage of five lines in a file beside the configuration runs in two workers, with nothing else set up."""
    (tmp_path / "mine_beside.py").write_text(BESIDE, encoding="utf-8")
    told = {
        "command": command,
        "head": HEADS[command],
        "read": str(arandu().read).replace("cut()", "mine_beside() >> cut()"),
    }
    (tmp_path / "own.toml").write_text(OWN.format(**told), encoding="utf-8")
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        for file, text in TINY.items():
            (folder / file).write_text(text.replace("NAME", name), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "arandu_lab.cli", command, "own.toml", "--jobs", "2"],
        cwd=tmp_path,
        env={**{k: v for k, v in os.environ.items() if k != "PYTHONPATH"}, "PYTHONSAFEPATH": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert "Report:" in done.stdout


def test_a_process_has_one_registry() -> None:
    """However a definition is sent, the registry behind it is named and never copied."""
    for one in (nothing_at_all, nothing_at_all(), REGISTRY, REGISTRY.stage):
        assert len(packed(one)) < 10_000
    assert pickle.loads(packed(REGISTRY)) is REGISTRY is pickle.loads(pickle.dumps(REGISTRY))
    assert pickle.loads(packed(nothing_at_all)) is nothing_at_all


def test_packing_keeps_resolved_types() -> None:
    """A definition that was packed by value has its parameters and types, whatever its annotations were written as."""
    module, nothing_at_all.module = nothing_at_all.module, "__main__"
    try:
        data = packed(nothing_at_all)
    finally:
        nothing_at_all.module = module
    again = unpacked(data)
    assert again is not nothing_at_all
    assert again.accepts is Candidates
    assert list(again.parameters) == ["halves"]


def test_own_source_of_a_factory_is_its_source() -> None:
    """A class of one's own is addressed by what it is, the box by nothing."""

    class Mine:
        pass

    assert own_source(Row(name="m", base="x:Mine", factory=Mine))
    assert own_source(Row(name="m", base="bm25")) is None


BESIDE = """
from arandu_lab import stage
from arandu_lab.read.found import Candidates

@stage
def mine_beside(found: Candidates, lab: object, *, halves: int = 1) -> Candidates:
    "Passes on what it gets."
    return found
"""

HEADS = {
    "run": 'name = "own"\nsystems = ["mine"]\ncurve = [1]\ndepth = 3',
    "sweep": 'system = "mine"\n[grid]\nhalves = [1, 2]',
}

OWN = """
[{command}]
datasets = ["one", "two"]
measures = ["R@1"]
{head}

[system.mine]
base = "arandu"
embedder = "hashing"

[system.mine.assembly]
read = "{read}"
modules = ["mine_beside"]
"""

TINY = {
    "set.toml": 'gold = false\nname = "NAME"\nlanguage = "en"\ntitle = "Tiny"\ndescription = "Tiny."\n'
    'licence = "MIT"\ntimezone = "UTC"\nspeakers = ["Ana"]\n',
    "turns.jsonl": '{"id": "s01t01", "session": "s01", "occurred_at": "2024-03-01T12:00:00+00:00", "speaker": "Ana", '
    '"text": "I live in Recife."}\n',
    "questions.jsonl": '{"id": "q001", "asked_at": "2024-03-02T12:00:00+00:00", "question": "Where does Ana live?", '
    '"answer": "Recife", "evidence": ["s01t01"], "category": "single"}\n',
}

SCRIPT = """
from arandu_lab import experiment, group, stage
from arandu_lab.bench.data.model import Conversation, Dataset, DatedTurn, Question, Session
from arandu_lab.presets import Assembly, arandu
from arandu_lab.read.found import Candidates
from arandu_lab.systems.base import Ranked, RankedTurn
from arandu_lab.trace import Usage
from arandu_lab.bench import report
from datetime import UTC, datetime

SHARE = 0.5
NOON = datetime(2024, 3, 1, 12, tzinfo=UTC)

@stage
def halve(found: Candidates, lab: object, *, halves: int = 1) -> Candidates:
    "Uses a global of the script."
    assert SHARE == 0.5
    return found

@group
def twice():
    return halve() >> halve(halves=2)

class Newest:
    name = "newest"
    def __init__(self, size: int = 3):
        self.size = size
    async def begin(self, conversation_id):
        self.heard = []
    async def listen(self, turn):
        self.heard.append(turn.id)
        return Usage()
    async def ask(self, question, *, now, k):
        return Ranked(turns=tuple(RankedTurn(id=one, score=1.0) for one in self.heard[::-1]))
    async def end(self):
        pass

def talk(name):
    turn = DatedTurn(id="t1", session_id="s1", occurred_at=NOON, speaker="Ana", text="I live in Recife.")
    asked = Question(id="q1", text="Where does Ana live?", asked_at=NOON, answer="Recife", evidence=("t1",),
                     evidence_sessions=("s1",), category="single")
    return Conversation(id=name, sessions=(Session(id="s1", occurred_at=NOON),), turns=(turn,), questions=(asked,))

lake = Dataset(name="lake", language="en", title="Lake", licence="MIT", conversations=(talk("c1"),), digest="0" * 64)
box = arandu(enable_reranker=False)
mine = Assembly(box.config, box.write, box.read.before("cut", twice()))
rows = [{"mine": {"assembly": mine, "embedder": "hashing"}}, Newest]
report.write_report = lambda *told: None  # its pictures are looked at elsewhere
found = experiment(rows, lake, ["R@1"], depth=3, jobs=2, results="r", progress=False)
print(*found.frames.questions["system"].unique(maintain_order=True), found.frames.errors.height)
"""

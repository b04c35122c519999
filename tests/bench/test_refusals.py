"""What cannot be meant is refused before anything is run, and what is damaged is never read as nothing."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from arandu_lab import Memory, experiment, sweep
from arandu_lab.bench.data.model import Conversation, Dataset, DatedTurn, Question, Session
from arandu_lab.bench.place import place_of
from arandu_lab.bench.plan import Row
from arandu_lab.bench.sweeps.ingested import ingest_address
from arandu_lab.errors import ConfigError, DatasetError, nearest

START = datetime(2025, 1, 1, tzinfo=UTC)
QUICK = {"quick": {"base": "arandu", "embedder": "hashing"}}


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Results are written without pictures."""
    monkeypatch.setattr("arandu_lab.viz.theme.save", lambda spec, folder, name: None)


def talk(name: str = "c1", *, evidence: tuple[str, ...] = ("t1",), questions: int = 1) -> Conversation:
    """Three turns and a question or more."""
    said = ("I live in Recife.", "My dog is Bidu.", "Bom dia!")
    return Conversation(
        id=name,
        sessions=(Session(id="s", occurred_at=START),),
        turns=tuple(
            DatedTurn(id=f"t{n}", session_id="s", occurred_at=START + timedelta(days=n), speaker="Rui", text=text)
            for n, text in enumerate(said)
        ),
        questions=tuple(
            Question(
                id=f"q{n}",
                text="Which dog?",
                asked_at=START + timedelta(days=9),
                answer="Bidu",
                evidence=evidence,
                evidence_sessions=("s",) if evidence else (),
                category="one",
            )
            for n in range(questions)
        ),
    )


def lake(*talks: Conversation) -> Dataset:
    """A dataset of some conversations."""
    return Dataset(name="lake", language="en", title="", licence="", conversations=talks or (talk(),), digest="0" * 64)


def run(results: Path, **more: Any) -> Any:
    """A small experiment."""
    said = {"systems": "bm25", "dataset": lake(), "measures": ["R@2"], "results": results, "jobs": 1, **more}
    return experiment(**said)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"baseline": 5}, "baseline 5 is no system"),
        ({"relevance": 5}, "relevance = 5; wants the path of corrections"),
        ({"results": None}, "results = None; wants the path of a folder"),
        ({"name": "x" * 300}, "at most 100"),
        ({"dataset": talk()}, "a Conversation is no dataset"),
        ({"systems": int}, "does not say what it takes"),
    ],
)
def test_what_cannot_be_meant_is_told_before_a_run(tmp_path: Path, more: dict[str, Any], said: str) -> None:
    """An argument of the wrong kind is a ConfigError in words, and nothing is written."""
    with pytest.raises(ConfigError, match=said):
        run(**{"results": tmp_path / "r", **more})
    assert not (tmp_path / "r").exists()


def test_corrections_are_read_before_the_run(tmp_path: Path) -> None:
    """A wrong path of corrections costs no replay."""
    with pytest.raises(DatasetError, match=r"none\.json"):
        run(tmp_path / "r", relevance=tmp_path / "none.json")
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize("given", [None, 5, b"x", "a\0b", "x" * 5000])
def test_no_place_for_results(given: object) -> None:
    """What can be no folder is refused."""
    with pytest.raises(ConfigError):
        place_of(given)


def test_a_file_is_no_place_for_results(tmp_path: Path) -> None:
    """Neither a file nor what would lie in one; an experiment and a sweep say it alike."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    for place in (tmp_path / "file", tmp_path / "file" / "r"):
        with pytest.raises(ConfigError, match="is no folder"):
            run(place)
        with pytest.raises(ConfigError, match="is no folder"):
            sweep("arandu", {"topk_facts": [3]}, lake(), results=place)


@pytest.mark.parametrize("which", ["conversation", "question", "none"])
def test_a_dataset_object_is_held_to_what_a_file_is(tmp_path: Path, which: str) -> None:
    """Ids that are there twice would count a question twice; no questions would measure nothing."""
    talks = {"conversation": (talk(), talk()), "none": (talk(questions=0),)}
    two = talk(questions=2).questions
    twice = Conversation(**{**_fields(talk()), "questions": (two[0], two[0])})
    data = lake(*talks.get(which, (twice,)))
    with pytest.raises(DatasetError, match="no questions" if which == "none" else "there twice"):
        run(tmp_path, dataset=data)
    with pytest.raises(DatasetError, match="no questions" if which == "none" else "there twice"):
        sweep("arandu", {"topk_facts": [3]}, data, results=tmp_path)


def _fields(one: Conversation) -> dict[str, Any]:
    return {name: getattr(one, name) for name in ("id", "sessions", "turns", "questions")}


def test_questions_without_evidence_have_tables_of_nulls(tmp_path: Path) -> None:
    """Where no question has evidence a report is written, and no mean is a number."""
    found = run(tmp_path, systems=["bm25", "recency"], dataset=lake(talk(evidence=())))
    assert found.summary()["R@2"].null_count() == found.summary().height
    assert "bm25" in found.to_markdown()


def test_what_is_kept_and_damaged_is_told(tmp_path: Path) -> None:
    """Each file of a result and of a step, cut in half or emptied, is a DatasetError that names the folder."""
    found = run(tmp_path)
    step = next((tmp_path / ".steps").iterdir())
    for name in ("errors.parquet", "questions.parquet", "usage.parquet"):
        _damaged(found.folder / name, tmp_path)
    shutil.rmtree(found.folder)
    for name in ("replay.json", "times.json"):
        _damaged(step / name, tmp_path)


def _damaged(file: Path, results: Path) -> None:
    whole = file.read_bytes()
    for half in (whole[: len(whole) // 2], b""):
        file.write_bytes(half)
        with pytest.raises(DatasetError, match="kept, but damaged") as told:
            run(results)
        assert file.parent.name in str(told.value)
    file.write_bytes(whole)


def test_two_conversations_of_one_wording_have_an_ingest_each() -> None:
    """The address of what was written names the conversation, so a renamed one is never taken for another."""
    row = Row(name="arandu", base="arandu")
    assert ingest_address(row, talk("a"), language="en") != ingest_address(row, talk("b"), language="en")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"backend": "lok"}, "did you mean 'loky'"),
        ({"replay": "recrod"}, "did you mean 'record'"),
        ({"grid": {"topk_facts": [object()]}}, "values are numbers"),
    ],
)
def test_a_sweep_refuses_before_it_works(tmp_path: Path, more: dict[str, Any], said: str) -> None:
    """A mistyped backend or manner and a value that no file could hold are told, whatever is kept already."""
    with pytest.raises(ConfigError, match=said):
        sweep(**{"system": QUICK, "grid": {"topk_facts": [3]}, "dataset": lake(), "results": tmp_path, **more})
    assert not any(tmp_path.glob("ingested/*"))


@pytest.mark.parametrize("more", [{"query": None}, {"query": b"x"}, {"limit": True}, {"limit": 10**30}, {"kind": 5}])
async def test_a_search_takes_words_and_a_number(more: dict[str, Any]) -> None:
    """A query that is no text and a limit that no machine counts to are the caller's mistake."""
    with pytest.raises(ConfigError):
        await Memory.open("memory://", embedder="hashing").search(**{"query": "dog", **more})


@pytest.mark.parametrize("size", [0, -1, "1 GB", True, 2.5, None])
def test_the_memory_for_agents_is_a_number_of_bytes(size: Any) -> None:
    """Nonsense in ``view_bytes`` is refused when the memory is opened, not when it is first full."""
    with pytest.raises(ConfigError, match="view_bytes"):
        Memory.open("memory://", embedder="hashing", view_bytes=size)


def test_names_of_any_type_have_a_nearest() -> None:
    """A message about a wrong name never fails for the name's type."""
    assert nearest(None, ["a"]) == "known: a"
    assert nearest(5, ["a"]) == "known: a"


@pytest.mark.parametrize("option", ["--docs", "--page"])
def test_the_gate_is_told_where_before_it_judges(tmp_path: Path, option: str) -> None:
    """A document that is not there, or a page in no folder, is the caller's mistake (2), not a broken run (3)."""
    from arandu_lab.cli.gating import gate

    folder = run(tmp_path).folder
    given = {option.removeprefix("--"): tmp_path / "none" / "x.md"}
    with pytest.raises(ConfigError, match=option):
        gate(**{"result": str(folder), "baseline": folder, **given})


def test_a_result_without_questions_is_none(tmp_path: Path) -> None:
    """A table of questions with no row is told, never compared."""
    from arandu_lab.bench.made import read_result

    folder = run(tmp_path).folder
    pl.read_parquet(folder / "questions.parquet").head(0).write_parquet(folder / "questions.parquet")
    with pytest.raises(DatasetError, match="no questions"):
        read_result(folder)


def test_a_torn_line_of_corrections_has_its_number(tmp_path: Path) -> None:
    """The line that is no JSON is named, wherever it stands in the file."""
    from arandu_lab.bench.overlay import Overlay

    file = tmp_path / "fixes.jsonl"
    file.write_text('{"conversation": "c1", "question": "q0", "absent": true}\n{"conversa', encoding="utf-8")
    with pytest.raises(DatasetError, match=r"fixes\.jsonl:2: not JSON"):
        Overlay.read(file, lake())
    file.write_text('{"conversation": "c1", "question": "q0", "evidence": [["t1"]]}', encoding="utf-8")
    with pytest.raises(DatasetError, match="wants a list of turn ids"):
        Overlay.read(file, lake())

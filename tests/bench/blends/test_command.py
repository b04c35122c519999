"""From a set on disk to a blend in a file: the command, end to end, on a set of a few turns."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest

from arandu_lab.bench.blends.collect import collect, keep, kept
from arandu_lab.bench.blends.folds import folds_of
from arandu_lab.bench.blends.plan import plan_of, read_blend_plan
from arandu_lab.bench.blends.report import summary, weights
from arandu_lab.bench.data.model import Conversation, Dataset, Question, Session
from arandu_lab.bench.data.registry import load
from arandu_lab.bench.plan import Row
from arandu_lab.blends.blend import Blend
from arandu_lab.blends.judged import Judged
from arandu_lab.cli import main
from arandu_lab.embed.open import open_embedder
from arandu_lab.errors import ConfigError, DatasetError
from arandu_lab.read.evidence import COLUMNS
from arandu_lab.systems.base import DatedTurn

ROW = Row(name="tuned-turns", base="tuned-turns", options={"embedder": "hashing"})
SAID = ("I live in Porto now.", "My dog is called Bento.", "I work at the harbour.", "Rain again today.")


def locomo(path: Path, conversations: int = 2) -> Path:
    """A file in LoCoMo's shape."""
    rows = []
    for number in range(conversations):
        turns = [
            {"speaker": ("Ana", "Rui")[place % 2], "dia_id": f"D1:{place + 1}", "text": text}
            for place, text in enumerate(SAID)
        ]
        rows.append(
            {
                "sample_id": f"conv-{number}",
                "conversation": {
                    "speaker_a": "Ana",
                    "speaker_b": "Rui",
                    "session_1_date_time": "1:56 pm on 8 May, 2023",
                    "session_1": turns,
                },
                "qa": [
                    {"question": "Where does Ana live?", "answer": "Porto", "evidence": ["D1:1"], "category": 4},
                    {"question": "What is Rui's dog called?", "answer": "Bento", "evidence": ["D1:2"], "category": 4},
                ],
            }
        )
    path.write_text(json.dumps(rows))
    return path


def test_one_command_learns_a_blend(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command writes a blend that fits the pipeline, a report with held out figures, and the same bytes again."""
    data = locomo(tmp_path / "locomo10.json")
    config = tmp_path / "blend.toml"
    config.write_text(
        '[blend]\nname = "mine"\nsets = ["locomo"]\n[system.tuned-turns]\nembedder = "hashing"\n', encoding="utf-8"
    )
    out = tmp_path / "mine.json"
    given = ["fit-blend", str(config), "--data", str(data), "--out", str(out), "--results", str(tmp_path / "results")]
    with pytest.raises(SystemExit) as done:
        main(given)
    assert done.value.code == 0
    blend = Blend.load(out)
    blend.check(COLUMNS, open_embedder("hashing").name)
    assert [(one.set, one.questions) for one in blend.trained_on] == [("locomo10", 4)]
    assert blend.figures["held-out R@5"] == 1.0
    (folder,) = (tmp_path / "results").glob("blend-mine-*")
    assert "conv-0" not in (folder / "report.md").read_text(encoding="utf-8")
    assert {"report.md", "blend.json", "held_out.parquet", "weights.svg"} <= {path.name for path in folder.iterdir()}
    first = {path.name: path.read_bytes() for path in folder.iterdir()} | {"out": out.read_bytes()}
    with pytest.raises(SystemExit):
        main(given)
    assert first == {path.name: path.read_bytes() for path in folder.iterdir()} | {"out": out.read_bytes()}
    assert "4 questions learned from" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[blend]\nsets = ["harbor_en"]\nl3 = 1', "unknown .* 'l3'; did you mean|known"),
        ("[blend]\nsets = []", "at least one"),
        ('[blend]\nsets = ["harbor_en"]\nl2 = -1', "l2 = -1"),
        ('[blend]\nsets = ["harbor_en"]\nwithout = ["date"]', "no family or column 'date'; did you mean 'dates'"),
        ('[blend]\nsets = [{name = "harbor_en", weight = 0}]', "weight 0"),
        (
            '[blend]\nsets = ["harbor_en"]\nsystem = "tuned"\n[system.tuned-turns]\nllm = "x"',
            "unknown .* 'tuned-turns'",
        ),
    ],
)
def test_a_plan_is_read_strictly(tmp_path: Path, text: str, said: str) -> None:
    """Unknown keys and values that cannot be meant are refused with the file's name."""
    path = tmp_path / "blend.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=said) as caught:
        read_blend_plan(path)
    assert str(path) in str(caught.value)


def test_the_plan_that_ships_is_over_our_own_sets() -> None:
    """Sets of others have licences of their own; both tongues of a world are one story."""
    plan = read_blend_plan(Path(__file__).parents[3] / "configs" / "blend.toml")
    assert plan.name == "default"
    assert {load(one.name).licence for one in plan.sets} == {"MIT"}
    assert plan.stories == {"brook_en": "brook", "brook_pt": "brook", "cove_en": "cove", "cove_pt": "cove"}
    assert plan.over(["harbor_en", "new"]).weights == {"harbor_en": 1.0, "new": 1.0}


def test_columns_are_those_of_the_moment(tmp_path: Path) -> None:
    """A question sees the turns said by its date and no later one; what is collected is kept, and read back the same."""
    start = datetime(2024, 5, 1, 12, tzinfo=UTC)
    turns = tuple(
        DatedTurn(id=f"t{n}", session_id="s", occurred_at=start + timedelta(hours=n), speaker="Ana", text=text)
        for n, text in enumerate(SAID)
    )
    asks = [("early", 0.5, ("t0",)), ("late", 9.0, ("t0", "t3")), ("never", 9.0, ()), ("unheard", 0.6, ("t0", "t2"))]
    talk = Conversation(
        id="c",
        sessions=(Session(id="s", occurred_at=start),),
        turns=turns,
        questions=tuple(
            Question(
                id=name,
                text="Where does Ana live?",
                asked_at=start + timedelta(hours=hours),
                answer=None,
                evidence=evidence,
                evidence_sessions=(),
                category="k",
            )
            for name, hours, evidence in asks
        ),
    )
    dataset = Dataset(name="d", language="en", title="", licence="", conversations=(talk,), digest="0" * 64)
    found = {one.question: one for one in collect(ROW, [dataset], tmp_path)}
    assert list(found) == ["early", "unheard", "late"]
    assert [len(found[name].open) for name in found] == [1, 1, 4]
    assert found["late"].relevant.tolist() == [True, False, False, True]
    assert (found["unheard"].evidence, found["unheard"].missing) == (2, 1)
    assert tuple(found["late"].columns) == tuple(COLUMNS)
    assert found["late"].columns["bm"].argmax() == 0
    (address,) = tmp_path.iterdir()
    assert [one.question for one in collect(ROW, [dataset], tmp_path)] == list(found)
    assert list(tmp_path.iterdir()) == [address]
    again = tmp_path / "again"
    keep(again, list(found.values()))
    assert (again / "columns.parquet").read_bytes() == (address / "columns.parquet").read_bytes()
    assert [one.question for one in kept(again)] == list(found)


def test_systems_without_columns_and_sets_without_evidence_are_refused(tmp_path: Path) -> None:
    """The errors say which systems have columns, and that there is nothing to learn from."""
    dataset = load(locomo(tmp_path / "locomo10.json", 1))
    with pytest.raises(ConfigError, match="tuned and tuned-turns do"):
        collect(Row(name="bm25", base="bm25"), [dataset], tmp_path / "steps")
    with pytest.raises(DatasetError, match="nothing to learn from"):
        collect(
            ROW,
            [_mute(dataset)],
            tmp_path / "steps",
        )


def _mute(dataset: Dataset) -> Dataset:
    talks = tuple(replace(one, questions=()) for one in dataset)
    return replace(dataset, conversations=talks, digest="1" * 64)


def test_a_story_told_twice_makes_no_interval_narrower() -> None:
    """The held-out interval is over stories: told again in another language, the same recalls leave it as it is."""
    once = pl.DataFrame(
        {
            "dataset": "d_en",
            "conversation": list("aabbcc"),
            "question": list("123456"),
            "category": "x",
            "language": "en",
            "evidence": 1,
            **{f"R@{k}": [0.4, 0.5, 0.3, 0.8, 0.6, 0.7] for k in (1, 5, 10, 20, 50)},
        }
    )
    twice = pl.concat([once, once.with_columns(pl.lit("d_pt").alias("dataset"))])
    bounds = [summary(frame, ()).select("low", "high").row(0) for frame in (once, twice)]
    assert bounds[0] == pytest.approx(bounds[1])


def test_tellings_of_one_story_are_one_fold(judged: list[Judged]) -> None:
    """A story is held out in every language at once, whether or not the plan names it."""
    both = [replace(one, dataset=name) for one in judged for name in ("d_en", "d_pt")]
    folds = dict(zip(((one.dataset, one.conversation) for one in both), folds_of(both), strict=True))
    assert all(folds["d_en", one.conversation] == folds["d_pt", one.conversation] for one in judged)
    assert len(set(folds.values())) == len({one.conversation for one in judged})


def test_the_tables_of_a_report(judged: list[Judged]) -> None:
    """Parts add up to the whole; one conversation has no interval; only columns that count are in the table of weights."""
    frame = pl.DataFrame(
        {
            "dataset": ["d"] * 4,
            "conversation": ["a", "a", "b", "b"],
            "question": list("1234"),
            "category": ["x", "y", "x", "y"],
            "language": ["en"] * 4,
            "evidence": [1, 1, 5, 4],
            **{f"R@{k}": [0.0, 1.0, 1.0, 1.0] for k in (1, 5, 10, 20, 50)},
        }
    )
    table = summary(frame)
    assert table.select("part", "of", "questions", "R@10").rows() == [
        ("all", "", 4, 0.75), ("category", "x", 2, 0.5), ("category", "y", 2, 1.0),
        ("evidence", "1", 2, 0.5), ("evidence", "4+", 2, 1.0),
    ]  # fmt: skip
    assert (table["low"][0], table["high"][0]) == (0.0, 1.0)
    assert table["low"][4] is None
    plan = plan_of({"blend": {"sets": ["harbor_en"]}})
    assert (plan.row.base, plan.l2, plan.signs) == ("tuned-turns", 100.0, True)
    assert weights(Blend(name="n", terms=(), embedder="use")).is_empty()

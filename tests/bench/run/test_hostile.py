"""Systems, options and files that are wrong: each is refused or counted where it is wrong, in one line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from arandu_lab.bench.measures import chance
from arandu_lab.bench.plan import Row, plan_of
from arandu_lab.bench.rows import changed
from arandu_lab.errors import ConfigError
from arandu_lab.systems.controls import control

Lab = Callable[..., tuple[int, str, str]]
Config = Callable[..., Path]

HOSTILE = """
from pond_fakes import Keeper
from arandu_lab.systems.base import Ranked, RankedFact, RankedTurn


class Begin(Keeper):
    async def begin(self, conversation_id):
        raise ValueError("no begin\\n  [/bold] twice")


class Listen(Keeper):
    async def listen(self, turn):
        if turn.id == "s02t01":
            raise RuntimeError("boom")
        return await super().listen(turn)


class Silent(Keeper):
    async def listen(self, turn):
        await super().listen(turn)


class Exits(Keeper):
    async def ask(self, question, *, now, k):
        raise SystemExit(0)


class Cancels(Keeper):
    async def ask(self, question, *, now, k):
        import asyncio
        raise asyncio.CancelledError


class Nothing(Keeper):
    async def ask(self, question, *, now, k):
        return None


class Ends(Keeper):
    async def end(self):
        raise ValueError("no end")


class Shy(Keeper):
    async def extracted(self):
        raise ValueError("no look inside")


class Opens(Keeper):
    def __init__(self):
        raise SystemExit("no opening")


class Nan(Keeper):
    score = float("nan")

    async def ask(self, question, *, now, k):
        if "dog" in question:
            return Ranked(turns=(RankedTurn(id=self.heard[0], score=self.score),))
        return await super().ask(question, now=now, k=k)


class Text(Nan):
    score = "high"


class NanFact(Keeper):
    async def ask(self, question, *, now, k):
        if "dog" in question:
            return Ranked(facts=(RankedFact(text="x", score=float("nan"), turn_ids=(self.heard[0],)),))
        return await super().ask(question, now=now, k=k)


class Typed(Keeper):
    def __init__(self, *, words: tuple[str, ...] = (), limit: int | None = None, foreign: "Unknown" = None):
        pass
"""


@pytest.fixture
def hostile(fakes: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "code" / "pond_hostile.py").write_text(HOSTILE, encoding="utf-8")
    (tmp_path / "code" / "pond_leaves.py").write_text("raise SystemExit(0)", encoding="utf-8")
    monkeypatch.delitem(__import__("sys").modules, "pond_hostile", raising=False)
    return "pond_hostile"


def frame(tmp_path: Path, name: str) -> pl.DataFrame:
    (found,) = (tmp_path / "results").glob("*/made.toml")
    return pl.read_parquet(found.parent / f"{name}.parquet")


@pytest.mark.parametrize(
    ("name", "answered", "lost", "reason"),
    [
        ("Opens", 0, 8, "SystemExit: no opening"),
        ("Begin", 0, 8, "ValueError: no begin [/bold] twice"),
        ("Listen", 0, 4, "RuntimeError: boom"),
        ("Silent", 0, 8, "NoneType"),
        ("Exits", 0, 6, "SystemExit: 0"),
        ("Cancels", 0, 6, "CancelledError"),
        ("Nothing", 0, 6, "TypeError: ask returned NoneType"),
    ],
)
def test_a_break_is_counted_where_it_was(
    lab: Lab, config: Config, hostile: str, tmp_path: Path, name: str, answered: int, lost: int, reason: str
) -> None:
    """R3: whatever a system raises, SystemExit too, fails its step alone: exit 4, and the turns not heard are counted."""
    extra = f'[system.x]\nbase = "{hostile}:{name}"'
    code, out, said = lab("run", config("x", "bm25", extra=extra))
    assert code == 4
    assert f"x × pond: {answered} of 5 questions answered, {lost} of 8 turns lost" in said
    assert reason in out
    rows = frame(tmp_path, "questions")
    mine = rows.filter(pl.col("system") == "x")
    assert set(mine["state"]) == {"failed"}
    assert all(reason in one and "\n" not in one for one in mine["error"])
    assert rows.filter(pl.col("system") == "bm25")["R@3"].null_count() == 1


@pytest.mark.parametrize(("name", "phase"), [("Ends", "end"), ("Shy", "inside")])
def test_what_fails_after_the_last_question_costs_no_answer(
    lab: Lab, config: Config, hostile: str, tmp_path: Path, name: str, phase: str
) -> None:
    """R3: an error of end() or of a look inside is told and fails a run that wants all, the answers stand."""
    extra = f'[system.x]\nbase = "{hostile}:{name}"'
    code, _, said = lab("run", config("x", extra=extra))
    assert code == 4
    assert f"x × pond, {phase}: ValueError" in said
    assert frame(tmp_path, "questions")["R@3"].null_count() == 1
    assert frame(tmp_path, "errors")["phase"].to_list() == [phase]
    assert lab("run", config("x", extra=extra, run="coverage = 0.9"), "--out", tmp_path / "other")[0] == 0


@pytest.mark.parametrize("name", ["Nan", "Text", "NanFact"])
def test_a_score_that_is_no_number_is_an_error_of_its_question(
    lab: Lab, config: Config, hostile: str, tmp_path: Path, name: str
) -> None:
    """R3: a ranking by NaN is no ranking: that question is null with its reason, the others have their values."""
    code, _, said = lab("run", config("x", extra=f'[system.x]\nbase = "{hostile}:{name}"'))
    assert code == 4
    assert "4 of 5 questions answered, 0 of 8 turns lost" in said
    rows = {row["question"]: row for row in frame(tmp_path, "questions").iter_rows(named=True)}
    assert (rows["q2"]["R@3"], rows["q2"]["state"]) == (None, "failed")
    assert "is no number to rank by" in rows["q2"]["error"]
    assert rows["q1"]["R@3"] == 1.0


@pytest.mark.parametrize(
    ("base", "options", "said"),
    [
        ("bm25", {"k1": "x"}, "k1 = 'x'; input should be a valid number"),
        ("bm25", {"k1": True}, "k1 = True"),
        ("bm25", {"k1": float("nan")}, "k1 = nan"),
        ("bm25", {"k1": -1.0}, "k1 must be above 0"),
        ("bm25", {"variant": "okapy"}, "'okapi' or 'lucene'"),
        ("bm25", {"template": 3}, "template = 3"),
        ("bm25", {"template": "text+name"}, "part 'name'"),
        ("random", {"seed": "a"}, "seed = 'a'"),
        ("verbatim", {"window": 1.5}, "window = 1.5"),
        ("verbatim", {"window": -1}, "window=-1"),
        ("dense", {"embedder": 5}, "embedder = 5"),
        ("dense", {"embedder": "hushing"}, "did you mean 'hashing'?"),
        ("arandu", {"embedder": "hushing"}, "did you mean 'hashing'?"),
        ("pond_hostile:Typed", {"words": "a"}, "words = 'a'"),
        ("pond_hostile:Typed", {"limit": True}, "limit = True"),
        ("pond_leaves:Thing", {}, "importing it fails: SystemExit"),
    ],
)
def test_an_option_of_another_kind_is_refused_before_anything_runs(
    hostile: str, base: str, options: dict[str, object], said: str
) -> None:
    """R3: text for a number, a truth value for a number, no number at all, a value out of range: refused by name."""
    with pytest.raises(ConfigError) as refused:
        changed(Row(name="x", base=base, options=options))
    assert "[system.x]" in str(refused.value)
    assert said in str(refused.value)


def test_an_option_that_fits_is_let_by(hostile: str) -> None:
    """R1: a whole number for a real one, a list for a tuple, and whatever stands under an unknown annotation."""
    assert changed(Row(name="x", base="bm25", options={"k1": 2}))["k1"] == 2
    row = Row(name="x", base="pond_hostile:Typed", options={"words": ["a"], "limit": 3, "foreign": "any"})
    assert set(changed(row)) == {"words", "limit", "foreign"}


@pytest.mark.parametrize("options", [{"k1": "x"}, {"b": None}])
def test_a_control_checks_its_options(options: dict[str, object]) -> None:
    """R3: control() refuses an option of another type, and dense an embedder that is none."""
    with pytest.raises(ConfigError, match="control 'bm25'"):
        control("bm25", **options)
    with pytest.raises(ConfigError, match="embedder int"):
        control("dense", embed=5)


def test_a_wrong_option_runs_nothing(lab: Lab, config: Config, tmp_path: Path) -> None:
    """R3: exit code 2, one line, and no step of any system was replayed."""
    code, _, said = lab("run", config("random", "bm25", extra='[system.bm25]\nk1 = "x"'))
    assert (code, said.count("\n")) == (2, 1)
    assert not (tmp_path / "results").exists()


def test_no_measures_are_refused() -> None:
    """R3: an empty list of measures is a mistake, told before anything runs."""
    with pytest.raises(ConfigError, match="at least one"):
        plan_of({"run": {"datasets": ["a"], "systems": ["b"], "measures": []}})


@pytest.mark.parametrize("name", ["questions.jsonl", "turns.jsonl"])
def test_an_empty_file_is_named(lab: Lab, config: Config, pond: Path, name: str) -> None:
    """R3: a set without turns or questions is the data's fault: code 3 and the file's name, in one line."""
    path = config("bm25")
    (pond / name).write_text("\n" if name == "turns.jsonl" else "", encoding="utf-8")
    code, _, said = lab("run", path)
    assert (code, said.count("\n")) == (3, 1)
    assert f"{name}:0: is empty" in said


def test_a_byte_order_mark_is_no_part_of_a_line(lab: Lab, config: Config, pond: Path) -> None:
    """R1: files that an editor marked as UTF-8 are read as if they were not, the configuration too."""
    path = config("bm25")
    for one in (*pond.iterdir(), path):
        one.write_bytes(b"\xef\xbb\xbf" + one.read_bytes())
    assert lab("run", path)[0] == 0


def test_results_go_to_a_folder(lab: Lab, config: Config, tmp_path: Path) -> None:
    """R3: --out that is a file, or lies under one, is refused before the run."""
    file = tmp_path / "file"
    file.write_text("mine", encoding="utf-8")
    for out in (file, file / "below"):
        code, shown, said = lab("run", config("bm25"), "--out", out)
        assert (code, shown) == (2, "")
        assert f"{file} is no folder" in said
    assert file.read_text("utf-8") == "mine"


def test_many_problems_are_one_line(lab: Lab, config: Config, pond: Path) -> None:
    """R3: of many broken lines the first are told and the others counted; --debug has them all."""
    path = config("bm25")
    (pond / "turns.jsonl").write_text("{}\n" * 9, encoding="utf-8")
    code, _, said = lab("run", path)
    assert (code, said.count("\n")) == (3, 1)
    assert "turns.jsonl:1:" in said
    assert "more (--debug shows all)" in said


@pytest.mark.parametrize("arguments", [["run", "x.toml", "--foo"], ["rnu"], ["run"], ["run", "x.toml", "--jobs", "0"]])
def test_a_wrong_command_is_one_line(lab: Lab, arguments: list[str]) -> None:
    """R3: an unknown option or command, or a missing argument: code 2, one line that says where help is."""
    code, _, said = lab(*arguments)
    assert (code, said.count("\n")) == (2, 1)
    assert "--help" in said


def test_the_categories_of_the_headline_are_said(lab: Lab, config: Config, tmp_path: Path) -> None:
    """R1: terminal and report name the categories that the main table is over, and those that stand apart."""
    said = "headline: multi (1), single (2), update (1); apart, never said: absent (1)"
    assert said in lab("run", config("bm25"))[1]
    (made,) = (tmp_path / "results").glob("*/report.md")
    assert said in made.read_text("utf-8")


def test_chance_of_the_first_place_is_exact_and_quick() -> None:
    """R1: the level of RR is the sum over all places, as counted; a large corpus takes no time the second time."""
    import math

    def counted(n: int, m: int) -> float:
        return sum(math.comb(n - rank, m - 1) / math.comb(n, m) / rank for rank in range(1, n - m + 2))

    for n, m in ((1, 1), (3, 1), (7, 3), (40, 40), (500, 2)):
        assert chance("RR", n, m) == pytest.approx(counted(n, m), rel=1e-12)
    chance("RR", 6000, 3)
    before = chance.cache_info().hits
    chance("RR", 6000, 3)
    assert chance.cache_info().hits == before + 1

"""The gate: what passes, what fails and why, on four tiny conversations and a system whose faults are planted."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import polars as pl
import pytest

from arandu_lab.bench.data.model import Conversation, Dataset, DatedTurn, Question, Session
from arandu_lab.bench.frames import Frames, frames
from arandu_lab.bench.gate import Tolerance, docs_differ, figures, gate, write_baseline, write_figures
from arandu_lab.bench.made import made_toml, read_result
from arandu_lab.bench.plan import Plan, Row, plan_of
from arandu_lab.bench.run import planned, replayed
from arandu_lab.errors import BackendError, ConfigError, Regression

ROOT = Path(__file__).parents[2]
NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)
FAKES = '''
from arandu_lab.errors import BackendError
from arandu_lab.systems.base import Ranked, RankedTurn
from arandu_lab.trace import Usage


class Keeper:
    """Finds the turn that a question names; every fault is a setting."""

    name = "keeper"

    def __init__(self, *, price: int = 3, blind_to: str = "", hollow: bool = False, down: str = ""):
        self.price, self.blind_to, self.hollow, self.down = price, blind_to, hollow, down

    async def begin(self, conversation_id):
        self.heard = []

    async def listen(self, turn):
        self.heard.append(turn.id)
        return Usage(calls=1, input_tokens=self.price)

    async def ask(self, question, *, now, k):
        if self.down and self.down in question:
            raise BackendError("no answer", kind="timeout", backend="keeper")
        wanted = question.split()[-1]
        if self.hollow:
            return Ranked(turns=())
        first = [one for one in self.heard if one == wanted and not (self.blind_to and self.blind_to in question)]
        rest = [one for one in self.heard if one != wanted]
        return Ranked(turns=tuple(RankedTurn(id=one, score=1.0) for one in [*first, *rest][:k]), context="abcd")

    async def end(self):
        pass
'''
Make = Callable[..., tuple[Plan, Frames]]


def pool(conversations: int = 4, questions: int = 6) -> Dataset:
    """Conversations of six turns; each question names the turn that answers it; odd ones are of category *odd*."""
    made = []
    for number in range(conversations):
        turns = tuple(
            DatedTurn(
                id=f"c{number}t{i}", session_id="s", occurred_at=NOON + timedelta(minutes=i), speaker="Ana", text=f"{i}"
            )
            for i in range(6)
        )
        asked = tuple(
            Question(
                id=f"q{i}",
                text=f"{'odd' if i % 2 else 'even'} question about c{number}t{i}",
                asked_at=NOON + timedelta(days=1),
                answer="-",
                evidence=(f"c{number}t{i}",),
                evidence_sessions=("s",),
                category="odd" if i % 2 else "even",
            )
            for i in range(questions)
        )
        session = Session(id="s", occurred_at=NOON)
        made.append(Conversation(id=f"c{number}", sessions=(session,), turns=turns, questions=asked))
    return Dataset(
        name="pool",
        language="en",
        title="Pool",
        licence="MIT",
        conversations=tuple(made),
        digest=f"{conversations}{questions}" * 32,
    )


@pytest.fixture(scope="module")
def make(tmp_path_factory: pytest.TempPathFactory) -> Make:
    """A result of ``keeper`` (with settings) beside ``other``: its plan with what it was made with, and its frames."""
    store = tmp_path_factory.mktemp("steps")
    module = ModuleType("gate_fakes")
    module.__file__ = str(store / "gate_fakes.py")
    Path(module.__file__).write_text(FAKES, encoding="utf-8")
    exec(compile(FAKES, module.__file__, "exec"), module.__dict__)
    sys.modules["gate_fakes"] = module
    known: dict[str, tuple[Plan, Frames]] = {}

    def made(
        dataset: Dataset | None = None, plan: dict[str, Any] | None = None, **settings: Any
    ) -> tuple[Plan, Frames]:
        rows = (
            Row(name="keeper", base="gate_fakes:Keeper", options=settings),
            Row(name="other", base="gate_fakes:Keeper"),
        )
        said = {"measures": ("R@1", "R@3", "RR"), "curve": (1, 3), "depth": 4, "rows": rows, **(plan or {})}
        over = dataset or pool()
        run = planned(Plan(name="pool", datasets=("pool",), jobs=1, **said), {"pool": over})
        if run.address not in known:
            replayed(run, store)
            known[run.address] = plan_of(tomllib.loads(made_toml(run)), name="pool"), frames(run)
        return known[run.address]

    yield made
    del sys.modules["gate_fakes"]


def test_the_same_run_passes(make: Make) -> None:
    """A run like its baseline passes with code 0: nothing changed, nothing lost, no stage another; ``check`` lets it by."""
    verdict = gate(make(), make())
    assert (verdict.code, verdict.word, verdict.lost, verdict.changed) == (0, "passed", (), {})
    assert verdict.findings
    assert all(one.change == 0 for one in verdict.findings)
    assert verdict.check() is verdict


def test_a_planted_regression_is_seen(make: Make) -> None:
    """A system that loses its odd questions fails with code 1: which questions, with their words, which category, which stage."""
    texts = {("pool", "c0", "q1"): "Which one was odd?"}
    verdict = gate(make(), make(blind_to="odd"), texts=texts)
    assert verdict.code == 1
    assert {(one.system, one.figure) for one in verdict.regressions} == {
        ("keeper", "R@1"),
        ("keeper", "R@3"),
        ("keeper", "RR"),
    }
    assert {(one.conversation, one.question) for one in verdict.lost} == {
        (f"c{c}", f"q{q}") for c in range(4) for q in (1, 3, 5)
    }
    (worst,) = verdict.worst
    assert (worst.system, worst.category, worst.questions, worst.before, worst.after) == ("keeper", "odd", 12, 1.0, 0.0)
    assert verdict.changed == {"keeper": "system.gate_fakes:Keeper (settings)"}
    said = str(verdict)
    for part in ("Which one was odd?", "odd (12 questions): 100.0 → 0.0", "system.gate_fakes:Keeper (settings)"):
        assert part in said
    assert "12 questions lost" in verdict.markdown()
    with pytest.raises(Regression, match=r"keeper, R@1: 100\.0 → 50\.0, 50\.0 points worse"):
        verdict.check()


def test_better_is_no_regression(make: Make) -> None:
    """The way back passes: a gain is told and never fails."""
    verdict = gate(make(blind_to="odd"), make())
    assert verdict.code == 0
    assert any(one.change < 0 for one in verdict.findings)


def test_a_small_loss_in_every_conversation_is_beyond_noise(make: Make) -> None:
    """Within the tolerance, a loss whose interval over conversations is without 0 fails all the same; one that is not, passes."""
    wide = Tolerance(quality=0.9)
    assert {one.why for one in gate(make(), make(blind_to="odd"), tolerance=wide).regressions} == {"noise"}
    assert gate(make(), make(blind_to="about c1t1"), tolerance=wide).code == 0
    assert gate(make(), make(blind_to="about c1t1"), tolerance=Tolerance(quality=0.01)).code == 1


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ({"dataset": pool(4, 5)}, "different data"),
        ({"plan": {"depth": 5}}, "depth = 4, then 5"),
        ({"plan": {"seed": 7}}, "seed = 0, then 7"),
        ({"plan": {"measures": ("R@1",)}}, "R@3, RR is not measured"),
        ({"plan": {"rows": (Row(name="other", base="gate_fakes:Keeper"),)}}, "keeper is not in this run"),
    ],
)
def test_unlike_runs_are_not_comparable(make: Make, other: dict[str, Any], why: str) -> None:
    """Other data, depth, seed, measures, or a system less: code 2 and why, never a verdict on figures."""
    verdict = gate(make(), make(**other))
    assert (verdict.code, verdict.findings) == (2, ())
    assert why in str(verdict)
    with pytest.raises(ConfigError):
        verdict.check()


def test_a_measure_of_another_definition_is_not_comparable(make: Make) -> None:
    """A measure that gives other values on the same rankings than it did then: code 2, naming it."""
    plan, seen = make()
    older = replace(plan, made={**plan.made, "measures": {**plan.made["measures"], "RR": "0" * 12}})
    verdict = gate((older, seen), make())
    assert (verdict.code, "RR had another definition then" in str(verdict)) == (2, True)


def test_a_broken_run_is_not_judged(make: Make) -> None:
    """R3: hollow answers, or a question lost to an error, are code 3, never a regression and never a pass."""
    for settings, why in (({"hollow": True}, "hollow"), ({"down": "c2t4"}, "23 of 24 questions answered")):
        verdict = gate(make(), make(**settings))
        assert (verdict.code, verdict.findings) == (3, ())
        assert why in str(verdict)
        with pytest.raises(BackendError):
            verdict.check()
    assert gate(make(hollow=True), make()).code == 2


def test_costs_are_held_too(make: Make) -> None:
    """Tokens that grow by a third fail by the tolerance; with a wide one by their interval, but one more in a hundred does not."""
    dear = gate(make(), make(price=4))
    assert [(one.figure, one.why) for one in dear.regressions] == [("tokens asked", "limit")]
    assert dear.regressions[0].change == pytest.approx(1 / 3)
    wide = Tolerance(tokens=0.5)
    assert [one.why for one in gate(make(), make(price=4), tolerance=wide).regressions] == ["noise"]
    assert gate(make(price=200), make(price=201)).code == 0
    assert gate(make(price=4), make()).code == 0


@pytest.mark.parametrize(("many", "said", "code"), [(1, "one conversation", 0), (2, "2 conversations", 1)])
def test_few_conversations_are_judged_by_their_questions_and_say_so(
    make: Make, many: int, said: str, code: int
) -> None:
    """With one or two the interval is over questions (three of six lost may be chance, six of twelve not); costs know none."""
    few = pool(many)
    verdict = gate(make(few), make(few, blind_to="odd"), tolerance=Tolerance(quality=0.9))
    assert (verdict.code, {found.why for found in verdict.regressions}) == (code, {"noise"} if code else set())
    assert f"pool has {said}" in str(verdict)
    assert f"over {6 * many} questions" in "\n".join(verdict.lines(every=True))
    assert gate(make(few), make(few, price=4), tolerance=Tolerance(tokens=0.5)).code == 0


def test_a_question_that_fails_is_a_regression(make: Make) -> None:
    """R3: where a run may fail in part, a question that the baseline answered and it does not fails the gate, by its name."""
    part = {"coverage": 0.5}
    verdict = gate(make(plan=part), make(plan=part, down="c2t4"))
    (found,) = verdict.regressions
    assert (found.system, found.figure, found.before, found.after, found.why) == (
        "keeper",
        "questions answered",
        24,
        23,
        "limit",
    )
    (lost,) = verdict.lost
    assert (lost.conversation, lost.question, lost.before, lost.after) == ("c2", "q4", 1.0, None)
    assert "1.00 → failed" in str(verdict)
    assert all(one.unpaired == 1 for one in verdict.findings if one.system == "keeper" and one.kind == "quality")
    allowed = gate(make(plan=part), make(plan=part, down="c2t4"), tolerance=Tolerance(failed=0.05))
    assert allowed.code == 0
    told = "\n".join(allowed.lines(every=True))
    assert "questions answered: 24 → 23, 4.2 % worse (tolerance 5.0 %)" in told
    assert "1 question with a value on one side left out" in told
    assert gate(make(plan=part, down="c2t4"), make(plan=part)).code == 0


def test_a_value_that_vanishes_without_an_error_is_a_failure_too(make: Make) -> None:
    """R3: a question that had a value and has none, whatever its state is called now, is not passed over."""
    plan, seen = make()
    gone = (pl.col("system") == "keeper") & (pl.col("question") == "q1")
    columns = [pl.when(gone).then(None).otherwise(pl.col(one)).alias(one) for one in plan.measures]
    state = pl.when(gone).then(pl.lit("unranked")).otherwise(pl.col("state")).alias("state")
    verdict = gate((plan, seen), (plan, replace(seen, questions=seen.questions.with_columns(*columns, state))))
    assert [(one.figure, one.after) for one in verdict.regressions] == [("questions answered", 20)]


def moved(chance: np.random.Generator, rate: float, sizes: Sequence[int], systems: int = 4) -> tuple[Frames, Frames]:
    """Two runs that are as good: a share of the questions differs, and which of the two has the better answer is a coin's."""
    n = sum(sizes)
    where = [f"c{c}" for c, size in enumerate(sizes) for _ in range(size)]
    sides: tuple[list[pl.DataFrame], list[pl.DataFrame]] = ([], [])
    for system in range(systems):
        value, differs, coin = chance.random(n) < 0.6, chance.random(n) < rate, chance.random(n) < 0.5
        for side, flipped in zip(sides, (differs & coin, differs & ~coin), strict=True):
            told = {"dataset": "d", "system": f"s{system}", "conversation": where, "state": "scored", "category": "x"}
            hit = (value ^ flipped).astype(float)
            side.append(
                pl.DataFrame({**told, "question": [str(q) for q in range(n)], "R@5": hit, "R@10": hit[::-1].copy()})
            )
    asked = [
        pl.concat(side).with_columns(
            absent=False, error=pl.lit(None, pl.String), returned=pl.lit(["t"]), context_tokens=1, language=pl.lit("en")
        )
        for side in sides
    ]
    keys = dict.fromkeys(("run", "dataset", "language", "conversation", "system", "phase", "stage"), pl.String)
    counts = dict.fromkeys(("items", "calls", "tokens_asked"), pl.Int64)
    none = pl.DataFrame(schema={**keys, **counts, "ms": pl.Float64, "kind": pl.String, "message": pl.String})
    before, after = (Frames(questions=one, usage=none, times=none, errors=none, extraction=none) for one in asked)
    return before, after


@pytest.mark.parametrize(("sizes", "rate"), [((87,), 0.05), ((60, 60, 60, 60), 0.2)])
def test_the_level_is_that_of_the_whole_gate(sizes: tuple[int, ...], rate: float) -> None:
    """Of gates over runs that are as good, at most five in a hundred fail by noise, though each judges eight figures."""
    chance = np.random.default_rng(7)
    rows = tuple(Row(name=f"s{system}", base="bm25") for system in range(4))
    plan = Plan(name="t", datasets=("d",), rows=rows, measures=("R@5", "R@10"))
    rounds, wide = 60, Tolerance(quality=1.0)
    alarms = 0
    for _ in range(rounds):
        before, after = moved(chance, rate, sizes)
        alarms += gate((plan, before), (plan, after), tolerance=wide).code == 1
    assert alarms <= 0.05 * rounds


def test_a_verdict_says_what_its_level_and_its_limits_are(make: Make) -> None:
    """How many figures were tested as one family, how often noise fails such a gate, and that a tolerance is no test."""
    said = str(gate(make(), make(blind_to="odd"), tolerance=Tolerance(level=0.9)))
    assert "3 figures that moved are tested as one family (Holm): a run that is as good fails by noise 10 times" in said
    assert "a tolerance is a limit and no test" in said
    assert "Holm" not in str(gate(make(), make()))


def test_time_is_a_ratio_to_a_control(make: Make) -> None:
    """A machine twice as slow is no regression; a system three times as slow beside its control is, and without one it is said."""
    plan, seen = make()

    def slow(system: float, control: float) -> tuple[Plan, Frames]:
        ms = pl.when(pl.col("system") == "keeper").then(100.0 * system).otherwise(50.0 * control)
        return plan, replace(seen, times=seen.times.with_columns(ms.alias("ms")))

    assert gate(slow(1, 1), slow(2, 2), control="other").code == 0
    verdict = gate(slow(1, 1), slow(3, 1), control="other")
    assert [one.figure for one in verdict.regressions] == ["time over other's"]
    assert gate(slow(1, 1), slow(1.2, 1), control="other").code == 0
    little = gate(slow(0.02, 1), slow(0.06, 1), control="other")
    assert little.code == 0
    assert "time was not judged 1 times" in str(little)
    assert "time was not judged" in str(gate(slow(1, 1), slow(3, 1)))
    with pytest.raises(ConfigError, match="no system of the baseline"):
        gate(slow(1, 1), slow(1, 1), control="dense")


def test_a_baseline_judges_as_its_result(make: Make, tmp_path: Path) -> None:
    """R1: a baseline reads as a result, its figures are those of the result, times kept as medians."""
    _, seen = make()
    folder = tmp_path / "pool"
    folder.mkdir()
    for name in ("questions", "extraction", "usage", "errors", "times"):
        getattr(seen, name).write_parquet(folder / f"{name}.parquet")
    told = (
        '[run]\nname = "pool"\ndatasets = ["pool"]\nsystems = ["keeper", "other"]\nmeasures = ["R@1", "R@3", "RR"]\n'
        f'curve = [1, 3]\ndepth = 4\n[made.datasets]\npool = "{pool().digest}"\n'
    )
    (folder / "made.toml").write_text(told, encoding="utf-8")
    kept = write_baseline(folder, tmp_path / "baselines" / "pool")
    assert figures(read_result(kept)) == figures(read_result(folder))
    assert read_result(kept)[1].times.height == 2 * 4 * 2
    assert gate(kept, folder).code == 0
    with pytest.raises(ConfigError, match="no result"):
        gate(tmp_path / "nowhere", folder)


def test_figures_of_a_document_are_those_of_the_result(make: Make, tmp_path: Path) -> None:
    """R4: a table in a document that says another figure than the result is told with its line; written, it says the same."""
    page = tmp_path / "page.md"
    page.write_text("# A\n<!-- baseline: pool -->\nold\n<!-- /baseline -->\nB\n", encoding="utf-8")
    result = make()
    assert "line 1" in str(docs_differ(page, "pool", result))
    write_figures(page, "pool", result)
    assert docs_differ(page, "pool", result) is None
    once = page.read_text(encoding="utf-8")
    assert once.startswith("# A\n")
    assert once.endswith("<!-- /baseline -->\nB\n")
    write_figures(page, "pool", result)
    assert page.read_text(encoding="utf-8") == once
    page.write_text(once.replace("100.0", "99.9", 1), encoding="utf-8")
    assert "and the result says" in str(docs_differ(page, "pool", result))
    with pytest.raises(ConfigError, match="one place"):
        docs_differ(page, "pond", result)


def test_tolerances_are_checked() -> None:
    """An unknown name, no number, or a negative one is refused."""
    for wrong in (["speed=1"], ["quality"], ["quality=-1"], ["level=1"], ["quality=nan"]):
        with pytest.raises(ConfigError, match="tolerance"):
            Tolerance.of(wrong)


def test_every_figure_is_told_with_its_tolerance(make: Make) -> None:
    """A regression says how much worse it might have been and what chance does; ``every`` shows the figures that passed with theirs too."""
    limits = Tolerance(quality=0.02, tokens=0.3)
    verdict = gate(make(), make(blind_to="about c1t1"), tolerance=limits)
    assert verdict.regressions
    for one in verdict.regressions:
        assert "tolerance 2.0 points" in str(one)
    assert [line for line in verdict.lines() if "(tolerance" in line] == [f"  {one}" for one in verdict.regressions]
    every = [line for line in verdict.lines(every=True) if "(tolerance" in line]
    assert len(every) == len(verdict.findings) > len(verdict.regressions)
    assert any("tokens" in line and "tolerance 30.0 %" in line for line in every)
    noisy = gate(make(), make(blind_to="odd"), tolerance=Tolerance(quality=0.9)).regressions[0]
    assert noisy.p_holm == pytest.approx(3 * noisy.p / 2)
    assert f"(tolerance 90.0 points; Holm p = {noisy.p_holm:.3f})" in str(noisy)

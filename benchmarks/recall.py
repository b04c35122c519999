"""Recall of evidence without a language model: a blend that never saw the conversation, beside controls, lever by lever.

    python benchmarks/recall.py --data FOLDER [--with tuned-turns arandu] [--jobs 2] [--into docs/measured.md]

``FOLDER`` holds what is not in this repository: ``locomo/locomo4.json``, ``prefeval_explicit/*.json``; what is not there is
said and left out. *R@k* is the share of a question's evidence among its k best turns, in percent, the mean over questions
whose answer was said. Brackets: 95 % intervals of R@10, conversations resampled (four conversations make wide ones).
*others*: each conversation under a blend of the other three; *plain*: so too, of two dozen plain terms. *shipped*:
``blends/default.json``, which learned from our own sets alone. *both*: of the other three and our own sets. *bent*: the same
with weights that bend with the question (``bends`` in [blend]). All are linear blends; collected columns are kept in
``results/.steps``.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import polars as pl
from measured import measured

from arandu_lab.bench.blends.collect import collect
from arandu_lab.bench.blends.fitting import lesson_of
from arandu_lab.bench.blends.folds import CUTS, folds_of, held_out, recalls
from arandu_lab.bench.blends.plan import BlendPlan, left_out, read_blend_plan
from arandu_lab.bench.blends.report import summary
from arandu_lab.bench.data.model import Conversation, Dataset, Question, Session
from arandu_lab.bench.data.registry import load
from arandu_lab.bench.plan import Plan, Row
from arandu_lab.bench.run import planned, replayed
from arandu_lab.bench.statistics import compare
from arandu_lab.blends.blend import Blend, Kind, Term
from arandu_lab.blends.fit import Lesson
from arandu_lab.blends.judged import Judged
from arandu_lab.errors import ConfigError
from arandu_lab.pure.ranking import spaced
from arandu_lab.read.evidence import FAMILIES
from arandu_lab.systems.base import DatedTurn

ROOT = Path(__file__).resolve().parent.parent
WORDED = {"template": "date+speaker+text+caption"}
CONTROLS = (
    Row(name="random", base="random"),
    Row(name="bm25", base="bm25", options=WORDED),
    Row(name="dense", base="dense", options=WORDED),
    Row(name="fused", base="fused", options=WORDED),
)
_SEEN: Mapping[Kind, str] = {
    "z": "bm bm1 bm3 d_text d_w1 d_w3 s_bm s_d bm@-1 bm@+1 d@-1 d@+1 spk_any len",
    "rank": "bm bm1 bm3 d_text d_w1 d_w3",
    "flag": "month when_time",
}
PLAIN = tuple(Term(column=column, kind=kind) for kind, columns in _SEEN.items() for column in columns.split())
"""Two dozen plain terms: cosine and BM25 of turn, windows and session, their ranks, neighbours, speaker, length, dates."""

_SPACING = 0.2
_BESIDES = 0.3
"""What a question of our own sets counts beside one of LoCoMo; .3 and 1 were looked at, and the figures are close."""


def main() -> int:
    """Print every table whose data are there."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, default=None, help="a folder with locomo/ and prefeval_explicit/")
    parser.add_argument("--config", type=Path, default=ROOT / "configs" / "blend.toml", help="how blends are learned")
    parser.add_argument("--blend", default="default", help="the blend that ships, or a file")
    parser.add_argument("--with", dest="others", nargs="*", default=[], help="systems replayed beside the controls")
    parser.add_argument("--only", nargs="*", default=["locomo", "ablation", "own", "prefeval"], help="which tables")
    parser.add_argument("--results", type=Path, default=ROOT / "results", help="where collected columns are kept")
    parser.add_argument("--jobs", type=int, default=1, help="worker processes of a replay")
    asked = parser.parse_args()
    plan, blend = read_blend_plan(asked.config), Blend.load(asked.blend)
    bench = Bench(plan, blend, asked.results / ".steps", asked.jobs, asked.others)
    locomo = _there(asked.data, "locomo/locomo4.json")
    if locomo and {"locomo", "ablation"} & set(asked.only):
        bench.locomo(load(locomo), ablation="ablation" in asked.only)
    if "own" in asked.only:
        bench.own([load(source.name) for source in plan.sets])
    prefeval = _there(asked.data, "prefeval_explicit")
    if prefeval and "prefeval" in asked.only:
        bench.prefeval(preferences(prefeval))
    return 0


class Bench:
    """The tables, each printed as soon as it is there."""

    def __init__(self, plan: BlendPlan, blend: Blend, store: Path, jobs: int, others: Sequence[str]) -> None:
        self.plan, self.blend, self.store, self.jobs = plan, blend, store, jobs
        self.rows = (*CONTROLS, *(Row(name=name, base=name) for name in others))

    def locomo(self, dataset: Dataset, *, ablation: bool) -> None:
        """One conversation left out at a time; the blend that ships; controls; each family left out."""
        judged = collect(self.plan.row, [dataset], self.store, jobs=self.jobs)
        lesson, folds = lesson_of(self.plan, judged), folds_of(judged)
        ours = collect(self.plan.row, [load(source.name) for source in self.plan.sets], self.store, jobs=self.jobs)
        both = lesson_of(self.plan, [*judged, *ours])
        bent = self.besides(both, dataset.name, bends=True)
        systems = {
            "shipped (ours alone)": self.shipped(judged),
            "plain (of others)": self.left_out(Lesson.of(judged, PLAIN), folds),
            "others (trained on)": self.left_out(lesson, folds),
            "others-bent": self.left_out(lesson, folds, bends=True),
            "both (others and ours)": self.besides(both, dataset.name),
            "both-bent": bent,
            **self.controls(dataset, judged),
        }
        print(f"{dataset.name}: {len(judged)} questions of {len(set(folds))} conversations, {_ms(judged)}")
        print(_table(systems))
        print("\nR@10 by category and by number of evidence turns")
        print(_parts(systems))
        for name in ("both-bent", "shipped (ours alone)"):
            print(f"\n{name}, every cut")
            print(_summary(systems[name]))
        if ablation:
            self.ablation(both, dataset.name, bent, systems["both (others and ours)"])

    def ablation(self, lesson: Lesson, judge: str, whole: pl.DataFrame, straight: pl.DataFrame) -> None:
        """Each family of columns left out, and the blends learned again without it; ``straight``: without bends."""
        print("\nboth-bent without a lever (learned again); difference of R@10 and of R@5, question by question")
        print(f"  {'without':<14}{'columns':>8}{'R@5':>7}{'R@10':>7}   {'R@10':<22}{'conversations':<15}{'R@5':<22}")
        columns = {term.column for term in lesson.terms}
        for family in FAMILIES:
            gone = [name for name in left_out([family]) if name in columns]
            if gone and len(gone) < len(columns):
                print(_difference(family, len(gone), whole, self.besides(lesson.without(gone), judge, bends=True)))
        free = Lesson.of(lesson.judged, [type(term)(column=term.column, kind=term.kind) for term in lesson.terms])
        print(_difference("sign bounds", 0, whole, self.besides(free, judge, bends=True)))
        print(_difference("bends", 0, whole, straight))
        print(f"and with a set chosen instead of single turns (turn_spacing = {_SPACING})")
        print(_difference("+ spacing", 0, whole, self.besides(lesson, judge, bends=True, spacing=_SPACING)))
        print(_difference("straight, +", 0, straight, self.besides(lesson, judge, spacing=_SPACING)))

    def own(self, datasets: Sequence[Dataset]) -> None:
        """Our own sets, a story held out at a time: English and Portuguese."""
        judged = collect(self.plan.row, datasets, self.store, jobs=self.jobs)
        lesson, folds = lesson_of(self.plan, judged), folds_of(judged, self.plan.stories)
        held, bent = self.left_out(lesson, folds), self.left_out(lesson, folds, bends=True)
        print(f"\nour own sets: {len(judged)} questions, trained on the other stories, {_ms(judged)}")
        sets = {name: held.filter(pl.col("dataset") == name) for name in held["dataset"].unique(maintain_order=True)}
        print(_table(sets))
        for language, name in (("en", "English"), ("pt", "Portuguese")):
            mine = held.filter(pl.col("language") == language)
            other = bent.filter(pl.col("language") == language)
            print(
                f"  {name}: R@5 {_mean(mine, 'R@5')}, R@10 {_mean(mine, 'R@10')}, mean over questions; "
                f"bent {_mean(other, 'R@5')}, {_mean(other, 'R@10')}"
            )

    def prefeval(self, dataset: Dataset) -> None:
        """Stated preferences that a later question must bring back."""
        judged = collect(self.plan.row, [dataset], self.store, jobs=self.jobs)
        systems = {"as shipped": self.shipped(judged), **self.controls(dataset, judged)}
        print(f"\n{dataset.name}: {len(judged)} preferences are the memory, a question each, {_ms(judged)}")
        print(_table(systems))

    def besides(self, lesson: Lesson, judge: str, *, bends: bool = False, spacing: float = 0.0) -> pl.DataFrame:
        """As trained on the others, with the sets of the plan in every fold; they count what the plan says, times .3."""
        weights = {name: _BESIDES * weight for name, weight in self.plan.weights.items()}
        scores, _ = held_out(
            lesson,
            folds_of(lesson.judged, self.plan.stories),
            judge=lambda one: one.dataset == judge,
            l2=self.plan.l2,
            weights=weights,
            bends=bends,
        )
        places = sorted(scores)
        judged = [lesson.judged[place] for place in places]
        return recalls(
            judged, [spaced(scores[place], one.session, spacing) for place, one in zip(places, judged, strict=True)]
        )

    def left_out(self, lesson: Lesson, folds: Sequence[str], *, bends: bool = False) -> pl.DataFrame:
        """The recall of each question under a blend of the other folds."""
        scores, _ = held_out(lesson, folds, l2=self.plan.l2, weights=self.plan.weights, bends=bends)
        return recalls(lesson.judged, [scores[place] for place in range(len(lesson.judged))])

    def shipped(self, judged: Sequence[Judged]) -> pl.DataFrame:
        """The recall of each question under the blend that ships."""
        self.blend.check(judged[0].columns, self.blend.embedder)
        return recalls(judged, [self.blend.score(one.columns, one.open, one.marks) for one in judged])

    def controls(self, dataset: Dataset, judged: Sequence[Judged]) -> dict[str, pl.DataFrame]:
        """The recall of each question under every control, and under the systems asked for."""
        plan = Plan(name="recall", datasets=(dataset.name,), rows=self.rows, depth=max(CUTS), jobs=self.jobs)
        made = replayed(planned(plan, {dataset.name: dataset}), self.store)
        known = {(one.conversation, one.question): one for one in judged}
        evidence = {(c.id, q.id): set(q.evidence) for c in dataset for q in c.questions}
        rows: dict[str, list[dict[str, object]]] = {row.name: [] for row in self.rows}
        for step, replay in made.replays:
            for answer in replay.answers:
                key = (step.conversation, answer.question)
                if key not in known:
                    continue
                if answer.returned is None:
                    raise ConfigError(f"{step.label}: {answer.question}: {answer.error}")
                one, wanted = known[key], evidence[key]
                found = np.cumsum([float(turn in wanted) for turn in answer.returned] or [0.0]) / len(wanted)
                row = {
                    name: getattr(one, name) for name in ("dataset", "conversation", "question", "category", "language")
                }
                row |= {"evidence": len(wanted)} | {f"R@{k}": float(found[min(k, len(found)) - 1]) for k in CUTS}
                rows[step.row.name].append(row)
        return {name: pl.DataFrame(found) for name, found in rows.items()}


def preferences(folder: Path) -> Dataset:
    """PrefEval as one conversation: a user states every preference, a session each, and asks afterwards."""
    files = sorted(folder.glob("*.json"))
    total = hashlib.sha256(b"".join(path.read_bytes() for path in files))
    turns, questions = [], []
    start = datetime(2024, 1, 1, 12, tzinfo=UTC)
    pairs = [(path.stem, pair) for path in files for pair in json.loads(path.read_text(encoding="utf-8"))]
    for place, (topic, pair) in enumerate(pairs):
        at = start + timedelta(days=place)
        turns.append(
            DatedTurn(id=f"p{place}", session_id=f"s{place}", occurred_at=at, speaker="User", text=pair["preference"])
        )
        questions.append(
            Question(
                id=f"q{place}",
                text=pair["question"],
                asked_at=start + timedelta(days=len(pairs) + 1),
                answer=pair["preference"],
                evidence=(f"p{place}",),
                evidence_sessions=(f"s{place}",),
                category=topic,
            )
        )
    sessions = tuple(Session(id=turn.session_id, occurred_at=turn.occurred_at) for turn in turns)
    talk = Conversation(id="prefeval", sessions=sessions, turns=tuple(turns), questions=tuple(questions))
    return Dataset(
        name="prefeval_explicit",
        language="en",
        title="PrefEval, explicit preferences",
        licence="CC BY-NC 4.0",
        conversations=(talk,),
        digest=total.hexdigest(),
    )


def _table(systems: Mapping[str, pl.DataFrame]) -> str:
    lines = [f"  {'':<24}" + "".join(f"{f'R@{k}':>7}" for k in CUTS) + "   R@10 between"]
    for name, frame in systems.items():
        whole = summary(frame, ()).row(0, named=True)
        between = "" if whole["low"] is None else f"   [{100 * whole['low']:.1f}, {100 * whole['high']:.1f}]"
        lines.append(f"  {name:<24}" + "".join(f"{_mean(frame, f'R@{k}'):>7}" for k in CUTS) + between)
    return "\n".join(lines)


def _parts(systems: Mapping[str, pl.DataFrame]) -> str:
    tables = {name: summary(frame, ("category", "evidence", "conversation")) for name, frame in systems.items()}
    first = next(iter(tables.values()))
    heads = [(row["part"], row["of"], row["questions"]) for row in first.iter_rows(named=True) if row["part"] != "all"]
    lines = [f"  {'':<30}{'n':>5}" + "".join(f"{name.split()[0]:>13}" for name in systems)]
    for part, of, size in heads:
        cells = [
            table.filter((pl.col("part") == part) & (pl.col("of") == of))["R@10"].item() for table in tables.values()
        ]
        lines.append(f"  {f'{part} {of}':<30}{size:>5}" + "".join(f"{100 * cell:>13.1f}" for cell in cells))
    several = {name: frame.filter(pl.col("evidence") >= 2) for name, frame in systems.items()}
    size = next(iter(several.values())).height
    if size:
        lines.append(
            f"  {'evidence 2 and more':<30}{size:>5}" + "".join(f"{_mean(f, 'R@10'):>13}" for f in several.values())
        )
    return "\n".join(lines)


def _summary(frame: pl.DataFrame) -> str:
    lines = [f"  {'':<30}{'n':>5}" + "".join(f"{f'R@{k}':>7}" for k in CUTS)]
    for row in summary(frame, ("category", "evidence")).iter_rows(named=True):
        name = f"{row['part']} {row['of']}".strip()
        lines.append(f"  {name:<30}{row['questions']:>5}" + "".join(f"{100 * row[f'R@{k}']:>7.1f}" for k in CUTS))
    return "\n".join(lines)


def _difference(name: str, columns: int, before: pl.DataFrame, after: pl.DataFrame) -> str:
    cells = []
    for measure in ("R@10", "R@5"):
        one = compare(_long(before, measure), _long(after, measure), measure)
        low, high = one.interval.low, one.interval.high
        between = "" if low is None or high is None else f" [{100 * low:+.1f}, {100 * high:+.1f}]"
        cells.append((f"{100 * one.interval.mean:+.1f}{between}", f"{one.clusters_up} of {one.interval.clusters} up"))
    (ten, up), (five, _) = cells
    return f"  {name:<14}{columns:>8}{_mean(after, 'R@5'):>7}{_mean(after, 'R@10'):>7}   {ten:<22}{up:<15}{five:<22}".rstrip()


def _long(frame: pl.DataFrame, measure: str) -> pl.DataFrame:
    keys = ("dataset", "conversation", "question", "category")
    return frame.select(*keys, pl.lit(measure).alias("measure"), pl.col(measure).alias("value"))


def _mean(frame: pl.DataFrame, column: str) -> str:
    return f"{100 * float(frame[column].mean()):.1f}"  # type: ignore[arg-type]


def _ms(judged: Sequence[Judged]) -> str:
    times = np.array([one.ms for one in judged])
    return f"{np.median(times):.0f} ms a question (median, query embedding included; 9 of 10 under {np.quantile(times, 0.9):.0f})"


def _there(folder: Path | None, name: str) -> Path | None:
    place = None if folder is None else folder / name
    if place is None or not place.exists():
        print(f"{name}: not here (--data FOLDER), left out")
        return None
    return place


if __name__ == "__main__":
    sys.exit(measured(main))

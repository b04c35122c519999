"""A sweep on its way: which conversations have to be written, what is asked of them in batches, and what is kept of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import polars as pl

from arandu_lab.bench.data.model import Conversation, Dataset
from arandu_lab.bench.rows import model_of, told
from arandu_lab.bench.sweeps.backends import each
from arandu_lab.bench.sweeps.design import Halving, settings_of
from arandu_lab.bench.sweeps.ingested import ingest_address, kept_ingest, memory_of
from arandu_lab.bench.sweeps.plan import SweepPlan
from arandu_lab.bench.sweeps.purse import Allowance, opened
from arandu_lab.bench.sweeps.remote import Shelf
from arandu_lab.bench.sweeps.rescoring import covers
from arandu_lab.bench.sweeps.settled import Settled, settled
from arandu_lab.bench.sweeps.split import Split, split
from arandu_lab.bench.sweeps.work import (
    BULK,
    SIZE,
    Done,
    Reading,
    Writing,
    do,
    kept_reading,
    payload,
    reading_address,
)
from arandu_lab.errors import ConfigError
from arandu_lab.llm.prices import FREE, Prices, read_prices
from arandu_lab.presets import Assembly
from arandu_lab.trace import Usage

Keys = frozenset[tuple[str, str, str]]
Told = Callable[[int, int, str], None]


@dataclass(slots=True, kw_only=True)
class Course:
    """What a plan comes to with its data, and how far it is.

    ``points`` are complete settings, the default first; ``said`` is what each changes (the default nothing).
    """

    plan: SweepPlan
    datasets: Mapping[str, Dataset]
    shelf: Shelf
    assembly: Assembly
    points: list[dict[str, Any]]
    said: list[dict[str, Any]]
    chosen: list[Settled]
    in_design: bool
    split: Split
    model: str
    prices: Prices
    paid: Usage = field(default_factory=Usage)
    errors: list[tuple[str, str, str]] = field(default_factory=list)
    _addresses: dict[tuple[str, str, str], str] = field(default_factory=dict)
    _llm: Any = None

    def conversations(self, keys: Keys) -> list[tuple[Dataset, Conversation]]:
        """The conversations of some questions, each with those questions only."""
        out = []
        for name, dataset in self.datasets.items():
            for one in dataset:
                asked = tuple(q for q in one.questions if (name, one.id, q.id) in keys)
                if asked:
                    out.append((dataset, replace(one, questions=asked)))
        return out

    def address(self, dataset: Dataset, conversation: Conversation, point: int) -> str:
        """Where the memory of a conversation under a point is kept."""
        key = (dataset.name, conversation.id, self.chosen[point].written)
        if key not in self._addresses:
            if self._llm is None:
                self._llm, _ = opened(self.model, self.shelf.here)
            self._addresses[key] = ingest_address(
                self.plan.row,
                conversation,
                language=language_of(dataset),
                seed=self.plan.seed,
                setting=self.said[point],
                llm=self._llm,
            )
        return self._addresses[key]

    def writings(self, keys: Keys, points: Iterable[int]) -> dict[str, Writing]:
        """The memories that some questions need under some points, by address, kept or not."""
        out: dict[str, Writing] = {}
        for dataset, conversation in self.conversations(keys):
            for point in points:
                address = self.address(dataset, conversation, point)
                if address not in out:
                    out[address] = Writing(
                        address=address,
                        row=self.plan.row,
                        dataset=dataset.name,
                        language=language_of(dataset),
                        conversation=replace(conversation, questions=()),
                        setting=self.said[point],
                        model=self.model,
                        replay=self.plan.replay,
                        seed=self.plan.seed,
                    )
        return out

    def readings(self, keys: Keys, points: Iterable[int]) -> list[Reading]:
        """The batches that ask some questions under some points, kept or not."""
        out = []
        for dataset, conversation in self.conversations(keys):
            groups: dict[str, list[int]] = {}
            for point in points:
                groups.setdefault(self.address(dataset, conversation, point), []).append(point)
            for written, mine in groups.items():
                size = BULK if all(covers(self.chosen[point].read) for point in mine) else SIZE
                for start in range(0, len(mine), size):
                    out.append(self._reading(dataset, conversation, written, mine[start : start + size]))
        return out

    def run(self, keys: Keys, points: Sequence[int], told_: Told) -> pl.DataFrame:
        """Ask some questions under some points: a row an answer, with ``point dataset conversation`` before it.

        Raises:
            ConfigError: settings or manners that are wrong, or the cap was reached.
            BackendError: a worker died, or the place of the artefacts does not answer.
        """
        writings = self.writings(keys, points)
        missing = [one for name, one in writings.items() if not self.shelf.holds(f"ingested/{name}")]
        for done in self._done(missing, told_, "writing"):
            self._note("writing", done)
        readings = self.readings(keys, points)
        frames: dict[str, pl.DataFrame] = {}
        todo = [one for one in readings if not self.shelf.holds(one.name)]
        for done in self._done(todo, told_, "reading"):
            self._note("reading", done)
            if done.rows is not None:
                frames[done.name] = done.rows
        return pl.concat([self._placed(one, frames.get(one.name)) for one in readings])

    def written(self, keys: Keys, points: Iterable[int]) -> pl.DataFrame:
        """What writing asked: a row a point and conversation."""
        rows, known = [], dict[str, Usage]()
        everyone = list(points)
        for dataset, conversation in self.conversations(keys):
            for point in everyone:
                name = f"ingested/{self.address(dataset, conversation, point)}"
                if name not in known:
                    made = kept_ingest(self.shelf.fetch(name) or self.shelf.folder(f"{name}.failed"))
                    known[name] = Usage() if made is None else made.listened
                usage = known[name]
                cells = (usage.calls, usage.total_tokens, usage.cost_usd)
                rows.append((point, dataset.name, conversation.id, len(conversation.turns), *cells))
        return pl.DataFrame(rows, schema=_WRITTEN, orient="row")

    def _reading(self, dataset: Dataset, conversation: Conversation, written: str, points: Sequence[int]) -> Reading:
        settings = tuple(self.said[point] for point in points)
        prints = [self.chosen[point].read.fingerprint(self.chosen[point].values) for point in points]
        plan = self.plan
        return Reading(
            address=reading_address(
                plan.row,
                self.assembly,
                written,
                conversation,
                settings,
                prints,
                measures=plan.measures,
                depth=plan.depth,
                model=self.model,
            ),
            written=f"ingested/{written}",
            row=plan.row,
            dataset=dataset.name,
            language=language_of(dataset),
            conversation=conversation,
            settings=settings,
            points=tuple(points),
            measures=plan.measures,
            depth=plan.depth,
            model=self.model,
            replay=plan.replay,
            seed=plan.seed,
        )

    def _placed(self, reading: Reading, rows: pl.DataFrame | None) -> pl.DataFrame:
        if rows is None:
            folder = self.shelf.fetch(reading.name)
            assert folder is not None
            rows = kept_reading(folder)
        points = pl.Series("point", reading.points, dtype=pl.Int64)
        return rows.with_columns(
            points.gather(rows["point"]).alias("point"),
            pl.lit(reading.dataset).alias("dataset"),
            pl.lit(reading.conversation.id).alias("conversation"),
        )

    def _done(self, works: Sequence[Writing] | Sequence[Reading], told_: Told, what: str) -> Iterable[Done]:
        """Each piece of work as it is done; with a cap a few at a time, each with its share of what is left."""
        here = self.plan.backend == "threading" or (self.plan.jobs == 1 and self.plan.backend == "loky")
        made: list[Any] = [one if here else payload(one, self.assembly) for one in works]
        told_(0, len(works), what)
        capped = self.plan.cap is not None and self.model != FREE
        finished = 0
        queue, size = list(range(len(works))), self.plan.jobs if capped else len(works)
        while queue:
            wave, queue = queue[:size], queue[size:]
            allowance = self._allowance(len(wave), works) if capped else None
            over = []
            names = {works[place].name: place for place in wave}
            jobs = [(made[place], self.shelf, allowance) for place in wave]
            for done in each(do, jobs, jobs=self.plan.jobs, backend=self.plan.backend):
                self.paid = self.paid + done.paid
                if done.over:
                    over.append(names[done.name])
                    continue
                finished += 1
                told_(finished, len(works), what)
                yield done
            if over and len(wave) == 1:
                raise ConfigError(self._stopped(len(works) - finished, what))
            if over:
                queue, size = [*queue, *over], 1

    def _allowance(self, share: int, works: Sequence[Any]) -> Allowance:
        cap = self.plan.cap
        assert cap is not None
        left = cap.most - cap.spent(self.paid, self.prices, self.model)
        if left <= 0:
            raise ConfigError(self._stopped(len(works), "work"))
        return Allowance(left=left / share, usd=cap.usd is not None, prices=self.prices)

    def _stopped(self, open_: int, what: str) -> str:
        paid = f"{self.paid.billed_tokens:,} tokens in {self.paid.billed_calls:,} calls paid"
        return (
            f"stopped before the cap of {self.plan.cap} was passed: {paid}; {open_} pieces of {what} are open. What was done"
            " is kept, and the same sweep with a higher cap goes on from there"
        )

    def _note(self, what: str, done: Done) -> None:
        for said in done.errors:
            where, _, message = said.partition(": ")
            self.errors.append((what, where, message))


def course_of(plan: SweepPlan, datasets: Mapping[str, Dataset], shelf: Shelf) -> Course:
    """The plan with its data: every setting checked, nothing done.

    Raises:
        ConfigError: a system that is no memory of stages, a setting that nothing reads or that is out of range, or a split
            that leaves a part empty.
    """
    first = next(one for dataset in datasets.values() for one in dataset)
    language = language_of(next(iter(datasets.values())))
    assembly = memory_of(plan.row, first, language=language, seed=plan.seed).assembly
    base = settled(assembly, {})
    drawn = settings_of(plan.design, plan.grid, seed=plan.seed)
    for name in plan.grid:
        settled(assembly, {name: drawn[0][name]})  # an unknown name is said before its value is looked up
    standing = {name: plain(base.values[name]) for name in plan.grid}
    rest = [one for one in drawn if told(one) != told(standing)]
    points = [standing, *rest]
    said: list[dict[str, Any]] = [{}, *rest]
    return Course(
        plan=plan,
        datasets=datasets,
        shelf=shelf,
        assembly=assembly,
        points=points,
        said=said,
        chosen=[settled(assembly, one) for one in said],
        in_design=len(rest) < len(drawn),
        split=split(datasets, plan.hold_out, seed=plan.seed),
        model=model_of(plan.row) or FREE,
        prices=read_prices(),
    )


def rounds(course: Course) -> list[Keys]:
    """The training questions of each round, growing to all: one round, but in a halving.

    Each conversation gives its share, spread over its questions, so that a short round is like the whole.
    """
    design = course.plan.design
    if not isinstance(design, Halving):
        return [course.split.training]
    out = []
    for share in design.rounds():
        keys = set()
        for dataset, conversation in course.conversations(course.split.training):
            asked = conversation.questions
            number = max(1, round(share * len(asked)))
            places = {place * len(asked) // number for place in range(number)}
            keys |= {(dataset.name, conversation.id, asked[place].id) for place in places}
        out.append(frozenset(keys))
    return out


def language_of(dataset: Dataset) -> str:
    """The language of a dataset without its region."""
    return dataset.language.split("-")[0]


def plain(value: Any) -> Any:
    """A frozen value as the plain one that a grid would give."""
    if isinstance(value, Mapping):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, tuple):
        return [plain(one) for one in value]
    return value


_WRITTEN: dict[str, Any] = {
    "point": pl.Int64,
    "dataset": pl.String,
    "conversation": pl.String,
    **dict.fromkeys(("turns", "calls", "tokens"), pl.Int64),
    "cost_usd": pl.Float64,
}

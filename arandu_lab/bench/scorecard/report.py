"""``report.md`` of a scorecard and its pictures: the same bytes for the same run. It holds no time; ``times.json`` does."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from arandu_lab.bench.cards import LANGUAGES
from arandu_lab.bench.scorecard import sections
from arandu_lab.bench.scorecard.frames import Frames
from arandu_lab.bench.scorecard.legend import LEGEND, SUMMARY
from arandu_lab.bench.scorecard.sentences import reading
from arandu_lab.bench.scorecard.twins import distinct, told, twins

if TYPE_CHECKING:
    from arandu_lab.bench.scorecard.run import Card


def write_report(card: Card, folder: Path, *, before: Path | None = None) -> None:
    """Write ``report.md`` and its pictures into a folder; pictures of the same frames lie in ``before``, if it is given."""
    from arandu_lab.bench.scorecard.pictures import draw

    drawn = draw(card.frames, folder, before=before)
    (folder / "report.md").write_text(report(card, drawn), encoding="utf-8")


def report(card: Card, drawn: set[str]) -> str:
    """The text of ``report.md``; ``drawn`` names the pictures that lie beside it."""
    plan, same = card.plan, twins(card.frames)
    frames = distinct(card.frames, same)
    parts = [f"# {plan.name}", _about(card), "## In short", *reading(frames), told(same)]
    parts += _picture(drawn, "waterfall", "From all questions to those delivered, and what each stage lost")
    parts += ["## Every stage in one line", sections.summary(frames), SUMMARY]
    if card.errors:
        lines = "\n".join(f"* {one}" for one in card.errors[:20])
        parts += [
            "## Errors",
            f"What failed is null, never zero, and left out of the means. {len(card.errors)} in all:",
            lines,
        ]
    parts += ["## Where we lose", sections.losses(frames), *sections.examples(frames, plan.examples)]
    parts += ["### By facts alone", _FACTS, sections.losses(frames, facts=True)]
    parts += ["### By category", sections.categories(frames)]
    parts += ["## Never said, and to be forgotten", sections.apart(frames)]
    if plan.given:
        parts += ["## Each stage alone on gold input", sections.given(frames)]
        parts += _picture(drawn, "stages", "The number of each stage on gold input, and of what reached it end to end")
    if plan.oracle:
        parts += ["## With extraction answered from the gold", sections.oracle(frames)]
    parts += ["## Stage by stage", *_stages(frames, drawn)]
    parts += ["## Cost", sections.cost(card.frames), "## How to read it", LEGEND]
    parts += ["## How to repeat it", _repeat(card)]
    return "\n\n".join(part for part in parts if part) + "\n"


_FACTS = (
    "The same questions with quoted turns set aside: what became of the facts. A turn that is quoted hides a loss; it does "
    "not mend it, and it costs tokens."
)


def _stages(frames: Frames, drawn: set[str]) -> list[str]:
    return [
        "### Extraction",
        sections.extraction(frames),
        "### Resolution of names",
        sections.resolution(frames),
        "### Reconciliation",
        sections.reconciliation(frames),
        *_picture(drawn, "confusion", "What was decided, for each decision of the gold"),
        "### State",
        sections.state(frames),
        "### Retrieval and ranking",
        sections.signals(frames),
        "### Context",
        sections.context(frames),
    ]


def _about(card: Card) -> str:
    plan = card.plan
    sets = "; ".join(
        f"`{name}` ({LANGUAGES.get(one.language.split('-')[0], one.language)}): {len(one.conversations[0].turns):,} turns, "
        f"{len(one.conversations[0].questions):,} questions"
        for name, one in card.datasets.items()
    )
    return (
        f"Systems: {', '.join(row.name for row in plan.rows)}. Sets: {sets}. Every turn was heard at its date, every question "
        "asked at its own; between the stages everything was written down and compared with what is true."
    )


def _picture(drawn: set[str], name: str, words: str) -> list[str]:
    return [f"![{words}]({name}.svg)"] if name in drawn else []


def _repeat(card: Card) -> str:
    digests = "\n".join(f"* `{name}` sha256 `{one.digest}`" for name, one in card.datasets.items())
    return (
        f"```\narandu-lab scorecard results/{card.address}/made.toml\n```\n\n"
        "`made.toml` holds every setting, defaults included, the versions of the packages and the digests of code and "
        "data. The same command gives the same bytes, apart from `times.json` and `times.parquet`. Every number here can "
        "be recomputed from the Parquet files beside it (`arandu_lab.bench.scorecard.tables`).\n\n"
        f"{digests}\n* code sha256 `{card.code}`"
    )

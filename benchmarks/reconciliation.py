"""What the reconciliation decides beside what it should have decided, given gold input: the 4x4 confusion, set by set.

    python benchmarks/reconciliation.py [harbor_en mare_pt …] [--misses] [--llm …] [--embedder …] [--into docs/measured.md]

One gold memory hears the conversation. Before a turn is written into it, the documented reconciliation is run on the gold
facts of the turn, resolved truly (mode ``given`` of the scorecard); what it decides is then thrown away. *right* asks for
the action and for the target. *false end*: of the facts that are only new (ADD), those that would have closed another one.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from measured import measured

from arandu_lab.bench.plan import Row
from arandu_lab.bench.scorecard.book import Book, open_book
from arandu_lab.bench.scorecard.given import given
from arandu_lab.bench.scorecard.linking import Gold, linked
from arandu_lab.bench.scorecard.lives import read_operations
from arandu_lab.bench.scorecard.reconciliation_score import ACTIONS, decision_rows

WORLDS = Path(__file__).resolve().parent.parent / "datasets" / "world"
SETS = ("harbor_en", "mare_pt", *(str(WORLDS / name) for name in ("brook_en", "brook_pt", "cove_en", "cove_pt")))


def main() -> int:
    """Print a confusion for each set and one for all of them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("sets", nargs="*", default=SETS, help="names of sets, or folders")
    parser.add_argument("--misses", action="store_true", help="list what was decided wrongly, by cause")
    parser.add_argument("--llm", default="offline/rules", help="the model that gives the verdicts")
    parser.add_argument("--embedder", default=None, help="the embedder (the default one if not given)")
    asked = parser.parse_args()
    every: list[Mapping[str, Any]] = []
    for name in asked.sets:
        began = time.perf_counter()
        book = open_book(name)
        rows = asyncio.run(decisions(book, llm=asked.llm, embedder=asked.embedder))
        every += rows
        print(f"{book.name}: {len(rows)} facts, {time.perf_counter() - began:.1f} s\n{table(rows)}\n")
        if asked.misses:
            print("\n".join(misses(rows, book)) + "\n")
    if len(asked.sets) > 1:
        print(f"all: {len(every)} facts\n{table(every)}")
    return 0


async def decisions(book: Book, *, llm: str = "offline/rules", embedder: str | None = None) -> list[Mapping[str, Any]]:
    """A row a gold fact: decided beside gold."""
    made = await given(Row(name="arandu", base="arandu"), book, stages=["reconciliation"], llm=llm, embedder=embedder)
    dossier = made["reconciliation"]
    if dossier.errors:
        raise SystemExit(f"{book.name}: {dossier.errors[0]}")
    operations = read_operations(Path(str(book.dataset.card["source"])))
    gold = Gold.of(book.conversation, operations, book.cast)
    return list(decision_rows(dossier, gold, linked(dossier, gold)))


def table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Gold decisions down, decided across; then how many are right, and how many of the new would have ended others."""
    counts = Counter((row["decision"], row["action"]) for row in rows)
    lines = [f"{'gold':<8}" + "".join(f"{action:>8}" for action in ACTIONS) + f"{'right':>10}"]
    for gold in ACTIONS:
        mine = [row for row in rows if row["decision"] == gold]
        if mine:
            right = sum(bool(row["right"]) for row in mine)
            cells = "".join(f"{counts[gold, action]:>8}" for action in ACTIONS)
            lines.append(f"{gold:<8}{cells}{100 * right / len(mine):>8.1f} %")
    new = [row for row in rows if row["decision"] == "ADD"]
    false = sum(row["action"] in ("UPDATE", "DELETE") for row in new)
    return "\n".join([*lines, f"false end {false} of {len(new)}"])


def misses(rows: Iterable[Mapping[str, Any]], book: Book) -> list[str]:
    """What went wrong: gold and decided action, why, the fact, what it is about, and what was taken instead."""
    said = {one: fact.text for one, (_, _, fact) in book.facts.items()}
    wrong = [row for row in rows if not row["right"]]
    return [
        f"{row['decision']:<7}{row['action'] or '-':<7}{row['why'] or '-':<16}{row['slot']:<11}{row['text']}"
        + (f"  <-  {said.get(row['of'], '')}" if row["of"] else "")
        + (f"  [took: {said.get(row['target'], '?')}]" if row["target"] and row["target"] != row["of"] else "")
        for row in sorted(wrong, key=lambda row: (row["decision"], str(row["why"]), row["slot"]))
    ]


if __name__ == "__main__":
    sys.exit(measured(main))

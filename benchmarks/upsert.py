"""What upsert makes of gold: facts, links, edges and their ends, mirror facts, profiles, and what comes back uncalled.

    python benchmarks/upsert.py [harbor_en mare_pt …] [--into docs/measured.md]

A memory hears each set with names, facts, relations and decisions as the gold has them, so that what is counted is the
work of mirror and upsert alone. *facts*: rows with the gold's text, owner, first day and source, open or closed as the
gold's decisions leave them. *links*: facts linked to their owner and to whomever they name in full. *edges*: told relations
that stand after their turn. *ended*: edges whose statement (its slot is the relation, its value the other end) the gold
ends, that fell with it; one that another open fact supports stands rightly. *ungrounded*: open edges without an open fact
under them; *overlaps*: versions of one edge that share a moment. *mirrors*: mirror facts; *unlike*: those open or closed
otherwise than their edge. *profiles*: a profile is offered for everybody named in every turn; entities that keep the first.

Then the whole conversation is said again, at its own dates under another session, to the documented pipeline with
extraction from gold. *back* counts closed facts that are open again under their words.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from measured import measured

from arandu_lab import Memory
from arandu_lab.bench.scorecard.book import Book, open_book, session
from arandu_lab.bench.scorecard.gold import decide_truly, read_truly, resolve_truly
from arandu_lab.bench.scorecard.oracle import answered_by, oracle
from arandu_lab.llm.open import open_minds
from arandu_lab.pipeline import Lab, Pipeline, stage
from arandu_lab.presets import write
from arandu_lab.pure.relations import relation_type
from arandu_lab.pure.text import normal
from arandu_lab.records import MIRROR, Fact, Relationship, Resolution
from arandu_lab.systems.base import DatedTurn, worded
from arandu_lab.write.groups import ground, mirror
from arandu_lab.write.upsert import upsert
from arandu_lab.write.vectors import embed_facts

AGENT = "listener"
WORLDS = Path(__file__).resolve().parent.parent / "datasets" / "world"
SETS = ("harbor_en", "mare_pt", *(str(WORLDS / name) for name in ("brook_en", "brook_pt", "cove_en", "cove_pt")))
COLUMNS = ("facts", "links", "edges", "ended", "ungrounded", "overlaps", "mirrors", "unlike", "profiles", "back")
TIED = {one: one for one in ("lives_in", "from", "works_at", "studies_at", "member_of", "owns")} | {
    "partner": "partner_of",
    "spouse": "spouse_of",
    "boss": "reports_to",
    "pet": "has_pet",
}
"""Slot -> the relation that says the same of its subject and its value."""


def main() -> int:
    """Print a line for each set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", default=SETS, help="names of sets, or folders")
    parser.add_argument("--misses", action="store_true", help="list what is not as the gold has it")
    asked = parser.parse_args()
    print("set      " + "".join(f"{one:>12}" for one in COLUMNS))
    for name in asked.sets:
        book = open_book(name)
        found, misses = asyncio.run(counted(book))
        print(f"{book.name:<9}" + "".join(f"{found[one]:>12}" for one in COLUMNS))
        if asked.misses:
            print("\n".join(f"    {one}" for one in misses))
    return 0


@stage
def offer_profiles(resolution: Resolution, lab: Lab) -> Resolution:
    """A profile for everybody whom the turn names, another one in each turn."""
    day = resolution.turn.occurred_at.isoformat()
    offered = tuple((one.name, f"{one.name}, as of {day}") for one in resolution.resolved)
    return replace(resolution, profiles=offered)


def gold_writing(book: Book) -> Pipeline:
    """Extraction, names and decisions from gold; mirror and upsert as documented."""
    return (
        ground()
        >> read_truly(book=book.path)
        >> embed_facts()
        >> resolve_truly(book=book.path)
        >> offer_profiles()
        >> mirror()
        >> embed_facts()
        >> decide_truly(book=book.path)
        >> upsert()
    )


async def counted(book: Book) -> tuple[dict[str, str], list[str]]:
    """The figures of a set, each as it is printed, and what is not as it should be."""
    clock = [book.conversation.turns[0].occurred_at]
    misses: list[str] = []

    with Memory.open("memory://", write=gold_writing(book), clock=lambda: clock[0]) as memory:
        stood = told = 0
        offered: dict[str, str] = {}
        for turn in book.conversation.turns:
            clock[0] = turn.occurred_at
            await _said(memory, turn, session(turn))
            view = memory.store.view(AGENT)
            for one in view.entities():
                offered.setdefault(one.key, one.profile_text or "")
            for edge in book.gold(turn.id).relations:
                ends = book.key(edge.source), relation_type(edge.type), book.key(edge.target)
                told += 1
                standing = any(_ends(one) == ends for one in view.edges(ends[0], as_of=turn.occurred_at))
                stood += standing
                if not standing:
                    misses.append(f"edges: {turn.id} {' '.join(ends)}")
        facts, edges = _facts(memory), memory.store.view(AGENT).edges()
        open_ids = {one.id for one in facts if one.valid_to is None}
        standing_edges = [one for one in edges if one.valid_to is None]
        ungrounded = [one for one in standing_edges if not open_ids & set(one.evidence_fact_ids)]
        mirrors = [one for one in facts if one.source_context == MIRROR]
        unlike = [one.text for one in mirrors if (one.valid_to is None) != _carries(one, standing_edges)]
        entities = memory.store.view(AGENT).entities()
        kept = sum(one.profile_text == offered[one.key] != "" for one in entities)
        rows, linked, ended = _rows(memory, book, misses), _links(memory, book, misses), _ended(memory, book, misses)
        closed = {(one.entity_key, normal(one.text)) for one in facts if one.valid_to is not None}
        closed -= {(one.entity_key, normal(one.text)) for one in facts if one.valid_to is None}
        back = await _again(memory, book, closed)
        misses += [f"unlike: {text}" for text in unlike] + [f"back: {key} {text}" for key, text in sorted(back)]
        return {
            "facts": rows,
            "links": linked,
            "edges": _of(stood, told),
            "ended": ended,
            "ungrounded": _of(len(ungrounded), len(standing_edges)),
            "overlaps": _of(_overlaps(edges), len(edges)),
            "mirrors": str(len(mirrors)),
            "unlike": _of(len(unlike), len(mirrors)),
            "profiles": _of(kept, len(entities)),
            "back": _of(len(back), len(closed)),
        }, misses


async def _said(memory: Memory, turn: DatedTurn, session_id: str) -> None:
    text = worded(turn, "text+caption")
    result = await memory.write(AGENT, text, turn.speaker, occurred_at=turn.occurred_at, session_id=session_id)
    assert result.success, result.error


async def _again(memory: Memory, book: Book, closed: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """What is open again after the conversation was said once more, by owner and words."""
    heard = Memory(
        memory.store,
        open_minds(answered_by(oracle(book), "offline/rules")),
        memory.embed,
        config=memory.config,
        write=write(),
        read=memory.read_pipeline,
        clock=memory.clock,
    )
    for turn in book.conversation.turns:
        await _said(heard, turn, f"again/{session(turn)}")
    return closed & {(one.entity_key, normal(one.text)) for one in _facts(heard) if one.valid_to is None}


def _rows(memory: Memory, book: Book, misses: list[str]) -> str:
    """Facts that the gold begins and that stand as it says."""
    view = memory.store.view(AGENT)
    over = {
        book.roots[fact.of] for _, _, fact in book.facts.values() if fact.decision in ("UPDATE", "DELETE") and fact.of
    }
    right = wanted = 0
    for fact_id, (turn, _, fact) in book.facts.items():
        if fact.decision not in ("ADD", "UPDATE"):
            continue
        wanted += 1
        row = view.fact(book.row(AGENT, fact_id))
        ends = fact_id in over or fact.valid_to is not None
        good = (
            row is not None
            and (row.text, row.entity_key) == (fact.text, book.key(fact.subject))
            and row.valid_from.astimezone(turn.occurred_at.tzinfo).date() == fact.valid_from
            and (row.valid_to is not None) == ends
            and row.source_event_id == book.event(AGENT, turn)
        )
        right += good
        if not good:
            misses.append(f"facts: {fact_id} {fact.text} {row}")
    return _of(right, wanted)


def _links(memory: Memory, book: Book, misses: list[str]) -> str:
    """Facts whose links are their owner and those whom their words name in full, as far as they were known by then."""
    view = memory.store.view(AGENT)
    named = {one.name: re.compile(rf"\b{re.escape(normal(one.name))}\b") for one in book.conversation.entities}
    known: set[str] = set()
    right = wanted = 0
    for turn in book.conversation.turns:
        gold = book.gold(turn.id)
        known |= {one.name for one in gold.entities} | {fact.subject for fact in gold.facts}
        known |= {end for one in gold.relations for end in (one.source, one.target)}
        for fact in gold.facts:
            if fact.decision not in ("ADD", "UPDATE"):
                continue
            wanted += 1
            said = normal(fact.text)
            expected = {book.key(fact.subject)} | {book.key(n) for n in known if n in named and named[n].search(said)}
            found = set(view.keys_of(book.row(AGENT, fact.id)))
            right += expected <= found
            if not expected <= found:
                misses.append(f"links: {fact.text}: {sorted(expected ^ found)}")
    return _of(right, wanted)


def _ended(memory: Memory, book: Book, misses: list[str]) -> str:
    """Edges that a statement of the gold says, told in its turn, and that fell when the statement did."""
    view = memory.store.view(AGENT)
    right = wanted = 0
    for fact_id, (turn, _, fact) in book.facts.items():
        row = view.fact(book.row(AGENT, fact_id))
        ends = book.key(fact.subject), TIED.get(fact.slot, ""), book.key(fact.value)
        told = {(book.key(e.source), relation_type(e.type), book.key(e.target)) for e in book.gold(turn.id).relations}
        if fact.decision not in ("ADD", "UPDATE") or row is None or row.valid_to is None or ends not in told:
            continue
        wanted += 1
        began = [one for one in view.edges(ends[0]) if _ends(one) == ends and one.valid_from <= row.valid_to]
        fell = bool(began) and all(one.valid_to is not None for one in began)
        right += fell
        if not fell:
            misses.append(f"ended: {fact.text}: {[one.evidence_fact_ids for one in began if one.valid_to is None]}")
    return _of(right, wanted)


def _carries(fact: Fact, edges: Iterable[Relationship]) -> bool:
    return any(fact.id in one.evidence_fact_ids for one in edges)


def _overlaps(edges: Sequence[Relationship]) -> int:
    versions: dict[tuple[str, str, str], list[Relationship]] = {}
    for one in edges:
        versions.setdefault(_ends(one), []).append(one)
    return sum(
        earlier.valid_to is None or earlier.valid_to > later.valid_from
        for some in versions.values()
        for earlier, later in pairwise(sorted(some, key=lambda one: one.valid_from))
    )


def _ends(edge: Relationship) -> tuple[str, str, str]:
    return edge.source_key, edge.rel_type, edge.target_key


def _facts(memory: Memory) -> list[Fact]:
    view = memory.store.view(AGENT)
    return [view.fact_at(place) for place in range(len(view.facts.ids))]


def _of(some: int, all_: int) -> str:
    return f"{some} of {all_}"


if __name__ == "__main__":
    sys.exit(measured(main))

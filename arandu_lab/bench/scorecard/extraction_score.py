"""What was read of each turn: facts, names and relations against the gold, dates, categories, and what nobody said."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from arandu_lab.bench.data.model import GoldFact
from arandu_lab.bench.scorecard.dossier import Dossier, Heard, ReadFact
from arandu_lab.bench.scorecard.linking import Gold, Links, paired
from arandu_lab.pure.compare import negative
from arandu_lab.pure.matching import canonical, stems


def read_rows(dossier: Dossier, gold: Gold, links: Links) -> Iterator[dict[str, Any]]:
    """A row a fact, name or relation that was read or should have been.

    ``what`` is ``fact entity relation``; ``kind`` is ``found`` (both sides have it), ``extra`` (nobody said it) or
    ``missed``. Of a found fact ``exact``: subject, polarity and all words of the value agree; ``dates``: the days that
    its gold states agree and none is made up (null where neither side states any but the turn's); ``category``: the
    categories agree. A turn that failed has no rows.
    """
    for heard in dossier.heard:
        if heard.error is None:
            yield from _facts(heard, gold, links)
            yield from _names(heard, gold)
            yield from _relations(heard, gold)


def turn_rows(dossier: Dossier, gold: Gold, links: Links) -> Iterator[dict[str, Any]]:
    """A row a turn: facts of its gold, facts read, distinct gold facts read and kept by dedup, repeats read and kept.

    ``passed``: facts that dedup passed on and that the turn states, each time counted; what nobody said is not dedup's.
    """
    for heard in dossier.heard:
        facts, pairs = gold.turn(heard.turn).facts, links.read.get(heard.turn)
        kept = paired(
            [heard.facts[place] for place in heard.kept if place < len(heard.facts)], facts, gold.table(heard.turn)
        )
        ok = heard.error is None and pairs is not None
        yield {
            "turn": heard.turn,
            "gold_facts": len(facts),
            "read": len(heard.facts) if ok else None,
            "distinct": len(pairs.first) if ok and pairs else None,
            "distinct_kept": len(set(kept.first.values()) & set(pairs.first.values())) if ok and pairs else None,
            "repeats": len(pairs.again) if ok and pairs else None,
            "repeats_kept": len(kept.again) if ok else None,
            "passed": len(kept.first) + len(kept.again) if ok else None,
            "error": heard.error,
        }


def exact(found: ReadFact, gold: GoldFact, table: dict[str, str]) -> bool:
    """Whether subject, polarity and every word of the value agree."""
    if canonical(found.subject, table) != canonical(gold.subject, table):
        return False
    return negative(found.text) == negative(gold.text) and stems(gold.value) <= stems(found.text) | stems(found.subject)


def dates(found: ReadFact, gold: GoldFact, turn_day: str) -> bool | None:
    """Whether every day that is stated is the right one; null where neither the gold nor the reader has any but the turn's.

    A partial date (a month) agrees with any day in it. What only repeats a fact may be dated as one likes.
    """
    due: list[tuple[str | None, str]] = []
    made_up = (found.valid_from or turn_day) != turn_day and gold.decision != "NOOP"
    if gold.valid_from.isoformat() != turn_day or made_up:
        due.append((found.valid_from, gold.valid_from.isoformat()))
    if gold.event_time is not None:
        due.append((found.event_time, gold.event_time))
    return all(said is not None and said.startswith(true) for said, true in due) if due else None


def _facts(heard: Heard, gold: Gold, links: Links) -> Iterator[dict[str, Any]]:
    pairs, table, day = links.read[heard.turn], gold.table(heard.turn), gold.day(heard.turn).isoformat()
    for place, fact in enumerate(heard.facts):
        told = gold.facts[pairs.first[place]] if place in pairs.first else None
        yield {
            **_row("fact", heard.turn, "found" if told else "extra", fact.subject, fact.text),
            "gold": told.id if told else None,
            "slot": told.slot if told else None,
            "decision": told.decision if told else None,
            "exact": exact(fact, told, table) if told else None,
            "dates": dates(fact, told, day) if told else None,
            "category": fact.category == told.category if told else None,
        }
    for told in gold.turn(heard.turn).facts:
        if told.id not in pairs.first.values():
            more = {"gold": told.id, "slot": told.slot, "decision": told.decision}
            yield _row("fact", heard.turn, "missed", told.subject, told.text) | more


def _names(heard: Heard, gold: Gold) -> Iterator[dict[str, Any]]:
    table, told = gold.table(heard.turn), gold.turn(heard.turn)
    wanted = {canonical(one.name, table): one.name for one in told.entities}
    speaker = canonical(gold.speakers.get(heard.turn, ""), table)
    seen: set[str] = set()
    for name, _, aliases in heard.entities:
        full = next((canonical(one, table) for one in (name, *aliases) if canonical(one, table) in wanted), None)
        full = full or canonical(name, table)
        if full in seen or (full == speaker and full not in wanted):
            continue
        seen.add(full)
        yield _row("entity", heard.turn, "found" if full in wanted else "extra", name, name)
    for full, name in wanted.items():
        if full not in seen:
            yield _row("entity", heard.turn, "missed", name, name)


def _relations(heard: Heard, gold: Gold) -> Iterator[dict[str, Any]]:
    table = gold.table(heard.turn)
    wanted = {(canonical(r.source, table), r.type, canonical(r.target, table)) for r in gold.turn(heard.turn).relations}
    found = {(canonical(source, table), kind, canonical(target, table)) for source, kind, target in heard.relations}
    for one in sorted(found | wanted):
        kind = "found" if one in found and one in wanted else "extra" if one in found else "missed"
        yield _row("relation", heard.turn, kind, one[0], " ".join(one))


def _row(what: str, turn: str, kind: str, subject: str, text: str) -> dict[str, Any]:
    empty = dict.fromkeys(("gold", "slot", "decision", "exact", "dates", "category"))
    return {"what": what, "turn": turn, "kind": kind, "subject": subject, "text": text, **empty}

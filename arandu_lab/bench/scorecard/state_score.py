"""What the store held to be true at an instant, beside what was true by all that had been told."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

from arandu_lab.bench.scorecard.dossier import Dossier
from arandu_lab.bench.scorecard.linking import Gold, Links
from arandu_lab.pure.text import ident


def instant_rows(dossier: Dossier, gold: Gold, links: Links) -> Iterator[dict[str, Any]]:
    """A row an instant.

    Every live row is one of ``right`` (stands for a fact that holds), ``duplicate`` (so does a row before it),
    ``stale`` (its fact has ended, or has not begun; ``by_cascade``: because another ended), ``invented`` (nobody said
    it), ``misfiled`` or ``misdated`` (it holds, and was not written as decided: see :func:`astray`). Two kinds are
    counted apart: ``notes`` say truly that something ended or once happened, ``mirrors`` say from the other side what a
    row already says. ``missing``: facts that hold and have no row. Facts that only follow from others (``derived``) are
    nobody's to store: counted apart too.
    """
    strays = astray(dossier, gold)
    inferred = {row.fact_id for row in dossier.rows if row.context is not None}
    for state in dossier.states:
        at = datetime.fromisoformat(state.at)
        true = {fact for fact, life in gold.lives.items() if life.holds(at, at) and not life.derived}
        derived = sum(life.derived and life.holds(at, at) for life in gold.lives.values())
        seen: set[str] = set()
        kinds: dict[str, list[str]] = {
            "right": [],
            "duplicate": [],
            "stale": [],
            "invented": [],
            "misfiled": [],
            "misdated": [],
            "note": [],
            "mirror": [],
        }
        for fact_id in sorted(state.facts, key=lambda one: one in inferred):
            told = links.rows.get(fact_id)
            root = gold.roots[told] if told is not None else None
            if fact_id in inferred and (root in seen or root not in true):
                kinds["mirror"].append(fact_id)
            elif told is None or root is None:
                kinds["invented"].append(fact_id)
            elif gold.facts[told].decision == "DELETE" or gold.over(root, at):
                kinds["note"].append(fact_id)
            elif root in seen:
                kinds["duplicate"].append(fact_id)
            elif root in true and fact_id in strays:
                kinds[strays[fact_id].kind].append(fact_id)
            else:
                kinds["right" if root in true else "stale"].append(fact_id)
                seen.add(root)
        yield {
            "at": state.at,
            "live": len(state.facts),
            "true": len(true),
            "derived": derived,
            "right": len(kinds["right"]),
            "duplicate": len(kinds["duplicate"]),
            "stale": len(kinds["stale"]),
            "by_cascade": sum(_cascade(gold, links.rows[one], at) for one in kinds["stale"]),
            "invented": len(kinds["invented"]),
            "misfiled": len(kinds["misfiled"]),
            "misdated": len(kinds["misdated"]),
            "notes": len(kinds["note"]),
            "mirrors": len(kinds["mirror"]),
            "missing": len(true - seen),
            "missing_ids": sorted(true - seen),
            "stale_ids": kinds["stale"],
        }


class Stray(NamedTuple):
    """How a row differs from what was decided: ``misfiled`` or ``misdated``, and in words."""

    kind: str
    words: str


def astray(dossier: Dossier, gold: Gold) -> dict[str, Stray]:
    """Rows that were not written as decided: under another key than that of their subject, or from another day."""
    rows = {row.fact_id: row for row in dossier.rows}
    out: dict[str, Stray] = {}
    for heard in dossier.heard:
        keys = {ident(one.name): one.key for one in heard.resolved}
        for made in heard.made:
            row = rows.get(made.fact_id or "")
            if row is None or made.position >= len(heard.stated):
                continue
            stated = heard.stated[made.position]
            key, day = keys.get(ident(stated.subject)), stated.valid_from or gold.day(heard.turn).isoformat()
            if key is not None and row.key != key:
                out[row.fact_id] = Stray("misfiled", f"written under {row.key}, though its subject was taken for {key}")
            elif row.valid_from[:10] != day:
                out[row.fact_id] = Stray(
                    "misdated", f"written as of {row.valid_from[:10]}, though it was decided as of {day}"
                )
    return out


def _cascade(gold: Gold, told: str, at: datetime) -> bool:
    life = gold.lives.get(gold.roots[told])
    end = life.ended(at) if life else None
    return end is not None and end.why == "cascade"

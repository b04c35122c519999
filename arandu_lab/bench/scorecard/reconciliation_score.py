"""What was decided about each fact beside what should have been, and which rows closed that should stand."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from arandu_lab.bench.scorecard.dossier import Dossier, Made, Row
from arandu_lab.bench.scorecard.linking import Gold, Links

ACTIONS = ("ADD", "UPDATE", "NOOP", "DELETE")


def decision_rows(dossier: Dossier, gold: Gold, links: Links) -> Iterator[dict[str, Any]]:
    """A row a gold fact of the turns that were heard without an error.

    ``reached``: a fact that says it came to be decided about. ``action``: what was decided, null for nothing. ``target``:
    the root of the row that the decision names; ``target_right``: it is the gold's (null where the gold has none).
    ``right``: action and target agree (null unless reached). ``target_live``: for UPDATE and DELETE, whether a row of
    the target was still live right after (null where there never was one, and in mode ``given``, which writes nothing of it).
    """
    alone = dossier.mode == "given"
    rows = {row.fact_id: row for row in dossier.rows}
    stored: dict[str, list[Row]] = {}
    for fact_id, told in links.rows.items():
        if fact_id in rows and gold.facts[told].decision != "DELETE":
            stored.setdefault(gold.roots[told], []).append(rows[fact_id])
    for heard in dossier.heard:
        if heard.error is not None:
            continue
        place_of = {told: place for place, told in links.stated[heard.turn].first.items()}
        made_of = {made.position: made for made in heard.made}
        for fact in gold.turn(heard.turn).facts:
            place = place_of.get(fact.id)
            made = made_of.get(place) if place is not None else None
            root = gold.roots.get(fact.of) if fact.of is not None else None
            target = _target(made, gold, links)
            target_right = None if root is None or place is None else target == root
            at = gold.moments[heard.turn]
            before = [row for row in stored.get(root or "", ()) if row.recorded_at and _at(row.recorded_at) < at]
            ends = fact.decision in ("UPDATE", "DELETE")
            yield {
                "turn": heard.turn,
                "gold": fact.id,
                "slot": fact.slot,
                "text": fact.text,
                "decision": fact.decision,
                "of": root,
                "reached": place is not None,
                "action": made.action if made else None,
                "why": made.why if made else None,
                "target": target,
                "target_right": target_right,
                "right": None
                if place is None
                else (made is not None and made.action == fact.decision and target_right is not False),
                "target_live": any(live(row, at, at) for row in before) if ends and before and not alone else None,
            }


def row_rows(dossier: Dossier, gold: Gold, links: Links) -> Iterator[dict[str, Any]]:
    """A row a version in the store at the end.

    ``live``: it stands at the end. ``held``: its gold fact does (null without one, and of what happened and is over).
    ``cascade``: what ended the gold fact followed from another. ``false_close``: it was closed while its gold fact
    held, nobody having said otherwise.
    """
    end = max((turn.occurred_at for turn in gold.conversation.turns), default=None)
    if end is None:
        return
    at = gold.moments
    closers = {
        made.target_id: heard.turn
        for heard in dossier.heard
        for made in heard.made
        if made.target_id is not None and made.action in ("UPDATE", "DELETE")
    }
    for row in dossier.rows:
        told = links.rows.get(row.fact_id)
        note = told is not None and gold.facts[told].decision == "DELETE"
        life = gold.lives.get(gold.roots[told]) if told is not None and not note else None
        closed = row.valid_to is not None and row.closed_by is not None
        when = (
            at[closers[row.fact_id]]
            if row.fact_id in closers
            else _at(row.invalidated_at)
            if row.invalidated_at
            else end
        )
        ended = life.ended(end) if life else None
        yield {
            "fact_id": row.fact_id,
            "key": row.key,
            "name": row.name,
            "text": row.text,
            "turn": row.turn,
            "gold": told,
            "root": gold.roots[told] if told is not None else None,
            "note": note,
            "live": live(row, end, end),
            "held": life.holds(end, end)
            if life and told is not None and not gold.over(gold.roots[told], end)
            else None,
            "cascade": ended.why == "cascade" if ended else None,
            "closed_by": row.closed_by,
            "false_close": life.ended(when) is None if closed and life else None,
        }


def live(row: Row, as_of: datetime, known_at: datetime) -> bool:
    """Whether a row holds at ``as_of`` as the memory knew by ``known_at``: ends learned later are not in it."""
    recorded = _at(row.recorded_at) if row.recorded_at else None
    if (recorded is not None and recorded > known_at) or _at(row.valid_from, as_of) > as_of:
        return False
    if row.valid_to is None:
        return True
    learned = _at(row.invalidated_at) if row.invalidated_at else None
    if learned is not None and learned > known_at and learned != recorded:
        return True
    return as_of < _at(row.valid_to, as_of)


def _target(made: Made | None, gold: Gold, links: Links) -> str | None:
    if made is None or made.target_id is None:
        return None
    told = links.rows.get(made.target_id)
    return gold.roots[told] if told is not None else None


def _at(text: str, like: datetime | None = None) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo or like is None else moment.replace(tzinfo=like.tzinfo)

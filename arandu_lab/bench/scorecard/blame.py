"""Which stage lost a question: the first that applies to the worst of what it needs.

===============  ==============  ===========================================================================
fate             stage           what it says of a needed fact
===============  ==============  ===========================================================================
never extracted  extraction      no turn that says it was read so
wrong entity     resolution      it is filed under another entity's key, or under a splinter of its own
merged away      dedup or        it was read, and no row says it: taken for a repeat, taken for another fact,
                 reconciliation  not decided about (or decided and not written: ``state``)
misfiled         state           a row says it, under another key than the one its subject was given
misdated         state           a row says it, from another day than was decided, and does not stand in the context
superseded       reconciliation  a row says it and was closed, though nobody had said that it ended
                 or state
not retrieved    retrieval       a row says it, holds, and was no candidate
cut by rank      ranking         a candidate that others outranked, or scored too low
vetoed           ranking         a candidate that the judge found irrelevant
cut by budget    context         it was to be shown, and its words do not stand in the context
delivered        –               it, or a turn that says it, stands in the context
===============  ==============  ===========================================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache

from arandu_lab.bench.data.model import Question
from arandu_lab.bench.scorecard.dossier import Asked, Candidate, Dossier, Heard, Made, Row
from arandu_lab.bench.scorecard.linking import Gold, Links, Pairs
from arandu_lab.bench.scorecard.reading_score import Need, rows_of
from arandu_lab.bench.scorecard.reconciliation_score import live
from arandu_lab.bench.scorecard.state_score import Stray, astray
from arandu_lab.pure.text import ident, normal

FATES = (
    "never extracted",
    "wrong entity",
    "merged away",
    "misfiled",
    "misdated",
    "superseded",
    "not retrieved",
    "cut by rank",
    "vetoed",
    "cut by budget",
    "delivered",
)
"""In the order in which they are asked about: a later one has come further."""

_LOST = {"pool": "cut by rank", "min_score": "cut by rank", "topk": "cut by rank", "vetoed": "vetoed"}


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of one need. ``stage`` None: delivered. ``detail`` says it in words; ``row`` is the row that came furthest."""

    fate: str
    stage: str | None
    detail: str = ""
    row: str | None = None

    @property
    def far(self) -> int:
        """How far it came: its place in :data:`FATES`."""
        return FATES.index(self.fate)


@dataclass(frozen=True)
class Case:
    """A dossier laid open for blame: its turns, rows and links by id."""

    dossier: Dossier
    gold: Gold
    links: Links
    owner: Mapping[str, str]
    main: Mapping[str, str]
    heard: Mapping[str, Heard]
    rows: Mapping[str, Row]
    closers: Mapping[str, tuple[str, int]]
    astray: Mapping[str, Stray]

    @classmethod
    def of(cls, dossier: Dossier, gold: Gold, links: Links, owned: tuple[Mapping[str, str], Mapping[str, str]]) -> Case:
        """``owned`` is what :func:`~arandu_lab.bench.scorecard.linking.owners` says of the mentions."""
        closers = {
            made.target_id: (heard.turn, made.position)
            for heard in dossier.heard
            for made in heard.made
            if made.target_id is not None and made.action in ("UPDATE", "DELETE")
        }
        heard = {one.turn: one for one in dossier.heard}
        rows = {row.fact_id: row for row in dossier.rows}
        return cls(dossier, gold, links, *owned, heard, rows, closers, astray(dossier, gold))

    @property
    def remembers(self) -> bool:
        """Whether the system keeps facts; controls keep turns."""
        return bool(self.dossier.rows or self.dossier.heard or self.dossier.ids)


def row_fate(case: Case, need: Need, asked: Asked, at: datetime) -> Fate:
    """What became of a need by the facts alone, quoted turns left aside.

    A row that was only inferred from a relation may deliver; where it does not, who lost the statement itself is blamed.
    That a fact is over is no row: it is delivered where what it ends is closed.
    """
    found = _by_rows(case, need, asked, at)
    ends = [one for one in need.facts if one in case.gold.facts and case.gold.facts[one].decision == "DELETE"]
    if found.stage is None or not ends:
        return found
    fates = [_of_end(case, one, at) for one in ends]
    others = tuple(one for one in need.facts if one not in ends)
    if others:
        fates.append(_by_rows(case, replace(need, facts=others), asked, at))
    return max(fates, key=lambda one: one.far)


def _by_rows(case: Case, need: Need, asked: Asked, at: datetime) -> Fate:
    rows = [one for one in rows_of(need, case.gold, case.links) if _recorded(case, one, at)]
    nothing = Fate("never extracted", "extraction", "its turn states no fact")
    if not rows:
        return max((_of_fact(case, fact) for fact in need.facts), key=lambda one: one.far, default=nothing)
    fates = {one: _of_row(case, one, need, asked, at) for one in rows}
    found = max(fates.values(), key=lambda one: one.far)
    said = [fate for one, fate in fates.items() if one not in case.rows or case.rows[one].context is None]
    if found.stage is not None and said:
        return max(said, key=lambda one: one.far)
    if found.stage is not None:
        stated = max((_of_fact(case, fact) for fact in need.facts), key=lambda one: one.far, default=nothing)
        return stated if stated.stage in ("extraction", "dedup") else found
    return found


def turn_fate(case: Case, need: Need, asked: Asked) -> Fate:
    """What became of a need in a system that ranks turns: one turn that says it must be shown."""
    returned = [one for one in need.turns if one in asked.turns]
    if not returned:
        return Fate("not retrieved", "retrieval", f"its turn was not among the {len(asked.turns)} returned")
    shown = [one for one in returned if quoted(case.gold, one, asked)]
    if not shown:
        return Fate("cut by budget", "context", "its turn was returned and had no room in the context")
    return Fate("delivered", None, f"turn {shown[0]}")


def fate(case: Case, need: Need, asked: Asked, by_rows: Fate) -> Fate:
    """What became of a need: delivered where a turn that says it is quoted, else what became of its rows."""
    if by_rows.stage is not None:
        for turn_id in need.turns:
            if turn_id in asked.turns and quoted(case.gold, turn_id, asked):
                return Fate("delivered", None, f"turn {turn_id}", by_rows.row)
    return by_rows


def worst(fates: list[Fate]) -> Fate:
    """The one that came least far, the first of several."""
    return min(fates, key=lambda one: one.far)


def forgotten(case: Case, question: Question, asked: Asked) -> Fate:
    """Of a question about what was to be forgotten: ``forgotten``, or ``not forgotten`` and by which stage."""
    gone = _to_forget(case.gold, question)
    shown = {one.fact_id for one in asked.candidates if stands(case, one, asked)}
    turns = dict.fromkeys(case.gold.turn_of[one] for root in gone for one in case.gold.restated.get(root, ()))
    for row, told in case.links.rows.items():
        if row in shown and case.gold.roots[told] in gone and case.gold.facts[told].decision != "DELETE":
            return _still_shown(case, row, question.asked_at)
    for turn_id in turns:
        if turn_id in asked.turns and quoted(case.gold, turn_id, asked):
            return Fate("not forgotten", "context", f"turn {turn_id} is quoted")
    if not gone and question.wrong_answer and normal(question.wrong_answer) in normal(asked.context):
        return Fate("not forgotten", "context", "its words stand in the context")
    return Fate("forgotten", None)


def quoted(gold: Gold, turn_id: str, asked: Asked) -> bool:
    """Whether the words of a turn stand in the context, whole or cut short (the first forty letters will do)."""
    said = normal(gold.texts.get(turn_id, ""))
    return bool(said) and said[:40] in _folded(asked.context)


def stands(case: Case, one: Candidate, asked: Asked) -> bool:
    """Whether the words of a kept fact stand in the context; where none was written, whether the fact was kept."""
    row = case.rows.get(one.fact_id)
    if asked.context_tokens is None or row is None:
        return one.lost is None
    return one.lost in (None, "budget") and normal(row.text) in _folded(asked.context)


@lru_cache(maxsize=8)
def _folded(context: str) -> str:
    return normal(context)


def _still_shown(case: Case, row_id: str, at: datetime) -> Fate:
    row = case.rows.get(row_id)
    if row is not None and not live(row, at, at):
        return Fate("not forgotten", "retrieval", f"closed, and shown all the same: {row.text}", row_id)
    root = case.gold.roots[case.links.rows[row_id]]
    asks = [one for one, of in case.gold.roots.items() if of == root and case.gold.facts[one].decision == "DELETE"]
    read = any(case.links.read.get(case.gold.turn_of[one], Pairs()).any_of(one) for one in asks)
    stage = "reconciliation" if read else "extraction"
    return Fate("not forgotten", stage, f"still held: {row.text if row else row_id}", row_id)


def _to_forget(gold: Gold, question: Question) -> set[str]:
    named = {gold.roots[one] for one in (*question.facts, *question.stale) if one in gold.roots}
    if named or question.wrong_answer is None:
        return named
    wrong = normal(question.wrong_answer)
    return {
        root
        for root, life in gold.lives.items()
        if root in gold.facts
        and normal(gold.facts[root].value) == wrong
        and any(end.why in ("forget", "retract", "delete") and end.told_at <= question.asked_at for end in life.ends)
    }


def _recorded(case: Case, row_id: str, at: datetime) -> bool:
    row = case.rows.get(row_id)
    return row is None or not row.recorded_at or datetime.fromisoformat(row.recorded_at) <= at


def _of_row(case: Case, row_id: str, need: Need, asked: Asked, at: datetime) -> Fate:
    row, told = case.rows.get(row_id), case.links.rows[row_id]
    candidate = next((one for one in asked.candidates if one.fact_id == row_id), None)
    shown = candidate is not None and stands(case, candidate, asked)
    stray = case.astray.get(row_id)
    if stray is not None and (stray.kind == "misfiled" or not shown):
        return Fate(stray.kind, "state", f"{stray.words}: {row.text if row else row_id}", row_id)
    if row is not None and (wrong := _wrong_entity(case, row.key, case.gold.facts[told].subject, strict=not shown)):
        return Fate("wrong entity", "resolution", wrong, row_id)
    life = case.gold.lives.get(case.gold.roots[told])
    if row is not None and not shown and life is not None and life.holds(at, at) and not live(row, at, at):
        return _superseded(case, row, at)
    if candidate is None:
        past = "" if life is None or life.holds(at, at) else " (an earlier value)"
        return Fate("not retrieved", "retrieval", f"no signal brought up{past}: {row.text if row else row_id}", row_id)
    if shown:
        return Fate("delivered", None, f"rank {candidate.rank}", row_id)
    if candidate.lost in (None, "budget"):
        why = "no room in the context" if candidate.lost else "kept, and its words do not stand in the context"
        return Fate("cut by budget", "context", f"rank {candidate.rank}, {why}", row_id)
    words = {
        "pool": "not shown to the judge",
        "min_score": "scored too low",
        "topk": "outranked",
        "vetoed": "judged irrelevant",
    }
    return Fate(_LOST[candidate.lost], "ranking", f"rank {candidate.rank}, {words[candidate.lost]}", row_id)


def _superseded(case: Case, row: Row, at: datetime) -> Fate:
    if row.valid_from[:10] > at.date().isoformat():
        return Fate("superseded", "extraction", f"dated {row.valid_from[:10]}, after the question", row.fact_id)
    began = case.gold.facts[case.links.rows[row.fact_id]].valid_from.isoformat()
    if row.closed_by == "late" and row.valid_from[:10] < began:
        return Fate("superseded", "extraction", f"dated {row.valid_from[:10]}, though it began {began}", row.fact_id)
    if row.fact_id not in case.closers:
        return Fate(
            "superseded", "state", f"closed ({row.closed_by or 'no decision'}) though nobody ended it", row.fact_id
        )
    turn_id, place = case.closers[row.fact_id]
    stated = case.heard[turn_id].stated
    words = stated[place].text if place < len(stated) else "?"
    return Fate("superseded", "reconciliation", f"closed in {turn_id} by: {words}", row.fact_id)


def _of_fact(case: Case, fact: str) -> Fate:
    """A gold fact that no row stands for."""
    turn_id, told = case.gold.turn_of[fact], case.gold.facts[fact]
    heard, read = case.heard.get(turn_id), case.links.read.get(turn_id)
    if heard is None or read is None or heard.error is not None:
        why = (
            f"turn {turn_id} failed: {heard.error}"
            if heard is not None and heard.error
            else f"turn {turn_id} was not heard"
        )
        return Fate("never extracted", "extraction", why)
    places = read.any_of(fact)
    if not places:
        texts = "; ".join(one.text for one in heard.facts) or "nothing"
        return Fate("never extracted", "extraction", f"read in {turn_id}: {texts}")
    if not set(places) & set(heard.kept):
        return Fate("merged away", "dedup", f"dropped as a repeat in {turn_id}: {heard.facts[places[0]].text}")
    subject = heard.facts[places[0]].subject
    key = next((one.key for one in heard.resolved if ident(one.name) == ident(subject)), None)
    if key is None and heard.resolved:
        return Fate("wrong entity", "resolution", f"{subject!r} got no key in {turn_id}")
    if key is not None and (wrong := _wrong_entity(case, key, told.subject, strict=True)):
        return Fate("wrong entity", "resolution", wrong)
    stated = case.links.stated[turn_id].any_of(fact)
    made = next((one for one in heard.made if one.position in stated), None)
    return _merged(case, turn_id, made)


def _of_end(case: Case, fact: str, at: datetime) -> Fate:
    """A gold fact that ends another: delivered where every row of that one was closed by then."""
    root, turn_id = case.gold.roots[fact], case.gold.turn_of[fact]
    told = {
        row: one for row, one in case.links.rows.items() if case.gold.roots[one] == root and _recorded(case, row, at)
    }
    held = [row for row, one in told.items() if row in case.rows and case.gold.facts[one].decision != "DELETE"]
    still = [row for row in held if live(case.rows[row], at, at)]
    if held and not still:
        return Fate("delivered", None, f"closed, as it was told in {turn_id}: {case.rows[held[0]].text}", held[0])
    if not held:
        lost = _of_fact(case, fact)
        begun = [_of_fact(case, one) for one in case.gold.restated.get(root, ())]
        return lost if lost.fate == "never extracted" else max(begun, key=lambda one: one.far, default=lost)
    lost = _of_fact(case, fact)
    if lost.fate != "merged away" or lost.stage == "dedup":
        return lost
    stated = case.links.stated[turn_id].any_of(fact)
    made = next((one for one in case.heard[turn_id].made if one.position in stated), None)
    row = case.rows[still[0]]
    if made is not None and made.action in ("UPDATE", "DELETE") and made.target_id == row.fact_id:
        return Fate(
            "merged away", "state", f"decided {made.action} in {turn_id}, and still held: {row.text}", row.fact_id
        )
    words = made.action if made is not None else "nothing"
    return Fate(
        "merged away", "reconciliation", f"decided {words} in {turn_id}, and still held: {row.text}", row.fact_id
    )


def _merged(case: Case, turn_id: str, made: Made | None) -> Fate:
    if made is None:
        why = "; ".join(f"{what}: {why}" for what, why in case.heard[turn_id].skipped)
        return Fate("merged away", "reconciliation", f"nothing was decided in {turn_id}{f' ({why})' if why else ''}")
    if made.action in ("ADD", "UPDATE"):
        return Fate("merged away", "state", f"decided {made.action} in {turn_id}, and no row says it")
    row = case.rows.get(made.target_id or "")
    words = row.text if row is not None else made.target_id or "nothing"
    return Fate("merged away", "reconciliation", f"{made.action} in {turn_id} of: {words}", made.target_id)


def _wrong_entity(case: Case, key: str, subject: str, *, strict: bool) -> str | None:
    """Why a key is the wrong one for a subject; a splinter of the right entity only counts when ``strict``."""
    owner, main = case.owner.get(key), case.main.get(subject)
    if owner is not None and owner != subject:
        return f"filed under {key}, which is {owner}"
    if strict and main is not None and key != main:
        return f"filed under {key}, apart from {main}"
    return None

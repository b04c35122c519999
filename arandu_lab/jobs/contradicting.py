"""Contradictions are found before anything is asked or merged, by rule, over everything that holds now (J4, A19)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from arandu_lab.jobs.flow import details, digest, live_facts
from arandu_lab.jobs.window import Window
from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure import ids
from arandu_lab.pure.contradictions import Contradiction, contradictions
from arandu_lab.records import UNSTAMPED, Observation

KIND = "contradiction"


@dataclass(frozen=True, slots=True, kw_only=True)
class Clashing(Window):
    """``noted`` are observations that a rule made or renewed, ``withdrawn`` those that have lost what they rested on."""

    noted: tuple[Observation, ...] = ()
    withdrawn: tuple[Observation, ...] = ()


@stage
def note_contradictions(window: Window, lab: Lab, *, profile_language: str) -> Clashing:
    """Every pair of facts that hold now and cannot both: an observation with both as evidence.

    A pair keeps its row while both hold; one that stands already is not written again. A contradiction goes when fewer than two
    of the facts and turns it cites still hold, an insight when one of them is over, anything else when all of them are.
    """
    standing = [row for row in lab.memory.observations() if row.kind in _RESTING]
    pairs = {frozenset(row.evidence_ids): row for row in standing if row.kind == KIND}
    noted = []
    for pair in contradictions(window.held):
        before = pairs.get(frozenset((pair.earlier.id, pair.later.id)))
        if before is None or before.invalidated_at is not None:
            noted.append(_row(pair, window.agent_id, profile_language, before))
    holding = {fact.id for fact in live_facts(lab, stale=True)}
    over = [
        replace(row, invalidated_at=UNSTAMPED)
        for row in standing
        if row.invalidated_at is None
        and not borne(row, lambda one: one in holding or lab.memory.event(one) is not None)
    ]
    lab.log(contradictions=len(noted), withdrawn=len(over))
    return Clashing(**window.parts(), noted=tuple(noted), withdrawn=tuple(over))


def borne(row: Observation, holds: Callable[[str], bool]) -> bool:
    """Whether what an observation cites still bears it out; ``holds`` says of a fact or turn whether it does.

    >>> from datetime import UTC, datetime
    >>> row = Observation(id="o", agent_id="a", kind="insight", text="t", confidence=1.0, evidence_ids=("f", "g"),
    ...                   recorded_at=datetime(2025, 1, 1, tzinfo=UTC))
    >>> [borne(replace(row, kind=kind), lambda one: one == "f") for kind in ("insight", "contradiction", "pattern")]
    [False, False, True]
    """
    held = sum(map(holds, row.evidence_ids))
    return held >= {"insight": len(row.evidence_ids), KIND: 2}.get(row.kind, 1)


def portuguese(language: str) -> bool:
    """Whether texts of a job are to be Portuguese.

    >>> portuguese("Portuguese"), portuguese("pt-BR"), portuguese("english")
    (True, True, False)
    """
    return language.strip().lower().startswith(("pt", "portug", "bra"))


_RESTING = frozenset(("insight", "pattern", KIND, "trend", "directive"))


def _row(pair: Contradiction, agent_id: str, language: str, before: Observation | None) -> Observation:
    evidence = (pair.earlier.id, pair.later.id)
    one, other = (f'"{fact.text}" ({fact.valid_from.date().isoformat()})' for fact in (pair.earlier, pair.later))
    says = (
        f"{one} e {other} não podem valer ao mesmo tempo."
        if portuguese(language)
        else f"{one} and {other} cannot both hold."
    )
    return Observation(
        id=ids.derive(KIND, agent_id, *sorted(evidence)) if before is None else before.id,
        agent_id=agent_id,
        kind=KIND,
        text=says,
        confidence=min(pair.earlier.confidence, pair.later.confidence),
        evidence_ids=evidence,
        recorded_at=UNSTAMPED,
        details=details(digest(says), why=pair.why),
    )

"""Whether something observed is known already, and what hearing it again adds: no observation stands twice (A11)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from arandu_lab.jobs.patterns import Proposal
from arandu_lab.pure import ids
from arandu_lab.pure.compare import differences
from arandu_lab.pure.matching import content_f1
from arandu_lab.pure.text import STOP, fold, normal, words
from arandu_lab.records import UNSTAMPED, Observation


def known(
    proposal: Proposal, rows: Iterable[Observation], scale: Callable[[Any], Any], threshold: float
) -> Observation | None:
    """The observation of the same kind that says the same: in the same words; of a contradiction, on the same evidence; in
    near words on evidence of which one holds the other's; or at a cosine of ``threshold`` with no difference in words.

    Rows that stand go before rows that were withdrawn.
    """
    mine = [row for row in rows if row.kind == proposal.kind]
    mine.sort(key=lambda row: row.invalidated_at is not None)
    for same in (_words, _evidence, lambda one, row: _near(one, row, scale, threshold)):
        for row in mine:
            if same(proposal, row):
                return row
    return None


def apart_by(kind: str, one: str, other: str) -> tuple[str, ...]:
    """Reasons why two observations of a kind are not the same: ``differences``, and beside them whom they are about, since a
    name at the head counts for nothing there. A directive begins with what is to be done.

    >>> apart_by("pattern", "Ana runs on Mondays.", "Rui runs on Mondays.")
    ('names',)
    >>> apart_by("directive", "Reply briefly.", "Answer briefly.")
    ()
    """
    found = differences(one, other)
    heads = [(_HEAD.findall(mine), set(words(theirs))) for mine, theirs in ((one, other), (other, one))]
    foreign = any(fold(name) not in said and fold(name) not in STOP for named, said in heads for name in named)
    return tuple(dict.fromkeys((*found, "names"))) if foreign and kind != "directive" else found


_HEAD = re.compile(r"^[^\W\d_]\w*")


def fresh(proposal: Proposal, agent_id: str) -> Observation:
    """The row of something that was not known; its id comes from its kind and words, of a contradiction from its evidence."""
    natural = sorted(proposal.evidence) if proposal.kind == "contradiction" else [normal(proposal.text)]
    return Observation(
        id=ids.derive(proposal.kind, agent_id, *natural),
        agent_id=agent_id,
        kind=proposal.kind,
        text=proposal.text,
        confidence=proposal.confidence,
        evidence_ids=proposal.evidence,
        recorded_at=UNSTAMPED,
        vector=proposal.vector,
    )


def reinforced(row: Observation, proposal: Proposal, gain: float) -> Observation:
    """The row with what it had not cited yet; each time, ``gain`` of what is missing to certainty is added.

    On nothing new it stays as it is. What was withdrawn comes back only on new evidence, as of now.

    >>> from datetime import UTC, datetime
    >>> row = Observation(id="o", agent_id="a", kind="pattern", text="t", confidence=0.5, evidence_ids=("e",),
    ...                   recorded_at=datetime(2025, 1, 1, tzinfo=UTC))
    >>> again = Proposal(kind="pattern", text="T", confidence=0.4, evidence=("e", "f"))
    >>> reinforced(row, again, 0.2).confidence, reinforced(row, again, 0.2).evidence_ids
    (0.6, ('e', 'f'))
    """
    new = [one for one in proposal.evidence if one not in row.evidence_ids]
    if not new:
        return row
    if row.invalidated_at is not None:
        return replace(
            row,
            confidence=proposal.confidence,
            evidence_ids=proposal.evidence,
            invalidated_at=None,
            recorded_at=UNSTAMPED,
        )
    surer = row.confidence + gain * (1.0 - row.confidence)
    return replace(row, confidence=round(surer, 4), evidence_ids=(*row.evidence_ids, *new))


def _words(one: Proposal, row: Observation) -> bool:
    return normal(one.text) == normal(row.text)


def _evidence(one: Proposal, row: Observation) -> bool:
    mine, theirs = set(one.evidence), set(row.evidence_ids)
    if one.kind == "contradiction" and mine == theirs:
        return True
    if not (mine <= theirs or theirs <= mine):
        return False
    apart = _REFUSING.intersection(apart_by(one.kind, one.text, row.text))
    return not apart and content_f1(one.text, row.text) >= 0.5


_REFUSING = frozenset(("polarity", "numbers", "dates", "names", "antonyms"))


def _near(one: Proposal, row: Observation, scale: Callable[[Any], Any], threshold: float) -> bool:
    if one.vector is None or row.vector is None:
        return False
    return float(scale(float(np.dot(one.vector, row.vector)))) >= threshold and not apart_by(
        one.kind, one.text, row.text
    )

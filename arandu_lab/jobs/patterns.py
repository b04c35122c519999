"""What turns and facts show only together: insights, patterns, contradictions, trends and directives, asked in one question."""

from __future__ import annotations

from dataclasses import dataclass, replace

from arandu_lab.jobs.directives import refusal
from arandu_lab.jobs.feeling import Felt
from arandu_lab.jobs.flow import left
from arandu_lab.llm import job_tasks
from arandu_lab.llm.job_tasks import ObservationItem
from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure.steering import commanding
from arandu_lab.pure.text import words
from arandu_lab.read.render import one_line
from arandu_lab.records import Skipped, Vector
from arandu_lab.units import Positive, Seconds

LEAST = {"insight": 2, "pattern": 2, "contradiction": 2, "trend": 2, "directive": 1}
"""How many facts and turns an observation must cite: one alone says what is remembered already."""

LONGEST = 600
"""Characters of an observation; more is no sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What a model observed, with the ids of the facts and turns that it cites; not yet held against what is known."""

    kind: str
    text: str
    confidence: float
    evidence: tuple[str, ...]
    vector: Vector | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed(Felt):
    """``proposals`` in the order of the answer."""

    proposals: tuple[Proposal, ...] = ()


@stage
async def ask_patterns(
    found: Felt,
    lab: Lab,
    *,
    profile_language: str,
    job_timeout_sec: Seconds,
    most_chars: Positive = 600,
    most_known: Positive = 100,
) -> Proposed:
    """Put the window to the model, beside what is known already; keep what cites enough of what was shown.

    No call where the window is idle. At most ``most_known`` observations are shown, the newest; of a turn, ``most_chars``.

    Raises:
        BackendError: no usable answer; then the whole job changes nothing (J4).
    """
    if found.idle is not None:
        return Proposed(**found.parts())
    gone = {row.id for row in found.withdrawn}
    stored = {row.id: row for row in lab.memory.observations() if row.kind in LEAST and row.invalidated_at is None}
    known = [row for row in {**stored, **{row.id: row for row in found.noted}}.values() if row.id not in gone]
    inputs = {
        "since": found.since,
        "until": lab.now.date().isoformat(),
        "events": [
            {"i": i, "speaker": one.speaker, "text": one.text[:most_chars], "at": one.occurred_at.date().isoformat()}
            for i, one in enumerate(found.events)
        ],
        "facts": [
            {"i": i, "subject": one.entity_name, "text": one.text, "since": one.valid_from.date().isoformat()}
            for i, one in enumerate(found.facts)
        ],
        "known": [{"i": i, "kind": one.kind, "text": one.text} for i, one in enumerate(known[-most_known:])],
        "language": profile_language,
    }
    answer = await lab.llm.ask(job_tasks.consolidate(), inputs, timeout=job_timeout_sec)
    read = [proposal(item, found) for item in answer.value.observations]
    skipped = [left("an observation", why) for why in answer.dropped]
    skipped += [one for one in read if isinstance(one, Skipped)]
    proposals = tuple(one for one in read if isinstance(one, Proposal))
    lab.log(observations=len(answer.value.observations), usable=len(proposals))
    return Proposed(**{**found.parts(), "skipped": (*found.skipped, *skipped)}, proposals=proposals)


def proposal(item: ObservationItem, found: Felt) -> Proposal | Skipped:
    """An item of the answer as a proposal, or why it is none. Indices that were not shown are dropped, then counted."""
    text = one_line(item.text)
    cited = [found.facts[i].id for i in item.facts if 0 <= i < len(found.facts)]
    cited += [found.events[i].id for i in item.events if 0 <= i < len(found.events)]
    evidence = tuple(dict.fromkeys(cited))
    what = f"{item.kind}: {text[:80]}"
    if not words(text):
        return left(what, "it says nothing")
    if len(text) > LONGEST:
        return left(what, f"{len(text)} characters; {LONGEST} are the most")
    if len(evidence) < LEAST[item.kind]:
        return left(what, f"cites {len(evidence)} of what was shown; {LEAST[item.kind]} are wanted")
    if commanding(text):
        return left(what, "reads like an order to a model, or like markup")
    if item.kind == "directive" and (why := refusal(text, evidence, found.events)):
        return left(what, why)
    return Proposal(kind=item.kind, text=text, confidence=item.confidence, evidence=evidence)


@stage
async def embed_proposals(found: Proposed, lab: Lab) -> Proposed:
    """Embed what was proposed, in one batch: a cosine nominates what may be known already."""
    if not found.proposals:
        return found
    vectors = await lab.embed([one.text for one in found.proposals])
    placed = tuple(replace(one, vector=vector) for one, vector in zip(found.proposals, vectors, strict=True))
    return replace(found, proposals=placed)


@stage
def leave_proposals(found: Proposed, lab: Lab) -> Proposed:
    """Go on without vectors: words and evidence say what is known already."""
    return found

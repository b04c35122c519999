"""Whose statement a fact is: what an assistant says or supposes is never stored as the user's own word (G2, W20).

Of an assistant's turn, what it says of persons is a supposition (``source_context`` ``supposed_by_assistant``, the
confidence of a speculation, so that it stays below the default ``min_confidence``), what it says of itself or of things is
its own statement (``said_by_assistant``, at most weak). Neither carries an edge, ends a statement, or writes a profile.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure.assistants import is_assistant, own_name
from arandu_lab.pure.names import is_pronoun, is_vague, kind
from arandu_lab.pure.text import ident
from arandu_lab.records import Decision, Extraction, NewFact, Reconciliation, Skipped

SUPPOSED = "supposed_by_assistant"
"""``source_context`` of what an assistant says of a person other than itself."""

SAID = "said_by_assistant"
"""``source_context`` of what an assistant says of itself or of things."""


def attributed(extraction: Extraction, confidence_values: Mapping[str, float]) -> Extraction:
    """The extraction itself; of an assistant's turn, with facts marked, and ties of persons and profiles set aside."""
    if not is_assistant(extraction.turn.speaker):
        return extraction
    skipped = [
        Skipped(what=f"{one.source} {one.type} {one.target}", why="an assistant's word ties no persons")
        for one in extraction.relations
        if _person(extraction, one.source) or _person(extraction, one.target)
    ]
    skipped += [Skipped(what=text, why="an assistant writes nobody's profile") for _, text in extraction.profiles]
    return replace(
        extraction,
        facts=tuple(_marked(extraction, fact, confidence_values) for fact in extraction.facts),
        relations=tuple(
            one
            for one in extraction.relations
            if not (_person(extraction, one.source) or _person(extraction, one.target))
        ),
        profiles=(),
        skipped=(*extraction.skipped, *skipped),
    )


@stage
def keep_statements(found: Reconciliation, lab: Lab) -> Reconciliation:
    """Let an assistant's word end or replace nothing that somebody said, and a statement take a supposition's place.

    An assistant's UPDATE or DELETE of another's fact is only added beside it. A person's NOOP on what an assistant
    supposed becomes an UPDATE: from then on it is the person's own statement (one that began earlier, or comes second, is
    added beside it).
    """
    if not found.decisions:
        return found
    taken = {one.target_id for one in found.decisions if one is not None and one.action in ("UPDATE", "DELETE")}
    decisions: list[Decision | None] = []
    for fact, decision in zip(found.facts, found.decisions, strict=True):
        target = lab.memory.fact(decision.target_id) if decision is not None and decision.target_id else None
        if decision is None or target is None:
            decisions.append(decision)
        elif fact.source_context in (SUPPOSED, SAID):
            ends = decision.action in ("UPDATE", "DELETE") and target.source_context not in (SUPPOSED, SAID)
            decisions.append(Decision(action="ADD", why="supposed") if ends else decision)
        elif decision.action == "NOOP" and target.source_context in (SUPPOSED, SAID) and target.valid_to is None:
            heir = target.id not in taken and (fact.valid_from or found.turn.occurred_at) >= target.valid_from
            taken.add(target.id)
            decisions.append(
                replace(decision, action="UPDATE", why="stated") if heir else Decision(action="ADD", why="stated")
            )
        else:
            decisions.append(decision)
    changed = tuple(decisions)
    return found if changed == found.decisions else replace(found, decisions=changed)


def _marked(extraction: Extraction, fact: NewFact, confidence_values: Mapping[str, float]) -> NewFact:
    supposed = _person(extraction, fact.subject)
    ceiling = confidence_values.get("speculation", 0.4) if supposed else confidence_values.get("weak", 0.6)
    return replace(
        fact,
        confidence=min(fact.confidence, ceiling),
        source_context=SUPPOSED if supposed else SAID,
        hint="NEW",
        hint_fact_id=None,
    )


def _person(extraction: Extraction, name: str) -> bool:
    """Whether a name is somebody's other than the assistant's: a person by the turn or by memory, or of no known type."""
    bare, speaker = ident(name), extraction.turn.speaker
    if bare in (ident(speaker), ident(own_name(speaker))) or is_pronoun(name, speaker):
        return False
    if is_pronoun(name, ""):
        return True
    types = [one.type for one in extraction.entities if bare in (ident(one.name), *map(ident, one.aliases))]
    types += [one.type for one in extraction.known if bare == ident(one.name)]
    said = [kind(type) for type in types if not is_vague(type)]
    return not types or "person" in said

"""Reconciliation: what becomes of each new fact beside what is stored. Triage, one batched question, settle."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from arandu_lab.llm import tasks
from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure import decide
from arandu_lab.pure.chunks import Chars, excerpt
from arandu_lab.pure.episodes import held
from arandu_lab.pure.text import content_words, ident, normal, words
from arandu_lab.records import Ask, Decision, Fact, Neighbour, NewFact, Reconciliation, Resolution, Skipped, Verdict
from arandu_lab.units import Cosine, Positive, Seconds
from arandu_lab.write.answers import refused, since

_ALWAYS = datetime(9999, 1, 1, tzinfo=UTC)


@stage
def triage(
    resolution: Resolution, lab: Lab, *, reconcile_gate: Cosine, reconcile_neighbours: Positive
) -> Reconciliation:
    """Find the nearest open facts of each new fact's entity over *all* of its facts (W9) and decide what is plain.

    Beside the nearest stand those that state the same attribute where one has it once at a time: they are asked about
    whatever their cosine.
    """
    keys = {ident(r.name): r.key for r in resolution.resolved}
    held: dict[str, _Held] = {}
    decisions: list[Decision | None] = []
    asks: list[Ask] = []
    for position, fact in enumerate(resolution.facts):
        key = keys.get(ident(fact.subject))
        near: list[Neighbour] = []
        closed: list[Fact] = []
        if key is not None:
            held.setdefault(key, _Held(lab, key))
            near, closed = held[key].around(fact, reconcile_neighbours)
        outcome = decide.triage(
            position, fact, resolution.turn.occurred_at, near, closed, reconcile_gate=reconcile_gate
        )
        if isinstance(outcome, Ask):
            asks.append(outcome)
            decisions.append(None)
        else:
            decisions.append(outcome)
    lab.log(asks=len(asks))
    return Reconciliation(
        **{name: getattr(resolution, name) for name in Resolution.__dataclass_fields__},
        decisions=tuple(decisions),
        asks=tuple(asks),
        verdicts=(None,) * len(asks),
    )


@stage
async def ask_verdicts(
    found: Reconciliation, lab: Lab, *, extraction_timeout_sec: Seconds, chunk_max_chars: Chars
) -> Reconciliation:
    """Put all open facts of the message to the model in one question; stored facts go by index, never by id.

    Of a message longer than ``chunk_max_chars`` the passages that hold words of the facts are shown (H4).
    """
    if not found.asks:
        return found
    items = []
    for number, ask in enumerate(found.asks):
        fact = found.facts[ask.position]
        items.append(
            {
                "i": number,
                "subject": fact.subject,
                "fact": fact.text,
                **_told_dates(fact, found.turn.occurred_at),
                "known": [
                    {"i": i, "text": n.fact.text, "since": since(n.fact, found.turn.occurred_at.tzinfo)}
                    for i, n in enumerate(ask.neighbours)
                ],
            }
        )
    inputs = {
        "message": excerpt(found.said, _told(found), size=chunk_max_chars),
        "speaker": found.turn.speaker,
        "sent_at": found.turn.occurred_at.isoformat(),
        "items": items,
    }
    answered = await lab.llm.ask(tasks.reconcile(), inputs, timeout=extraction_timeout_sec)
    given = {v.i: Verdict(action=v.action, index=v.known) for v in reversed(answered.value.verdicts)}
    strays = [i for i in given if not 0 <= i < len(found.asks)]
    lab.log(asked=len(items), answered=len(given) - len(strays), strays=len(strays))
    skipped = (
        *refused(answered.dropped),
        *(Skipped(what=f"verdict on fact {i}", why="no such fact was shown") for i in strays),
    )
    return replace(
        found,
        verdicts=tuple(given.get(number) for number in range(len(found.asks))),
        skipped=(*found.skipped, *skipped),
    )


def _told_dates(fact: NewFact, said_at: datetime) -> dict[str, str]:
    """Since when a new fact holds, and the last day on which it does where that was told."""
    begun, end = held(fact, said_at)
    last = {} if end is None else {"until": (end - timedelta(days=1)).date().isoformat()}
    return {"since": begun.date().isoformat(), **last}


def _told(found: Reconciliation) -> list[str]:
    """The words, folded, of the facts that are asked about and of what they are asked beside, without who is spoken of."""
    said: dict[str, None] = {}
    for ask in found.asks:
        fact = found.facts[ask.position]
        about = set(words(fact.subject))
        for text in (fact.text, *(neighbour.fact.text for neighbour in ask.neighbours)):
            said.update(dict.fromkeys(word for word in content_words(text) if word not in about))
    return list(said)


@stage
def leave_unanswered(found: Reconciliation, lab: Lab) -> Reconciliation:
    """Nobody answered: silence is Add."""
    return found


@stage
def settle(found: Reconciliation, lab: Lab) -> Reconciliation:
    """Turn verdicts into decisions, and see that no stored fact gets two heirs."""
    decisions = list(found.decisions)
    for ask, verdict in zip(found.asks, found.verdicts, strict=True):
        decisions[ask.position] = decide.settle(ask, verdict, found.facts[ask.position], found.turn.occurred_at)
    settled = decide.one_heir(decisions)
    lab.log(
        decisions=[f"{d.action} ({d.why})" for d in settled if d is not None],
        verdict_invalid=sum(d is not None and d.why == "verdict_invalid" for d in settled),
    )
    return replace(found, decisions=settled)


class _Held:
    """What is stored of one entity: its facts, open and closed, and their words."""

    def __init__(self, lab: Lab, key: str) -> None:
        self.lab = lab
        entity = lab.memory.entity(key)
        self.name = entity.name if entity is not None else ""
        linked = lab.memory.linked(key)
        standing = lab.memory.facts.live(as_of=_ALWAYS)[linked]
        self.open, self.closed = linked[standing], linked[~standing]
        self.same: dict[str, list[int]] = {}
        for position in linked:
            self.same.setdefault(normal(lab.memory.facts.texts[int(position)]), []).append(int(position))

    def around(self, fact: NewFact, k: int) -> tuple[list[Neighbour], list[Fact]]:
        """The ``k`` nearest open facts, any of the same words, and up to ``k`` more that bear on it, however far.

        And the closed facts of the same words.
        """
        likeness = self._likeness(fact)
        order = np.argsort(-likeness, kind="stable")
        same = set(self.same.get(normal(fact.text), ()))
        far = order[k:]
        texts = self.lab.memory.facts.texts
        bearing = [i for i in far if decide.bears_on(fact, texts[int(self.open[i])], self.name)][-k:]
        chosen = [*order[:k], *(i for i in far if i in bearing or (same and int(self.open[i]) in same))]
        near = [Neighbour(fact=self.lab.memory.fact_at(int(self.open[i])), cosine=float(likeness[i])) for i in chosen]
        return near, [self.lab.memory.fact_at(int(p)) for p in self.closed if int(p) in same]

    def _likeness(self, fact: NewFact) -> NDArray[np.float64]:
        """Cosines on the documented scale; words in common where one of the two has no vector."""
        rows = self.lab.memory.facts.matrix[self.open]
        out = np.zeros(len(self.open))
        embedded = rows.any(axis=1) if fact.vector is not None else np.zeros(len(self.open), dtype=np.bool_)
        if fact.vector is not None and embedded.any():
            out[embedded] = self.lab.embed.scale(rows[embedded] @ fact.vector)
        for i in np.flatnonzero(~embedded):
            out[i] = decide.lexical_likeness(fact.text, self.lab.memory.facts.texts[int(self.open[i])])
        return out

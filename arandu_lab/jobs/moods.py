"""Where the mood and the energy of each speaker are going, from the emotions of their turns: observations of kind ``trend``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from arandu_lab.jobs.contradicting import portuguese
from arandu_lab.jobs.feeling import Felt
from arandu_lab.jobs.flow import details, digest, digest_of
from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure import ids
from arandu_lab.pure.assistants import is_assistant
from arandu_lab.pure.trends import Of, Trend, by_speaker
from arandu_lab.records import UNSTAMPED, Observation

KIND = "trend"

X = TypeVar("X", bound=Felt)


@stage
def note_moods(found: X, lab: Lab, *, profile_language: str) -> X:
    """One observation for each speaker whose mood or energy rises or falls over the window; the turns are its evidence.

    Six tagged turns are the least. A trend that has become steady is withdrawn; one that can no longer be read, because too
    little was said, stays with its dates. Assistants have no mood.
    """
    if found.idle is not None:
        return found
    said = [event for event in found.sounding if event.emotion is not None and not is_assistant(event.speaker)]
    standing = {(of, who): row for row in lab.memory.observations() if (about := _about(row)) for of, who in [about]}
    noted, over = [], []
    for of in _ALL:
        for speaker, line in by_speaker(said, of).items():
            before = standing.get((of, speaker))
            stands = before is not None and before.invalidated_at is None
            if line.direction == "steady":
                over += [replace(before, invalidated_at=UNSTAMPED)] if before is not None and stands else []
                continue
            evidence = tuple(event.id for event in said if event.speaker == speaker)
            row = _row(found.agent_id, of, speaker, line, evidence, profile_language, before if stands else None)
            if before is None or not stands or digest_of(before) != digest_of(row):
                noted.append(row if before is None else replace(row, id=before.id))
    lab.log(trends=len(noted))
    withdrawn = {row.id: row for row in (*found.withdrawn, *over)}
    for row in noted:
        withdrawn.pop(row.id, None)
    return replace(found, noted=(*found.noted, *noted), withdrawn=tuple(withdrawn.values()))


def _row(
    agent_id: str,
    of: Of,
    speaker: str,
    line: Trend,
    evidence: tuple[str, ...],
    language: str,
    before: Observation | None,
) -> Observation:
    return Observation(
        id=ids.derive(KIND, agent_id, of, speaker),
        agent_id=agent_id,
        kind=KIND,
        text=_sentence(of, speaker, line, language),
        confidence=min(0.9, 0.5 + abs(line.change) / 4.0),
        evidence_ids=evidence,
        recorded_at=UNSTAMPED,
        details=details(digest(line.direction, evidence), of=of, speaker=speaker),
    )


_ALL: tuple[Of, ...] = ("mood", "energy")
_WORDS: Mapping[bool, Mapping[tuple[str, str], str]] = {
    False: {
        ("mood", "rising"): "{who}'s mood has been getting better",
        ("mood", "falling"): "{who}'s mood has been getting worse",
        ("energy", "rising"): "{who} has been getting livelier",
        ("energy", "falling"): "{who} has been losing energy",
    },
    True: {
        ("mood", "rising"): "O humor de {who} vem melhorando",
        ("mood", "falling"): "O humor de {who} vem piorando",
        ("energy", "rising"): "{who} vem ganhando energia",
        ("energy", "falling"): "{who} vem perdendo energia",
    },
}


def _sentence(of: Of, who: str, line: Trend, language: str) -> str:
    """The trend in words, with its dates, so that it stays true.

    >>> from datetime import UTC, datetime
    >>> line = Trend(direction="rising", before=-0.5, after=0.25, change=0.75, n=8,
    ...              since=datetime(2025, 3, 1, tzinfo=UTC), until=datetime(2025, 3, 6, tzinfo=UTC))
    >>> _sentence("mood", "Ana", line, "english")
    "Ana's mood has been getting better: from -0.50 to +0.25 over 8 messages, 2025-03-01 to 2025-03-06."
    """
    lusophone = portuguese(language)
    head = _WORDS[lusophone][of, line.direction].format(who=who)
    since, until = line.since.date().isoformat(), line.until.date().isoformat()
    if lusophone:
        return f"{head}: de {line.before:+.2f} a {line.after:+.2f} em {line.n} mensagens, de {since} a {until}."
    return f"{head}: from {line.before:+.2f} to {line.after:+.2f} over {line.n} messages, {since} to {until}."


def _about(row: Observation) -> tuple[str, str] | None:
    """Of what and of whom an observation of this file is."""
    if row.kind != KIND or row.details is None:
        return None
    try:
        kept: Any = json.loads(row.details)
    except ValueError:
        return None
    return (
        (str(kept["of"]), str(kept["speaker"])) if isinstance(kept, dict) and {"of", "speaker"} <= set(kept) else None
    )

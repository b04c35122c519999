"""The decisions of a meeting, harvested into the domain ``decisions`` when somebody records them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from arandu_lab.errors import ConfigError
from arandu_lab.knowledge import Sighting
from arandu_lab.memory.arguments import aware, required
from arandu_lab.pure.ids import derive
from arandu_lab.pure.text import content_words
from arandu_lab.workspace.drafting import Proposal, proposed
from arandu_lab.workspace.ground import Ground
from arandu_lab.workspace.naming import named, scoped, tidy
from arandu_lab.workspace.results import FactResult, Harvested
from arandu_lab.workspace.sheet import Sheet

DECISIONS = "decisions"


@dataclass(frozen=True, slots=True, kw_only=True)
class MeetingDecision:
    """What was decided. ``topic`` by default its first two words of content; ``decided_by`` is who said it."""

    text: str
    topic: str | None = None
    decided_by: str | None = None


class Harvest(Ground):
    """Harvesting."""

    async def harvest_meeting(
        self,
        meeting: str,
        decisions: Sequence[MeetingDecision | str],
        *,
        agent: str,
        role: str | None = None,
        repo: str | None = None,
        occurred_at: datetime | None = None,
        dry_run: bool = False,
    ) -> Harvested:
        """Record each decision as a sighting of the meeting and as a fact under ``decisions``, all in one append.

        They were said by people, so their veracity is ``stated``, and they were said when the meeting was held: an earlier
        decision that one contradicts gives way, and one of a later meeting stands, whichever is harvested first. The same
        meeting harvested again is a mention, and leaves no second sighting.

        Args:
            meeting: Its title or id: the session of the sightings.
            decisions: Texts, or texts with a topic and a speaker.
            agent: Who records them.
            role: The role of who records them.
            repo: The repository that they are about, if one.
            occurred_at: When it was held; now by default.
            dry_run: Tell what would become of them.

        Raises:
            ConfigError: a blank text or name, no list, or a time without an offset or to come.
        """
        required(meeting=meeting, agent=agent)
        named(role=role)
        agent, role = tidy(agent), tidy(role)
        if isinstance(decisions, str) or not isinstance(decisions, Sequence):
            raise ConfigError(f"decisions wants a list of texts or MeetingDecision, not {type(decisions).__name__}")
        made = [MeetingDecision(text=one) if isinstance(one, str) else one for one in decisions]
        for one in made:
            if not isinstance(one, MeetingDecision):
                raise ConfigError(f"decisions wants texts or MeetingDecision, not {type(one).__name__}")
            required(text=one.text)
            named(topic=one.topic, decided_by=one.decided_by)
        moment = self.clock()
        at = aware("occurred_at", occurred_at) or moment
        if at > moment:
            raise ConfigError(f"occurred_at={at.isoformat()} lies in the future: harvest a meeting that was held")
        name, scope = scoped(DECISIONS, repo)
        seen = [
            Sighting(
                id=derive("sighting", self.workspace, agent, meeting, one.decided_by, at.isoformat(), one.text),
                agent_id=self.workspace,
                agent=agent,
                text=one.text,
                occurred_at=at,
                recorded_at=moment,
                session_id=meeting,
                speaker=one.decided_by,
            )
            for one in made
        ]
        vectors, failures = await self._vectors([one.text for one in made])

        def draft(sheet: Sheet) -> Harvested:
            done: list[FactResult] = []
            cited: list[Sighting] = []
            held = {} if occurred_at is not None else _of_meeting(sheet, agent, meeting)
            for one, drawn, vector in zip(made, seen, vectors, strict=True):
                sighting = sheet.get(Sighting, drawn.id) or held.get((drawn.speaker, drawn.text), drawn)
                if sighting is drawn:
                    sheet.put(drawn)
                cited.append(sighting)
                said = Proposal(
                    domain=name,
                    repo=scope,
                    topic=" ".join(content_words(one.text)[:2]) or DECISIONS if one.topic is None else tidy(one.topic),
                    content=one.text,
                    memory_type=sheet.config.memory_type(None, name),
                    veracity="stated",
                    agent=agent,
                    role=role,
                    sources=(sighting.id,),
                    valid_from=sighting.occurred_at,
                    said_at=sighting.occurred_at,
                    vector=vector,
                )
                done.append(replace(proposed(sheet, said), failures=failures))
            return Harvested(decisions=tuple(done), sightings=tuple(cited))

        return await self._unit("harvest_meeting", draft, by=agent, dry_run=dry_run)


def _of_meeting(sheet: Sheet, agent: str, meeting: str) -> dict[tuple[str | None, str], Sighting]:
    """What an agent has recorded of a meeting, by who said what; of the same twice the last."""
    mine = (one for one in sheet.all(Sighting) if (one.agent, one.session_id) == (agent, meeting))
    return {(one.speaker, one.text): one for one in mine}

"""What an agent keeps for itself and its session: sightings, its private pad, and the hot tier. One append each."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from arandu_lab.errors import ConfigError
from arandu_lab.knowledge import HotItem, Sighting, WorkingMemory
from arandu_lab.memory.arguments import aware, required
from arandu_lab.pure.ids import derive
from arandu_lab.pure.unlearning import pad_line
from arandu_lab.workspace.drafting import same_words
from arandu_lab.workspace.ground import Ground
from arandu_lab.workspace.naming import named, repository, scoped, tidy
from arandu_lab.workspace.results import Noted, Observed, Remembered
from arandu_lab.workspace.sheet import Sheet


class Keeping(Ground):
    """Recording and noting."""

    async def remember(
        self,
        text: str,
        *,
        agent: str,
        session_id: str,
        domain: str | None = None,
        repo: str | None = None,
        topic: str | None = None,
        dry_run: bool = False,
    ) -> Remembered:
        """Put an item into the hot tier of a session; ``consolidate_memory`` may make a fact of it.

        The same words are ``known``, unless they are put into another domain, scope or topic: then they are another item.

        Raises:
            ConfigError: a blank text, agent, session, domain or topic, a domain or repository that is no name of one.
        """
        required(text=text, agent=agent, session_id=session_id)
        named(topic=topic)
        name, scope = (None, repository(repo)) if domain is None else scoped(domain, repo)
        agent, topic = tidy(agent), tidy(topic)

        def draft(sheet: Sheet) -> Remembered:
            for one in sheet.all(HotItem):
                waiting = one.promoted_to is None and one.dropped_at is None
                mine = waiting and (one.session_id, one.agent) == (session_id, agent)
                placed = zip((name, scope, topic), (one.domain, one.repo, one.topic), strict=True)
                if mine and all(told in (None, kept) for told, kept in placed) and same_words(one.text, text):
                    return Remembered(outcome="known", item=one)
            made = HotItem(
                id=sheet.made(HotItem, agent, session_id, text),
                agent_id=sheet.workspace,
                agent=agent,
                session_id=session_id,
                text=text,
                recorded_at=sheet.now,
                domain=name,
                repo=scope,
                topic=topic,
            )
            sheet.put(made)
            return Remembered(outcome="added", item=made)

        return await self._unit("remember", draft, by=agent, dry_run=dry_run)

    async def record_observation(
        self,
        text: str,
        *,
        agent: str,
        session_id: str | None = None,
        speaker: str | None = None,
        occurred_at: datetime | None = None,
        dry_run: bool = False,
    ) -> Observed:
        """Record what an agent saw or was told, and note it on the agent's pad, which its next dispatch shows.

        Facts cite it by ``sighting.id``.

        Raises:
            ConfigError: a blank text or name, or a time without an offset.
        """
        made = self._sighting(text, agent, session_id, speaker, occurred_at)
        agent = made.agent

        def draft(sheet: Sheet) -> Observed:
            seen = _seen(sheet, made)
            pad = pad_of(sheet, agent)
            told = pad_line(text)
            noted = _noted(sheet, agent, told if pad is None or not pad.text else f"{pad.text.rstrip()}\n{told}")
            return Observed(sighting=seen, notes=noted)

        return await self._unit("record_observation", draft, by=agent, dry_run=dry_run)

    async def record_source(
        self,
        text: str,
        *,
        agent: str,
        session_id: str | None = None,
        speaker: str | None = None,
        occurred_at: datetime | None = None,
        dry_run: bool = False,
    ) -> Observed:
        """Record where facts come from (a turn, a document), and leave the agent's pad alone.

        Raises:
            ConfigError: a blank text or name, or a time without an offset.
        """
        made = self._sighting(text, agent, session_id, speaker, occurred_at)

        def draft(sheet: Sheet) -> Observed:
            return Observed(sighting=_seen(sheet, made))

        return await self._unit("record_source", draft, by=agent, dry_run=dry_run)

    async def update_my_notes(self, text: str, *, agent: str, dry_run: bool = False) -> Noted:
        """Put another text on the agent's pad, word for word; an empty one clears it.

        Raises:
            ConfigError: no text, or a blank agent.
        """
        required(agent=agent)
        if not isinstance(text, str):
            raise ConfigError(f"text wants text, not {type(text).__name__}")
        agent = tidy(agent)

        def draft(sheet: Sheet) -> Noted:
            pad = pad_of(sheet, agent)
            return Noted(notes=pad if pad is not None and pad.text == text else _noted(sheet, agent, text))

        return await self._unit("update_my_notes", draft, by=agent, dry_run=dry_run)

    def notes_of(self, agent: str) -> str:
        """The pad of an agent, word for word; empty where it has none."""
        required(agent=agent)
        pad = pad_of(self.sheet(), tidy(agent))
        return "" if pad is None else pad.text

    def _sighting(
        self, text: str, agent: str, session_id: str | None, speaker: str | None, occurred_at: datetime | None
    ) -> Sighting:
        required(text=text, agent=agent)
        named(session_id=session_id, speaker=speaker)
        agent = tidy(agent)
        moment = self.clock()
        at = aware("occurred_at", occurred_at) or moment
        return Sighting(
            id=derive("sighting", self.workspace, agent, session_id, speaker, at.isoformat(), text),
            agent_id=self.workspace,
            agent=agent,
            text=text,
            occurred_at=at,
            recorded_at=moment,
            session_id=session_id,
            speaker=speaker,
        )


def pad_of(sheet: Sheet, agent: str) -> WorkingMemory | None:
    """The pad of an agent."""
    return next((one for one in sheet.all(WorkingMemory) if one.agent == agent), None)


def _seen(sheet: Sheet, made: Sighting) -> Sighting:
    """The same words by the same speaker at the same moment are one sighting."""
    known = sheet.get(Sighting, made.id)
    if known is None:
        sheet.put(made)
    return known or made


def _noted(sheet: Sheet, agent: str, text: str) -> WorkingMemory:
    pad = pad_of(sheet, agent)
    if pad is None:
        pad = WorkingMemory(
            id=derive("notes", sheet.workspace, agent),
            agent_id=sheet.workspace,
            agent=agent,
            text=text,
            recorded_at=sheet.now,
            updated_at=sheet.now,
        )
    else:
        pad = replace(pad, text=text, updated_at=sheet.now)
    sheet.put(pad)
    return pad

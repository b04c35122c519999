"""Looking into a workspace: searches, what a dispatch shows, and frames. Only how often facts are found is written."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from arandu_lab.errors import ConfigError
from arandu_lab.knowledge import (
    AccessGrant,
    Domain,
    EpisodicEdge,
    HotItem,
    Knowledge,
    MemoryConflict,
    MemoryFact,
    MemoryPolicy,
    Sighting,
    WorkingMemory,
)
from arandu_lab.memory.arguments import aware, required, whole
from arandu_lab.memory.scale import in_force
from arandu_lab.pure.bm25 import BM25
from arandu_lab.pure.disagreement import elsewhere
from arandu_lab.pure.fusion import top
from arandu_lab.pure.grants import allows, effective
from arandu_lab.pure.preamble import Preamble, asked, compose, terms
from arandu_lab.pure.steering import set_apart
from arandu_lab.workspace.granting import known_domain
from arandu_lab.workspace.ground import Ground
from arandu_lab.workspace.keeping import pad_of
from arandu_lab.workspace.naming import named, one_of, repository, tidy
from arandu_lab.workspace.results import Elsewhere, FoundFact
from arandu_lab.workspace.sheet import Sheet

if TYPE_CHECKING:
    import polars as pl

    from arandu_lab.pipeline import Pipeline
    from arandu_lab.store.view import AgentView
    from arandu_lab.workspace.search.found import Presented
    from arandu_lab.workspace.search.library import Library

COUNTED = 256
"""Finds that are counted before they are written down."""

_LIBRARY = "workspace/library"


class Looking(Ground):
    """Searching, composing the preamble, and showing rows."""

    recalls: Counter[str]
    recalled_at: dict[str, datetime]

    async def search_memory(
        self,
        query: str,
        *,
        mode: str = "hybrid",
        repo: str | None = None,
        agent: str | None = None,
        role: str | None = None,
        k: int = 10,
        now: datetime | None = None,
        pipeline: Pipeline | None = None,
        overrides: Mapping[str, Any] | None = None,
    ) -> Presented:
        """The facts worth knowing for a query: hits best first, the voices that were silent and why, and every score.

        Facts that are shown count as recalled, which slows their fading.

        Args:
            query: What is asked, in words.
            mode: ``keyword`` (words only), ``semantic`` (words and meaning), or ``hybrid`` (four voices).
            repo: Where the agent works: that scope comes first, nothing is left out for it.
            agent: Who asks; for the record only.
            role: Domains where it is granted ``none`` are left out; a missing grant is read.
            k: At most so many hits, 1 or more.
            now: The moment of the question; the clock by default.
            pipeline: One of your own in the place of the mode's.
            overrides: Parameters of its stages, by their flat names.

        Raises:
            ConfigError: a blank query, an unknown mode or override, ``k`` below 1.
        """
        from arandu_lab.pipeline import Pipeline
        from arandu_lab.workspace.search.asking import search
        from arandu_lab.workspace.search.found import Request
        from arandu_lab.workspace.search.preset import MODES, searching

        named(agent=agent, role=role)
        whole(1, k=k)
        one_of("mode", mode, MODES)
        moment, home = aware("now", now) or self.clock(), repository(repo)
        chosen = searching(mode) if pipeline is None else pipeline
        if not isinstance(chosen, Pipeline):
            raise ConfigError(f"pipeline wants a Pipeline, as searching() gives, not {type(chosen).__name__}")
        if overrides is not None and not isinstance(overrides, Mapping):
            raise ConfigError(f"overrides wants parameters by name, not {type(overrides).__name__}")
        values = dict(overrides or {})
        if "fade" in chosen.names():
            values = {"memory_types": self.config.memory_types, "use_gain": self.config.use_gain, **values}
        self.embed, view = in_force(self.embed, self.store), self.view
        request = Request(query=query, library=_library(view, moment), role=tidy(role), repo=home, limit=k)
        embed = self.embed if self.store.dim else None
        found, _ = await search(request, embed=embed, pipeline=chosen, overrides=values, view=view)
        self._recall([hit.fact.id for hit in found.hits], moment)
        return found

    def library(self, now: datetime) -> Library:
        """What is searched, reckoned once for each state of the workspace."""
        return _library(self.view, aware("now", now) or self.clock())

    def memory_fact_search(
        self,
        query: str,
        *,
        domain: str | None = None,
        repo: str | None = None,
        role: str | None = None,
        limit: int = 20,
    ) -> tuple[FoundFact, ...]:
        """Live facts that share words with a query, best first by BM25 over stems: lexical only, as thin clients have it.

        Raises:
            ConfigError: a blank query, an unknown domain, a limit below 1.
        """
        required(query=query)
        named(role=role)
        whole(1, limit=limit)
        role, home = tidy(role), repository(repo)
        sheet = self.sheet()
        key = None if domain is None else known_domain(sheet, domain, repo).key
        held = sheet.held
        seen = [
            fact
            for fact in sheet.all(MemoryFact)
            if fact.live_at(sheet.now)
            and (role is None or allows(effective(held, role, fact.domain_key), "memory_fact_search"))
        ]
        live = sorted((fact for fact in seen if key in (None, fact.domain_key)), key=lambda fact: fact.id)
        index = BM25.fit([terms(f"{fact.topic} {fact.content}") for fact in live], variant="lucene")
        scores = index.scores(asked(query))
        places = [place for place in top(scores) if scores[place] > 0.0]
        if home is not None:
            places.sort(key=lambda place: live[place].repo != home)
        found = []
        for place in places[:limit]:
            fact = live[place]
            disputed = tuple(Elsewhere(fact=one, why=other.why) for one, other in elsewhere(fact, seen, sheet.now))
            found.append(
                FoundFact(fact=fact, score=float(scores[place]), disputed_by=disputed, set_apart=set_apart(fact))
            )
        return tuple(found)

    def preamble(self, agent: str, task: str, *, repo: str | None = None) -> Preamble:
        """What a dispatch shows an agent: all policies, its own notes, a few facts by words, and a pointer to the search.

        No model, no embedder and no grant is asked.

        Raises:
            ConfigError: a blank agent or repository, or a task that is no text.
        """
        required(agent=agent)
        home = repository(repo)
        if not isinstance(task, str):
            raise ConfigError(f"task wants text, not {type(task).__name__}")
        sheet = self.sheet()
        pad = pad_of(sheet, tidy(agent))
        return compose(
            sheet.all(MemoryPolicy),
            "" if pad is None else pad.text,
            sheet.all(MemoryFact),
            task,
            now=sheet.now,
            repo=home,
        )

    # ------------------------------------------------------------ frames

    def facts(self, *, live: bool = True) -> pl.DataFrame:
        """Facts in order of arrival: those that stand now, or all versions."""
        now = self.clock()
        return self._frame(MemoryFact, [one for one in self.view.shelf(MemoryFact) if not live or one.live_at(now)])

    def policies(self, *, in_force: bool = True) -> pl.DataFrame:
        """Policies in order of arrival: those in force, or all."""
        rows = [one for one in self.view.shelf(MemoryPolicy) if not in_force or one.in_force]
        return self._frame(MemoryPolicy, rows)

    def domains(self) -> pl.DataFrame:
        """Domains in order of arrival."""
        return self._frame(Domain, list(self.view.shelf(Domain)))

    def conflicts(self) -> pl.DataFrame:
        """Conflicts in order of arrival."""
        return self._frame(MemoryConflict, list(self.view.shelf(MemoryConflict)))

    def grants(self) -> pl.DataFrame:
        """Grants in order of arrival, revoked ones too."""
        return self._frame(AccessGrant, list(self.view.shelf(AccessGrant)))

    def notes(self) -> pl.DataFrame:
        """The pads of all agents."""
        return self._frame(WorkingMemory, list(self.view.shelf(WorkingMemory)))

    def sightings(self) -> pl.DataFrame:
        """Sightings in order of arrival."""
        return self._frame(Sighting, list(self.view.shelf(Sighting)))

    def hot(self) -> pl.DataFrame:
        """Items of the hot tier in order of arrival, promoted ones too."""
        return self._frame(HotItem, list(self.view.shelf(HotItem)))

    def edges(self) -> pl.DataFrame:
        """Episodic edges in order of arrival."""
        return self._frame(EpisodicEdge, list(self.view.shelf(EpisodicEdge)))

    def history(self, fact_id: str) -> tuple[MemoryFact, ...]:
        """A fact, what it took the place of, and what took its place, oldest first.

        Raises:
            ConfigError: no such fact.
        """
        sheet = self.sheet()
        chain = {sheet.need(MemoryFact, "fact", fact_id).id}
        facts = list(sheet.all(MemoryFact))
        before = 0
        while before != (before := len(chain)):
            for fact in facts:
                if fact.superseded_by in chain or fact.id in chain:
                    chain |= {fact.id, *([fact.superseded_by] if fact.superseded_by else [])}
        return tuple(fact for fact in facts if fact.id in chain)

    # ------------------------------------------------------------ counting

    def _recall(self, ids: Sequence[str], moment: datetime) -> None:
        if self.store.read_only or not ids:
            return
        self.recalls.update(ids)
        self.recalled_at.update(dict.fromkeys(ids, moment))
        if sum(self.recalls.values()) >= COUNTED:
            self.count_recalls()

    def count_recalls(self) -> None:
        """Write down how often facts were found since the last time."""
        with self.store.still():
            if not self.recalls:
                return
            sheet = Sheet(self.view, self.config, self.clock())
            for one, often in self.recalls.items():
                fact = sheet.get(MemoryFact, one)
                if fact is not None:
                    at = self.recalled_at[one]
                    last = at if fact.last_recalled_at is None else max(at, fact.last_recalled_at)
                    sheet.put(replace(fact, recall_count=fact.recall_count + often, last_recalled_at=last))
            if sheet.rows:
                self.store.append(
                    "job",
                    self.workspace,
                    sheet.rows,
                    unit_id=f"recalled:{sheet.view.sequence}",
                    recorded_at=sheet.now,
                    note=json.dumps({"op": "recalled"}),
                )
            self.recalls.clear()
            self.recalled_at.clear()

    def _frame(self, kind: type[Knowledge], rows: Sequence[Knowledge]) -> pl.DataFrame:
        from arandu_lab.workspace.frames import frame

        return frame(kind, rows)


def _library(view: AgentView, now: datetime) -> Library:
    from arandu_lab.workspace.search.library import Library

    held = view.kept.get(_LIBRARY)
    if held is None or held[0] != view.sequence:
        held = view.kept[_LIBRARY] = (view.sequence, Library.of(view, now))
    made: Library = held[1].at(now)
    return made

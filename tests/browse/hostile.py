"""An agent and a workspace in which every text means harm: names, statements, turns, rules, topics, sources, notes."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from browsed import NOW

from arandu_lab.browse.opening import Opened, opened, slug
from arandu_lab.knowledge import MemoryConflict, MemoryFact, MemoryPolicy
from arandu_lab.records import Alias, Cluster, Entity, Event, Fact, Link, Observation, Relationship, Row

MARKUP = '</textarea></title><script>alert(1)</script><img src=x onerror=alert(1)>" autofocus onfocus="alert(1)'
TEXTS: dict[str, str] = {
    "markup": MARKUP,
    "template": "{{ 7*7 }} {% raw %} ${7*7} <%= 7*7 %>",
    "bidi": "pay \u202e000.1\u202c to \u2066Ana\u2069 \u200f\u061c",
    "zero width": "ad\u200bmin\u2060 \ufeffroot \U000e0041\U000e0042",
    "control": "a\x00b\x1b[31mred\x07\x08\x7f\x85\u2028c\u2029",
    "long": "x" * 100_000 + MARKUP,
    "wide": "m" * 3_000,
}
AGENT = '"><script>alert(2)</script>\u202e'
SLUG = slug(AGENT)


def rows_of(agent: str) -> list[Row]:
    """Every kind of row, once for each text."""
    rows: list[Row] = []
    for place, text in enumerate(TEXTS.values()):
        key, at = f"person:{place}{text[:200]}", NOW - timedelta(days=place + 1)
        ends = f"person:0{MARKUP[:200]}"
        rows += [
            Event(id=f"e{place}", agent_id=agent, text=text, speaker=text[:300], occurred_at=at, recorded_at=at),
            Entity(key=key, agent_id=agent, name=text[:300], type=text[:40], recorded_at=at, profile_text=text),
            Alias(folded=f"{place}{text[:90]}", agent_id=agent, entity_key=key, name=f"{place}{text}", recorded_at=at),
            Fact(
                id=f"f{place}",
                agent_id=agent,
                entity_key=key,
                entity_name=text[:300],
                text=text,
                confidence=0.9,
                importance=0.9,
                category=text[:40],
                speaker=text[:300],
                source_event_id=f"e{place}",
                valid_from=at,
                recorded_at=at,
                stale_since=at if place % 2 else None,
                stale_why=text[:40] if place % 2 else None,
                event_time=text[:40],
            ),
            Link(fact_id=f"f{place}", agent_id=agent, entity_key=key, primary=True, recorded_at=at),
            Relationship(
                id=f"r{place}",
                agent_id=agent,
                source_key=key,
                target_key=ends,
                rel_type=text[:40],
                strength=0.5,
                evidence_fact_ids=(f"f{place}",),
                valid_from=at,
                recorded_at=at,
            ),
            Observation(
                id=f"o{place}",
                agent_id=agent,
                kind=text[:40],
                text=text,
                confidence=0.5,
                evidence_ids=(f"f{place}", f"e{place}", text[:40]),
                recorded_at=at,
            ),
            Cluster(
                id=f"c{place}", agent_id=agent, label=text[:90], summary=text, fact_ids=(f"f{place}",), recorded_at=at
            ),
            MemoryFact(
                id=f"m{place}",
                agent_id=agent,
                domain=text[:40],
                topic=text[:300],
                content=text,
                memory_type="convention",
                veracity="stated",
                confidence=0.9,
                proposed_by=text[:300],
                valid_from=at,
                recorded_at=at,
            ),
            MemoryPolicy(
                id=f"p{place}",
                agent_id=agent,
                domain=text[:40],
                rule=text,
                proposed_by=text[:300],
                required_role=text[:40],
                source_fact_ids=(f"m{place}",),
                recorded_at=at,
            ),
            MemoryConflict(
                id=f"k{place}",
                agent_id=agent,
                domain=text[:40],
                topic=text[:300],
                kept_id=f"m{place}",
                lost_id="gone",
                why="polarity",
                proposed_by=text[:300],
                recorded_at=at,
                kept_evidence=(text, text),
                lost_evidence=(text, text),
            ),
        ]
    return rows


def filled(path: Path) -> Opened:
    """A store of it, open."""
    from arandu_lab.workspace.face import Workspace

    asyncio.run(_noted(Workspace.open(path, workspace=AGENT, embedder="hashing", clock=lambda: NOW)))
    found = opened(path, embedder="hashing", clock=lambda: NOW)
    found.store.append("edit", AGENT, rows_of(AGENT), unit_id=f"edit:{MARKUP}", recorded_at=NOW, note="{broken")
    return found


async def _noted(workspace: Any) -> None:
    await workspace.record_observation(MARKUP, agent=MARKUP, speaker=MARKUP)
    workspace.close()


class Read(HTMLParser):
    """A page as a browser's parser sees it: which elements, which attributes, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.said = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        """Note a text."""
        self.said += data

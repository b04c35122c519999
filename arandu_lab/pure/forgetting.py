"""What must go when something is forgotten: every row that says it, rests on it, or was worked out from it.

Rows in, rows out; ``pure/grounds.py`` says what rests on what. ``past`` holds every image that the journal has of any row,
also of rows that stand no more: what a merge or an older version left behind is forgotten with the rest. Evidence that
others share stays (J8).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from arandu_lab.pure.grounds import Sources, edge_left, evidence_of, fact_left, observation_left
from arandu_lab.pure.merging import chains
from arandu_lab.pure.names import ROLES
from arandu_lab.pure.reviewing import DISTILLED, LEAST
from arandu_lab.pure.text import content_words, ident, names_in, normal, words
from arandu_lab.pure.translations import translated
from arandu_lab.pure.unlearning import Unlearning, told_by
from arandu_lab.records import MARK, MIRROR, Alias, Cluster, Entity, Event, Fact, Link, Observation, Relationship, Row

Name: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be forgotten: ids of facts and events, keys of entities, or everything."""

    facts: frozenset[str] = frozenset()
    events: frozenset[str] = frozenset()
    entities: frozenset[str] = frozenset()
    everything: bool = False


@dataclass(slots=True)
class Forgetting:
    """Rows that go, rows that stay with less in them, and the words that must be nowhere afterwards.

    ``shared`` are words of rows that go which a row that stays says too.
    """

    removed: list[Row] = field(default_factory=list)
    instead: list[Row] = field(default_factory=list)
    texts: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()
    edges: list[Relationship] = field(default_factory=list)


def forgotten(
    now: Sequence[Row],
    past: Sequence[Row],
    wanted: Wanted,
    sources: Sources,
) -> Forgetting:
    """The whole of a forgetting.

    A fact goes with all its versions, with facts that say the same of the same entity, and with the turns that state it;
    other facts of these turns stay. A turn goes with the facts drawn from it. An entity goes with what names it and with
    what it said itself; other versions of these facts stay. What was worked out from what goes is never left as it was: a
    profile, a summary or a cluster that rests on it goes, an edge stays with the dates of its other evidence, an observation
    says only what is left of its own. A distilled fact goes if it tells what goes, or when fewer than two of its premises are
    left; in another language than the evidence that goes it is taken to tell it, because it shares no words with it.
    """
    whole = _Whole(now, past, sources)
    if wanted.everything:
        return whole.all()
    whole.start(wanted)
    whole.spread()
    return whole.result()


def name_of(row: Row) -> Name:
    """Kind and natural key of a row."""
    match row:
        case Entity():
            return ("Entity", row.key)
        case Alias():
            return ("Alias", row.folded, row.entity_key)
        case Link():
            return ("Link", row.fact_id, row.entity_key)
        case _:
            return (type(row).__name__, row.id)


def texts_of(row: Row) -> tuple[str, ...]:
    """What a row says in words, names included."""
    said: tuple[str, ...] = ()
    match row:
        case Event():
            said = (row.text, row.speaker)
        case Fact():
            said = (row.text, row.entity_name, row.speaker)
        case Entity():
            said = (row.name, row.profile_text or "", row.summary_text or "")
        case Alias():
            said = (row.name,)
        case Cluster():
            said = (row.label, row.summary, row.details or "")
        case Observation():
            said = (row.text, row.details or "")
        case Link() | Relationship():
            pass
        case _:
            said = told_by(row)
    return tuple(text for text in said if text.strip())


class _Whole:
    """The growing sets of what goes, over every image of every row."""

    def __init__(self, now: Sequence[Row], past: Sequence[Row], sources: Sources) -> None:
        self.now = {name_of(row): row for row in now}
        self.images: dict[Name, list[Row]] = {}
        for row in (*past, *now):
            self.images.setdefault(name_of(row), []).append(row)
        self.sources, self.told, self.learnt = sources, sources.told, sources.learnt
        self.newest = {name: self.now.get(name, images[-1]) for name, images in self.images.items()}
        self.fact = {row.id: row for row in self.newest.values() if isinstance(row, Fact)}
        self.event = {row.id: row for row in self.newest.values() if isinstance(row, Event)}
        self.edges = [row for row in self.newest.values() if isinstance(row, Relationship)]
        self.links = [row for row in self.newest.values() if isinstance(row, Link)]
        self.facts_of: dict[str, set[str]] = {}
        for link in self.links:
            self.facts_of.setdefault(link.entity_key, set()).add(link.fact_id)
        for fact in self.fact.values():
            self.facts_of.setdefault(fact.entity_key, set()).add(fact.id)
        self.edges_on: dict[str, set[str]] = {}
        for edge in self.edges:
            for fact_id in edge.evidence_fact_ids:
                self.edges_on.setdefault(fact_id, set()).add(edge.id)
        self.facts: set[str] = set()
        self.events: set[str] = set()
        self.keys: set[str] = set()
        self.lost_edges: set[str] = set()
        self.workspace = Unlearning(self.newest.values())

    def all(self) -> Forgetting:
        """Everything goes."""
        rows = list(self.newest.values())
        said = (text for images in self.images.values() for row in images for text in texts_of(row))
        return Forgetting(removed=rows, texts=tuple(dict.fromkeys(said)), edges=self.edges)

    # ------------------------------------------------------------ what was asked for

    def start(self, wanted: Wanted) -> None:
        self.workspace.start(wanted.facts, wanted.events)
        for fact_id in chains(wanted.facts & self.fact.keys(), self.fact.values()):
            self._statement(fact_id)
        for event_id in wanted.events:
            self.events.add(event_id)
            self.facts |= {fact.id for fact in self.fact.values() if fact.source_event_id == event_id}
        for key in wanted.entities:
            self._entity(key)

    def _statement(self, fact_id: str) -> None:
        """A fact, its twins, and every turn that states one of them."""
        fact = self.fact[fact_id]
        words_ = normal(fact.text)
        for other in self.fact.values():
            if other.id == fact_id or (other.entity_key == fact.entity_key and normal(other.text) == words_):
                self.facts.add(other.id)
                told = {event for event in self.told.get(other.id, ()) if event in self.event}
                self.events |= told - ({other.source_event_id} if other.source_context == DISTILLED else set())
        if words_:
            self.events |= {one.id for one in self.event.values() if f" {words_} " in f" {normal(one.text)} "}

    def _entity(self, key: str) -> None:
        keys = {key}
        roles = {f"{key}_{role}" for role in ROLES.values()}
        owners: dict[str, set[str]] = {}
        for row in self.newest.values():
            if isinstance(row, Entity) and row.key in roles:
                keys.add(row.key)
            if isinstance(row, Alias):
                owners.setdefault(row.folded, set()).add(row.entity_key)
        mine = {link.fact_id for link in self.links if link.entity_key in keys}
        gone = {row.key for name, row in self.newest.items() if isinstance(row, Entity) and name not in self.now}
        keys |= {link.entity_key for link in self.links if link.fact_id in mine and link.entity_key in gone}
        names = {folded: folded for folded in owners}
        alone = {folded for folded, held in owners.items() if held & keys and held <= keys}
        alone |= {ident(row.name) for row in self.newest.values() if isinstance(row, Entity) and row.key in keys}
        alone -= {folded for folded, held in owners.items() if held - keys}
        self.keys |= keys
        for event in self.event.values():
            if ident(event.speaker) in alone:
                self.events.add(event.id)
                self.facts |= {fact.id for fact in self.fact.values() if fact.source_event_id == event.id}
            elif not alone.isdisjoint(names_in(event.text, names, min_chars=1)):
                self.events.add(event.id)
        for fact in self.fact.values():
            by_it = ident(fact.speaker) in alone or fact.entity_key in keys or fact.id in mine
            if by_it or not alone.isdisjoint(names_in(fact.text, names, min_chars=1)):
                self.facts.add(fact.id)
                self.events |= {event for event in self.told.get(fact.id, ()) if event in self.event}

    # ------------------------------------------------------------ what follows

    def spread(self) -> None:
        """Until nothing more goes: edges that lost their ground, their mirrors, what was distilled from what goes, entities
        that nothing names any more.
        """
        before = -1
        while before != (before := len(self.facts) + len(self.keys) + len(self.lost_edges)):
            for edge in self.edges:
                self._edge(edge)
            self._concluded()
            self._orphans()

    def _edge(self, edge: Relationship) -> None:
        if edge.id in self.lost_edges:
            return
        left = [i for i in edge.evidence_fact_ids if i not in self.facts]
        lost = [i for i in edge.evidence_fact_ids if i in self.facts]
        stated = [i for i in lost if i not in self.fact or self.fact[i].source_context != MIRROR]
        ground = [i for i in left if i in self.fact and self.fact[i].source_context != MIRROR]
        touched = not self.keys.isdisjoint((edge.source_key, edge.target_key))
        mirrors = [i for i in left if i in self.fact and i not in ground]
        if touched or (lost and (not left or (stated and not ground))):
            self.lost_edges.add(edge.id)
            self.facts |= {i for i in mirrors if self.edges_on[i] <= self.lost_edges}
        elif stated:
            self.facts |= {i for i in mirrors if self.fact[i].source_event_id in self.events}

    def _concluded(self) -> None:
        """Distilled facts that lost a premise and tell what goes, or have too few premises left."""
        touched = []
        for fact in self.fact.values():
            if fact.source_context == DISTILLED and fact.id not in self.facts:
                grounds = {i for row in self.images[name_of(fact)] if isinstance(row, Fact) for i in row.premise_ids}
                if lost := grounds & self.facts:
                    touched.append((fact, lost))
        if not touched:
            return
        self._vocabulary()
        for fact, lost in touched:
            left = [i for i in fact.premise_ids if i in self.fact and i not in self.facts]
            kept = self.known.union(*(words(self.fact[i].text) for i in left))
            if len(left) < LEAST or self._says(fact.text, kept) or self._foreign(fact.text, lost):
                self.facts.add(fact.id)

    def _vocabulary(self) -> None:
        """Words of what goes, and of the names that stay."""
        standing = [row.name for row in self.newest.values() if isinstance(row, Entity) and row.key not in self.keys]
        said = [self.fact[i].text for i in self.facts if i in self.fact]
        said += [self.event[i].text for i in self.events if i in self.event]
        self.telling = {word for text in said for word in content_words(text)}
        self.known: set[str] = set().union(*(words(name) for name in standing))

    def _orphans(self) -> None:
        """Entities that were known from what goes, and of which nothing is left."""
        kept, named = set[str](), set[str]()
        for link in self.links:
            (named if link.fact_id in self.facts else kept).add(link.entity_key)
        for edge in self.edges:
            (named if edge.id in self.lost_edges else kept).update((edge.source_key, edge.target_key))
        speakers = {ident(event.speaker) for event in self.event.values() if event.id not in self.events}
        for row in self.newest.values():
            if isinstance(row, Entity) and row.key not in self.keys | kept and ident(row.name) not in speakers:
                from_it = self.learnt.get(name_of(row)) in self.events
                if row.key in named or from_it:
                    self.keys.add(row.key)

    # ------------------------------------------------------------ what is left

    def result(self) -> Forgetting:
        done = Forgetting()
        kept_facts = [fact for fact in self.fact.values() if fact.id not in self.facts]
        kept_events = [event for event in self.event.values() if event.id not in self.events]
        self._vocabulary()
        self.everywhere = self.known.union(
            *(words(fact.text) for fact in kept_facts), *(words(event.text) for event in kept_events)
        )
        still = [*(fact.text for fact in kept_facts), *(event.text for event in kept_events)]
        self.mentioned = " ".join(f" {normal(text)} " for text in still)
        gone: list[str] = []
        for name, images in self.images.items():
            row, tells = self.newest[name], any(map(self._tells, images))
            left = None if tells and name not in self.now else self._left(row, images)
            if left is None:
                done.removed.append(row)
                gone += [text for image in images for text in texts_of(image)]
                if isinstance(row, Relationship):
                    done.edges.append(row)
            elif name in self.now and (tells or left != row):
                done.instead.append(left)
                gone += [text for image in images for text in texts_of(image) if text not in texts_of(left)]
        anew = {name_of(row) for row in (*done.removed, *done.instead)}
        untouched = (row for name, images in self.images.items() if name not in anew for row in images)
        hay = "\n".join(text for row in (*untouched, *done.instead) for text in texts_of(row))
        looked = tuple(dict.fromkeys(gone))
        done.shared = tuple(text for text in looked if text in hay)
        done.texts = tuple(text for text in looked if text not in hay)
        return done

    def _left(self, row: Row, images: Sequence[Row]) -> Row | None:
        """What of a row may stay; None when nothing may."""
        match row:
            case Fact():
                return None if row.id in self.facts else self._bridged(row)
            case Event():
                return None if row.id in self.events else row
            case Link():
                return None if row.fact_id in self.facts or row.entity_key in self.keys else row
            case Alias():
                return None if row.entity_key in self.keys or self._only_there(row) else row
            case Entity():
                return None if row.key in self.keys else self._plain(row)
            case Relationship():
                return None if row.id in self.lost_edges else self._resting(row)
            case Cluster():
                touched = row.entity_key in self.keys or self._lost(row, images)
                return None if touched or self._gossips(row) else row
            case Observation():
                return self._observed(row, images)
            case _:
                return self.workspace.left(row)

    def _bridged(self, fact: Fact) -> Fact:
        """The version before it, where the one between is gone, on the premises that are left."""
        if not self.facts.isdisjoint(fact.premise_ids):
            fact = fact_left(fact, [self.fact[i] for i in self._kept(fact) if i in self.fact], self.events.__contains__)
        older = fact.supersedes_fact_id
        while older is not None and older in self.facts:
            older = self.fact[older].supersedes_fact_id if older in self.fact else None
        return replace(fact, supersedes_fact_id=older) if older != fact.supersedes_fact_id else fact

    def _resting(self, edge: Relationship) -> Relationship:
        """The edge on what is left of its evidence."""
        left = self._kept(edge)
        if left == edge.evidence_fact_ids:
            return edge
        ends = (edge.source_key, edge.rel_type, edge.target_key)
        others = [
            one
            for one in self.edges
            if one.id not in self.lost_edges | {edge.id} and (one.source_key, one.rel_type, one.target_key) == ends
        ]
        return edge_left(edge, left, self.fact.get, others)

    def _only_there(self, alias: Alias) -> bool:
        """Whether a name was learnt from a turn that goes, and stands nowhere else."""
        if self.learnt.get(name_of(alias)) not in self.events:
            return False
        entity = self.newest.get(("Entity", alias.entity_key))
        own = isinstance(entity, Entity) and ident(entity.name) == alias.folded
        return not own and f" {normal(alias.name)} " not in self.mentioned

    def _plain(self, entity: Entity) -> Entity:
        """The entity without a profile or summary that rests on what goes, or tells it."""
        left = entity
        for told, at in (("profile_text", "profile_at"), ("summary_text", "summary_at")):
            text = getattr(entity, told)
            if text and (self._founded(entity.key, text) or self._says(text, self.everywhere)):
                left = replace(left, **{told: None, at: None})  # type: ignore[arg-type]
        return left

    def _founded(self, key: str, text: str) -> bool:
        """Whether a text of an entity rests on a fact or turn that goes."""
        lost = [self.fact[i] for i in self.facts_of.get(key, set()) & self.facts if i in self.fact]
        return self.sources.rests(key, text, lost, self.events.__contains__)

    def _tells(self, row: Row) -> bool:
        """Whether an image rests on what goes, or what jobs made of it tells that."""
        if isinstance(row, Entity):
            return self._plain(row) != row
        concluded = isinstance(row, Cluster | Observation)
        return self._kept(row) != evidence_of(row) or (concluded and self._gossips(row))

    def _gossips(self, row: Row) -> bool:
        """Whether a row has a word that only what goes has."""
        return any(self._says(text, self.everywhere) for text in texts_of(row))

    def _kept(self, row: Row) -> Name:
        """What of a row's evidence stays."""
        return tuple(i for i in evidence_of(row) if i not in self.facts and i not in self.events)

    def _lost(self, row: Row, images: Sequence[Row]) -> set[str]:
        """Evidence that goes of any image with the words of this row: it cited that once, and says it still."""
        same = [image for image in images if not set(texts_of(image)).isdisjoint(texts_of(row))]
        return {i for image in same for i in evidence_of(image)} & (self.facts | self.events)

    def _observed(self, row: Observation, images: Sequence[Row]) -> Observation | None:
        """An observation that rests on nothing that goes, or what is left of one that does not tell it; else None."""
        left, lost = self._kept(row), self._lost(row, images)
        if not lost:
            return None if self._gossips(row) else row
        found = [one for i in left if (one := self.fact.get(i) or self.event.get(i)) is not None]
        kept = self.known.union(*(words(one.text) for one in found))
        told = row.kind != MARK and (self._says(row.text, kept) or self._foreign(row.text, lost))
        return None if told or not left else observation_left(row, left, [one.text for one in found])

    def _says(self, text: str, kept: set[str]) -> bool:
        """Whether a text has a word that comes from what goes and from nothing that stays."""
        return any(word in self.telling and word not in kept for word in words(text))

    def _foreign(self, text: str, lost: Iterable[str]) -> bool:
        """Whether a text may translate evidence of it that goes."""
        return translated(text, [row.text for i in lost if (row := self.fact.get(i) or self.event.get(i)) is not None])

"""What must go when something is forgotten: every row that says it, rests on it, or was worked out from it.

Rows in, rows out. ``past`` holds every image that the journal has of any row, also of rows that stand no more: what a
merge or an older version left behind is forgotten with the rest. Evidence that others share stays (J8).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from arandu_lab.pure import versions
from arandu_lab.pure.merging import chains
from arandu_lab.pure.names import ROLES
from arandu_lab.pure.reviewing import DISTILLED, LEAST
from arandu_lab.pure.text import content_words, ident, names_in, normal, words
from arandu_lab.pure.translations import translated
from arandu_lab.pure.unlearning import Unlearning, told_by
from arandu_lab.records import MIRROR, Alias, Cluster, Entity, Event, Fact, Link, Observation, Relationship, Row

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
    told: Mapping[str, Iterable[str]],
    learnt: Mapping[Name, str],
) -> Forgetting:
    """The whole of a forgetting.

    ``told`` maps a fact to the events that state it (its source, and turns that confirmed it); ``learnt`` maps a row (by
    ``name_of``) to the event whose reading brought it first.

    A fact goes with all its versions, with facts that say the same of the same entity, and with the turns that state it;
    other facts of these turns stay. A turn goes with the facts drawn from it. An entity goes with what names it and with
    what it said itself; other versions of these facts stay. What was worked out from what goes goes with it if it tells it:
    a cluster, an observation, a summary, a profile, and a distilled fact, which also goes when fewer than two of its premises
    are left. A text in another language than the evidence that goes is taken to tell it, because it shares no words with it.
    """
    whole = _Whole(now, past, told, learnt)
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

    def __init__(
        self, now: Sequence[Row], past: Sequence[Row], told: Mapping[str, Iterable[str]], learnt: Mapping[Name, str]
    ) -> None:
        self.now = {name_of(row): row for row in now}
        self.images: dict[Name, list[Row]] = {}
        for row in (*past, *now):
            self.images.setdefault(name_of(row), []).append(row)
        self.told, self.learnt = told, learnt
        self.newest = {name: self.now.get(name, images[-1]) for name, images in self.images.items()}
        self.fact = {row.id: row for row in self.newest.values() if isinstance(row, Fact)}
        self.event = {row.id: row for row in self.newest.values() if isinstance(row, Event)}
        self.edges = [row for row in self.newest.values() if isinstance(row, Relationship)]
        self.links = [row for row in self.newest.values() if isinstance(row, Link)]
        self.facts_of: dict[str, set[str]] = {}
        for link in self.links:
            self.facts_of.setdefault(link.entity_key, set()).add(link.fact_id)
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
        if touched or (lost and (not left or (stated and not ground))):
            self.lost_edges.add(edge.id)
            mirrors = [i for i in left if i in self.fact and i not in ground]
            self.facts |= {i for i in mirrors if self.edges_on[i] <= self.lost_edges}

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
            left = self._left(name, self.newest[name], images)
            if left is None:
                done.removed.append(self.newest[name])
                gone += [text for row in images for text in texts_of(row)]
                if isinstance(row := self.newest[name], Relationship):
                    done.edges.append(row)
            elif name in self.now and (left != self.now[name] or any(self._tells(row) for row in images)):
                done.instead.append(left)
                gone += [text for row in images for text in texts_of(row) if text not in texts_of(left)]
        lost = {name_of(row) for row in done.removed}
        rest = {name: row for name, row in self.now.items() if name not in lost}
        rest |= {name_of(row): row for row in done.instead}
        hay = "\n".join(text for row in rest.values() for text in texts_of(row))
        looked = tuple(dict.fromkeys(gone))
        done.shared = tuple(text for text in looked if text in hay)
        done.texts = tuple(text for text in looked if text not in hay)
        return done

    def _left(self, name: Name, row: Row, images: Sequence[Row]) -> Row | None:
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
                if row.key in self.keys or (name not in self.now and any(map(self._tells, images))):
                    return None
                return self._plain(row)
            case Relationship():
                return None if row.id in self.lost_edges else self._resting(row)
            case Cluster():
                left = self._cited(row, row.fact_ids)
                if left is None or row.entity_key in self.keys:
                    return None
                return replace(row, fact_ids=left)
            case Observation():
                left = self._cited(row, row.evidence_ids)
                return None if left is None else replace(row, evidence_ids=left)
            case _:
                return self.workspace.left(row)

    def _bridged(self, fact: Fact) -> Fact:
        """The version before it, where the one between is gone, on the premises that are left."""
        if not self.facts.isdisjoint(fact.premise_ids):
            fact = replace(fact, premise_ids=tuple(i for i in fact.premise_ids if i not in self.facts))
        older = fact.supersedes_fact_id
        while older is not None and older in self.facts:
            older = self.fact[older].supersedes_fact_id if older in self.fact else None
        return replace(fact, supersedes_fact_id=older) if older != fact.supersedes_fact_id else fact

    def _resting(self, edge: Relationship) -> Relationship:
        """The edge on what is left of its evidence; closed where none of that is open."""
        left = tuple(i for i in edge.evidence_fact_ids if i not in self.facts)
        if left == edge.evidence_fact_ids:
            return edge
        trimmed = replace(edge, evidence_fact_ids=left)
        if edge.valid_to is None and not versions.stands(trimmed, self.fact.get):
            ends = [fact.valid_to for i in left if (fact := self.fact.get(i)) is not None and fact.valid_to]
            return versions.fall(trimmed, max(ends, default=edge.valid_from))
        return trimmed

    def _only_there(self, alias: Alias) -> bool:
        """Whether a name was learnt from a turn that goes, and stands nowhere else."""
        if self.learnt.get(name_of(alias)) not in self.events:
            return False
        entity = self.newest.get(("Entity", alias.entity_key))
        own = isinstance(entity, Entity) and ident(entity.name) == alias.folded
        return not own and f" {normal(alias.name)} " not in self.mentioned

    def _plain(self, entity: Entity) -> Entity:
        """The entity without a profile or summary that tells what goes."""
        if not (entity.profile_text or entity.summary_text):
            return entity
        beside, lost, left = self._beside(entity.key), self.facts_of.get(entity.key, set()) & self.facts, entity
        for told, at in (("profile_text", "profile_at"), ("summary_text", "summary_at")):
            text = getattr(entity, told)
            if text and (self._says(text, beside) or self._foreign(text, lost)):
                left = replace(left, **{told: None, at: None})  # type: ignore[arg-type]
        return left

    def _beside(self, key: str) -> set[str]:
        """Words that the facts of an entity still say; everybody's words where it has no part in what goes."""
        mine = self.facts_of.get(key, set())
        if not mine & self.facts:
            return self.everywhere
        return self.known.union(*(words(self.fact[i].text) for i in mine - self.facts if i in self.fact))

    def _tells(self, row: Row) -> bool:
        """Whether an image of an entity has a profile or summary that tells what goes."""
        return isinstance(row, Entity) and self._plain(row) != row

    def _cited(self, row: Cluster | Observation, evidence: Name) -> Name | None:
        """The evidence that is left; None where none is, or where the text tells what goes."""
        left = tuple(i for i in evidence if i not in self.facts and i not in self.events)
        if evidence and not left:
            return None
        kept = self.everywhere
        if left != evidence:
            kept = self.known.union(*(words(self.fact[i].text) for i in left if i in self.fact))
        lost = {i for i in evidence if i not in left}
        told = any(
            self._says(text, kept) or self._foreign(text, lost)
            for image in self.images[name_of(row)]
            for text in texts_of(image)
        )
        return None if told else left

    def _says(self, text: str, kept: set[str]) -> bool:
        """Whether a text has a word that comes from what goes and from nothing that stays."""
        return any(word in self.telling and word not in kept for word in words(text))

    def _foreign(self, text: str, lost: Iterable[str]) -> bool:
        """Whether a text may translate evidence of it that goes."""
        return translated(text, [row.text for i in lost if (row := self.fact.get(i) or self.event.get(i)) is not None])

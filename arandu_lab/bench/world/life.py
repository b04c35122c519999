"""The live state of a world: what holds, what held, and what each telling does to it.

Bounded: a few values a slot and person are remembered, whatever the number of turns. Every change writes the gold line,
the operation of the truth and the relation that go with it into the turn that tells it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from datetime import date, timedelta

from arandu_lab.bench.world.acts import Begin, End, Fact, Person, Spoken, Stated, Value
from arandu_lab.bench.world.dates import When, next_month
from arandu_lab.bench.world.lexicon import Item
from arandu_lab.bench.world.slots import SLOTS

Key = tuple[int, str]
REMEMBERED = 4
APART: dict[str, tuple[str, ...]] = {
    "works_at": ("boss",), "boss": ("works_at",), "lives_in": ("lives_with",), "lives_with": ("lives_in",),
    "likes": ("dislikes", "diet"), "dislikes": ("likes",), "diet": ("likes",),
}  # fmt: skip
"""Slots whose former values bound when a new value of another can begin."""


class Life:
    """What is true among ``people``. ``live`` and ``past`` by person and slot, past values oldest first.

    ``derived`` holds, by lodger, where one lives because of with whom. ``free`` is the day from which a slot of one
    value has been empty; ``counts`` how many values it has had; ``roots`` the ids of the last of them. ``touched`` says
    of whom a slot has been told, as subject or as the other half. ``gone`` are the last facts that were to be forgotten,
    ``unsaid`` the last that were never true; ``forgotten`` the slots of the former. ``owned`` are the pets that have had an
    owner, ``sealed`` the slots that can have no other value.
    """

    def __init__(self, people: tuple[Person, ...]) -> None:
        self.people = people
        self.live: list[dict[str, list[Fact]]] = [{} for _ in people]
        self.past: dict[Key, deque[Fact]] = {}
        self.derived: dict[int, Fact] = {}
        self.free: dict[Key, date] = {}
        self.counts: dict[Key, int] = {}
        self.roots: dict[Key, deque[str]] = {}
        self.touched: set[Key] = set()
        self.gone: deque[Fact] = deque(maxlen=12)
        self.unsaid: deque[Fact] = deque(maxlen=12)
        self.forgotten: set[Key] = set()
        self.sealed: set[Key] = set()
        self.happened: deque[Fact] = deque(maxlen=24)
        self.owned: set[int] = set()
        self._facts = 0
        self._derived = 0

    # -- reading

    def of(self, person: Person, slot: str) -> list[Fact]:
        """What holds of a person in a slot; not to be changed."""
        return self.live[person.number].get(slot, [])

    def every(self) -> Iterator[Fact]:
        """All that holds, in a fixed order."""
        for slots in self.live:
            for facts in slots.values():
                yield from facts

    def before(self, person: Person, slot: str) -> list[Fact]:
        """The last values that are over, oldest first."""
        return sorted(self.past.get((person.number, slot), ()), key=lambda fact: fact.since)

    def pointing(self, person: Person, slot: str) -> list[Fact]:
        """What holds in a slot of others with this person as its value."""
        return [fact for slots in self.live for fact in slots.get(slot, ()) if fact.value is person]

    def tied(self, one: Person, other: Person) -> bool:
        """Whether a relation between two people holds, either way round."""
        for a, b in ((one, other), (other, one)):
            for slot, facts in self.live[a.number].items():
                if SLOTS[slot].values == "person" and any(fact.value is b for fact in facts):
                    return True
        return False

    def earliest(self, person: Person, slot: str, today: date, value: Value | None = None) -> date:
        """The first day on which a new value of a slot can begin; it may lie after today, and then none can yet.

        What was told to hold on a day holds on it: a value that another replaces, and whatever falls with it.
        """
        days = [today - timedelta(days=720), self.over(person, slot, value)]
        after = timedelta(days=1)
        if SLOTS[slot].single:
            days += [fact.holds + after for fact in self.of(person, slot)]
        if slot == "boss":
            days += [fact.since for fact in self.of(person, "works_at")]
        if slot == "works_at":
            days += [fact.holds + after for fact in self.of(person, "boss")]
        if slot == "lives_in":
            days += [fact.holds + after for fact in self.pointing(person, "lives_with")]
        return max(days)

    def over(self, person: Person, slot: str, value: Value | None = None) -> date:
        """The day by which all is over that a new value of a slot cannot share a day with, on either side."""
        days = [self.free.get((person.number, one), date.min) for one in (slot, *APART.get(slot, ()))]
        if isinstance(value, Person) and SLOTS[slot].mutual:
            days.append(self.free.get((value.number, slot), date.min))
        return max(days)

    def leans(self, fact: Fact) -> bool:
        """Whether something else falls or moves with a fact."""
        if fact.slot == "works_at":
            return bool(self.of(fact.subject, "boss"))
        return fact.slot == "lives_in" and bool(self.pointing(fact.subject, "lives_with"))

    # -- telling

    def begin(
        self,
        spoken: Spoken,
        subject: Person,
        slot: str,
        value: Value,
        *,
        session: int,
        when: When | None = None,
        hearsay: bool = False,
        replaces: Fact | None = None,
        why: str = "update",
        named_old: bool = False,
    ) -> Fact:
        """A value begins to hold, in the place of another or not."""
        corrected = replaces is not None and why == "correct"
        today = spoken.at.date()
        stated = when if slot != "plan" else None
        since = replaces.since if replaces and corrected else stated.first if stated else today
        fact = Fact(
            id=self._next(),
            subject=subject,
            slot=slot,
            value=value,
            since=since,
            turn=spoken.id,
            session=session,
            teller=spoken.speaker.number,
            known=(next_month(stated.first) if stated.by_month else stated.first) if stated else today,
            holds=today,
            hearsay=hearsay,
            named_old=named_old,
            fresh=replaces.fresh if replaces and corrected else not self.counts.get((subject.number, slot)),
            stated=replaces.stated if replaces and corrected else when,
            corrects=corrected,
        )
        if slot == "pet" and isinstance(value, Item):
            self.owned.add(value.number)
        if replaces is not None:
            replaces.closed = stated is not None
            self._close(spoken, replaces, replaces.since if corrected else since, why)
        self._open(spoken, fact)
        self._gold(spoken, fact, "UPDATE" if replaces else "ADD", replaces.id if replaces else None)
        if rule := SLOTS[slot].relation:
            spoken.relations.append((subject, rule, value))
        self._settle(spoken, subject, slot)
        return fact

    def again(self, spoken: Spoken, fact: Fact) -> None:
        """What holds is told once more."""
        fact.tells += 1
        fact.holds = spoken.at.date()
        self._gold(spoken, fact, "NOOP", fact.id, other=True)
        if rule := SLOTS[fact.slot].relation:
            spoken.relations.append((fact.subject, rule, fact.value))

    def end(self, spoken: Spoken, fact: Fact, why: str) -> None:
        """It is over (``delete``), was never so (``retract``), or must not be known (``forget``)."""
        today = spoken.at.date()
        self._close(spoken, fact, today if why == "delete" else fact.since, why)
        self._gold(spoken, fact, "DELETE", fact.id, family="say_end", valid_from=today)
        key, rule = (fact.subject.number, fact.slot), SLOTS[fact.slot]
        if why == "retract":
            self.unsaid.append(fact)
        elif why == "forget":
            self.gone.append(fact)
            self.forgotten.add(key)
            if rule.single and not rule.changes and not rule.ends:
                self.sealed.add(key)
        self._settle(spoken, fact.subject, fact.slot)

    def late(self, spoken: Spoken, now: Fact, value: Value, year: int, *, session: int) -> Fact:
        """What held from the beginning of a year until the present value began is told when it is long over."""
        fact = Fact(
            id=self._next(), subject=now.subject, slot=now.slot, value=value, since=date(year, 1, 1), turn=spoken.id,
            session=session, teller=spoken.speaker.number, known=date(year + 1, 1, 1), holds=date(year, 1, 1),
            until=now.since, why="update", end_turn=spoken.id, closed=now.stated is not None,
        )  # fmt: skip
        key = (fact.subject.number, fact.slot)
        spoken.operations.append(Begin(fact, spoken.id, spoken.at))
        spoken.operations.append(End(fact.id, spoken.id, spoken.at, now.since, "update"))
        self._remember(fact)
        if isinstance(value, Person):
            self._leave(value, fact.slot, now.since)
        self.counts[key] = self.counts.get(key, 0) + 1
        self.roots.setdefault(key, deque(maxlen=6)).append(fact.id)
        self._touch(fact)
        self._gold(spoken, fact, "ADD", None, family="say_end")
        if rule := SLOTS[fact.slot].relation:
            spoken.relations.append((fact.subject, rule, value))
        return fact

    def happen(self, spoken: Spoken, plan: Fact, when: When | None, *, session: int) -> None:
        """A plan is carried out: it becomes an event, which holds on its day (or in its month) and no longer."""
        today = spoken.at.date()
        since = when.first if when else today
        until = next_month(since) if when and when.by_month else since + timedelta(days=1)
        fact = Fact(
            id=self._next(), subject=plan.subject, slot="event", value=plan.value, since=since, turn=spoken.id,
            session=session, teller=spoken.speaker.number, known=since, holds=since, stated=when, until=until,
            why="update", end_turn=spoken.id,
        )  # fmt: skip
        self._close(spoken, plan, max(since, plan.since), "update")
        spoken.operations.append(Begin(fact, spoken.id, spoken.at))
        spoken.operations.append(End(fact.id, spoken.id, spoken.at, until, "update"))
        self._touch(fact)
        self.happened.append(fact)
        self._gold(spoken, fact, "UPDATE", plan.id)

    # -- keeping

    def _next(self) -> str:
        self._facts += 1
        return f"f{self._facts:05d}"

    def _open(self, spoken: Spoken, fact: Fact) -> None:
        key = (fact.subject.number, fact.slot)
        self.live[key[0]].setdefault(fact.slot, []).append(fact)
        spoken.operations.append(Begin(fact, spoken.id, spoken.at))
        if fact.id.startswith("f"):
            self.counts[key] = self.counts.get(key, 0) + 1
            if SLOTS[fact.slot].single:
                self.roots.setdefault(key, deque(maxlen=6)).append(fact.id)
            self._touch(fact)

    def _touch(self, fact: Fact) -> None:
        self.touched.add((fact.subject.number, fact.slot))
        if isinstance(fact.value, Person) and SLOTS[fact.slot].mutual:
            self.touched.add((fact.value.number, fact.slot))

    def _close(self, spoken: Spoken, fact: Fact, until: date, why: str) -> None:
        held = self.live[fact.subject.number]
        held[fact.slot].remove(fact)
        if not held[fact.slot]:
            del held[fact.slot]
        fact.until, fact.why, fact.end_turn = until, why, spoken.id
        spoken.operations.append(End(fact.id, spoken.id, spoken.at, until, why))
        if why in ("update", "delete", "cascade"):
            self._remember(fact)
            self._leave(fact.subject, fact.slot, until)
            if isinstance(fact.value, Person) and SLOTS[fact.slot].mutual:
                self._leave(fact.value, fact.slot, until)
        else:
            key = (fact.subject.number, fact.slot)
            self.counts[key] -= 1
        if fact.slot == "works_at" and why in ("update", "delete"):
            for boss in list(self.of(fact.subject, "boss")):
                self._close(spoken, boss, max(until, boss.since), "cascade")

    def _leave(self, person: Person, slot: str, until: date) -> None:
        key = (person.number, slot)
        self.free[key] = max(until, self.free.get(key, until))

    def _remember(self, fact: Fact) -> None:
        if SLOTS[fact.slot].single:
            self.past.setdefault((fact.subject.number, fact.slot), deque(maxlen=REMEMBERED)).append(fact)

    def _settle(self, spoken: Spoken, subject: Person, slot: str) -> None:
        """Lodgers move along with whom they live with."""
        if slot == "lives_with":
            self._lodge(spoken, subject)
        elif slot == "lives_in":
            for fact in self.pointing(subject, "lives_with"):
                self._lodge(spoken, fact.subject)

    def _lodge(self, spoken: Spoken, lodger: Person) -> None:
        old = self.derived.get(lodger.number)
        with_whom = self.of(lodger, "lives_with")
        home = self.of(with_whom[0].value, "lives_in") if with_whom and isinstance(with_whom[0].value, Person) else []
        premises = (with_whom[0].id, home[0].id) if home else ()
        if old and old.premises == premises:
            return
        if old:
            until, erased = self._fallen(spoken, old)
            spoken.operations.append(End(old.id, spoken.id, spoken.at, until, "cascade"))
            if not erased:
                self._leave(lodger, "lives_in", until)
            del self.derived[lodger.number]
        if home:
            self._derived += 1
            new = Fact(
                id=f"d{self._derived:05d}", subject=lodger, slot="lives_in", value=home[0].value,
                since=max(with_whom[0].since, home[0].since), turn=spoken.id, session=0,
                teller=spoken.speaker.number, known=spoken.at.date(), holds=spoken.at.date(), premises=premises,
            )  # fmt: skip
            self.derived[lodger.number] = new
            spoken.operations.append(Begin(new, spoken.id, spoken.at))

    def _fallen(self, spoken: Spoken, old: Fact) -> tuple[date, bool]:
        """Until when a derived fact held: as long as the premise that fell in this turn; and whether it never did."""
        for done in spoken.operations:
            if isinstance(done, End) and done.fact in old.premises:
                if done.why in ("correct", "retract", "forget"):
                    return old.since, True
                return max(done.until, old.since), False
        return max(spoken.at.date(), old.since), False

    def _gold(
        self,
        spoken: Spoken,
        fact: Fact,
        decision: str,
        of: str | None,
        *,
        family: str = "say",
        other: bool = False,
        valid_from: date | None = None,
    ) -> None:
        spoken.stated.append(
            Stated(
                id=fact.id if decision in ("ADD", "UPDATE") else self._next(),
                subject=fact.subject,
                slot=fact.slot,
                value=fact.value,
                family=family,
                other=other,
                category=SLOTS[fact.slot].category,
                confidence="weak" if fact.hearsay and decision in ("ADD", "UPDATE") else "explicit",
                valid_from=valid_from or (spoken.at.date() if decision == "NOOP" else fact.since),
                valid_to=fact.until if decision == "ADD" and fact.why == "update" else None,
                when=fact.stated if fact.slot in ("plan", "event") else None,
                decision=decision,
                of=of,
            )
        )

"""Which fact may be told next: of whom, in which slot, with which value, so that nothing contradicts what holds."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

from arandu_lab.bench.world.acts import Fact, Person, Spoken, Value
from arandu_lab.bench.world.config import WorldConfig
from arandu_lab.bench.world.dates import MONTHS, When, next_month, ordinal
from arandu_lab.bench.world.grammar import Grammar
from arandu_lab.bench.world.lexicon import Item, Lexicon, Word
from arandu_lab.bench.world.life import Life
from arandu_lab.bench.world.slots import CHILDREN, SLOTS

KIN = ("friend", "partner", "sibling", "boss", "child", "lives_with")
WEIGHTED = tuple(name for name, rule in SLOTS.items() for _ in range(rule.weight))


class Choosing:
    """Choices among what is possible now; every chance comes from ``rng``."""

    def __init__(
        self, config: WorldConfig, life: Life, lexicon: Lexicon, grammars: tuple[Grammar, ...], rng: Random
    ) -> None:
        self.config, self.life, self.rng, self.grammars = config, life, rng, grammars
        self.items = dict(lexicon.items) | {"day": days()}
        self._can: dict[tuple[str, str, bool, bool], bool] = {}
        self._slots = [tuple(slot for slot in WEIGHTED if slot not in one.silent) for one in life.people]
        self._others = [one for one in life.people if not one.child]

    def can(self, slot: str, family: str, *, old: bool = False, when: bool = False) -> bool:
        """Whether both languages have a sentence for it."""
        key = (slot, family, old, when)
        found = self._can.get(key)
        if found is None:
            found = all(grammar.has(slot, family, old=old, when=when) for grammar in self.grammars)
            self._can[key] = found
        return found

    def topic(self, slot: str, family: str) -> bool:
        """Whether both languages have a name for what is taken back, one that says which value where there are several."""
        return all(
            any(SLOTS[slot].single or "V" in one.needs for one in grammar.all(slot, family))
            for grammar in self.grammars
        )

    # -- of whom, and in which slot

    def new_fact(self, speaker: Person, spoken: Spoken, topic: Person | None) -> tuple[Person, str, Value] | None:
        """Somebody (``topic`` first), a slot and a value that can begin to hold; None after some tries."""
        rng = self.rng
        negative = rng.random() < self.config.negations
        for tried in range(8):
            if topic is not None and tried < 3:
                subject = topic
            else:
                subject = speaker if rng.random() < 0.6 else rng.choice(self.life.people)
            if not subject.known and subject is not speaker:
                found = self._introduce(speaker, subject, spoken)
                if found:
                    return found
                continue
            slot = rng.choice(("dislikes", "habit")) if negative else self.slot(subject)
            if slot is None or slot in subject.silent or not self.open(subject, slot, spoken):
                continue
            value = self.value(subject, slot, spoken, negative=negative)
            if value is not None and value is not speaker:
                return subject, slot, value
        return None

    def slot(self, person: Person) -> str | None:
        """A slot that people speak of, for a person."""
        slots = self._slots[person.number]
        return self.rng.choice(slots) if slots else None

    def _introduce(self, speaker: Person, stranger: Person, spoken: Spoken) -> tuple[Person, str, Value] | None:
        slot = "child" if stranger.child else self.rng.choice(KIN)
        if slot in speaker.silent or not self.open(speaker, slot, spoken) or not self.suits(speaker, slot, stranger):
            return None
        return speaker, slot, stranger

    def open(self, person: Person, slot: str, spoken: Spoken) -> bool:
        """Whether a slot of a person has room for one more value today."""
        life, rule = self.life, SLOTS[slot]
        if person.child and slot not in CHILDREN:
            return False
        if len(life.of(person, slot)) >= rule.most or (person.number, slot) in life.sealed:
            return False
        if life.over(person, slot) > spoken.at.date():
            return False
        match slot:
            case "boss":
                return bool(life.of(person, "works_at"))
            case "works_at":
                return not life.pointing(person, "boss")
            case "lives_in":
                return not life.of(person, "lives_with")
            case "lives_with":
                return not life.of(person, "lives_in")
            case "partner" | "sibling":
                return not life.pointing(person, slot)
            case "diet":
                return not any(_note(fact.value) in ("food", "drink") for fact in life.of(person, "likes"))
        return True

    # -- with which value

    def value(self, person: Person, slot: str, spoken: Spoken, *, negative: bool = False) -> Value | None:
        """A value that a slot of a person can take now; None after some tries."""
        rng, rule = self.rng, SLOTS[slot]
        for _ in range(6):
            if rule.values == "person":
                other = rng.choice(self.life.people)
                if self.suits(person, slot, other):
                    return other
                continue
            item = rng.choice(self.items[rule.values])
            if slot == "habit" and (item.note == "no") != negative:
                continue
            if self.fits(person, slot, item):
                return item
        return None

    def suits(self, person: Person, slot: str, other: Person) -> bool:
        """Whether somebody can be the value of a slot of people."""
        life = self.life
        if other is person or other.child != (slot == "child"):
            return False
        if slot == "lives_with":
            return "lives_in" not in other.silent and not life.pointing(other, "lives_with")
        if slot != "boss" and person.child:
            return False
        if life.tied(person, other):
            return False
        match slot:
            case "partner" | "sibling":
                return not life.of(other, slot) and not life.pointing(other, slot)
            case "boss":
                return not life.of(other, "works_at")
            case "child":
                return not life.pointing(other, "child")
        return True

    def fits(self, person: Person, slot: str, item: Item) -> bool:
        """Whether a thing can be the value of a slot."""
        life = self.life
        if any(fact.value is item for fact in life.of(person, slot)):
            return False
        match slot:
            case "likes":
                if life.of(person, "diet") and item.note in ("food", "drink"):
                    return False
                return all(fact.value is not item for fact in life.of(person, "dislikes"))
            case "dislikes":
                return all(fact.value is not item for fact in life.of(person, "likes"))
            case "pet":
                return item.number not in life.owned
        return True

    # -- what is known

    def known(self, speaker: Person, session: int) -> Fact | None:
        """Something that holds and was told in an earlier session, rather of the speaker."""
        return self._pick(speaker, session, changing=False)

    def changing(self, speaker: Person, spoken: Spoken, session: int) -> Fact | None:
        """Something that was last told to hold on an earlier day, like all that falls with it, and can be replaced or end."""
        found, today = self._pick(speaker, session, changing=True), spoken.at.date()
        if found is None or found.holds >= today or found.turn == spoken.id:
            return None
        return found if self.life.earliest(found.subject, found.slot, today) <= today else None

    def _pick(self, speaker: Person, session: int, *, changing: bool) -> Fact | None:
        rng = self.rng
        for _ in range(6):
            person = speaker if rng.random() < 0.65 else rng.choice(self.life.people)
            held = self.life.live[person.number]
            if not held or not person.known:
                continue
            slot = rng.choice(list(held))
            rule = SLOTS[slot]
            if slot == "plan" or (changing and not (rule.changes or rule.ends)):
                continue
            fact = rng.choice(held[slot])
            if fact.session < session:
                return fact
        return None

    def erasable(self, fact: Fact) -> bool:
        """Whether a fact can be taken back: nothing leans on it, and no other value of its slot would be meant too."""
        rule = SLOTS[fact.slot]
        if not rule.forgettable or fact.slot in ("plan", "habit") or self.life.leans(fact):
            return False
        if not rule.single:
            return True
        key = (fact.subject.number, fact.slot)
        return fact.fresh and self.life.counts.get(key) == 1 and key not in self.life.free

    # -- plans

    def over(self, when: When, today: date) -> bool:
        """Whether a planned day or month has passed."""
        return (next_month(when.first) if when.by_month else when.first) <= today

    def when_done(self, plan: Fact, today: date) -> When | None:
        """A stated past day on which a plan was carried out, as planned; None where none can be stated."""
        if plan.stated is None:
            return None
        day = plan.stated.first
        if plan.stated.by_month:
            day += timedelta(days=self.rng.randrange(28))
        back = (today - day).days
        if back < 1 or day < plan.since:
            return None
        if back <= 2:
            return When("near", day, -back)
        if back <= 6:
            return When(self.rng.choice(("weekday", "days")), day, -back)
        return When("day" if back < 280 else "full", day)


def days() -> tuple[Item, ...]:
    """The days of a year but the last of February, as values of birthdays."""
    out = []
    for number in range(365):
        day = date(2023, 1, 1) + timedelta(days=number)
        english = f"{MONTHS['en'][day.month - 1]} {day.day}"
        portuguese = f"{ordinal(day.day)} de {MONTHS['pt'][day.month - 1]}"
        out.append(Item("day", number, Word(english, english), Word(portuguese, portuguese)))
    return tuple(out)


def _note(value: Value) -> str:
    return value.note if isinstance(value, Item) else ""

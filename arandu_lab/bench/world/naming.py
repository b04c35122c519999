"""How people are named in a session, the same in both languages: whole, short, or by a pronoun, and never in doubt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from arandu_lab.bench.world.acts import Form, Person


@dataclass(slots=True)
class Heard:
    """Who stands in a turn, by number: ``every`` one of them, subjects by their ``names``, and subjects by a ``pronoun``."""

    speaker: Person | None = None
    every: dict[int, Person] = field(default_factory=dict)
    names: dict[int, Person] = field(default_factory=dict)
    pronoun: dict[int, Person] = field(default_factory=dict)


class Naming:
    """Who has been named in a session, by whom and when.

    A pronoun means a subject of the same turn or, where it leads a turn, one that the turn before named; and only if no
    other of that gender stands there, in whatever role, and no other of that gender wrote the turn before.
    """

    def __init__(self, rng: Random, pronouns: float, present: Sequence[Person] = ()) -> None:
        self._rng = rng
        self._pronouns = pronouns
        self._present = tuple(present)
        self._before = Heard()
        self._now = Heard()
        self._bearers: dict[str, Person] = {}
        self._named: set[int] = set()

    def turn(self, speaker: Person) -> None:
        """A turn begins."""
        self._before, self._now = self._now, Heard(speaker)

    def subject(self, person: Person, *, leads: bool) -> Form:
        """The form of a subject; it counts as named from here on. ``leads``: it is the first clause of its turn."""
        now = self._now
        if self._reaches(person, leads) and (
            (person.number in now.pronoun and person.number not in now.names) or self._rng.random() < self._pronouns
        ):
            now.every[person.number] = now.pronoun[person.number] = person
            return Form.PRONOUN
        form = self.value(person)
        now.names[person.number] = person
        return form

    def current(self, *, leads: bool) -> Person | None:
        """Somebody whom a pronoun would mean now, if there is anybody."""
        for heard in (self._now, self._before) if leads else (self._now,):
            for person in (*heard.names.values(), *heard.pronoun.values()):
                if self._reaches(person, leads):
                    return person
        return None

    def _reaches(self, person: Person, leads: bool) -> bool:
        now, before = self._now, self._before
        if person is now.speaker:
            return False
        subject = person.number in now.names or person.number in now.pronoun
        rivals = [one for one in now.every.values() if one.gender == person.gender]
        if leads:
            subject = subject or person.number in before.names
            rivals += [one for one in before.every.values() if one.gender == person.gender]
            wrote = before.speaker
            if wrote is not None and wrote is not now.speaker and wrote.gender == person.gender:
                rivals.append(wrote)
        return subject and all(one is person for one in rivals)

    def value(self, person: Person) -> Form:
        """The form of somebody who is no subject; never a pronoun."""
        form = self._form(person)
        person.known = True
        self._named.add(person.number)
        self._now.every[person.number] = person
        self._bearers[person.given["en"]] = person
        return form

    def called(self, person: Person) -> None:
        """Somebody is spoken to, by name or not: no pronoun and no bare name that others share points past it."""
        self._now.every[person.number] = person
        self._bearers.pop(person.given["en"], None)

    def _form(self, person: Person) -> Form:
        if not person.known:
            return Form.INTRO if person.nick else Form.FULL
        in_doubt = person.namesake and not person.nick
        if in_doubt:
            shared = any(one is not person and one.given == person.given for one in self._present)
            if shared or self._bearers.get(person.given["en"]) is not person:
                return Form.FULL
        if person.number in self._named or person.speaker:
            return Form.SHORT if self._rng.random() < 0.95 else Form.FULL
        return Form.SHORT if self._rng.random() < 0.4 else Form.FULL

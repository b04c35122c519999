"""How people are named in a session, the same in both languages: whole, short, or by a pronoun, and never in doubt."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from arandu_lab.bench.world.acts import Form, Person

REACH = 2
"""A pronoun points at most so many turns back, to somebody named by the same speaker."""


class Naming:
    """Who has been named in a session, by whom and when."""

    def __init__(self, rng: Random, pronouns: float, present: Sequence[Person] = ()) -> None:
        self._rng = rng
        self._pronouns = pronouns
        self._present = tuple(present)
        self._last: dict[str, tuple[Person, int, Person]] = {}
        self._bearers: dict[str, Person] = {}
        self._named: set[int] = set()

    def subject(self, person: Person, speaker: Person, turn: int, *, leads: bool) -> Form:
        """The form of a subject; it counts as named from here on. ``leads``: it is the first clause of its turn.

        A later clause takes a pronoun only for somebody named in the same turn.
        """
        if self._reaches(person, speaker, turn, leads) and self._rng.random() < self._pronouns:
            self._last[person.gender] = (person, turn, speaker)
            return Form.PRONOUN
        return self.value(person, speaker, turn)

    def current(self, speaker: Person, turn: int, *, leads: bool) -> Person | None:
        """Somebody whom a pronoun of the speaker's would point to now, if there is anybody."""
        for person, _, _ in self._last.values():
            if person is not speaker and self._reaches(person, speaker, turn, leads):
                return person
        return None

    def _reaches(self, person: Person, speaker: Person, turn: int, leads: bool) -> bool:
        last = self._last.get(person.gender)
        if last is None or last[0] is not person or last[2] is not speaker:
            return False
        return turn - last[1] <= (REACH if leads else 0)

    def value(self, person: Person, speaker: Person, turn: int) -> Form:
        """The form of somebody who is no subject; never a pronoun."""
        form = self._form(person)
        self.note(person, speaker, turn)
        return form

    def called(self, person: Person) -> None:
        """Somebody is spoken to, by name or not: no pronoun and no bare name that others share points past it."""
        self._last.pop(person.gender, None)
        self._bearers.pop(person.given["en"], None)

    def note(self, person: Person, speaker: Person, turn: int) -> None:
        """Somebody is named."""
        person.known = True
        self._named.add(person.number)
        self._last[person.gender] = (person, turn, speaker)
        self._bearers[person.given["en"]] = person

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

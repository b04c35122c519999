"""Questions about what has been told so far, with what answers them and what must not."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from datetime import date
from random import Random

from arandu_lab.bench.world.acts import Asked, Fact, Person
from arandu_lab.bench.world.dates import month_within
from arandu_lab.bench.world.grammar import Grammar
from arandu_lab.bench.world.lexicon import Item
from arandu_lab.bench.world.life import REMEMBERED, Life
from arandu_lab.bench.world.slots import CHILDREN, HISTORY, SLOTS, STILL
from arandu_lab.bench.world.telling import Telling

SHARES = (
    ("state", 0.30), ("history", 0.08), ("change", 0.16), ("cascade", 0.14), ("absent", 0.12), ("deletion", 0.06),
    ("negation", 0.14),
)  # fmt: skip
"""Categories of questions and how often each is tried; another stands in where one cannot be asked."""


NAMEABLE = tuple(slot for slot in SLOTS if slot not in ("plan", "event"))
"""Slots of which one may say that nothing was ever told."""


class Asking:
    """Questions for the end of a session. Only facts that were told once are asked for, so that evidence is exact."""

    def __init__(self, life: Life, telling: Telling, grammars: Iterable[Grammar], rng: Random) -> None:
        self.life, self.rng, self.can = life, rng, telling.choose.can
        self._has = {
            key: all(grammar.all(*key) for grammar in grammars)
            for key in {(slot, f"q_{kind}") for slot in SLOTS for kind in
                        ("now", "at", "history", "when", "before", "still", "cascade")}
        }  # fmt: skip
        self._asked: deque[tuple[object, ...]] = deque(maxlen=64)
        self._makers: dict[str, Callable[[date], list[Asked]]] = {
            "state": self._state, "history": self._history, "change": self._change, "cascade": self._cascade,
            "absent": self._absent, "deletion": self._deletion, "negation": self._negation,
        }  # fmt: skip

    def candidates(self, today: date) -> Iterable[Asked]:
        """Questions that could be asked now, in the order in which to try them; the first has a category by share."""
        roll, total = self.rng.random(), 0.0
        first = SHARES[-1][0]
        for category, share in SHARES:
            total += share
            if roll < total:
                first = category
                break
        rest = [category for category, _ in SHARES if category != first]
        self.rng.shuffle(rest)
        for category in (first, *rest):
            found = self._makers[category](today)
            self.rng.shuffle(found)
            for asked in found[:6]:
                if _key(asked) not in self._asked:
                    yield asked

    def took(self, asked: Asked) -> None:
        """A question was asked; it is not asked again soon."""
        self._asked.append(_key(asked))

    # -- by category

    def _state(self, today: date) -> list[Asked]:
        out = []
        for person in self.life.people:
            for slot, facts in self.life.live[person.number].items():
                if slot == "plan":
                    out += [
                        self._of("state", fact, "q_when", answer=fact.stated, value=True)
                        for fact in facts
                        if self._has[slot, "q_when"] and fact.tells == 1 and fact.stated and fact.stated.first > today
                    ]
                elif (
                    slot not in ("dislikes", "habit") and self._clear(person, slot, facts) and self._has[slot, "q_now"]
                ):
                    out.append(self._of("state", facts[0], "q_now", every=facts))
                if slot in STILL and self._has[slot, "q_still"]:
                    out += [
                        self._of("state", fact, "q_still", answer="yes", value=True)
                        for fact in facts[:1]
                        if fact.tells == 1
                    ]
        return out + self._at(today)

    def _at(self, today: date) -> list[Asked]:
        """Questions at a month, all of which it was said to hold: from a day stated or told to one stated, told or today."""
        out = []
        for person in self.life.people:
            for slot, rule in SLOTS.items():
                chain = self._chain(person, slot) if rule.single and self._has[slot, "q_at"] else None
                for fact in chain or ():
                    until = today if fact.until is None else fact.until if fact.closed else fact.holds
                    month = month_within(self.rng, fact.known, until)
                    if month is not None and fact.tells == 1 and not fact.corrects:
                        stale = tuple(one.id for one in chain or () if one is not fact)
                        out.append(self._of("state", fact, "q_at", month=month, stale=stale))
        return out

    def _history(self, today: date) -> list[Asked]:
        out = []
        for person in self.life.people:
            for slot in HISTORY:
                chain = self._chain(person, slot) if self._has[slot, "q_history"] else None
                if not chain or len(chain) < 2 or any(one.tells > 1 for one in chain):
                    continue
                if len({id(one.value) for one in chain}) == len(chain):
                    out.append(self._of("history", chain[0], "q_history", every=chain, stale=()))
        return out

    def _change(self, today: date) -> list[Asked]:
        out = []
        for fact in self.life.every():
            if fact.tells > 1 or fact.slot == "plan":
                continue
            if fact.stated is not None and not fact.corrects and self._has[fact.slot, "q_when"]:
                out.append(self._of("change", fact, "q_when", answer=fact.stated, value=True, stale=()))
            if SLOTS[fact.slot].changes and self._has[fact.slot, "q_before"]:
                chain = self._chain(fact.subject, fact.slot) or []
                if len(chain) > 1 and chain[-1] is fact and chain[-2].tells == 1 and chain[-2].until == fact.since:
                    old = chain[-2]
                    out.append(
                        Asked("change", fact.slot, "q_before", fact.subject, fact.value, None, (old.value,),
                              _turns([old, fact]), (old.id,), (fact.id,))
                    )  # fmt: skip
        if self._has["event", "q_when"]:
            out += [
                self._of("change", fact, "q_when", answer=fact.stated, value=True, stale=())
                for fact in self.life.happened
                if fact.stated is not None and fact.stated.first == fact.since and not fact.stated.by_month
            ]
        return out

    def _cascade(self, today: date) -> list[Asked]:
        life, out = self.life, []
        for lodger, derived in life.derived.items():
            person = life.people[lodger]
            together = life.of(person, "lives_with")[0]
            host = together.value
            home = life.of(host, "lives_in")[0] if isinstance(host, Person) else None
            if home and together.tells == 1 and home.tells == 1 and self._has["lives_with", "q_cascade"]:
                stale = tuple(one for one in life.roots.get((home.subject.number, "lives_in"), ()) if one != home.id)
                out.append(
                    Asked("cascade", "lives_with", "q_cascade", person, host, None, (derived.value,),
                          _turns([together, home]), (together.id, home.id), stale)
                )  # fmt: skip
        for person in life.people:
            for boss in life.before(person, "boss")[-1:]:
                jobs = [fact for fact in life.of(person, "works_at") if fact.turn == boss.end_turn]
                same = any(fact.value is boss.value for fact in life.of(person, "boss"))
                once = boss.tells == 1 and all(fact.tells == 1 for fact in jobs)
                if boss.why == "cascade" and once and not same and self._has["boss", "q_still"]:
                    turns = tuple(dict.fromkeys((boss.turn, boss.end_turn)))
                    out.append(
                        Asked("cascade", "boss", "q_still", person, boss.value, None, "no",
                              turns, tuple(fact.id for fact in jobs), (boss.id,))
                    )  # fmt: skip
        return out

    def _absent(self, today: date) -> list[Asked]:
        life, out = self.life, []
        for person in life.people:
            if not person.known or not any(number == person.number for number, _ in life.touched):
                continue
            for slot in NAMEABLE:
                unheard = (person.number, slot) not in life.touched
                if slot == "lives_in":
                    unheard = unheard and (person.number, "lives_with") not in life.touched
                if (
                    unheard
                    and slot not in ("plan", "event")
                    and self._has[slot, "q_now"]
                    and (not person.child or slot in CHILDREN)
                ):
                    out.append(Asked("absent", slot, "q_now", person, None, None, None, (), (), ()))
        forgotten = self.life.forgotten
        unsaid = [fact for fact in life.unsaid if (fact.subject.number, fact.slot) not in forgotten]
        return out + self._empty("absent", unsaid)

    def _deletion(self, today: date) -> list[Asked]:
        return self._empty("deletion", self.life.gone)

    def _empty(self, category: str, facts: Iterable[Fact]) -> list[Asked]:
        """Questions whose answer was taken back and has no other in its place."""
        life, out = self.life, []
        for fact in facts:
            person, slot = fact.subject, fact.slot
            if life.of(person, slot) or not self._has[slot, "q_now"] or life.counts.get((person.number, slot)):
                continue
            if SLOTS[slot].mutual and life.pointing(person, slot):
                continue
            if slot == "lives_in" and (person.number, "lives_with") in life.touched:
                continue
            out.append(Asked(category, slot, "q_now", person, None, None, None, (), (), (fact.id,), wrong=fact.value))
        return out

    def _negation(self, today: date) -> list[Asked]:
        life, out = self.life, []
        for person in life.people:
            for slot in ("dislikes", "habit"):
                facts = life.of(person, slot)
                if slot == "habit" and any(isinstance(one.value, Item) and one.value.note != "no" for one in facts):
                    continue
                if self._has[slot, "q_now"] and self._clear(person, slot, facts):
                    out.append(self._of("negation", facts[0], "q_now", every=facts))
            for slot in ("boss", "partner"):
                if not self._has[slot, "q_still"]:
                    continue
                for old in life.before(person, slot)[-1:]:
                    now = life.of(person, slot)
                    if old.tells != 1 or old.why != "delete" or any(fact.value is old.value for fact in now):
                        continue
                    out.append(
                        Asked(
                            "negation", slot, "q_still", person, old.value, None, "no", (old.end_turn,), (), (old.id,)
                        )
                    )
        return out

    # -- parts

    def _clear(self, person: Person, slot: str, facts: list[Fact]) -> bool:
        """Whether what holds in a slot was told once, all of it of this person, and is not too much to list."""
        if not facts or len(facts) > 2 or any(fact.tells != 1 for fact in facts):
            return False
        if len({fact.turn for fact in facts}) < len(facts) and len(facts) > 2:
            return False
        return not (SLOTS[slot].mutual and self.life.pointing(person, slot))

    def _chain(self, person: Person, slot: str) -> list[Fact] | None:
        """All values that a slot has had, oldest first; None where some are forgotten here or were told of twice."""
        life = self.life
        chain = life.before(person, slot) + life.of(person, slot)
        if len(chain) > REMEMBERED or len(chain) != life.counts.get((person.number, slot), 0):
            return None
        if any(one.named_old or one.why in ("delete", "cascade") for one in chain):
            return None
        return chain

    def _of(
        self,
        category: str,
        fact: Fact,
        family: str,
        *,
        answer: object = None,
        every: list[Fact] | None = None,
        value: bool = False,
        month: date | None = None,
        stale: tuple[str, ...] | None = None,
    ) -> Asked:
        facts = every or [fact]
        if stale is None:
            roots = self.life.roots.get((fact.subject.number, fact.slot), ())
            stale = tuple(one for one in roots if one not in {each.id for each in facts})
        said = tuple(each.value for each in facts) if answer is None else answer
        return Asked(
            category, fact.slot, family, fact.subject, fact.value if value else None, month, said,  # type: ignore[arg-type]
            _turns(facts), tuple(each.id for each in facts), stale,
        )  # fmt: skip


def _turns(facts: Iterable[Fact]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(fact.turn for fact in facts))


def _key(asked: Asked) -> tuple[object, ...]:
    answer = asked.answer if not isinstance(asked.answer, tuple) else tuple(map(id, asked.answer))
    return asked.family, asked.slot, asked.subject.number, id(asked.value), asked.month, answer

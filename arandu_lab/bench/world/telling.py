"""What is said: each turn's acts, chosen by the shares of the configuration, always in keeping with what holds."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from arandu_lab.bench.world.acts import Act, Fact, Form, Person, Spoken, Value
from arandu_lab.bench.world.choosing import Choosing
from arandu_lab.bench.world.config import WorldConfig
from arandu_lab.bench.world.dates import When, future, past
from arandu_lab.bench.world.grammar import Grammar
from arandu_lab.bench.world.lexicon import Lexicon
from arandu_lab.bench.world.life import Life
from arandu_lab.bench.world.naming import Naming
from arandu_lab.bench.world.slots import LATE, SLOTS

MISTAKEN = frozenset(SLOTS) - {"habit", "plan", "event", "birthday", "child", "pet"}
"""Slots in which somebody may misspeak and correct it."""


@dataclass(slots=True)
class Mistake:
    """A fact that its teller is going to correct, from a turn of the session on."""

    fact: Fact
    me: bool
    due: int


class Telling:
    """Turns of a world, one after the other."""

    def __init__(
        self, config: WorldConfig, life: Life, lexicon: Lexicon, grammars: tuple[Grammar, ...], rng: Random
    ) -> None:
        self.config, self.life, self.rng = config, life, rng
        self.choose = Choosing(config, life, lexicon, grammars, rng)
        self.can = self.choose.can
        self.recent: deque[Fact] = deque(maxlen=40)
        shares = (
            (config.repeats, self._again),
            (config.changes, self._change),
            (config.late, self._late),
            (config.retractions, self._retract),
            (config.forgets, self._forget),
            (config.plans, self._plan),
        )
        total, kinds = 0.0, list[tuple[float, Callable[[Spoken, int], bool]]]()
        for share, kind in shares:
            total += share
            kinds.append((total, kind))
        self.kinds = kinds
        self.session = 0
        self.naming = Naming(rng, config.pronouns)
        self.present: list[Person] = []
        self.mistakes: list[Mistake] = []
        self.asked: tuple[Person, str, Value] | None = None
        self.last: Person | None = None

    def open_session(self) -> None:
        """A session begins: who is there, and nobody has been named."""
        self.session += 1
        speakers = [one for one in self.life.people if one.speaker]
        size = min(len(speakers), self.rng.randint(2, 4))
        self.present = self.rng.sample(speakers, size)
        self.naming = Naming(self.rng, self.config.pronouns, self.present)
        self.mistakes, self.asked, self.last = [], None, None

    def speaker(self, turn: int) -> Person:
        """Who writes the turn: whoever was asked, else anybody but the last."""
        if self.asked is not None:
            return self.asked[0]
        for mistake in self.mistakes:
            if mistake.due <= turn and self.life.people[mistake.fact.teller] is not self.last:
                return self.life.people[mistake.fact.teller]
        others = [one for one in self.present if one is not self.last]
        if self.last is not None and self.rng.random() < 0.15:
            return self.last
        return self.rng.choice(others)

    def say(self, spoken: Spoken, turn: int, turns: int) -> None:
        """Fill a turn, the ``turn``-th of ``turns`` in its session, counted from 0."""
        rng, speaker, before = self.rng, spoken.speaker, self.last
        self.last = speaker
        self.naming.turn(speaker)
        if self.asked is not None:
            _, slot, value = self.asked
            self.asked = None
            self._answer(spoken, slot, value, turn)
        elif self._correct(spoken, turn):
            pass
        elif turn == 0 and rng.random() < 0.5:
            spoken.acts.append(Act("opening"))
        elif rng.random() < self.config.small_talk:
            self._small(spoken, before)
        elif turn + 1 == turns or rng.random() >= self.config.across_turns or not self._ask(spoken):
            count = 1 + sum(rng.random() < (self.config.facts_per_turn - 1) / 2 for _ in range(2))
            for _ in range(count):
                self._statement(spoken, turn)
            if not spoken.acts:
                self._small(spoken, before)

    # -- what states nothing

    def _small(self, spoken: Spoken, before: Person | None) -> None:
        if before is not None and before is not spoken.speaker and self.rng.random() < 0.35:
            spoken.acts.append(Act("reaction", subject=before))
            self.naming.called(before)
        else:
            spoken.acts.append(Act("small"))

    # -- what states something

    def _statement(self, spoken: Spoken, turn: int) -> bool:
        roll = self.rng.random()
        for until, kind in self.kinds:
            if roll < until:
                if kind(spoken, turn):
                    return True
                break
        return self._new(spoken, turn) or self._change(spoken, turn) or self._again(spoken, turn)

    def _new(self, spoken: Spoken, turn: int) -> bool:
        rng, speaker, life = self.rng, spoken.speaker, self.life
        topic = None
        if rng.random() < self.config.pronouns:
            topic = self.naming.current(leads=not spoken.acts)
        found = self.choose.new_fact(speaker, spoken, topic)
        if found is None:
            return False
        subject, slot, value = found
        me = subject is speaker
        who = "me" if me else "they"
        today = spoken.at.date()
        earliest = life.earliest(subject, slot, today, value)
        if earliest > today:
            return False
        when: When | None = None
        if rng.random() < 0.35 and self.can(slot, f"since_{who}", when=True):
            when = past(rng, today, earliest)
        if when is None and not self.can(slot, f"begin_{who}"):
            return False
        hear = self._hear(me, spoken)
        act = Act("since_" + who if when else "begin_" + who, slot, subject, me, when=when, wrap=hear)
        self._name(act, spoken)
        self._with(act, value)
        spoken.acts.append(act)
        fact = life.begin(spoken, subject, slot, value, session=self.session, when=when, hearsay=bool(hear))
        self._told(fact, me, turn)
        return True

    def _change(self, spoken: Spoken, turn: int) -> bool:
        rng, speaker, life = self.rng, spoken.speaker, self.life
        fact = self.choose.changing(speaker, spoken, self.session)
        if fact is None or fact.value is speaker or _told_here(spoken, fact):
            return False
        rule, me = SLOTS[fact.slot], fact.subject is speaker
        who = "me" if me else "they"
        today = spoken.at.date()
        value = self.choose.value(fact.subject, fact.slot, spoken) if rule.changes and rng.random() < 0.8 else None
        if value is None:
            if not rule.ends or not self.can(fact.slot, f"end_{who}"):
                return False
            act = Act(f"end_{who}", fact.slot, fact.subject, me)
            self._about(act, fact, spoken)
            spoken.acts.append(act)
            life.end(spoken, fact, "delete")
            return True
        earliest = life.earliest(fact.subject, fact.slot, today, value)
        if earliest > today or value is speaker:
            return False
        when = None
        if rng.random() < 0.35 and self.can(fact.slot, f"since_{who}", when=True):
            when = past(rng, today, earliest)
        named_old = when is None and rng.random() < 0.4 and self.can(fact.slot, f"change_{who}", old=True)
        if when is None and not named_old and not self.can(fact.slot, f"change_{who}"):
            if not self.can(fact.slot, f"change_{who}", old=True):
                return False
            named_old = True
        hear = self._hear(me, spoken)
        act = Act(("since_" if when else "change_") + who, fact.slot, fact.subject, me, when=when, wrap=hear)
        self._name(act, spoken)
        self._with(act, value)
        if named_old:
            self._with(act, fact.value, old=True)
        spoken.acts.append(act)
        new = life.begin(
            spoken, fact.subject, fact.slot, value,
            session=self.session, when=when, hearsay=bool(hear), replaces=fact, named_old=named_old,
        )  # fmt: skip
        self._told(new, me, turn)
        return True

    def _again(self, spoken: Spoken, turn: int) -> bool:
        fact = self.choose.known(spoken.speaker, self.session)
        if fact is None or fact.value is spoken.speaker or _told_here(spoken, fact):
            return False
        me = fact.subject is spoken.speaker
        family = "again_me" if me else "again_they"
        if not self.can(fact.slot, family):
            return False
        act = Act(family, fact.slot, fact.subject, me)
        self._about(act, fact, spoken)
        spoken.acts.append(act)
        self.life.again(spoken, fact)
        return True

    def _late(self, spoken: Spoken, turn: int) -> bool:
        rng, speaker, life = self.rng, spoken.speaker, self.life
        fitting = [
            slot
            for slot in LATE
            for fact in life.of(speaker, slot)
            if fact.fresh and fact.turn != spoken.id and (speaker.number, slot) not in life.free
            and life.counts.get((speaker.number, slot)) == 1
        ]  # fmt: skip
        if not fitting:
            return False
        slot = rng.choice(fitting)
        held = life.of(speaker, slot)
        value = self.choose.value(speaker, slot, spoken)
        if value is None or not self.can(slot, "late_me"):
            return False
        if isinstance(value, Person) and (value.number, slot) in life.touched:
            return False
        year = held[0].since.year - rng.randint(1, 8)
        act = Act("late_me", slot, speaker, True, year=year)
        self._with(act, value)
        spoken.acts.append(act)
        life.late(spoken, held[0], value, year, session=self.session)
        return True

    def _retract(self, spoken: Spoken, turn: int) -> bool:
        mine = [
            fact
            for fact in self.recent
            if fact.teller == spoken.speaker.number and fact.until is None and fact.tells == 1
            and self.session - fact.session <= 1 and fact.turn != spoken.id
        ]  # fmt: skip
        return self._take_back(spoken, mine, "retract", turn)

    def _forget(self, spoken: Spoken, turn: int) -> bool:
        facts = [fact for held in self.life.live[spoken.speaker.number].values() for fact in held]
        return self._take_back(spoken, [fact for fact in facts if fact.turn != spoken.id], "forget", turn)

    def _take_back(self, spoken: Spoken, facts: list[Fact], why: str, turn: int) -> bool:
        facts = [fact for fact in facts if self.choose.erasable(fact) and fact.value is not spoken.speaker]
        facts = [fact for fact in facts if not _told_here(spoken, fact)]
        if not facts:
            return False
        fact = self.rng.choice(facts)
        me = fact.subject is spoken.speaker
        family = "topic_me" if me else "topic"
        if not self.choose.topic(fact.slot, family):
            return False
        act = Act(family, fact.slot, fact.subject, me, wrap=why)
        self._about(act, fact, spoken, pronoun=False)
        spoken.acts.append(act)
        self.life.end(spoken, fact, why)
        self.mistakes = [one for one in self.mistakes if one.fact is not fact]
        return True

    def _plan(self, spoken: Spoken, turn: int) -> bool:
        rng, speaker, life = self.rng, spoken.speaker, self.life
        subject = speaker if rng.random() < 0.75 else rng.choice(life.people)
        if subject.child or not (subject.speaker or subject.known):
            return False
        me = subject is speaker
        who = "me" if me else "they"
        today = spoken.at.date()
        plans = [fact for fact in life.of(subject, "plan") if fact.session < self.session and fact.holds < today]
        for fact in plans:
            due = fact.stated is not None and self.choose.over(fact.stated, today)
            if not due and rng.random() > 0.12 and len(plans) < SLOTS["plan"].most:
                continue
            if due and rng.random() < 0.75:
                return self._happened(spoken, fact, who, turn)
            if self.can("plan", f"cancelled_{who}"):
                act = Act(f"cancelled_{who}", "plan", subject, me)
                self._about(act, fact, spoken)
                spoken.acts.append(act)
                life.end(spoken, fact, "delete")
                return True
        value = self.choose.value(subject, "plan", spoken)
        if value is None or len(life.of(subject, "plan")) >= SLOTS["plan"].most:
            return False
        act = Act(f"begin_{who}", "plan", subject, me, when=future(rng, today), value=value)
        if not self.can("plan", f"begin_{who}", when=True):
            return False
        self._name(act, spoken)
        spoken.acts.append(act)
        life.begin(spoken, subject, "plan", value, session=self.session, when=act.when)
        return True

    def _happened(self, spoken: Spoken, fact: Fact, who: str, turn: int) -> bool:
        when = self.choose.when_done(fact, spoken.at.date()) if self.rng.random() < 0.6 else None
        if not self.can("plan", f"happened_{who}", when=when is not None):
            return False
        act = Act(f"happened_{who}", "plan", fact.subject, who == "me", when=when)
        self._about(act, fact, spoken)
        spoken.acts.append(act)
        self.life.happen(spoken, fact, when, session=self.session)
        return True

    def _ask(self, spoken: Spoken) -> bool:
        others = [one for one in self.present if one is not spoken.speaker]
        who = self.rng.choice(others)
        for _ in range(6):
            slot = self.choose.slot(who)
            if (
                not slot
                or not self.can(slot, "ask")
                or not self.can(slot, "answer")
                or not self.choose.open(who, slot, spoken)
            ):
                continue
            value = self.choose.value(who, slot, spoken)
            if value is not None:
                spoken.acts.append(Act("ask", slot, who))
                self.naming.called(who)
                self.asked = (who, slot, value)
                return True
        return False

    def _answer(self, spoken: Spoken, slot: str, value: Value, turn: int) -> None:
        speaker = spoken.speaker
        short = self.rng.random() < self.config.ellipsis or not self.can(slot, "begin_me")
        act = Act("answer" if short else "begin_me", slot, speaker, True)
        self._with(act, value)
        spoken.acts.append(act)
        self._told(self.life.begin(spoken, speaker, slot, value, session=self.session), True, turn)

    def _correct(self, spoken: Spoken, turn: int) -> bool:
        for mistake in self.mistakes:
            fact = mistake.fact
            if mistake.due > turn or fact.teller != spoken.speaker.number:
                continue
            self.mistakes.remove(mistake)
            if fact.until is not None or fact.tells > 1 or self.life.leans(fact):
                return False
            value = self.choose.value(fact.subject, fact.slot, spoken)
            family = "begin_me" if mistake.me else "begin_they"
            if value is None or value is spoken.speaker or not self.can(fact.slot, family):
                return False
            if self.life.over(fact.subject, fact.slot, value) > fact.since or any(
                one.value is value for one in self.life.before(fact.subject, fact.slot)
            ):
                return False
            act = Act(family, fact.slot, fact.subject, mistake.me, wrap="correct")
            self._with(act, fact.value, old=True)
            self._with(act, value)
            self._name(act, spoken)
            spoken.acts.append(act)
            new = self.life.begin(
                spoken, fact.subject, fact.slot, value,
                session=self.session, hearsay=fact.hearsay, replaces=fact, why="correct",
            )  # fmt: skip
            self.recent.append(new)
            return True
        return False

    # -- naming

    def _name(self, act: Act, spoken: Spoken) -> None:
        if not act.me and act.subject is not None:
            act.name = self.naming.subject(act.subject, leads=not spoken.acts)

    def _about(self, act: Act, fact: Fact, spoken: Spoken, *, pronoun: bool = True) -> None:
        if pronoun:
            self._name(act, spoken)
        elif not act.me:
            act.name = self.naming.value(fact.subject)
        self._with(act, fact.value)

    def _with(self, act: Act, value: Value, *, old: bool = False) -> None:
        name = self.naming.value(value) if isinstance(value, Person) else Form.FULL
        if old:
            act.old, act.old_name = value, name
        else:
            act.value, act.value_name = value, name

    def _hear(self, me: bool, spoken: Spoken) -> str:
        """The wrap of a new fact: at most one in a turn is hearsay, and never of oneself."""
        told = not me and self.rng.random() < self.config.hearsay and all(one.wrap != "hear" for one in spoken.acts)
        return "hear" if told else ""

    def _told(self, fact: Fact, me: bool, turn: int) -> None:
        self.recent.append(fact)
        if fact.slot in MISTAKEN and self.rng.random() < self.config.corrections:
            self.mistakes.append(Mistake(fact, me, turn + self.rng.randint(1, 3)))


def _told_here(spoken: Spoken, fact: Fact) -> bool:
    """Whether the turn has already spoken of the slot of this person: it does not contradict itself in one breath."""
    return any(one.subject is fact.subject and one.slot == fact.slot for one in spoken.stated)

"""The people of a world: names in both languages, who writes, who shares a given name, who is never asked about what."""

from __future__ import annotations

from random import Random

from arandu_lab.bench.world.acts import Person
from arandu_lab.bench.world.config import WorldConfig
from arandu_lab.bench.world.lexicon import Given, Lexicon
from arandu_lab.bench.world.slots import CHILDREN, SLOTS

SPOKEN = tuple(name for name, rule in SLOTS.items() if rule.weight)


def make_cast(config: WorldConfig, lexicon: Lexicon, rng: Random) -> tuple[Person, ...]:
    """The people, speakers first. No two speakers share a given name, no two people a whole name.

    A share ``namesakes`` of the others bears the given name of somebody before them. About a fourth of the people are
    lodgers: it is only told with whom they live, never where.
    """
    pool = list(lexicon.given)
    rng.shuffle(pool)
    families = list(lexicon.family)
    rng.shuffle(families)
    taken: list[Given] = []
    out: list[Person] = []
    for number in range(config.people):
        speaker = number < config.speakers
        doubled = not speaker and rng.random() < config.namesakes
        alone = [one for one in taken if taken.count(one) == 1]
        given = rng.choice(alone) if (doubled and alone) or not pool else pool.pop()
        nicked = rng.random() < config.nicknames and bool(given.en_nick and given.pt_nick) and given not in taken
        nicks = (rng.choice(given.en_nick), rng.choice(given.pt_nick)) if nicked else (given.en, given.pt)
        family = families[number % len(families)]
        taken.append(given)
        child = not speaker and number >= config.speakers + 2 and rng.random() < 0.15
        out.append(
            Person(
                number=number,
                gender=given.gender,
                speaker=speaker,
                given={"en": given.en, "pt": given.pt},
                full={"en": f"{given.en} {family[0]}", "pt": f"{given.pt} {family[1]}"},
                short={"en": nicks[0], "pt": nicks[1]},
                nick=nicked,
                namesake=False,
                casual=rng.random() < config.casual,
                child=child,
                silent=_silent(number, child, speaker, rng),
                known=speaker,
            )
        )
    for person, given in zip(out, taken, strict=True):
        person.namesake = taken.count(given) > 1
    return tuple(out)


def _silent(number: int, child: bool, speaker: bool, rng: Random) -> frozenset[str]:
    if child:
        return frozenset(SPOKEN) - CHILDREN
    lodger = number % 4 == 2
    share = 0.15 if speaker else 0.45
    core = ("lives_in", "lives_with", "works_at", "boss")
    silent = {name for name in SPOKEN if name not in core and rng.random() < share}
    if not speaker and rng.random() < 0.3:
        silent |= {"works_at", "boss"}
    silent.add("lives_in" if lodger else "lives_with")
    return frozenset(silent)

"""Make a world: one seeded simulation, told in each language, written as it goes."""

from __future__ import annotations

import re
import unicodedata
import zoneinfo
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from datetime import date, datetime, timedelta
from pathlib import Path
from random import Random

from arandu_lab.bench.artifacts import whole
from arandu_lab.bench.world.acts import Asked, Person, Spoken
from arandu_lab.bench.world.asking import Asking
from arandu_lab.bench.world.cast import make_cast
from arandu_lab.bench.world.config import HELD_SEEDS, WorldConfig
from arandu_lab.bench.world.emit import Folder
from arandu_lab.bench.world.grammar import load_grammar
from arandu_lab.bench.world.lexicon import LANGS, Lang, load_lexicon
from arandu_lab.bench.world.life import Life
from arandu_lab.bench.world.realize import Voice
from arandu_lab.bench.world.telling import Telling
from arandu_lab.errors import ConfigError, nearest
from arandu_lab.places import local
from arandu_lab.pure.text import STOP

_WORD = re.compile(r"[^\W_]+")
MORNING, EVENING = 8 * 3600, 21 * 3600
"""Seconds of the day between which sessions begin."""


def make(
    config: WorldConfig,
    out: str | Path,
    *,
    languages: Sequence[Lang] = LANGS,
    held: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> list[Path]:
    """Write a world to ``<out>/<name>_<language>``, in the place of one of that name; the folders.

    The same configuration gives the same bytes, and a language the same whether or not the others are written.

    Args:
        config: What to make.
        out: Where to.
        languages: Of ``en`` and ``pt``.
        held: Say yes to words that are kept back for a final measurement.
        progress: Called with turns written and turns in all, now and then.

    Raises:
        ConfigError: a held seed without ``held``, ``held`` without such a seed, an unknown language, a place that holds
            something else or cannot be written to, or a world in which nothing can be asked.
        DatasetError: the words of the split cannot be read.
    """
    if config.split == "held" and not held:
        raise ConfigError(
            f"seed {config.seed} is held back ({HELD_SEEDS.start} to {HELD_SEEDS.stop - 1}): its words are for a final "
            "measurement and were never developed against; say held=True (--held) to make it, or take another seed"
        )
    if held and config.split != "held":
        raise ConfigError(
            f"held=True with seed {config.seed}; held words need a seed from {HELD_SEEDS.start} to {HELD_SEEDS.stop - 1}"
        )
    for lang in languages:
        if lang not in LANGS:
            raise ConfigError(f"language {lang!r}; {nearest(lang, LANGS)}")
    if not languages or len(set(languages)) < len(languages):
        raise ConfigError(f"languages = {list(languages)}; wants each of some of {', '.join(LANGS)} once")
    places = [local(out, "out") / f"{config.name}_{lang}" for lang in languages]
    for place in places:
        _check_place(place)
    try:
        with ExitStack() as stack:
            fresh = {lang: stack.enter_context(whole(place)) for lang, place in zip(languages, places, strict=True)}
            with ExitStack() as files:
                world = _World(config, fresh, files)
                world.run(progress)
            if not world.asked:
                raise ConfigError(
                    f"world {config.name!r} gives no question: too little is told in {config.turns} turns with"
                    f" small_talk = {config.small_talk}; more turns, or less small talk"
                )
    except OSError as error:
        raise ConfigError(f"{error.filename or out}: {error.strerror or error}; nothing was written there") from error
    return places


def _check_place(place: Path) -> None:
    """Refuse to write where something else lies: only a world may be replaced by a world."""
    if place.is_symlink() or (place.exists() and not place.is_dir()):
        raise ConfigError(f"{place} is no folder; a world is written in one of its own")
    if place.is_dir() and any(place.iterdir()) and not (place / "world.toml").is_file():
        raise ConfigError(f"{place} holds something else (it has no world.toml); give another name or --out")


class _World:
    """A run of the simulation."""

    def __init__(self, config: WorldConfig, places: dict[Lang, Path], files: ExitStack) -> None:
        self.config = config
        self.zone = zoneinfo.ZoneInfo(config.timezone)
        lexicon = load_lexicon(config.split)
        grammars = tuple(load_grammar(config.split, lang) for lang in LANGS)
        rng = Random(config.seed)
        self.rng = rng
        self.people = make_cast(config, lexicon, rng)
        self.life = Life(self.people)
        self.telling = Telling(config, self.life, lexicon, grammars, rng)
        self.asking = Asking(self.life, self.telling, grammars, rng)
        self.voices = {
            one.lang: Voice(one, Random(config.seed * 8 + number + 1), config.paraphrases)
            for number, one in enumerate(grammars)
        }
        self.askers = {
            one.lang: Voice(one, Random(config.seed * 8 + number + 5), config.paraphrases)
            for number, one in enumerate(grammars)
        }
        self.folders = [Folder(place, config, self.people, self.voices[lang], files) for lang, place in places.items()]
        self.names = {lang: _names(self.people, lang) for lang in LANGS}
        self.asked = 0
        self.sampled = 0

    def run(self, progress: Callable[[int, int], None] | None) -> None:
        """Tell the world to its end."""
        config = self.config
        count = sum(1 for _ in self._sizes())
        width = max(2, len(str(count)))
        starts = self._starts(count)
        start, done = next(starts), 0
        for number, size in enumerate(self._sizes(), start=1):
            until = next(starts, None)
            last = self._session(f"s{number:0{width}d}", start, size, until)
            done += size
            self._ask(last, until, config.questions * done // config.turns)
            instants = config.instants * done // config.turns
            self._sample(last, until, max(1, instants) if until is None else instants)
            if progress is not None and (until is None or number % 64 == 0):
                progress(done, config.turns)
            start = until or start
        for folder in self.folders:
            folder.close()

    def _sizes(self) -> Iterator[int]:
        """How many turns each session has, the same at every call; they add up to the turns of the world."""
        rng = Random(self.config.seed * 8 + 3)
        left, mean = self.config.turns, self.config.session_turns
        while left > 0:
            size = rng.randint(max(2, mean * 2 // 3), mean * 4 // 3)
            size = left if left - size < max(2, mean // 2) else size
            yield size
            left -= size

    def _starts(self, count: int) -> Iterator[datetime]:
        """When each session begins: spread over the years, in waking hours, in order; the first on the day of the start."""
        config, rng = self.config, Random(self.config.seed * 8 + 4)
        step = config.years * 365.25 / count
        midnight = datetime.combine(config.start, datetime.min.time(), self.zone)
        for number in range(count):
            place = number * step + (rng.random() * step * 0.5 if number else 0.0)
            day = int(place)
            late = rng.random() if step > 2 else place - day
            yield midnight + timedelta(days=day, seconds=int(MORNING + late * (EVENING - MORNING)))

    def _session(self, name: str, start: datetime, size: int, until: datetime | None) -> datetime:
        """Tell a session; the moment of its last turn."""
        telling = self.telling
        telling.open_session()
        room = (until - start).total_seconds() * 0.7 if until else 7200.0
        pace = max(1, int(min(room, 7200.0) / size))
        width = max(2, len(str(size)))
        at = start
        for number in range(size):
            spoken = Spoken(f"{name}t{number + 1:0{width}d}", name, at, telling.speaker(number))
            telling.say(spoken, number, size)
            for folder in self.folders:
                folder.turn(spoken)
            last = at
            at += timedelta(seconds=self.rng.randint(max(1, min(12, pace // 2)), min(pace, 160)) if pace > 1 else 1)
        return last

    def _ask(self, last: datetime, until: datetime | None, due: int) -> None:
        """Ask questions after a session until as many have been asked as are due, or there are none to ask."""
        room = (until - last).total_seconds() if until else 86400.0
        wanted = due - self.asked
        gap = timedelta(seconds=max(1, min(240, int(room / (wanted + 2))))) if wanted > 0 else timedelta()
        at = last
        for _ in range(min(wanted, 40)):
            at += gap
            if until is not None and at >= until:
                break
            if not self._ask_one(at):
                break

    def _ask_one(self, at: datetime) -> bool:
        for tried, asked in enumerate(self.asking.candidates(at.date())):
            worded = {lang: self.askers[lang].question(asked) for lang in LANGS}
            if any(self._leaks(asked, lang, worded[lang]) for lang in LANGS):
                if tried > 30:
                    return False
                continue
            self.asked += 1
            self.asking.took(asked)
            for folder in self.folders:
                folder.question(self.asked, at, asked, worded[folder.lang])
            return True
        return False

    def _leaks(self, asked: Asked, lang: Lang, worded: tuple[str, str | None, str | None]) -> bool:
        """Whether a word of the answer stands in the question or in the name of somebody who writes."""
        text, answer, wrong = worded
        shown = self.names[lang] | telling_words(text)
        return any(not shown.isdisjoint(telling_words(said)) for said in (answer, wrong) if said is not None)

    def _sample(self, last: datetime, until: datetime | None, due: int) -> None:
        """Write the state at the midnight after a session, if one is due and nothing is said before it."""
        day: date = last.date() + timedelta(days=1) if until is None else until.date()
        if self.sampled >= due or day <= last.date():
            return
        at = datetime.combine(day, datetime.min.time(), self.zone)
        told = sorted(fact.id for fact in self.life.every())
        derived = sorted(fact.id for fact in self.life.derived.values())
        self.sampled += 1
        for folder in self.folders:
            folder.state(at, told, derived)


def _names(people: Sequence[Person], lang: Lang) -> set[str]:
    """The words of all names of those who write."""
    out: set[str] = set()
    for one in people:
        if one.speaker:
            out.update(telling_words(f"{one.full[lang]} {one.short[lang]} {one.given[lang]}"))
    return out


def telling_words(text: str) -> set[str]:
    """The content words of a text, as :func:`arandu_lab.pure.text.content_words` finds them, without its cache.

    >>> sorted(telling_words("Onde o João mora?"))
    ['joao', 'mora']
    """
    bare = "".join(one for one in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(one))
    found = set(_WORD.findall(bare))
    return {word for word in found if word not in STOP and len(word) > 1} or found

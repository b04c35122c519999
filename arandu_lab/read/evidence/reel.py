"""What ranking turns as evidence needs of an agent's turns beyond the view: stems, sessions, speakers, surface marks.

A reel grows with the turns: appending one costs the words of that turn. It lies beside the rows it was made from
(``AgentView.kept``), so all views of one agent share it, each looking no further than its own turns; a turn that comes
late, out of order, makes another.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from arandu_lab.lexica import lexicon
from arandu_lab.pipeline.lab import Mask, View
from arandu_lab.pure.assistants import own_name
from arandu_lab.pure.cues import cues
from arandu_lab.pure.sentences import sentences
from arandu_lab.pure.stems import LANGUAGES, Language, drifting, stem
from arandu_lab.pure.text import STOP, fold, normal, words
from arandu_lab.read.evidence.opened import Opened
from arandu_lab.read.evidence.spans import Ints, Spans
from arandu_lab.read.found import Floats
from arandu_lab.records import Event
from arandu_lab.store.shelves import Numbers

MARKS = (
    *("time", "number", "place", "kin", "reason", "feeling", "self"),
    *("names", "asks", "ends_asking", "image", "words"),
)
"""Surface marks of a turn: 0 or 1 but for ``names`` (how many, up to 3, of 3) and ``words`` (how many)."""

SESSION_GAP_US = 6 * 3600 * 1_000_000
"""Turns without a session that lie further apart than this belong to two."""

MOST_BEHIND = 64
"""Turns that a look at what is new catches up with; a store that was just opened may have any number."""

MOST_MOMENTS = 4
"""Moments that a reel keeps in mind: those at which questions are being answered side by side."""


@dataclass(frozen=True, eq=False)
class Reel:
    """The turns of one view as arrays over ``n`` turns in order of time, and over all their words in order.

    ``token`` numbers the stem of each word (function words left out), ``exact`` the word itself, ``row`` its turn,
    ``fresh`` whether it stands for the first time in its turn; ``stems`` and ``exacts`` give the numbers, ``spelled`` the
    spelling in which a word was first seen, ``places`` the
    place of a turn by its id (all three of later turns too).
    ``sentence`` numbers each sentence of the turns, the same words the same number, ``sentence_row`` is its turn,
    ``sentences`` their texts by number, ``wholes`` the id of a turn that says this sentence and no more (the last two of
    later turns too). ``member`` numbers each thing that a turn says and some class holds, once a turn, in the lexicon of
    the turn's language (:mod:`arandu_lab.pure.hyponyms`), ``member_row`` is its turn. ``questions`` keeps what the last
    questions were found to ask, ``moments`` what the last moments had open, ``derived`` what follows from the turns alone.
    """

    spans: Spans
    at: Ints
    speaker: Ints
    language: Ints
    size: Floats
    marks: dict[str, Floats]
    token: Ints
    exact: Ints
    fresh: Ints
    row: Ints
    stems: dict[str, int]
    exacts: dict[str, int]
    spelled: list[str]
    sentence: Ints
    sentence_row: Ints
    sentences: list[str]
    wholes: dict[str, str]
    member: Ints
    member_row: Ints
    speakers: tuple[str, ...]
    places: dict[str, int]
    questions: dict[tuple[str, bytes], Any] = field(default_factory=dict)
    moments: dict[bytes, Opened] = field(default_factory=dict)
    derived: dict[Hashable, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.at)

    @cached_property
    def stock(self) -> int:
        """How many stems its own turns have; numbers from here on are of words first said later."""
        return int(self.token.max(initial=-1)) + 1

    @cached_property
    def vocabulary(self) -> int:
        """The same of words."""
        return int(self.exact.max(initial=-1)) + 1

    @cached_property
    def beginnings(self) -> Ints:
        """Where the words of each turn begin that has any."""
        return np.flatnonzero(np.diff(self.row, prepend=-1))

    @cached_property
    def told(self) -> int:
        """How many different sentences its own turns have."""
        return int(self.sentence.max(initial=-1)) + 1

    def opened(self, mask: Mask) -> Opened:
        """The turns that may answer, with what was derived from them before."""
        address = mask.tobytes()
        known = self.moments.get(address)
        if known is None:
            if len(self.moments) >= MOST_MOMENTS:
                self.moments.clear()
            known = self.moments[address] = Opened(
                mask=mask,
                spans=self.spans,
                lengths=self.size,
                token=self.token,
                fresh=self.fresh,
                row=self.row,
                stems=self.stock,
            )
        return known

    def tongue(self, open: Mask) -> Language:
        """The language of the newest open turn; English where nothing was said."""
        places = np.flatnonzero(open)
        return LANGUAGES[int(self.language[places[-1]])] if len(places) else "en"


def reel_of(view: View) -> Reel:
    """The reel of a view's turns."""
    kept = kept_by(view)
    size = len(view.events.ids)
    ordered = _ordered(view)
    name = _REEL if ordered else "reel of late turns"
    with _GROWING:
        growing = kept.get(name)
        if growing is None or (not ordered and growing.size != size):
            growing = kept[name] = _Growing()
        return growing.grown(view, size).seen(size)


class Told(NamedTuple):
    """Words and sentences of all turns in order of arrival, each once, as a :class:`Reel` has them; not to be changed."""

    spelled: list[str]
    sentences: list[str]
    wholes: dict[str, str]


def told_so_far(view: View) -> Told:
    """The words of all turns, spelled as first seen, and their sentences.

    The cost is that of the turns that are new since the last look. Empty where more than ``MOST_BEHIND`` are, or where a
    turn came late: then whoever asks a question looks at all of them.
    """
    kept = kept_by(view)
    size = len(view.events.ids)
    with _GROWING:
        growing = kept.get(_REEL, None) or _Growing()
        if not _ordered(view) or size - growing.size > MOST_BEHIND:
            return Told([], [], {})
        kept[_REEL] = growing
        growing.grown(view, size)
        return Told(growing.spelled, growing.sentences, growing.wholes)


def kept_by(view: View) -> dict[str, Any]:
    """Where readers of a view keep what they derive; nowhere for a view that has no such place."""
    kept: dict[str, Any] = getattr(view, "kept", {})
    return kept


def _ordered(view: View) -> bool:
    return getattr(view.events, "order", None) is None


class _Growing:
    """The growing side of a reel."""

    def __init__(self) -> None:
        self.size = 0
        self.stems: dict[str, int] = {}
        self.exacts: dict[str, int] = {}
        self.spelled: list[str] = []
        self.numbers: dict[str, int] = {}
        self.sentences: list[str] = []
        self.wholes: dict[str, str] = {}
        self.speakers: dict[str, int] = {}
        self.places: dict[str, int] = {}
        self.rows: Numbers[np.int64] = Numbers(7, np.int64)
        self.marks: Numbers[np.float64] = Numbers(len(MARKS), np.float64)
        self.tokens: Numbers[np.int64] = Numbers(4, np.int64)
        self.lines: Numbers[np.int64] = Numbers(2, np.int64)
        self.members: Numbers[np.int64] = Numbers(2, np.int64)
        self.lean, self.session, self.number = 0.0, "", -1
        self.last = 0
        self.shown: Reel | None = None

    def grown(self, view: View, size: int) -> _Growing:
        """Itself, with the turns of the view that it did not have."""
        for place in range(self.size, size):
            self.append(view.event_at(place))
        return self

    def append(self, event: Event) -> None:
        """One more turn, the newest."""
        language, self.lean = drifting(event.text, self.lean)
        at = round(event.occurred_at.timestamp() * 1e6)
        session = event.session_id or ""
        if self.number < 0 or session != self.session or (not session and at - self.last > SESSION_GAP_US):
            self.number += 1
        self.session, self.last = session, at
        speaker = self.speakers.setdefault(normal(own_name(event.speaker)), len(self.speakers))
        said = words(event.text)
        spelled = _spelled(event.text, said)
        told = [(word, form) for word, form in zip(said, spelled, strict=True) if word not in STOP]
        lines = sentences(event.text)
        members = lexicon(language).heard(said)
        self.rows.append((at, self.number, speaker, LANGUAGES.index(language), len(told), len(lines), len(members)))
        self.marks.append(_marks(event.text, language, said, self.speakers))
        self.places[event.id] = self.size
        here: set[int] = set()
        for word, form in told:
            token = self.stems.setdefault(f"{language}:{stem(word, language)}", len(self.stems))
            exact = self.exacts.setdefault(word, len(self.exacts))
            if exact == len(self.spelled):
                self.spelled.append(form)
            self.tokens.append((token, exact, token not in here, self.size))
            here.add(token)
        for line in lines:
            number = self.numbers.setdefault(line, len(self.numbers))
            if number == len(self.sentences):
                self.sentences.append(line)
            self.lines.append((number, self.size))
        for member in members:
            self.members.append((member, self.size))
        if lines == (event.text,):
            self.wholes.setdefault(event.text, event.id)
        self.size += 1

    def seen(self, size: int) -> Reel:
        """The first ``size`` turns, frozen; the same one as long as nothing is added."""
        if self.shown is None or len(self.shown) != size:
            self.shown = self._frozen(size)
        return self.shown

    def _frozen(self, size: int) -> Reel:
        rows, marks, tokens, lines = self.rows.seen(), self.marks.seen(), self.tokens.seen(), self.lines.seen()
        members, lengths = self.members.seen(), rows[4][:size]
        end, last, most = int(lengths.sum()), int(rows[5][:size].sum()), int(rows[6][:size].sum())
        return Reel(
            spans=Spans.of(rows[1][:size]),
            at=rows[0][:size],
            speaker=rows[2][:size],
            language=rows[3][:size],
            size=lengths.astype(np.float64),
            marks={name: marks[place][:size] for place, name in enumerate(MARKS)},
            token=tokens[0][:end],
            exact=tokens[1][:end],
            fresh=tokens[2][:end],
            row=tokens[3][:end],
            stems=self.stems,
            exacts=self.exacts,
            spelled=self.spelled,
            sentence=lines[0][:last],
            sentence_row=lines[1][:last],
            sentences=self.sentences,
            wholes=self.wholes,
            member=members[0][:most],
            member_row=members[1][:most],
            speakers=tuple(self.speakers),
            places=self.places,
        )


def _spelled(text: str, said: list[str]) -> list[str]:
    """The words of a text with their accents, which an embedder wants; folded where the two do not go together."""
    forms = _WORD.findall(text.lower())
    return forms if len(forms) == len(said) else said


def _marks(text: str, language: Language, said: list[str], speakers: dict[str, int]) -> list[float]:
    held = cues(text, language)
    known = {word for name in speakers for word in name.split()}
    names = [name for name in _NAME.findall(text) if fold(name) not in known and not _SELF.match(name)]
    return [
        *(float(cue in held) for cue in MARKS[:7]),
        min(len(names), 3) / 3.0,
        float("?" in text),
        float(text.rstrip().endswith("?")),
        float("[image:" in text),
        float(len(said)),
    ]


_REEL = "reel"
_GROWING = threading.Lock()
_WORD = re.compile(r"\w+")
_NAME = re.compile(r"(?<=[a-zà-ÿ,;:] )[A-ZÀ-Þ][\w']+")
_SELF = re.compile(r"^(?:I|I'm|I've|I'll|I'd|Eu)$")

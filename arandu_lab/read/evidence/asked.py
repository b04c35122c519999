"""A question as the columns see it: the words that count, the speakers it names, and its forms for the embedder."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arandu_lab.pipeline import Lab
from arandu_lab.pipeline.lab import Mask
from arandu_lab.pure.cues import Kind, asking_words, first_person, question_kinds
from arandu_lab.pure.several import several_marks
from arandu_lab.pure.stems import LANGUAGES, Language, capitals, stem
from arandu_lab.pure.text import fold, guess_language, words
from arandu_lab.read.evidence.columns import open_of
from arandu_lab.read.evidence.opened import Opened
from arandu_lab.read.evidence.reel import Reel, reel_of
from arandu_lab.read.found import Candidates, Floats

MOST_WORDS = 64
"""Words of a question that count; a pasted page is no question."""


MOST_QUESTIONS = 8
"""Questions that a reel keeps in mind: those that are being answered side by side."""


@dataclass(frozen=True, eq=False)
class Asked:
    """A question beside the reel it is put to, and ``opened``, the turns of it that may answer.

    ``frequencies`` has shape ``(terms, n)``: how often each distinct word of the question (names of speakers and question
    words left out) stands in each open turn; ``words`` are their folded words, ``numbers`` their stems in the reel.
    ``named`` says of each speaker of the reel whether the question names him.
    """

    text: str
    reel: Reel
    opened: Opened
    kinds: frozenset[Kind]
    named: NDArray[np.bool_]
    terms: tuple[str, ...]
    words: tuple[str, ...]
    numbers: tuple[tuple[int, ...], ...]
    frequencies: Floats
    declarative: str
    personal: str

    @property
    def open(self) -> Mask:
        """Which turns may answer, shape ``(n,)``."""
        return self.opened.mask

    @property
    def known(self) -> NDArray[np.int64]:
        """Numbers of all stems of the question that the reel holds."""
        return np.asarray([number for numbers in self.numbers for number in numbers], dtype=np.int64)


def asked(found: Candidates, lab: Lab) -> Asked:
    """The question of a read; looked at once for all families."""
    text, mask = found.plan.similarity_query, open_of(found, lab)
    reel = reel_of(lab.memory)
    address = (text, mask.tobytes())
    known: Asked | None = reel.questions.get(address)
    if known is None:
        if len(reel.questions) >= MOST_QUESTIONS:
            reel.questions.clear()
        known = reel.questions[address] = _looked_at(text, mask, reel)
    return known


def marks_of(found: Candidates, lab: Lab) -> dict[str, float]:
    """The marks of a question's words by which the weights of a blend may bend."""
    question = asked(found, lab)
    return several_marks(question.text, int(question.named.sum()))


def _looked_at(text: str, mask: Mask, reel: Reel) -> Asked:
    """A name is looked up by its word, anything else by its stem in the turn's language."""
    heard = np.bincount(reel.speaker[mask], minlength=len(reel.speakers)) > 0
    said = words(text)
    line = f" {' '.join(said)} "
    named = np.asarray(
        [
            bool(there and name and any(f" {one} " in line for one in (name, name.split()[0])))
            for name, there in zip(reel.speakers, heard, strict=True)
        ],
        dtype=np.bool_,
    )
    parts = {word for name, there in zip(reel.speakers, named, strict=True) if there for word in name.split()}
    nameless = [word for word in said if word not in parts]
    content = [word for word in nameless if word not in asking_words() and len(word) > 1] or nameless or said
    written = capitals(text)
    tongue = reel.tongue(mask)
    stock, vocabulary = reel.stock, reel.vocabulary
    terms: dict[str, tuple[int, ...]] = {}
    exact: dict[int, int] = {}
    stems: dict[int, int] = {}
    plain: list[str] = []
    for word in content[:MOST_WORDS]:
        forms = [f"{language}:{stem(word, language)}" for language in LANGUAGES]
        name = word if word in written else forms[LANGUAGES.index(tongue)]
        if name in terms:
            continue
        numbers = tuple(number for form in forms if (number := reel.stems.get(form, stock)) < stock)
        place = len(terms)
        plain.append(word)
        terms[name] = numbers
        if word in written:
            exact |= {number: place} if (number := reel.exacts.get(word, vocabulary)) < vocabulary else {}
        else:
            stems |= {number: place for number in numbers if number not in stems}
    counted = np.zeros((len(terms), len(reel)))
    for table, tokens, size in ((stems, reel.token, stock), (exact, reel.exact, vocabulary)):
        if table:
            counted += _counted(table, tokens, size, reel, len(terms))
    declarative, personal = _forms(text, parts, tongue)
    return Asked(
        text=text,
        reel=reel,
        opened=reel.opened(mask),
        kinds=question_kinds(text),
        named=named,
        terms=tuple(terms),
        words=tuple(plain),
        numbers=tuple(terms.values()),
        frequencies=counted * mask,
        declarative=declarative,
        personal=personal,
    )


def _counted(table: dict[int, int], tokens: NDArray[np.int64], size: int, reel: Reel, terms: int) -> Floats:
    """How often each term stands in each turn, shape ``(terms, n)``."""
    places = np.full(size, -1, dtype=np.int64)
    places[list(table)] = list(table.values())
    term = places[tokens]
    hit = np.flatnonzero(term >= 0)
    flat = np.bincount(term[hit] * len(reel) + reel.row[hit], minlength=terms * len(reel))
    return flat.reshape(terms, len(reel)).astype(np.float64)


def _forms(text: str, parts: set[str], tongue: Language) -> tuple[str, str]:
    """The question without its function words, and the same as the named speaker would say it."""
    said = _SAID.findall(text)
    kept = [word for word in said if fold(word) not in asking_words() or fold(word) in ("i", "eu")] or said
    me = first_person("pt" if guess_language(text, tongue) == "pt" else "en")
    spoken = [
        word if fold(name := _POSSESSIVE.sub("", word)) not in parts else me if name == word else "my" for word in kept
    ]
    return " ".join(kept) or text, " ".join(spoken) or text


_SAID = re.compile(r"[\w'’-]+")
_POSSESSIVE = re.compile(r"['’]s$")

"""What both languages' clause readers hand on: who does what, and how sure the speaker is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SubjectKind = Literal["speaker", "person", "kin", "owned", "thing", "addressee", "it", "they"]
Level = Literal["explicit", "strong", "weak", "speculation"]


@dataclass(frozen=True, slots=True)
class Subject:
    """Who a clause is about: ``entity`` names it in memory, ``text`` is how the fact begins.

    ``role`` is the kinship word of an unnamed relative, ``also`` a second person of a joint subject.
    """

    kind: SubjectKind
    entity: str
    text: str
    plural: bool = False
    role: str = ""
    also: str = ""
    type: str = "person"


@dataclass(frozen=True, slots=True)
class Clause:
    """One statement: a resolved subject and the predicate in the third person."""

    subject: Subject
    predicate: str
    verb: str
    level: Level = "explicit"
    reported: bool = False
    conditional: bool = False
    elided: bool = False
    start: int = -1
    """Where it stands in its sentence (letters), and its end; -1 where that is not known."""
    end: int = -1

    @property
    def text(self) -> str:
        """The statement as one sentence without its stop."""
        return f"{self.subject.text} {self.predicate}"


@dataclass(frozen=True, slots=True)
class Bond:
    """A relative or pet that a phrase mentions: ``my wife Ana`` is ``Bond(speaker, "wife", "spouse", "Ana")``."""

    owner: str
    word: str
    slot: str
    name: str
    type: str = "person"
    level: Level = "explicit"

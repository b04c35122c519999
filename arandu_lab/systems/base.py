"""What a memory system is to the harness: it listens to a conversation turn by turn and answers with evidence.

::

    await system.begin("conv-26")
    for turn in turns: usage = await system.listen(turn)
    ranked = await system.ask("Where does Iara live?", now=asked_at, k=10)
    await system.end()

A system keeps nothing across ``begin``; it sees no turn said after ``now``; it never sees the gold. A backend that
fails raises ``BackendError`` and the harness writes a null: failure never looks like an empty ranking.

A system that does something by itself while nobody speaks (background jobs) has ``async rest(now) -> Usage | None`` too; it is
called before each turn and question with its moment, and what it cost counts as writing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol, runtime_checkable

from arandu_lab.errors import ConfigError, nearest
from arandu_lab.pure.assistants import is_assistant
from arandu_lab.trace import Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedTurn:
    """One message of a conversation with its moment. ``id`` is unique within the conversation.

    ``caption`` describes an image sent along; ``role`` is ``user`` or ``assistant`` where the dataset knows it, so that an
    assistant by any name is known for one (:meth:`told_by`).
    """

    id: str
    session_id: str
    occurred_at: datetime
    speaker: str
    text: str
    caption: str | None = None
    role: str | None = None

    def __post_init__(self) -> None:
        if self.occurred_at.tzinfo is None:
            raise ConfigError(f"turn {self.id}: occurred_at {self.occurred_at.isoformat()} has no UTC offset")

    def told_by(self) -> str:
        """The speaker as a memory is told: of an assistant with a name of its own, with its role in brackets (G2).

        >>> from datetime import UTC
        >>> turn = DatedTurn(id="1", session_id="1", occurred_at=datetime(2025, 1, 1, tzinfo=UTC), speaker="Iris", text="Hi",
        ...                  role="assistant")
        >>> turn.told_by()
        'Iris (assistant)'
        """
        if self.role != "assistant" or is_assistant(self.speaker):
            return self.speaker
        return f"{self.speaker} (assistant)"


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedTurn:
    """A turn as evidence; ranks are places in a tuple, from 1."""

    id: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedFact:
    """A remembered statement and the turns it came from (``source_event_id`` mapped back to ids of turns)."""

    text: str
    score: float
    turn_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """An answer: evidence best first, the text a model would be shown, and what it cost.

    ``turns`` None with ``facts`` given: the harness pools facts into turns (:meth:`evidence`). Both None: the system
    does not rank (full context), and ranking measures are null. ``ms`` is the wall time of the ask; ``degraded`` names
    stages that failed and were stepped around.
    """

    turns: tuple[RankedTurn, ...] | None = None
    facts: tuple[RankedFact, ...] | None = None
    context: str = ""
    usage: Usage = field(default_factory=Usage)
    ms: float = 0.0
    degraded: tuple[str, ...] = ()

    def evidence(self) -> tuple[RankedTurn, ...] | None:
        """Turns best first: as given, or pooled from the facts; None when the system does not rank.

        >>> sky = RankedFact(text="the sky is blue", score=0.9, turn_ids=("t2",))
        >>> Ranked(facts=(sky,)).evidence(), Ranked().evidence()
        ((RankedTurn(id='t2', score=0.9),), None)
        """
        if self.turns is not None or self.facts is None:
            return self.turns
        return pool(self.facts)


@runtime_checkable
class System(Protocol):
    """A memory that can be measured. ``name`` is its row in every table."""

    name: str

    async def begin(self, conversation_id: str) -> None:
        """Start a conversation with an empty memory."""
        ...

    async def listen(self, turn: DatedTurn) -> Usage:
        """Take in one turn; turns come in order of time. Returns what it cost."""
        ...

    async def ask(self, question: str, *, now: datetime, k: int) -> Ranked:
        """Evidence for a question put at ``now``: at most ``k`` turns (or facts), best first."""
        ...

    async def end(self) -> None:
        """Close what ``begin`` opened."""
        ...


def pool(facts: Iterable[RankedFact]) -> tuple[RankedTurn, ...]:
    """Turns by the best fact that came from each (max pooling); ties to the turn named first.

    >>> weak = RankedFact(text="a", score=0.2, turn_ids=("t1", "t2"))
    >>> pool([weak, RankedFact(text="b", score=0.7, turn_ids=("t2",))])
    (RankedTurn(id='t2', score=0.7), RankedTurn(id='t1', score=0.2))
    """
    best: dict[str, float] = {}
    for fact in facts:
        for turn_id in fact.turn_ids:
            best[turn_id] = max(best.get(turn_id, fact.score), fact.score)
    falling = sorted(best.items(), key=lambda one: -one[1])
    return tuple(RankedTurn(id=turn_id, score=score) for turn_id, score in falling)


def worded(turn: DatedTurn, template: str = "text", *, language: str = "en") -> str:
    """The text of a turn as a retriever or a model sees it: the parts that ``template`` names, joined by ``+``.

    ``text`` alone, ``speaker+text`` ("Name: text"), ``+caption`` (in brackets behind, if there is one), ``date`` (the
    day in words in front). Parts stand in this fixed order: date, speaker, text, caption.

    Raises:
        ConfigError: an unknown part, no ``text``, or a language without month names.

    >>> from datetime import UTC
    >>> turn = DatedTurn(id="D1:5", session_id="D1", occurred_at=datetime(2023, 5, 8, 13, 56, tzinfo=UTC),
    ...                  speaker="Caroline", text="Look!", caption="a sunset")
    >>> worded(turn, "date+speaker+text+caption")
    '[8 May 2023] Caroline: Look! [image: a sunset]'
    >>> worded(turn, "date+text", language="pt")
    '[8 de maio de 2023] Look!'
    """
    parts = frozenset(template.split("+"))
    for part in sorted(parts - _PARTS):
        raise ConfigError(f"text template {template!r} has a part {part!r}; {nearest(part, _PARTS)}")
    if "text" not in parts:
        raise ConfigError(f"text template {template!r} lacks the part 'text'")
    out = turn.text
    if "speaker" in parts:
        out = f"{turn.speaker}: {out}"
    if "date" in parts:
        out = f"[{day_in_words(turn.occurred_at, language)}] {out}"
    if "caption" in parts and turn.caption:
        out = f"{out} [image: {turn.caption}]"
    return out


def day_in_words(moment: datetime, language: str = "en") -> str:
    """The day of a moment, in its own offset, in English or Portuguese words.

    >>> day_in_words(datetime(2024, 3, 9)), day_in_words(datetime(2024, 3, 9), "pt")
    ('9 March 2024', '9 de março de 2024')
    """
    if language not in _MONTHS:
        raise ConfigError(f"month names in {language!r}; {nearest(language, _MONTHS)}")
    joint = " de " if language == "pt" else " "
    return joint.join((str(moment.day), _MONTHS[language][moment.month - 1], str(moment.year)))


_PARTS = frozenset({"date", "speaker", "text", "caption"})
_MONTHS = {
    "en": (
        *("January", "February", "March", "April", "May", "June"),
        *("July", "August", "September", "October", "November", "December"),
    ),
    "pt": (
        *("janeiro", "fevereiro", "março", "abril", "maio", "junho"),
        *("julho", "agosto", "setembro", "outubro", "novembro", "dezembro"),
    ),
}

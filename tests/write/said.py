"""What the tests of the write pipeline share: dates, answers in short, memories with a scripted model."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from arandu_lab.embed.scripted import ScriptedEmbedder
from arandu_lab.llm.mind import Minds, Patience
from arandu_lab.llm.scripted import Scripted
from arandu_lab.memory import Memory
from arandu_lab.records import Fact
from arandu_lab.results import WriteResult

AGENT = "user_123"
DAY = timedelta(days=1)


async def _at_once(seconds: float) -> None:
    return None


IMPATIENT = Patience(retries=1, sleep=_at_once)
"""Retries once and waits for nothing."""


def at(year: int, month: int = 1, day: int = 1, hour: int = 12) -> datetime:
    """A moment in UTC."""
    return datetime(year, month, day, hour, tzinfo=UTC)


def entity(name: str, type: str = "person", *aliases: str) -> dict[str, Any]:
    """An entity as a model names it."""
    return {"name": name, "type": type, "aliases": list(aliases)}


def fact(subject: str, text: str, **more: Any) -> dict[str, Any]:
    """A fact as a model states it."""
    return {"subject": subject, "text": text, **more}


def edge(source: str, type: str, target: str) -> dict[str, Any]:
    """A relation as a model names it."""
    return {"source": source, "type": type, "target": target}


def answer(
    *facts: dict[str, Any],
    entities: list[dict[str, Any]] | None = None,
    relations: list[dict[str, Any]] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """An answer to informed extraction; subjects that nobody lists as entities are persons."""
    named = entities if entities is not None else [entity(s) for s in dict.fromkeys(f["subject"] for f in facts)]
    return {"entities": named, "facts": list(facts), "relations": relations or [], **more}


def verdicts(*said: tuple[str, int | None]) -> dict[str, Any]:
    """An answer to reconciliation: an action and an index for each item in order."""
    return {"verdicts": [{"i": i, "action": action, "known": known} for i, (action, known) in enumerate(said)]}


def opened(llm: Any = None, embed: Any = None, path: Any = "memory://", **more: Any) -> Memory:
    """A memory; ``llm`` is a scripted model, or a mapping of tasks to answers for one."""
    model = llm if hasattr(llm, "complete") else Scripted(by_task=llm or {})
    minds = Minds(model, patience=IMPATIENT, malformed_retries=0)
    return Memory.open(path, llm=minds, embedder=embed or ScriptedEmbedder(), **more)


class Talk:
    """A conversation: each call writes one message with the answer the model gives to it, one day after the last."""

    def __init__(
        self,
        cosines: dict[tuple[str, str], float] | None = None,
        *,
        embed: Any = None,
        path: Any = "memory://",
        **more: Any,
    ) -> None:
        self.scripts: dict[str, Any] = {}
        self.model = Scripted(by_task={task: self._next(task) for task in ("extract", "resolve", "reconcile")})
        self.memory = opened(self.model, embed or ScriptedEmbedder(cosines or {}), path, **more)
        self.now = at(2025)

    def _next(self, task: str) -> Any:
        return lambda messages: self.scripts[task]

    async def __call__(
        self,
        said: dict[str, Any],
        *,
        text: str | None = None,
        speaker: str = "Rafael",
        when: datetime | None = None,
        verdict: Any = None,
        choice: Any = None,
        **more: Any,
    ) -> WriteResult:
        """Write a message. Without ``verdict`` or ``choice`` the model is silent where it is asked for them."""
        self.now = when or self.now + DAY
        self.scripts = {
            "extract": said,
            "reconcile": verdict if verdict is not None else {"verdicts": []},
            "resolve": choice if choice is not None else {"choices": []},
        }
        words = text if text is not None else " ".join(f["text"] for f in said.get("facts", [])) or "…"
        return await self.memory.write(AGENT, words, speaker, occurred_at=self.now, **more)

    @property
    def view(self) -> Any:
        """The agent's view."""
        return self.memory.store.view(AGENT)

    def all(self) -> list[Fact]:
        """Every version of every fact."""
        return [self.view.fact_at(p) for p in range(len(self.view.facts.ids))]

    def live(self) -> list[str]:
        """Texts of the open facts."""
        return [one.text for one in self.all() if one.valid_to is None]

    def edges(self) -> list[tuple[str, str, str]]:
        """Ends and types of the open edges."""
        return [(e.source_key, e.rel_type, e.target_key) for e in self.view.edges() if e.valid_to is None]

    def __enter__(self) -> Talk:
        return self

    def __exit__(self, *_: object) -> None:
        assert self.memory.store.verify() == []
        self.memory.close()

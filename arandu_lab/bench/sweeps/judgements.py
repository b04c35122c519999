"""Grades of a judge, kept by question and fact, so that no pair is graded twice however many settings show it.

A line of the file is one grade: the digest of (model, prompt, query, moment, text, date), the grade, and the pair's share of
the money. Lines are only added; errors, and facts that a model gave no grade, are never kept and are asked about again.

A read is stopped where it asks for a grade that is not here (:class:`Wanted`). When all settings have come that far, the
union of what they lack is put to the model in one question, and they go on. What a setting *asked* is counted as though it
had been alone: one call with its own pool. What was really paid is :attr:`Judgements.paid`.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from filelock import FileLock

from arandu_lab.errors import BackendError, DatasetError
from arandu_lab.llm.mind import messages
from arandu_lab.llm.tasks import GradeItem, JudgeAnswer
from arandu_lab.llm.tokens import token_counter
from arandu_lab.pipeline.lab import Answered, Task
from arandu_lab.trace import Span, Usage


class Wanted(BaseException):
    """A read has come to grades that are not known yet."""


@dataclass(frozen=True, slots=True)
class Grade:
    """One grade, and what it cost in US dollars: an even share of its question."""

    grade: float
    usd: float = 0.0


class Judgements:
    """Grades by key. ``path`` None keeps them in memory. ``paid`` adds up what models were really asked.

    Raises:
        DatasetError: a line of the file that is no grade.
    """

    def __init__(self, path: str | Path | None = None) -> None:
        self.path = None if path is None else Path(path)
        self.paid = Usage()
        self._grades: dict[str, Grade] = {}
        self._read = 0
        self._lock = None if path is None else FileLock(f"{path}.lock")
        self._refresh()

    def __len__(self) -> int:
        return len(self._grades)

    def find(self, key: str) -> Grade | None:
        """The grade of a pair, or None."""
        return self._grades.get(key)

    def keep(self, fresh: Mapping[str, Grade]) -> None:
        """Add grades; of two for one pair the first in the file counts, whichever process was faster."""
        if self.path is None or self._lock is None:
            self._grades = {**fresh, **self._grades}
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self._lock:
            self._refresh(whole=True)
            lines = [
                json.dumps({"key": key, "grade": one.grade, "usd": one.usd})
                for key, one in fresh.items()
                if key not in self._grades
            ]
            with self.path.open("ab") as file:
                file.write("".join(f"{line}\n" for line in lines).encode())
                file.flush()
                os.fsync(file.fileno())
            self._refresh()

    def served(self, mind: Any) -> Served:
        """A mind whose judge answers from here, for the settings of one question; all else is asked as ever."""
        return Served(mind, self, _Round())

    def _refresh(self, *, whole: bool = False) -> None:
        """Read what was added since; ``whole`` cuts away a line that a crash tore (the lock is held)."""
        try:
            with (self.path or Path(os.devnull)).open("rb") as file:
                file.seek(self._read)
                news = file.read()
        except FileNotFoundError:
            return
        end = news.rfind(b"\n") + 1
        for number, raw in enumerate(news[:end].splitlines(), start=1):
            try:
                said = json.loads(raw)
                self._grades.setdefault(str(said["key"]), Grade(float(said["grade"]), float(said.get("usd", 0.0))))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise DatasetError(
                    f"{self.path}: line {number} after byte {self._read} is no grade: {error}"
                ) from error
        self._read += end
        if whole and self.path is not None and len(news) > end:
            with self.path.open("rb+") as file:
                file.truncate(self._read)


@dataclass(slots=True)
class _Asked:
    """A question of the union: the pairs that some setting lacks, by key."""

    task: Task[JudgeAnswer]
    inputs: Mapping[str, Any]
    facts: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    timeout: float = 0.0


@dataclass(slots=True)
class _Round:
    """What the settings lack at one question, what was asked already, and what failed."""

    wanted: dict[str, _Asked] = field(default_factory=dict)
    known: set[str] = field(default_factory=set)
    settled: set[str] = field(default_factory=set)
    failed: dict[str, BackendError] = field(default_factory=dict)


class Served:
    """A mind whose judge answers from :class:`Judgements`; implements ``arandu_lab.pipeline.lab.Mind``."""

    def __init__(self, inner: Any, book: Judgements, round_: _Round, span: Span | None = None) -> None:
        self.inner, self.book, self.round, self._span = inner, book, round_, span

    def metered(self, span: Span) -> Served:
        """The same, spending into ``span``."""
        inner = self.inner.metered(span) if hasattr(self.inner, "metered") else self.inner
        return Served(inner, self.book, self.round, span)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    async def ask(
        self, task: Task[Any], inputs: Mapping[str, Any], *, timeout: float, repeat: int = 0
    ) -> Answered[Any]:
        """As ``Mind.ask``; a question of the documented judge is answered from what is kept.

        Raises:
            Wanted: some of it is not known; it is noted for :meth:`answer`.
            BackendError: it was asked, and failed.
        """
        if repeat or not _gradable(task, inputs):
            found: Answered[Any] = await self.inner.ask(task, inputs, timeout=timeout, repeat=repeat)
            return found
        keys = self._keys(task, inputs)
        self.round.known.update(
            key for key in keys if key not in self.round.settled and self.book.find(key) is not None
        )
        missing = [key for key in keys if self.book.find(key) is None and key not in self.round.settled]
        if missing:
            group = _digest([task.instructions, inputs["query"], inputs["asked_at"]])
            asked = self.round.wanted.setdefault(group, _Asked(task, inputs))
            asked.timeout = max(asked.timeout, timeout)
            by_key = dict(zip(keys, inputs["facts"], strict=True))
            asked.facts.update((key, by_key[key]) for key in missing)
            raise Wanted
        fault = next((self.round.failed[key] for key in keys if key in self.round.failed), None)
        if fault is not None:
            self._spend(Usage(calls=1))
            raise BackendError(fault.message, kind=fault.kind, backend=fault.backend)
        known = [(place, self.book.find(key)) for place, key in enumerate(keys)]
        grades = [(place, one) for place, one in known if one is not None]
        answer = [{"grade": one.grade, "i": place} for place, one in grades]
        self._spend(
            Usage(
                calls=1,
                input_tokens=asked_tokens(task, inputs, self.model),
                output_tokens=answer_tokens(answer, self.model),
                cost_usd=sum(one.usd for _, one in grades),
            )
        )
        return Answered(JudgeAnswer(grades=[GradeItem(i=place, grade=one.grade) for place, one in grades]))

    async def answer(self) -> None:
        """Put what is wanted to the model, one question for each query, and keep the grades."""
        for group, asked in list(self.round.wanted.items()):
            del self.round.wanted[group]
            span = Span("judgements")
            mind = self.inner.metered(span) if hasattr(self.inner, "metered") else self.inner
            union = united(asked.inputs, asked.facts)
            try:
                answered = await mind.ask(asked.task, union, timeout=asked.timeout)
            except BackendError as error:
                self.round.failed.update(dict.fromkeys(asked.facts, error))
            else:
                keys = self._keys(asked.task, union)
                usd = span.usage.cost_usd / max(len(keys), 1)
                fresh: dict[str, Grade] = {}
                for item in answered.value.grades:
                    if 0 <= item.i < len(keys):
                        fresh.setdefault(keys[item.i], Grade(item.grade, usd))
                self.book.keep(fresh)
            finally:
                self.book.paid = self.book.paid + span.usage
            self.round.settled.update(asked.facts)

    @property
    def known(self) -> int:
        """Pairs that were looked for and were here before anything was asked."""
        return len(self.round.known)

    def lacking(self) -> list[tuple[Task[JudgeAnswer], dict[str, Any]]]:
        """The questions that :meth:`answer` would put."""
        return [(asked.task, united(asked.inputs, asked.facts)) for asked in self.round.wanted.values()]

    def _keys(self, task: Task[Any], inputs: Mapping[str, Any]) -> list[str]:
        base = [self.model, _digest([task.instructions]), inputs["query"], inputs["asked_at"]]
        return [_digest([*base, fact["text"], fact["since"]]) for fact in inputs["facts"]]

    @property
    def model(self) -> str:
        """The name of the model that judges."""
        names = getattr(self.inner, "names", None)
        return str(
            names["judge"] if isinstance(names, Mapping) else getattr(self.inner, "name", type(self.inner).__name__)
        )

    def _spend(self, usage: Usage) -> None:
        if self._span is not None:
            self._span.spend(usage)


def united(inputs: Mapping[str, Any], facts: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """One question about many facts, in order of date and words: the same pool makes the same question."""
    shown = sorted(facts.values(), key=lambda fact: (fact["since"], fact["text"]))
    return {
        "query": inputs["query"],
        "asked_at": inputs["asked_at"],
        "facts": [{"i": i, "text": fact["text"], "since": fact["since"]} for i, fact in enumerate(shown)],
    }


def asked_tokens(task: Task[Any], inputs: Mapping[str, Any], model: str) -> int:
    """Tokens of a prompt for a model, by its own tokenizer where that is at hand."""
    texts = [one.content for one in messages(task, inputs)]
    if model.startswith("offline/"):  # which counts a prompt as one text
        texts = ["".join(texts)]
    return sum(map(token_counter(model), texts))


def answer_tokens(grades: Sequence[Mapping[str, Any]], model: str) -> int:
    """Tokens of an answer with these grades."""
    return token_counter(model)(json.dumps({"grades": grades}, ensure_ascii=False, sort_keys=True))


def _gradable(task: Task[Any], inputs: Mapping[str, Any]) -> bool:
    """Whether a question is the documented judge's: other questions have answers that depend on more than the pair."""
    facts: Sequence[Any] = inputs.get("facts", ())
    return (
        task.name == "judge"
        and set(inputs) == {"query", "asked_at", "facts"}
        and all(set(fact) == {"i", "text", "since"} and fact["i"] == place for place, fact in enumerate(facts))
    )


def _digest(said: Sequence[Any]) -> str:
    return hashlib.sha256(json.dumps(said, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()[:32]

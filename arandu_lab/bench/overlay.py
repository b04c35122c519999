"""Corrections of a dataset's gold, laid over it without touching its file: both figures can then be shown.

Two layouts are read:

* the public audit of LoCoMo (``audit_errors.json``: a list with ``question_id cited_evidence correct_evidence
  correct_answer``; samples are counted as in ``locomo10.json``);
* one's own: a JSON list, or JSON lines, of ``{"conversation": …, "question": …}`` with any of ``evidence`` (turn ids),
  ``answer`` (text or null), ``absent`` and ``why``.

A correction is applied only to the very question it was written for. What matches nothing is kept with its reason and
counted; nothing is dropped in silence.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import polars as pl

from arandu_lab.bench.data.locomo import evidence_ids
from arandu_lab.bench.data.model import Conversation, Dataset, Question, Repair
from arandu_lab.errors import ConfigError, DatasetError, nearest
from arandu_lab.places import local


@dataclass(frozen=True, slots=True, kw_only=True)
class Unmatched:
    """A correction that was not applied, and why."""

    id: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlay:
    """Corrections that fit one dataset: ``changes`` are the corrected questions by (conversation, question).

    ``agreed`` counts corrections of what the dataset has right by now; ``unmatched`` lists those that fit no question.
    """

    name: str
    digest: str
    dataset: str
    changes: Mapping[tuple[str, str], Question]
    repairs: tuple[Repair, ...] = ()
    agreed: int = 0
    unmatched: tuple[Unmatched, ...] = field(default=())

    @classmethod
    def read(cls, path: str | Path, dataset: Dataset) -> Overlay:
        """The corrections in a file, matched against a dataset.

        Raises:
            DatasetError: no such file, not JSON, or an item that is not what either layout promises, with its number.
        """
        place = local(path)
        raw, items = _items(place)
        known = {one.id: one for one in dataset}
        changes: dict[tuple[str, str], Question] = {}
        repairs: list[Repair] = []
        agreed, unmatched = 0, []
        for number, item in enumerate(items, start=1):
            found = _audited(item, known) if "question_id" in item else _own(item, known, f"{place}: item {number}")
            if isinstance(found, Unmatched):
                unmatched.append(found)
                continue
            conversation, before, after, why = found
            key = (conversation.id, before.id)
            if key in changes or any(one.where == "/".join(key) for one in repairs):
                unmatched.append(Unmatched(id="/".join(key), why="corrected twice; the first correction stands"))
            elif before == after:
                agreed += 1
            else:
                changes[key] = after
                repairs.append(_repair("/".join(key), before, after, why))
        return cls(
            name=place.stem,
            digest=hashlib.sha256(raw).hexdigest(),
            dataset=dataset.digest,
            changes=changes,
            repairs=tuple(repairs),
            agreed=agreed,
            unmatched=tuple(unmatched),
        )

    def applied(self, dataset: Dataset) -> Dataset:
        """The dataset with its gold corrected: ``NAME+OVERLAY``, under a digest of both, each change a repair.

        Raises:
            ConfigError: not the dataset that the overlay was read for.
        """
        if dataset.digest != self.dataset:
            raise ConfigError(
                f"overlay {self.name!r} was read for data of sha256 {self.dataset[:12]}…, {dataset.name} has "
                f"{dataset.digest[:12]}…; read it again: Overlay.read(path, dataset)"
            )
        corrected = tuple(
            replace(one, questions=tuple(self.changes.get((one.id, asked.id), asked) for asked in one.questions))
            for one in dataset
        )
        return replace(
            dataset,
            name=f"{dataset.name}+{self.name}",
            conversations=corrected,
            digest=hashlib.sha256(f"{dataset.digest}+{self.digest}".encode()).hexdigest(),
            repairs=(*dataset.repairs, *self.repairs),
            card={**dataset.card, "overlay": f"{self.name} sha256 {self.digest}"},
        )

    def counts(self, dataset: Dataset) -> dict[str, int]:
        """How many questions were corrected, in what, and how many corrections were not applied."""
        before = {(one.id, asked.id): asked for one in dataset for asked in one.questions}
        changed = [(before[key], after) for key, after in self.changes.items()]
        return {
            "corrections": len(self.changes) + self.agreed + len(self.unmatched),
            "applied": len(self.changes),
            "evidence": sum(one.evidence != two.evidence for one, two in changed),
            "answer": sum(one.answer != two.answer for one, two in changed),
            "absent": sum(one.absent != two.absent for one, two in changed),
            "agreed": self.agreed,
            "unmatched": len(self.unmatched),
        }

    def __str__(self) -> str:
        said = f"{self.name}: {len(self.changes)} questions corrected, {self.agreed} already so"
        if not self.unmatched:
            return f"{said}, every correction matched"
        first = "; ".join(f"{one.id}: {one.why}" for one in self.unmatched[:3])
        more = f"; and {len(self.unmatched) - 3} more" if len(self.unmatched) > 3 else ""
        return f"{said}, {len(self.unmatched)} NOT applied ({first}{more})"


def overlays_of(datasets: Mapping[str, Dataset], relevance: Any) -> dict[str, Overlay]:
    """The corrections of each dataset, from the path of a file or as an ``Overlay``; empty where None is given.

    Raises:
        ConfigError: neither of the two.
        DatasetError: as :meth:`Overlay.read`.
    """
    if relevance is None or isinstance(relevance, Overlay):
        return dict.fromkeys(datasets, relevance) if relevance is not None else {}
    if not isinstance(relevance, str | Path):
        raise ConfigError(f"relevance = {relevance!r}; wants the path of corrections, or an Overlay")
    return {name: Overlay.read(relevance, dataset) for name, dataset in datasets.items()}


def fitting(overlays: Mapping[str, Overlay], datasets: Mapping[str, Dataset]) -> tuple[dict[str, Overlay], list[str]]:
    """Those that are of their dataset, and a sentence on each, of the others too."""
    mine, said = {}, []
    for name, overlay in overlays.items():
        if overlay.dataset == datasets[name].digest:
            mine[name] = overlay
            said.append(f"{name}: corrections {overlay}")
        else:
            said.append(f"{name}: corrections {overlay.name} are of other data, so its gold is as given")
    return mine, said


def figures(questions: pl.DataFrame, dataset: Dataset, overlay: Overlay, measures: Iterable[str]) -> pl.DataFrame:
    """Both figures of every system: ``system measure n as_given n_corrected as_corrected`` over the headline.

    Args:
        questions: The frame of a run over ``dataset``, as it was given.

    Raises:
        ConfigError: as :func:`rescored`.
    """
    names = list(measures)
    mine = questions.filter(pl.col("dataset") == dataset.name)
    sides = (mine, rescored(mine, overlay.applied(dataset), names))
    means = [
        side.filter(~pl.col("absent"))
        .unpivot(names, index=["system"], variable_name="measure")
        .group_by("system", "measure", maintain_order=True)
        .agg(pl.col("value").count().cast(pl.Int64).alias(f"n{part}"), pl.col("value").mean().alias(f"as_{word}"))
        for side, part, word in zip(sides, ("", "_corrected"), ("given", "corrected"), strict=True)
    ]
    return means[0].join(means[1], on=["system", "measure"], how="left", maintain_order="left")


def rescored(
    questions: pl.DataFrame, dataset: Dataset, measures: Iterable[str], *, depth: int | None = None
) -> pl.DataFrame:
    """The questions of a run, scored again against corrected gold: nothing is replayed.

    Args:
        questions: The frame of a run over the same conversations, as it was given.
        dataset: The corrected one; its name takes the place of the old.
        measures: Columns to compute; other columns of measures are dropped.
        depth: Of the run, where chance ends too; None where chance is not asked for.

    Returns:
        The same rows and columns with ``dataset category absent evidence ranks state``, measures and chance as corrected.

    Raises:
        ConfigError: questions that the corrected dataset does not have, or a measure that needs more than a ranking.
    """
    from arandu_lab.bench.measures import parse, score
    from arandu_lab.systems.base import Ranked, RankedTurn

    wanted = [parse(one) for one in measures]
    gold = {(one.id, asked.id): asked for one in dataset for asked in one.questions}
    kept = [name for name in questions.columns if not _measured(name)]
    rows: list[dict[str, Any]] = []
    for system in questions["system"].unique(maintain_order=True):
        mine = questions.filter(pl.col("system") == system).select(kept)
        keys = list(zip(mine["conversation"], mine["question"], strict=True))
        if strange := next((key for key in keys if key not in gold), None):
            raise ConfigError(f"question {'/'.join(strange)} is not in {dataset.name}")
        answers = {
            key: None
            if row["error"] is not None
            else Ranked()
            if row["returned"] is None
            else Ranked(turns=tuple(RankedTurn(id=one, score=0.0) for one in row["returned"]))
            for key, row in zip(keys, mine.iter_rows(named=True), strict=True)
        }
        values: dict[tuple[str, str], dict[str, Any]] = {}
        for one in score(dataset, answers, wanted, depth=depth).iter_rows(named=True):
            values.setdefault((one["conversation"], one["question"]), {}).update(
                {"state": one["state"], one["measure"]: one["value"], f"chance {one['measure']}": one["chance"]}
            )
        for key, row in zip(keys, mine.iter_rows(named=True), strict=True):
            asked, returned = gold[key], row["returned"]
            ranks = None if returned is None else [_rank(returned, one) for one in asked.evidence]
            said = {"dataset": dataset.name, "category": asked.category, "absent": asked.absent}
            rows.append({**row, **said, "evidence": list(asked.evidence), "ranks": ranks, **values[key]})
    schema = {name: kind for name, kind in questions.schema.items() if name in kept}
    numbers = {name: pl.Float64 for one in wanted for name in (str(one), f"chance {one}")}
    return pl.DataFrame(rows, schema={**schema, **numbers})


def _rank(returned: list[str], turn_id: str) -> int | None:
    return returned.index(turn_id) + 1 if turn_id in returned else None


def _measured(name: str) -> bool:
    return name.startswith("chance ") or name[:1].isupper() or "@" in name


def _items(place: Path) -> tuple[bytes, list[dict[str, Any]]]:
    number = 0
    try:
        raw = place.read_bytes()
        text = raw.decode("utf-8-sig")
        found = [] if place.suffix == ".jsonl" else json.loads(text)
        if place.suffix == ".jsonl":
            for number, line in enumerate(text.split("\n")):  # noqa: B007 - the error's line
                if line.strip():
                    found.append(json.loads(line))
    except OSError as failed:
        raise DatasetError(f"{place}: {failed.strerror}") from failed
    except ValueError as failed:
        at = number + getattr(failed, "lineno", 1)
        raise DatasetError(f"{place}:{at}: not JSON: {failed}") from failed
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise DatasetError(f"{place}:1: an overlay is a list of corrections")
    if not found:
        raise DatasetError(f"{place}: holds no corrections")
    return raw, found


_Matched = tuple[Conversation, Question, Question, str]


def _own(item: dict[str, Any], known: Mapping[str, Conversation], where: str) -> _Matched | Unmatched:
    for key in item:
        if key not in _KEYS:
            raise DatasetError(f"{where}: unknown key {key!r}; {nearest(key, _KEYS)}")
    ids = [item.get(name) for name in ("conversation", "question")]
    if not all(isinstance(one, str) for one in ids) or not {"evidence", "answer", "absent"} & set(item):
        raise DatasetError(f"{where}: wants conversation, question, and one of evidence, answer, absent")
    kinds = (("evidence", list), ("answer", str | None), ("absent", bool), ("why", str))
    if wrong := next((name for name, kind in kinds if name in item and not isinstance(item[name], kind)), None):
        raise DatasetError(f"{where}: {wrong} = {item[wrong]!r}; wants {_KEYS[wrong]}")
    if strange := [one for one in item.get("evidence", []) if not isinstance(one, str)]:
        raise DatasetError(f"{where}: evidence has {strange[0]!r}; wants {_KEYS['evidence']}")
    name, asked = map(str, ids)
    if name not in known:
        return Unmatched(id=f"{name}/{asked}", why=f"no conversation {name!r} in the data")
    before = next((one for one in known[name].questions if one.id == asked), None)
    if before is None:
        return Unmatched(id=f"{name}/{asked}", why=f"conversation {name} has no question {asked!r}")
    return _matched(known[name], before, item, str(item.get("why", "")))


def _audited(item: dict[str, Any], known: Mapping[str, Conversation]) -> _Matched | Unmatched:
    """A correction of the audit: of the question at its place in its sample, if that has its words and its answer."""
    told = str(item["question_id"])
    found = re.fullmatch(r"locomo_(\d+)_qa(\d+)", told)
    if found is None or int(found[1]) >= len(_SAMPLES):
        return Unmatched(id=told, why="not an id like locomo_0_qa1")
    name = _SAMPLES[int(found[1])]
    if name not in known:
        return Unmatched(id=told, why=f"no conversation {name!r} in the data")
    before = next((one for one in known[name].questions if one.id == f"q{found[2]}"), None)
    if before is None or before.text.split() != str(item.get("question", "")).split():
        return Unmatched(id=told, why=f"question q{found[2]} of {name} is not the one it was written for")
    if str(before.answer).split() != str(item.get("golden_answer")).split():
        return Unmatched(id=told, why=f"the answer it corrects is not that of {name}/q{found[2]}")
    if not isinstance(item.get("correct_evidence", []), list):
        return Unmatched(id=told, why=f"correct_evidence = {item['correct_evidence']!r} is no list of turns")
    answer = re.sub(r"\s*\(answer is correct\b.*\)\s*$", "", str(item.get("correct_answer", before.answer)))
    said = {"evidence": evidence_ids(map(str, item.get("correct_evidence", []))), "answer": answer}
    return _matched(known[name], before, said, f"{item.get('error_type', '')}: {item.get('reasoning', '')}")


def _matched(conversation: Conversation, before: Question, said: Mapping[str, Any], why: str) -> _Matched | Unmatched:
    absent = bool(said.get("absent", before.absent))
    changes: dict[str, Any] = {"absent": absent, "answer": said.get("answer", before.answer)}
    vanished = absent and not before.absent
    if "evidence" in said or vanished:
        order = {turn.id: place for place, turn in enumerate(conversation.turns)}
        wanted = list(dict.fromkeys(said.get("evidence", [])))
        if strange := next((one for one in wanted if one not in order), None):
            return Unmatched(id=f"{conversation.id}/{before.id}", why=f"its evidence {strange!r} is no turn")
        evidence = tuple(sorted(wanted, key=order.__getitem__))
        sessions = conversation.session_of()
        if evidence != before.evidence:
            changes["evidence"] = evidence
            changes["evidence_sessions"] = tuple(dict.fromkeys(sessions[one] for one in evidence))
    if vanished and "answer" not in said:
        changes["answer"] = None
    return conversation, before, replace(before, **changes), why


def _repair(where: str, before: Question, after: Question, why: str) -> Repair:
    names = [name for name in ("evidence", "answer", "absent") if getattr(before, name) != getattr(after, name)]
    one, two = ("; ".join(f"{name} = {getattr(side, name)!r}" for name in names) for side in (before, after))
    return Repair(where=where, before=one, after=two, why=f"overlay: {why}".strip())


_KEYS = {
    "conversation": "its id",
    "question": "its id",
    "evidence": "a list of turn ids",
    "answer": "text or null",
    "absent": "true or false",
    "why": "text",
}
_SAMPLES = tuple(f"conv-{number}" for number in (26, 30, 41, 42, 43, 44, 47, 48, 49, 50))
"""The conversations of ``locomo10.json`` in its order, by which the audit counts."""

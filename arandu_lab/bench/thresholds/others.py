"""Pairs of others, where their files lie: STS-B (English and machine translated Portuguese) and taosmd's supersessions.

Both are judges, never chosen on when there are facts of our own. Neither is shipped; what is not there is said.
"""

from __future__ import annotations

import csv
import json
from collections import Counter
from hashlib import sha256
from pathlib import Path

from arandu_lab.bench.thresholds.pairs import FOLDS, Pair, Relation
from arandu_lab.errors import DatasetError

SAME, UNRELATED = 4.5, 1.0
"""STS-B: the same statement from this score up, unrelated up to that one."""


def stsb_pairs(folder: Path, *, folds: int = FOLDS) -> list[Pair]:
    """STS-B's pairs from ``stsb-{en,pt}-{dev,test}.csv`` (sentence, sentence, score 0 to 5; no heading), those there are.

    Pairs that share a sentence, in either language, are in one group and one fold.

    Raises:
        DatasetError: a line that is not three fields with a score within 0 to 5.
    """
    out: list[Pair] = []
    for split in ("dev", "test"):
        files = {language: folder / f"stsb-{language}-{split}.csv" for language in ("en", "pt")}
        rows = {language: _stsb_rows(path) for language, path in files.items() if path.is_file()}
        groups = _groups(list(rows.values()))
        sizes = Counter(groups)
        loads, fold_of = [0] * folds, {}
        for group, size in sorted(sizes.items(), key=lambda item: (-item[1], item[0])):
            fold_of[group] = loads.index(min(loads))
            loads[fold_of[group]] += size
        for language, table in rows.items():
            for group, (first, second, score) in zip(groups, table, strict=False):
                relation: Relation = "duplicate" if score >= SAME else "unrelated" if score <= UNRELATED else "near"
                out.append(
                    Pair(
                        first=first,
                        second=second,
                        relation=relation,
                        language=language,
                        source=f"stsb-{split}",
                        kind="stsb",
                        group=f"stsb-{split}:{group}",
                        fold=fold_of[group],
                    )
                )
    return out


def taosmd_pairs(folder: Path, *, folds: int = FOLDS) -> list[Pair]:
    """The statement of the old and of the new answer in each case of ``axis_a_contradiction.jsonl``: updates, English.

    Raises:
        DatasetError: a case in which they cannot be told.
    """
    path = folder / "axis_a_contradiction.jsonl"
    if not path.is_file():
        return []
    out: dict[tuple[str, str], Pair] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            case = json.loads(line)
            said = [one["text"] for one in sorted(case["sessions"], key=lambda one: one["timestamp"])]
            said = [text for text in said if ": " in text]
            stale = next(text for text in said if case["stale_answer"].casefold() in text.casefold())
            now = next(text for text in reversed(said) if case["correct_answer"].casefold() in text.casefold())
        except (ValueError, KeyError, TypeError, StopIteration) as failed:
            raise DatasetError(f"{path}:{number}: no case of an old and a new answer: {failed!r}") from failed
        name = stale.partition(":")[0]
        out[stale, now] = Pair(
            first=stale,
            second=now,
            relation="update",
            language="en",
            source="taosmd",
            kind="taosmd",
            subject=name,
            group=f"taosmd:{number}",
            fold=number % folds,
        )
    return list(out.values())


def digest_of_others(folder: Path) -> dict[str, str]:
    """File name -> sha256 of those files of others that are read, where they lie."""
    names = [f"stsb/stsb-{language}-{split}.csv" for language in ("en", "pt") for split in ("dev", "test")]
    names.append("taosmd_supersession/axis_a_contradiction.jsonl")
    return {name: sha256((folder / name).read_bytes()).hexdigest() for name in names if (folder / name).is_file()}


def _stsb_rows(path: Path) -> list[tuple[str, str, float]]:
    rows = []
    with path.open(encoding="utf-8", newline="") as file:
        for number, row in enumerate(csv.reader(file), start=1):
            try:
                first, second, said = row
                score = float(said)
            except ValueError as failed:
                raise DatasetError(f"{path}:{number}: no line of sentence, sentence, score: {failed}") from failed
            if not 0.0 <= score <= 5.0:
                raise DatasetError(f"{path}:{number}: score {score}, wanted 0 to 5")
            rows.append((first, second, score))
    return rows


def _groups(tables: list[list[tuple[str, str, float]]]) -> list[int]:
    """For each row the first row that it hangs together with through shared sentences, over all tables."""
    rows = max(map(len, tables), default=0)
    parent = list(range(rows))

    def root(one: int) -> int:
        while parent[one] != one:
            parent[one] = parent[parent[one]]
            one = parent[one]
        return one

    for table in tables:
        seen: dict[str, int] = {}
        for place, (first, second, _) in enumerate(table):
            for text in (first, second):
                a, b = sorted((root(seen.setdefault(text, place)), root(place)))
                parent[b] = a
    return [root(place) for place in range(rows)]

"""The contexts that a system would have shown a reader, kept beside its replay: answering asks no memory again.

Lines repeat from question to question, so a line is written once and a context is a list of lines' numbers. The file is
plain JSON: whoever looks for words to be forgotten finds them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from arandu_lab.bench.damage import reading
from arandu_lab.errors import ConfigError

FILE = "contexts.json"
STEPS = "steps.json"


class Shown(Protocol):
    """What has a question's id and the text that a reader would be shown; None: there was none (it failed)."""

    @property
    def question(self) -> str:
        """The question's id."""
        ...

    @property
    def context(self) -> str | None:
        """The text."""
        ...


def keep_contexts(folder: Path, answers: Sequence[Shown]) -> None:
    """Write the contexts of a replay into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    numbers: dict[str, int] = {}
    of = {
        one.question: [numbers.setdefault(line, len(numbers)) for line in one.context.split("\n")]
        for one in answers
        if one.context is not None
    }
    said = {"lines": list(numbers), "contexts": of}
    (folder / FILE).write_text(json.dumps(said, ensure_ascii=False, indent=0), encoding="utf-8", errors="replace")


def kept_contexts(folder: Path) -> Mapping[str, str]:
    """Question id -> context, to the letter; a question that failed is not among them.

    Raises:
        ConfigError: none are kept there.
        DatasetError: half of them, or damaged ones.
    """
    if not (folder / FILE).is_file():
        raise ConfigError(
            f"{folder} holds no {FILE}: the replay was thrown away, or made before contexts were kept; run it again"
        )
    with reading(folder):
        said = json.loads((folder / FILE).read_text(encoding="utf-8"))
        lines = said["lines"]
        return {question: "\n".join(lines[one] for one in numbers) for question, numbers in said["contexts"].items()}


def keep_steps(folder: Path, steps: Iterable[tuple[str, str, str, str]]) -> None:
    """Write into a result's folder where its steps are kept: (dataset, conversation, system, address) each."""
    said = json.dumps([list(one) for one in steps], ensure_ascii=False, indent=0)
    (folder / STEPS).write_text(said, encoding="utf-8")


def kept_steps(folder: Path) -> list[tuple[str, str, str, str]]:
    """The steps of a result.

    Raises:
        ConfigError: it was made before they were written down.
        DatasetError: what was written down is damaged.
    """
    if not (folder / STEPS).is_file():
        raise ConfigError(f"{folder} holds no {STEPS}: it was made before contexts were kept; run it again")
    with reading(folder):
        said = json.loads((folder / STEPS).read_text(encoding="utf-8"))
        return [(dataset, conversation, system, address) for dataset, conversation, system, address in said]

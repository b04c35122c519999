"""Figures in a document that are those of a result, and nothing that somebody typed.

Between ``<!-- baseline: NAME -->`` and ``<!-- /baseline -->`` stand the main tables of the result ``NAME``, without times.
"""

from __future__ import annotations

import re
from pathlib import Path

from arandu_lab.bench import tables
from arandu_lab.bench.cards import LANGUAGES, main_card
from arandu_lab.bench.frames import Frames
from arandu_lab.bench.plan import Plan
from arandu_lab.errors import ConfigError


def figures(result: tuple[Plan, Frames]) -> str:
    """The main tables of a result as Markdown, one a dataset: the same frames give the same text."""
    plan, frames = result
    parts = []
    for dataset, language in frames.questions.select("dataset", "language").unique(maintain_order=True).iter_rows():
        card = main_card(tables.main_table(frames, dataset, plan.measures), plan.measures, times=False)
        parts.append(f"{dataset} ({LANGUAGES.get(language, language)}); {tables.said_of_headline(frames, dataset)}")
        parts.append(card.markdown())
    return "\n\n".join(part.removesuffix("; ") for part in parts)


def docs_differ(document: str | Path, name: str, result: tuple[Plan, Frames]) -> str | None:
    """What a document says that a result does not, in words; None where it says the same.

    Raises:
        ConfigError: the document has no place for that name, or several.
    """
    text = Path(document).read_text(encoding="utf-8")
    told, found = _place(text, name, document)[1].strip().splitlines(), figures(result).splitlines()
    for line, (one, two) in enumerate(zip(told, found, strict=False), start=1):
        if one != two:
            return f"{document}: line {line} of the figures of {name!r} is\n    {one}\nand the result says\n    {two}"
    if len(told) != len(found):
        return f"{document}: the figures of {name!r} have {len(told)} lines, the result says {len(found)}"
    return None


def write_figures(document: str | Path, name: str, result: tuple[Plan, Frames]) -> None:
    """Put the figures of a result into their place in a document; nothing else of it moves.

    Raises:
        ConfigError: as :func:`docs_differ`.
    """
    place = Path(document)
    text = place.read_text(encoding="utf-8")
    begin, _, end = _place(text, name, document)
    before, after = text[: text.index(begin) + len(begin)], text[text.index(end, text.index(begin)) :]
    place.write_text(f"{before}\n{figures(result)}\n\n{after}", encoding="utf-8", newline="\n")


def _place(text: str, name: str, document: str | Path) -> tuple[str, str, str]:
    begin, end = f"<!-- baseline: {name} -->\n", "<!-- /baseline -->"
    found = re.findall(re.escape(begin) + r"(.*?)" + re.escape(end), text, re.DOTALL)
    if len(found) != 1:
        raise ConfigError(f"{document}: wants one place for figures, {begin.strip()} … {end}; it has {len(found)}")
    return begin, found[0], end

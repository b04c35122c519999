"""The reading of findings in plain words: what to set, and what .85 and .50 cost as they stand."""

from __future__ import annotations

import re
from typing import Any

import polars as pl

from arandu_lab.bench.cards import LANGUAGES
from arandu_lab.bench.thresholds.calibrate import FEWEST
from arandu_lab.bench.thresholds.run import Findings

_SCALES = {
    "raw": "cosines as they are",
    "shipped": "cosines under the calibration that comes with the box",
    "recommended": "cosines under this report's calibration",
}


def reading(found: Findings) -> list[str]:
    """Paragraphs and lists for a terminal: the words of :func:`paragraphs` without the marks of Markdown."""
    return [plain(part) for part in paragraphs(found)]


def plain(markdown: str) -> str:
    """Text without the marks of headings, of strong and of literal words; a heading has a blank line before it.

    >>> plain("## What it *costs*")
    '\\nWhat it costs'
    >>> plain("* **Set** `semantic_dedup_threshold = 0.9`")
    '  - Set semantic_dedup_threshold = 0.9'
    """
    lines = []
    for line in markdown.splitlines():
        line = re.sub(r"^#+ +", "\n", line)
        line = re.sub(r"^\* +", "  - ", line)
        lines.append(re.sub(r"(\*\*|\*|`)(?=\S)(.+?)(?<=\S)\1", r"\2", line))
    return "\n".join(lines)


def paragraphs(found: Findings) -> list[str]:
    """Paragraphs and lists of Markdown, the recommendation first."""
    basis = "facts of our own sets" if "facts" in found.pairs["kind"].unique() else "the pairs of others"
    parts = [
        f"**Set** {_set(found, found.in_force)} on {_SCALES[found.in_force]}, which is what a memory compares today.",
        "\n".join(f"* {line}" for line in (_dedup(found), _gate(found))),
    ]
    if "recommended" in found.scales:
        parts.append(
            f"With `calibration.json` of this folder instead: {_set(found, 'recommended')}. {_closeness(found)}"
        )
    parts += [
        "## What .85 and .50 cost as they stand",
        "\n".join(f"* {line}" for line in _costs(found)),
        f"Chosen on {basis}; judged on the same by leaving out whole groups (folds of subjects or of clusters of sentences)"
        f"{', and by STS-B, which nothing was chosen on' if 'facts of our' in basis and _has(found, 'stsb') else ''}. Pairs of "
        f"a set are not messages of a user: shares that depend on the mix of pairs (precision) carry over less well than "
        f"shares of one kind (lost, missed).",
    ]
    return parts


def _set(found: Findings, scale: str) -> str:
    dedup, gate = (_choice(found, scale, what) for what in ("dedup", "gate"))
    return f"`semantic_dedup_threshold = {_cut(dedup['threshold'])}` and `reconcile_gate = {_cut(gate['threshold'])}`"


def _dedup(found: Findings) -> str:
    one = _choice(found, found.in_force, "dedup")
    asked = f"of what it merges {_pc(one['target'])} are to be the same"
    if not one["reached"] and one["threshold"] >= 1.0:
        return (
            f"dedup: asked that {asked}; no threshold merges {FEWEST} pairs of these after the word checks in every "
            "language, so let identical words alone merge."
        )
    held = (
        f"held out, it merges {one['merged']:.0f} pairs" if one["merged"] is not None else "not judged: a single fold"
    )
    if one["precision"] is not None:
        held += f", {_pc(one['precision'])} of them rightly, finds {_pc(one['recall'])} of the duplicates"
        held += f" and loses {_pc(one['lost'])} of the other facts"
    tail = "" if one["reached"] else " No threshold does what was asked in every language: this is the best there is."
    return f"dedup: asked that {asked} (words may refuse); {held}.{tail}"


def _gate(found: Findings) -> str:
    one = _choice(found, found.in_force, "gate")
    said = f"gate: asked that {_pc(one['target'])} of repetitions, updates and denials come before the model"
    if one["reach"] is not None:
        said += f"; held out, {_pc(one['reach'])} do, and {_pc(one['unrelated'])} of unrelated pairs with them"
    table = found.gates.filter(scale=found.in_force, gate=one["threshold"], stored=20)
    costs = " and ".join(f"{_pc(row['calls'])} in {_name(row['language'])}" for row in table.to_dicts())
    return said + (
        f". With 20 stored facts, a fact that replaces nothing asks all the same in {costs}." if costs else "."
    )


def _costs(found: Findings) -> list[str]:
    lines = []
    for scale in [one for one in found.scales if one != "recommended"]:
        for language in sorted(found.pairs["language"].unique()):
            for kind in ("facts", "stsb"):
                table = found.merged.filter(scale=scale, language=language, kind=kind, threshold=0.85)
                if table.is_empty():
                    continue
                shares = dict(
                    found.distributions.filter(scale=scale, language=language, kind=kind)
                    .select("relation", pl.struct("at_50", "at_85"))
                    .iter_rows()
                )
                alone, checked = (table.filter(words=words).to_dicts()[0] for words in (False, True))
                lines.append(
                    f"**{_name(language)}, {_KINDS[kind]}, {scale}** – .85 merges {alone['flagged']} pairs, "
                    f"{_pc(alone['precision'])} of them rightly ({_pc(alone['recall'])} of the duplicates); with the word "
                    f"checks {checked['flagged']}, {_pc(checked['precision'])} ({_pc(checked['recall'])}). {_at(shares)}"
                )
    return lines


def _at(shares: dict[str, dict[str, float]]) -> str:
    high = [f"{_pc(shares[name]['at_85'])} of {said}" for name, said in _OTHERS.items() if name in shares]
    half = [f"{_pc(shares[name]['at_50'])} of {said}" for name, said in _PASS.items() if name in shares]
    return f"By the cosine alone it takes {', '.join(high)} for the same. .50 lets in {', '.join(half)}."


def _closeness(found: Findings) -> str:
    table = found.carried
    names = [name for name in ("raw", "shipped", "held_out") if name in table.columns]
    off = {name: float((table[name] - table["reference"]).abs().mean()) for name in names}  # type: ignore[arg-type]
    said = {"raw": "as they are", "shipped": "under the shipped calibration", "held_out": "under this one, held out"}
    parts = ", ".join(f"{value:.3f} {said[name]}" for name, value in off.items())
    return f"Mean distance of quantiles from the documented scale: {parts}."


def _choice(found: Findings, scale: str, what: str) -> dict[str, Any]:
    return found.choices.filter(scale=scale, what=what, language="all").to_dicts()[0]


def _has(found: Findings, kind: str) -> bool:
    return kind in found.pairs["kind"].unique()


def _name(language: str) -> str:
    return LANGUAGES.get(language, language)


def _pc(share: float | None) -> str:
    return "none" if share is None else f"{100 * share:.1f} %"


def _cut(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".") if value not in (0.0, 1.0) else f"{value:.1f}"


_KINDS = {"facts": "facts", "stsb": "STS-B"}
_OTHERS = {"update": "updates", "negation": "denials", "attribute": "other attributes", "near": "pairs in between"}
_PASS = {
    "duplicate": "repetitions",
    "update": "updates",
    "negation": "denials",
    "attribute": "other attributes",
    "unrelated": "unrelated pairs",
}

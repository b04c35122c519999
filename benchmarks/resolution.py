"""How well names find their bearers: the rules for names and the tables of short forms against likeness and cosines.

    python benchmarks/resolution.py [--data ../shared/datasets] [--sets datasets] [--only nicknames|friends|own] [--sweep] [--into docs/measured.md]

nicknames_en: pairs of a given name and a short form of it against as many pairs with a form of another name, half of
these the most alike of forty drawn. For a form to find its name: precision and recall by rule and by threshold.
friends_character_id (dev): every named mention of one person, in order, in a memory that begins empty and knows
who has spoken; a link is to a key that stood before. Then the pronouns of the first person, and kinship words, which are
nobody's own name ("mom" is not the speaker).
own sets: the whole write pipeline over our conversations, extraction given from the gold as the turns call things (and
with what speakers say of themselves), ambiguous names asked of the offline model: B-cubed and pairwise agreement of keys with entities, and questions asked.
"""

# ruff: noqa: E501  (report lines read better on one line)

from __future__ import annotations

import argparse
import asyncio
import csv
import gzip
import json
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from measured import measured

from arandu_lab.bench.scorecard.resolution_score import Agreement, Named, b_cubed, pairwise
from arandu_lab.config import MemoryConfig
from arandu_lab.embed.open import open_embedder
from arandu_lab.llm.scripted import Scripted
from arandu_lab.memory import Memory
from arandu_lab.pure import hypocorisms, names
from arandu_lab.pure.text import ident
from arandu_lab.records import Entity, Resolved

HERE = Path(__file__).resolve().parent.parent
SETS = ("harbor_en", "mare_pt")
THRESHOLDS = (0.50, 0.60, 0.70, 0.80, 0.85, 0.90, 0.95)
NICKNAMES: tuple[names.Nicknames, ...] = ("off", "ask", "resolve")
NOW = datetime(2025, 1, 1, tzinfo=UTC)
SEED = 7
FIRST_PERSON = frozenset("i me my mine myself".split())


def main(argv: list[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--data", type=Path, default=HERE.parent / "shared" / "datasets", help="folder of the data sets of others"
    )
    parser.add_argument("--sets", type=Path, default=HERE / "datasets", help="folder of our own sets")
    parser.add_argument("--only", default="", choices=("", "nicknames", "friends", "own"), help="one of the three")
    parser.add_argument("--sweep", action="store_true", help="our own sets at every fuzzy_threshold, not at .85 alone")
    options = parser.parse_args(argv)
    embed = open_embedder(None)
    if options.only in ("", "nicknames"):
        _told(options.data / "nicknames_en" / "names.csv", lambda path: nicknames_en(path, embed))
    if options.only in ("", "friends"):
        _told(
            options.data / "friends_character_id" / "character-identification-dev.json.gz",
            lambda path: friends(path, embed),
        )
    if options.only in ("", "own"):
        for name in SETS:
            _told(options.sets / name / "gold.jsonl", lambda path: own(path.parent, embed, sweep=options.sweep))


def _told(path: Path, table: Callable[[Path], None]) -> None:
    if path.exists():
        table(path)
    else:
        print(f"skipped: {path} is not there; give its folder with --data or --sets")


# ---------------------------------------------------------------- nicknames_en


def nicknames_en(path: Path, embed: Any) -> None:
    """Precision and recall of "this form is of this name", by rule and by threshold."""
    with path.open(encoding="utf-8", newline="") as lines:
        rows = [(row["name1"].strip(), row["name2"].strip()) for row in csv.DictReader(lines)]
    true = list(dict.fromkeys((full, short) for full, short in rows if full != short))
    false = list(_unrelated(true))
    pairs = [*true, *false]
    gold = np.array([True] * len(true) + [False] * len(false))
    distinct = sorted({name for pair in pairs for name in pair})
    vectors = dict(zip(distinct, asyncio.run(embed(distinct)), strict=True))
    cosine = np.array([float(embed.scale(float(vectors[a] @ vectors[b]))) for a, b in pairs])
    alike = np.array([0.0 if names.vetoed(a, b) else names.likeness(a, b) for a, b in pairs])
    prefix = np.array([len(b) >= 3 and a.startswith(b) and not names.vetoed(a, b) for a, b in pairs])
    table = np.array([hypocorisms.may_be([b], [a]) for a, b in pairs])
    print(f"nicknames_en: {len(true)} pairs of a name and a form of it, {len(false)} of a form of another name")
    print(f"{'rule':<34}{'P':>7}{'R':>7}{'F1':>7}")
    for label, chosen in (("prefix (documented)", prefix), ("tables", table), ("prefix or tables", prefix | table)):
        _score(label, chosen, gold)
    print(
        f"{'from':<8}{'likeness':^22}{'prefix, tables or it':^22}{'cosine':^22}{'prefix or it (arandu)':^22}{'all':^22}"
    )
    for threshold in THRESHOLDS:
        cells = [
            alike >= threshold,
            prefix | table | (alike >= threshold),
            cosine >= threshold,
            prefix | (cosine >= threshold),
            prefix | table | (cosine >= threshold),
        ]
        print(f"{threshold:<8.2f}" + "".join(f"{_cell(chosen, gold):^22}" for chosen in cells))
    order = np.argsort(np.concatenate([cosine, alike]).reshape(2, -1), axis=1, kind="stable")
    for label, ranks in zip(("cosine", "likeness"), order, strict=True):
        place = np.empty(len(gold))
        place[ranks] = np.arange(len(gold))
        auc = (place[gold].sum() - gold.sum() * (gold.sum() - 1) / 2) / (gold.sum() * (~gold).sum())
        print(f"AUC of {label}: {auc:.3f}")
    print()


def _unrelated(true: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """For every pair, the name with a form of another: in turn any, and the most alike of forty."""
    chance = random.Random(SEED)
    forms = sorted({short for _, short in true})
    held = set(true) | {(short, full) for full, short in true}
    siblings: dict[str, set[str]] = {}
    for full, short in true:
        siblings.setdefault(short, set()).add(full)
    for place, (full, _) in enumerate(true):
        drawn = [
            one
            for one in chance.sample(forms, 40)
            if (full, one) not in held and one != full and one not in siblings.get(full, ())
        ]
        yield full, max(drawn, key=lambda one: names.likeness(full, one)) if place % 2 else drawn[0]


def _score(label: str, chosen: Any, gold: Any) -> None:
    print(f"{label:<34}{_cell(chosen, gold)}")


def _cell(chosen: Any, gold: Any) -> str:
    hits = int((chosen & gold).sum())
    precision = hits / int(chosen.sum()) if chosen.any() else float("nan")
    recall = hits / int(gold.sum())
    f1 = 2 * precision * recall / (precision + recall) if hits else 0.0
    return f"{precision:7.3f}{recall:7.3f}{f1:7.3f}"


# ---------------------------------------------------------------- friends


@dataclass
class Names:
    """A memory of names alone: what is known, and what phase one and the bands make of a mention."""

    nicknames: names.Nicknames
    likeness: Callable[[str, str], float] | None = None
    threshold: float = 0.85
    aliases: dict[str, tuple[str, ...]] = field(default_factory=dict)
    entities: dict[str, Entity] = field(default_factory=dict)

    def add(self, name: str) -> str:
        """A new person of that name."""
        key = names.new_key("person", name, self.entities)
        self.entities[key] = Entity(key=key, agent_id="a", name=name, type="person", recorded_at=NOW)
        self.alias(name, key)
        return key

    def alias(self, name: str, key: str) -> None:
        """One more name of a person."""
        held = self.aliases.get(ident(name), ())
        self.aliases[ident(name)] = held if key in held else (*held, key)

    def found(self, name: str, speaker: str, terms: Any = "role") -> Resolved:
        """The mention resolved as far as it goes without a model."""
        home = self.aliases.get(ident(speaker), ("person:?",))[0]
        one = names.match(
            name, "person", speaker_key=home, speaker=speaker, known=names.Known(self.aliases, self.entities),
            relationship_terms=terms, nicknames=self.nicknames,
        )  # fmt: skip
        if one.how == "pending" and not one.candidates and self.likeness is not None:
            bare = ident(name)
            near = [
                (key, self.likeness(bare, ident(entity.name)))
                for key, entity in self.entities.items()
                if not names.vetoed(bare, ident(entity.name))
            ]
            one = names.bands(one, near, fuzzy_threshold=self.threshold, fuzzy_floor=0.5, fuzzy_candidates=3)
        return names.settle(one, None) if one.how == "pending" else one


def friends(path: Path, embed: Any) -> None:
    """Named mentions, pronouns of the first person and kinship words of the development file."""
    told = [(speaker, words, gold) for speaker, words, gold in mentions(path)]
    named = [one for one in told if one[1][:1].isupper() and ident(one[1]) not in FIRST_PERSON and _is_name(one[1])]
    cosine = _cosines(embed, [words for _, words, _ in named] + [speaker for speaker, _, _ in told])
    print(f"friends_character_id dev: {len(named)} named mentions of {len({gold for _, _, gold in named})} people")
    print(f"{'rules':<34}{'links':>7}{'P':>7}{'R':>7}{'B3 P':>8}{'R':>7}{'F1':>7}{'pair P':>8}{'R':>7}{'F1':>7}")
    for nicknames in ("off", "resolve"):
        for label, likeness in (("", None), (" + likeness .85", names.likeness), (" + cosine .85", cosine)):
            rules = ("prefix" if nicknames == "off" else "prefix, short forms") + label
            _linked(rules, Names(nicknames, likeness), told, named)
    spoken = [(speaker, words, gold) for speaker, words, gold in told if ident(words) in FIRST_PERSON]
    memory = Names("off")
    right = sum(memory.found(words, speaker).how == "speaker" and gold == speaker for speaker, words, gold in spoken)
    print(f"first person: {right} of {len(spoken)} ({right / len(spoken):.3f}) are the speaker")
    kin = [(speaker, words, gold) for speaker, words, gold in told if ident(words) in names.ROLES]
    trapped = {}
    for terms in ("speaker", "role"):
        found = [memory.found(words, speaker, terms) for speaker, words, _ in kin]
        homes = [memory.found("I", speaker).key for speaker, _, _ in kin]
        wrong = [
            one.key == home and gold != speaker for one, home, (speaker, _, gold) in zip(found, homes, kin, strict=True)
        ]
        trapped[terms] = sum(wrong)
    said = ", ".join(f"{count} with relationship_terms={terms!r}" for terms, count in trapped.items())
    print(f"kinship words: {len(kin)}; taken for the speaker and wrong: {said}\n")


def _linked(
    label: str, memory: Names, told: Sequence[tuple[str, str, str]], named: Sequence[tuple[str, str, str]]
) -> None:
    chosen, marked = set(map(id, named)), []
    owner: dict[str, str] = {}
    links = right = could = 0
    for one in told:
        speaker, words, gold = one
        if ident(speaker) not in memory.aliases:
            owner[memory.add(speaker)] = speaker
        if id(one) not in chosen:
            continue
        known = gold in owner.values()
        found = memory.found(words, speaker)
        could += known
        if found.key is not None:
            links += 1
            right += owner.get(found.key) == gold
            memory.alias(words, found.key)
            marked.append((gold, found.key))
        elif found.how == "ambiguous":
            marked.append((gold, f"ambiguous:{ident(words)}"))
        else:
            key = memory.add(words)
            owner[key] = gold
            marked.append((gold, key))
    precision, recall = right / max(1, links), right / max(1, could)
    print(f"{label:<34}{links:7d}{precision:7.3f}{recall:7.3f} {_agreed(b_cubed(marked))} {_agreed(pairwise(marked))}")


def mentions(path: Path) -> Iterator[tuple[str, str, str]]:
    """(speaker, words, person) of every mention of one person by one speaker, in order."""
    episodes = json.loads(gzip.decompress(path.read_bytes()))["episodes"]
    for episode in episodes:
        for scene in episode["scenes"]:
            for said in scene["utterances"]:
                if len(said["speakers"]) != 1:
                    continue
                for tokens, people in zip(said["tokens"], said["character_entities"], strict=True):
                    for first, last, *who in people:
                        if len(who) == 1 and not who[0].startswith("#"):
                            yield said["speakers"][0], " ".join(tokens[first:last]), who[0]


def _is_name(words: str) -> bool:
    return names.may_be_alias(words) and ident(words) not in _NOT_NAMES and words.split()[0] not in _TITLES


_NOT_NAMES = frozenset(
    "you your yours he she they we it us him her them ya man honey sweetheart dude baby sir guy their our his hey one".split()
)
_TITLES = frozenset({"Aunt", "Uncle", "Hey", "Da"})


def _cosines(embed: Any, texts: Sequence[str]) -> Callable[[str, str], float]:
    distinct = sorted({ident(text) for text in texts})
    vectors = dict(zip(distinct, asyncio.run(embed(distinct)), strict=True))

    def cosine(one: str, other: str) -> float:
        a, b = vectors.get(one), vectors.get(other)
        return float(embed.scale(float(a @ b))) if a is not None and b is not None else 0.0

    return cosine


def _agreed(one: Agreement) -> str:
    return "".join(f"{value:7.3f}" if value is not None else "      -" for value in (one.precision, one.recall, one.f1))


# ---------------------------------------------------------------- our own sets


def own(folder: Path, embed: Any, *, sweep: bool) -> None:
    """Agreement of keys with entities over the conversations of one of our sets, by setting."""
    turns, gold = _lines(folder / "turns.jsonl"), {line["turn"]: line for line in _lines(folder / "gold.jsonl")}
    called = {ident(alias): one["name"] for one in _lines(folder / "entities.jsonl") for alias in one["aliases"]}
    count = sum(len(line["entities"]) for line in gold.values())
    print(f"{folder.name}: {count} mentions, as the turns call them")
    print(
        f"{'nicknames':<11}{'terms':<9}{'from':>6}{'B3 P':>8}{'R':>7}{'F1':>7}{'pair P':>8}{'R':>7}{'F1':>7}{'asked':>7}{'keys':>6}"
    )
    for nicknames in NICKNAMES:
        for terms, thresholds in (("speaker", (0.85,)), ("role", THRESHOLDS if sweep else (0.85, 1.0))):
            for threshold in thresholds:
                config = MemoryConfig(nicknames=nicknames, relationship_terms=terms, fuzzy_threshold=threshold)
                marked, asked = asyncio.run(_written(turns, gold, called, embed, config))
                print(
                    f"{nicknames:<11}{terms:<9}{threshold:6.2f} {_agreed(b_cubed(marked))} {_agreed(pairwise(marked))}"
                    f"{asked:7d}{len({key for _, key in marked}):6d}"
                )
    print()


async def _written(
    turns: Sequence[dict[str, Any]], gold: dict[str, Any], called: dict[str, str], embed: Any, config: MemoryConfig
) -> tuple[list[Named], int]:
    """Every mention as (entity, key), and how many questions about names were asked.

    Of the facts only those of the speaker are told, so that who has spoken of himself is known.
    """
    now: dict[str, Any] = {}
    model = Scripted(by_task={"extract": lambda messages: now["answer"]}, name="gold")
    marked: list[Named] = []
    asked = 0
    with Memory.open(
        "memory://", llm={"default": "offline/rules", "extract": model}, embedder=embed, config=config
    ) as memory:
        for turn in turns:
            truth = gold.get(turn["id"], {"entities": [], "facts": []})
            named, speaker = truth["entities"], turn["speaker"]
            now["answer"] = {
                "entities": [{"name": one["mention"], "type": one["type"]} for one in named],
                "facts": [
                    {"subject": speaker, "text": fact["text"]}
                    for fact in truth["facts"]
                    if fact["subject"] in (speaker, called.get(ident(speaker)))
                ],
            }
            at = datetime.fromisoformat(turn["occurred_at"])
            result = await memory.write("a", turn["text"], speaker, occurred_at=at, verbose=True)
            model.calls.clear()
            step = result.pipeline.find("ask_names") if result.pipeline else None
            asked += step.usage.calls if step else 0
            keys = {ident(name): one.key for one in result.entities_resolved for name in (one.name, *one.aliases)}
            marked += [(one["name"], keys.get(ident(names.split_hint(one["mention"])[0]))) for one in named]
    return marked, asked


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


if __name__ == "__main__":
    sys.exit(measured(main))

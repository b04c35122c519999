"""How much of what messages state the offline rules extract, on our two sets and on mempalace_extraction.

    python benchmarks/extraction.py [--data ../shared/datasets] [--misses] [--only harbor_en] [--into docs/measured.md]

Our sets: facts by optimal pairing with the gold facts (``arandu_lab.pure.matching``), entities by canonical name,
relations by (source, type, target). mempalace: entity names (recall, precision, type accuracy) and, for each labelled
memory, whether some extracted fact holds half of its content (English only, as its labels are). Verdicts: each gold fact
against those that hold before it. Judgements: gold facts of the evidence turns against all others. Gold is read here,
never by the rules.
"""

# ruff: noqa: E501  (report lines read better on one line)

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from measured import measured

from arandu_lab.llm.rules import answer, families
from arandu_lab.pure import matching
from arandu_lab.pure.text import content_words, fold, words

HERE = Path(__file__).resolve().parent.parent
SETS = ("harbor_en", "mare_pt")
RECENT = 5


def main(argv: list[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--data", type=Path, default=HERE.parent / "shared" / "datasets", help="folder of mempalace_extraction"
    )
    parser.add_argument("--sets", type=Path, default=HERE / "datasets", help="folder of our own sets")
    parser.add_argument(
        "--misses", action="store_true", help="list what was missed (-) and what was found beyond the gold (+)"
    )
    parser.add_argument("--only", default="", help="one data set by name")
    options = parser.parse_args(argv)
    print(f"{'set':<17}{'what':<16}{'P':>7}{'R':>7}{'F1':>7}{'found':>8}{'gold':>7}{'ms/msg':>8}  notes")
    for name in SETS:
        if not options.only or options.only == name:
            own_set(options.sets / name, misses=options.misses)
            verdicts(options.sets / name, misses=options.misses)
            judgements(options.sets / name, misses=options.misses)
    for tag in ("en", "pt-BR"):
        if not options.only or options.only in (f"mempalace {tag}", "mempalace"):
            mempalace(options.data / "mempalace_extraction", tag, misses=options.misses)


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _row(name: str, what: str, counts: Sequence[int], ms: float | None = None, notes: str = "") -> None:
    hits, found, gold = counts
    precision, recall = hits / found if found else float("nan"), hits / gold if gold else float("nan")
    f1 = 2 * precision * recall / (precision + recall) if hits else 0.0
    cost = f"{ms:8.2f}" if ms is not None else " " * 8
    print(f"{name:<17}{what:<16}{precision:7.3f}{recall:7.3f}{f1:7.3f}{found:8d}{gold:7d}{cost}  {notes}")


def own_set(folder: Path, *, misses: bool) -> None:
    """Facts, entities and relations of one of our sets, turn by turn, with the last turns as context and no memory."""
    if not (folder / "gold.jsonl").exists():
        print(f"{folder.name:<17}skipped: {folder / 'gold.jsonl'} is not there")
        return
    aliases = _aliases(folder)
    gold = {line["turn"]: line for line in _lines(folder / "gold.jsonl")}
    counts = {what: [0, 0, 0] for what in ("facts", "entities", "types", "relations")}
    quiet = [0, 0]
    spent = 0.0
    turns = 0
    for turn, answered, seconds in _replay(folder):
        spent, turns = spent + seconds, turns + 1
        truth = gold.get(turn["id"], {"facts": [], "entities": [], "relations": []})
        facts = [(fact["subject"], fact["text"]) for fact in answered["facts"]]
        wanted = [(fact["subject"], fact["text"]) for fact in truth["facts"]]
        paired = matching.match_facts(
            facts, wanted, aliases=aliases, values=[str(fact.get("value") or "") for fact in truth["facts"]]
        )
        _count(counts["facts"], len(paired.pairs), len(facts), len(wanted))
        if not wanted:
            quiet[0] += 1
            quiet[1] += len(facts)
        speaker = matching.canonical(turn["speaker"], _keys(aliases))
        names = {matching.canonical(item["name"], _keys(aliases)): item["type"] for item in answered["entities"]}
        true = {fold(item["name"]): item["type"] for item in truth["entities"]}
        names.pop(speaker, None)
        true.pop(speaker, None)
        both = names.keys() & true.keys()
        _count(counts["entities"], len(both), len(names), len(true))
        _count(counts["types"], sum(names[name] == true[name] for name in both), len(both), len(both))
        edges = {_edge(item, aliases) for item in answered["relations"]}
        true_edges = {_edge(item, aliases) for item in truth["relations"]}
        _count(counts["relations"], len(edges & true_edges), len(edges), len(true_edges))
        if misses:
            _show(turn, facts, truth["facts"], paired, names, true, edges, true_edges)
    _row(
        folder.name,
        "facts",
        counts["facts"],
        1000 * spent / max(turns, 1),
        f"{quiet[1]} facts on {quiet[0]} turns that state none",
    )
    _row(
        folder.name,
        "entities",
        counts["entities"],
        notes=f"type right {counts['types'][0] / max(counts['types'][1], 1):.3f}",
    )
    _row(folder.name, "relations", counts["relations"])


def verdicts(folder: Path, *, misses: bool) -> None:
    """Each gold fact against the gold facts that hold before it about the same subject: does the verdict agree with the gold decision?"""
    if not (folder / "gold.jsonl").exists():
        return
    holding: dict[str, dict[str, str]] = {}
    right = changes = found = gold = false_changes = adds = 0
    for line in _lines(folder / "gold.jsonl"):
        for fact in line["facts"]:
            known = holding.setdefault(fact["subject"], {})
            shown = [{"i": index, "text": text, "since": ""} for index, text in enumerate(known.values())]
            keys = list(known)
            item = {"i": 0, "subject": fact["subject"], "fact": fact["text"], "since": "", "known": shown}
            verdict = answer("reconcile", {"items": [item]})["verdicts"][0]
            target = keys[verdict["known"]] if verdict["known"] is not None else None
            wanted = (fact["decision"], fact["of"] if fact["decision"] != "ADD" else None)
            same = (verdict["action"], target) == wanted
            if fact["decision"] == "ADD":
                adds += 1
                false_changes += verdict["action"] != "ADD"
            elif fact["of"] in known:
                gold += 1
                right += same
            found += verdict["action"] != "ADD"
            changes += same
            if misses and not same and (fact["decision"] == "ADD" or fact["of"] in known):
                print(
                    f"    {verdict['action']} for {wanted[0]}: {fact['text']}  ||  {known.get(target or '', '')}  ||  {known.get(fact['of'] or '', '')}"
                )
            if fact["decision"] in ("UPDATE", "DELETE"):
                known.pop(fact["of"], None)
            if fact["decision"] in ("ADD", "UPDATE"):
                known[fact["id"]] = fact["text"]
    _row(folder.name, "verdicts", (right, found, gold), notes=f"{false_changes} of {adds} additions taken for changes")


def judgements(folder: Path, *, misses: bool) -> None:
    """Gold facts of the evidence turns against all others: how often an answering fact is graded above a random other one."""
    if not (folder / "questions.jsonl").exists():
        print(f"{folder.name:<17}judgements skipped: no questions.jsonl yet")
        return
    facts = [(line["turn"], fact["text"]) for line in _lines(folder / "gold.jsonl") for fact in line["facts"]]
    wins = pairs = 0.0
    reached = asked = top = 0
    for question in _lines(folder / "questions.jsonl"):
        evidence = set(question["evidence"])
        if not evidence:
            continue
        shown = [{"i": index, "text": text, "since": ""} for index, (_, text) in enumerate(facts)]
        grades = [
            grade["grade"]
            for grade in answer("judge", {"query": question["question"], "asked_at": "", "facts": shown})["grades"]
        ]
        good = [grade for grade, (turn, _) in zip(grades, facts, strict=True) if turn in evidence]
        bad = [grade for grade, (turn, _) in zip(grades, facts, strict=True) if turn not in evidence]
        if not good or not bad:
            continue
        best = max(good)
        wins += sum((best > other) + 0.5 * (best == other) for other in bad)
        pairs += len(bad)
        asked += 1
        reached += best >= 0.5
        top += sum(other > best for other in bad) < 10
        if misses and best < 0.5:
            print(
                f"    judged {best}: {question['question']}  ||  {[text for turn, text in facts if turn in evidence]}"
            )
    print(
        f"{folder.name:<17}{'judgements':<16}AUC {wins / max(pairs, 1):.3f}, best evidence graded >= .5: {reached}/{asked}, in the top ten: {top}/{asked}"
    )


def _count(into: list[int], hits: int, found: int, gold: int) -> None:
    for index, value in enumerate((hits, found, gold)):
        into[index] += value


def _replay(folder: Path) -> Iterator[tuple[dict[str, Any], dict[str, Any], float]]:
    recent: list[str] = []
    for turn in _lines(folder / "turns.jsonl"):
        inputs = {
            "message": turn["text"],
            "speaker": turn["speaker"],
            "sent_at": turn["occurred_at"],
            "sent_on": "",
            "recent_messages": recent[-RECENT:],
            "known": [],
            "profile_language": "english",
        }
        started = time.perf_counter()
        answered = answer("extract", inputs)
        yield turn, answered, time.perf_counter() - started
        recent.append(f"{turn['speaker']}: {turn['text']}")


def _aliases(folder: Path) -> dict[str, str]:
    table: dict[str, str] = {}
    for item in _lines(folder / "entities.jsonl"):
        for name in [item["name"], *item["aliases"]]:
            table.setdefault(name, item["name"])
    return table


def _keys(aliases: Mapping[str, str]) -> dict[str, str]:
    return {" ".join(words(name)): full for name, full in aliases.items()}


_SYMMETRIC = frozenset("spouse_of partner_of ex_partner_of sibling_of friend_of relative_of colleague_of".split())


def _edge(item: Mapping[str, str], aliases: Mapping[str, str]) -> tuple[str, str, str]:
    keys = _keys(aliases)
    one, other, kind = matching.canonical(item["source"], keys), matching.canonical(item["target"], keys), item["type"]
    if kind == "child_of":
        one, other, kind = other, one, "parent_of"
    if kind in _SYMMETRIC and other < one:
        one, other = other, one
    return one, kind, other


def _show(
    turn: Mapping[str, Any],
    facts: list[tuple[str, str]],
    gold: list[Mapping[str, Any]],
    paired: matching.Matching,
    names: Mapping[str, str],
    true: Mapping[str, str],
    edges: set[tuple[str, str, str]],
    true_edges: set[tuple[str, str, str]],
) -> None:
    print(f"{turn['id']} {turn['speaker']}: {turn['text']}")
    hit = dict(paired.pairs)
    for index, (subject, text) in enumerate(facts):
        print(
            f"    {'=' if index in hit else '+'} {subject} | {text}"
            + (f"   == {gold[hit[index]]['text']}" if index in hit else "")
        )
    for index, fact in enumerate(gold):
        if index not in hit.values():
            print(f"    - {fact['subject']} | {fact['text']} [{fact['slot']}]")
    for sign, items in (("+", names.keys() - true.keys()), ("-", true.keys() - names.keys())):
        if items:
            print(f"    {sign}entities {sorted(items)}")
    for sign, ties in (("+", edges - true_edges), ("-", true_edges - edges)):
        if ties:
            print(f"    {sign}relations {sorted(ties)}")


def mempalace(folder: Path, tag: str, *, misses: bool) -> None:
    """Entity names and types, and the content of typed memories."""
    suffix = "" if tag == "en" else f".{tag}"
    if not folder.exists():
        print(f"{'mempalace ' + tag:<17}skipped: {folder} is not there")
        return
    labels = {line["id"]: line["entities"] for line in _lines(folder / "entity_extraction__labels.jsonl")}
    hits = found = gold = typed = 0
    started = time.perf_counter()
    rows = _lines(folder / f"entity_extraction__dataset{suffix}.jsonl")
    for row in rows:
        answered = answer("entities", _plain(row["text"]))
        names = {fold(item["name"]): item["type"] for item in answered["entities"] if item["name"] != "Narrator"}
        true = {fold(item["name"]): item["type"] for item in labels[row["id"]]}
        both = names.keys() & true.keys()
        hits, found, gold = hits + len(both), found + len(names), gold + len(true)
        typed += sum(names[name] == true[name] for name in both)
        if misses:
            print(row["id"], row["text"])
            print(
                "    +",
                sorted((name, names[name]) for name in names.keys() - true.keys()),
                "\n    -",
                sorted(true.keys() - names.keys()),
                "\n    types",
                [(name, names[name], true[name]) for name in both if names[name] != true[name]],
            )
    ms = 1000 * (time.perf_counter() - started) / len(rows)
    _row(f"mempalace {tag}", "entities", (hits, found, gold), ms, f"type right {typed / max(hits, 1):.3f}")
    if tag != "en":
        print(
            f"{'mempalace ' + tag:<17}{'memories':<16}not measured: the labels of the translated snippets are English"
        )
        return
    memories = {line["id"]: line["memories"] for line in _lines(folder / "memory_extraction__labels.jsonl")}
    hits = found = gold = 0
    for row in _lines(folder / f"memory_extraction__dataset{suffix}.jsonl"):
        facts = [fact["text"] for fact in answer("facts", _plain(row["text"]))["facts"]]
        wanted = [memory["content"] for memory in memories[row["id"]]]
        met = [text for text in wanted if any(_holds(fact, text) for fact in facts)]
        hits, found, gold = hits + len(met), found + len(facts), gold + len(wanted)
        if misses:
            print(
                row["id"],
                row["text"],
                *(f"\n    {'=' if any(_holds(fact, text) for text in wanted) else '+'} {fact}" for fact in facts),
                *(f"\n    - {text}" for text in wanted if text not in met),
            )
    _row(f"mempalace {tag}", "memories", (hits, found, gold))


def _plain(text: str) -> dict[str, Any]:
    return {
        "message": text,
        "speaker": "Narrator",
        "sent_at": "2025-04-01T12:00:00+00:00",
        "sent_on": "",
        "recent_messages": [],
        "known": [],
    }


def _holds(fact: str, memory: str) -> bool:
    one, other = ({families.family(word) for word in content_words(text)} for text in (fact, memory))
    shared = len(one & other)
    return bool(one and other) and 2 * shared / (len(one) + len(other)) >= 0.4


if __name__ == "__main__":
    sys.exit(measured(main))

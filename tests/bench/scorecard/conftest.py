"""A very small set that has every kind of decision: change, repetition, late news, correction, forgetting."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from arandu_lab.bench.scorecard.book import Book, open_book
from arandu_lab.bench.world import WorldConfig, make

HEAD = """name = "tiny_en"
language = "en"
title = "Tiny"
description = "Two friends, nine turns."
licence = "MIT"
timezone = "America/Halifax"
[speakers]
Annie = "Ana Prado"
Beth = "Beth Hart"
"""
ENTITIES = {
    "Ana Prado": ("person", ["Annie", "Ana"]),
    "Beth Hart": ("person", ["Beth"]),
    "Bristol": ("place", []),
    "Leeds": ("place", []),
    "Porto": ("place", []),
    "Orion Labs": ("organization", ["Orion"]),
    "Biscuit": ("pet", []),
}
TURNS = [
    ("s01t01", "2024-01-05T10:00:00-04:00", "Annie", "hi! I live in Bristol and I work at Orion"),
    ("s01t02", "2024-01-05T10:01:00-04:00", "Beth", "what a week"),
    ("s01t03", "2024-01-05T10:02:00-04:00", "Beth", "Ana loves mango, and I have a dog called Biscuit"),
    ("s02t01", "2024-03-02T18:00:00-04:00", "Annie", "I moved to Leeds on Monday"),
    ("s02t02", "2024-03-02T18:01:00-04:00", "Annie", "back in 2019 I lived in Porto"),
    ("s02t03", "2024-03-02T18:02:00-04:00", "Beth", "still got Biscuit, still happy"),
    ("s03t01", "2024-05-10T09:00:00-03:00", "Annie", "sorry, I don't love mango, I meant papaya"),
    ("s03t02", "2024-05-10T09:01:00-03:00", "Annie", "please forget where I work"),
    ("s03t03", "2024-05-10T09:02:00-03:00", "Beth", "sure, forgotten"),
]


def fact(id: str, subject: str, text: str, slot: str, value: str, since: str, **more: Any) -> dict[str, Any]:
    """A line of gold with what most facts have in common."""
    return {
        **{"id": id, "subject": subject, "text": text, "slot": slot, "value": value, "valid_from": since},
        **{"category": "biographical_milestone", "confidence": "explicit", "event_time": None},
        **{"decision": "ADD", "of": None},
        **more,
    }


ANA, BETH, FIRST, SPRING, MAY = "Ana Prado", "Beth Hart", "2024-01-05", "2024-03-02", "2024-05-10"
FACTS = {
    "s01t01": [
        fact("f001", ANA, "Ana Prado lives in Bristol.", "lives_in", "Bristol", FIRST),
        fact("f002", ANA, "Ana Prado works at Orion Labs.", "works_at", "Orion Labs", FIRST),
    ],
    "s01t03": [
        fact("f003", ANA, "Ana Prado loves mango.", "likes", "mango", FIRST, category="stable_preference"),
        fact("f004", BETH, "Beth Hart has a dog called Biscuit.", "pet", "Biscuit", FIRST),
    ],
    "s02t01": [
        fact(
            "f005", ANA, "Ana Prado lives in Leeds.", "lives_in", "Leeds", "2024-02-26", decision="UPDATE", of="f001"
        )
    ],
    "s02t02": [fact("f006", ANA, "Ana Prado lived in Porto.", "lives_in", "Porto", "2019-01-01", valid_to=FIRST)],
    "s02t03": [
        fact("f007", BETH, "Beth Hart's dog is Biscuit.", "pet", "Biscuit", SPRING, decision="NOOP", of="f004")
    ],
    "s03t01": [
        fact("f008", ANA, "Ana Prado loves papaya.", "likes", "papaya", FIRST, decision="UPDATE", of="f003")
    ],
    "s03t02": [
        fact(
            "f009", ANA, "Ana Prado no longer works at Orion Labs.", "works_at", "Orion Labs", MAY,
            decision="DELETE", of="f002",
        )
    ],
}  # fmt: skip
NAMED = {
    "s01t01": [("Bristol", "Bristol"), ("Orion Labs", "Orion")],
    "s01t03": [(ANA, "Ana"), ("Biscuit", "Biscuit")],
    "s02t01": [("Leeds", "Leeds")],
    "s02t02": [("Porto", "Porto")],
    "s02t03": [("Biscuit", "Biscuit")],
}
RELATED = {
    "s01t01": [(ANA, "lives_in", "Bristol"), (ANA, "works_at", "Orion Labs")],
    "s01t03": [(BETH, "has_pet", "Biscuit")],
    "s02t01": [(ANA, "lives_in", "Leeds")],
}
QUESTIONS = [
    ("q01", "2024-02-01T12:00:00-04:00", "Where does Ana Prado live?", "Bristol", "s01t01", "single", ["f001"], []),
    ("q02", "2024-06-01T12:00:00-03:00", "Where does Ana Prado live?", "Leeds", "s02t01", "update", ["f005"], ["f001"]),
    (
        "q03",
        "2024-06-01T12:01:00-03:00",
        "Where did Ana Prado live in 2020?",
        "Porto",
        "s02t02",
        "single",
        ["f006"],
        [],
    ),
    (
        "q04",
        "2024-06-01T12:02:00-03:00",
        "What does Ana Prado love to eat?",
        "papaya",
        "s03t01",
        "single",
        ["f008"],
        [],
    ),
    ("q05", "2024-06-01T12:03:00-03:00", "What is the name of Beth Hart's cat?", None, None, "absent", [], []),
]


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Book:
    """The book of the small set."""
    return open_book(write_tiny(tmp_path_factory.mktemp("sets") / "tiny_en"))


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Book:
    """The book of a small generated world."""
    config = WorldConfig(name="pond", seed=5, turns=60, questions=20, instants=6, years=1.0)
    [place] = make(config, tmp_path_factory.mktemp("worlds"), languages=["en"])
    return open_book(place)


def write_tiny(folder: Path) -> Path:
    """Write the small set into a folder."""
    folder.mkdir()
    (folder / "set.toml").write_text(HEAD, "utf-8")
    lines: dict[str, list[dict[str, Any]]] = {
        "entities": [{"name": name, "type": type, "aliases": more} for name, (type, more) in ENTITIES.items()],
        "turns": [
            {"id": id, "session": id[:3], "occurred_at": at, "speaker": who, "text": text}
            for id, at, who, text in TURNS
        ],
        "gold": [
            {
                "turn": id,
                "facts": FACTS.get(id, []),
                "entities": [
                    {"name": name, "type": ENTITIES[name][0], "mention": said} for name, said in NAMED.get(id, [])
                ],
                "relations": [
                    {"source": source, "type": type, "target": target} for source, type, target in RELATED.get(id, [])
                ],
            }
            for id, *_ in TURNS
        ],
        "questions": [
            {
                **{"id": id, "asked_at": at, "question": text, "answer": answer, "category": category},
                **{"evidence": [turn] if turn else [], "facts": facts, "stale": stale},
            }
            for id, at, text, answer, turn, category, facts, stale in QUESTIONS
        ],
    }
    for name, rows in lines.items():
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return folder

"""A world on disk: one folder a language, written line by line as the world is told."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from arandu_lab.bench.toml import toml
from arandu_lab.bench.world.acts import Asked, Begin, Person, Spoken, Stated, Value
from arandu_lab.bench.world.config import WorldConfig
from arandu_lab.bench.world.lexicon import Item, Lang
from arandu_lab.bench.world.realize import Voice

STREAMS = ("turns", "gold", "questions", "truth", "states")
TITLES: dict[Lang, tuple[str, str]] = {
    "en": (
        "A simulated world",
        "{turns} turns of {people} invented people over {years:g} years, seed {seed}, told with the {split} words.",
    ),
    "pt": (
        "Um mundo simulado",
        "{turns} turnos de {people} pessoas inventadas em {years:g} anos, semente {seed}, com as palavras {split}.",
    ),
}


class Folder:
    """The files of one language. What is kept is bounded: the proper names met so far."""

    def __init__(
        self, place: Path, config: WorldConfig, people: Iterable[Person], voice: Voice, files: ExitStack
    ) -> None:
        self.place, self.config, self.voice, self.lang = place, config, voice, voice.lang
        self.people = tuple(people)
        self._names: dict[int, Value] = {id(one): one for one in self.people if one.speaker}
        place.mkdir(parents=True, exist_ok=True)
        self._out: dict[str, IO[str]] = {
            name: files.enter_context((place / f"{name}.jsonl").open("w", encoding="utf-8", newline="\n"))
            for name in STREAMS
        }

    def turn(self, spoken: Spoken) -> None:
        """Write a turn with its gold and the operations it makes."""
        text, mentions = self.voice.turn(spoken)
        lang, at = self.lang, spoken.at.isoformat()
        self._line("turns", {
            "id": spoken.id, "session": spoken.session, "occurred_at": at, "speaker": spoken.speaker.short[lang], "text": text,
        })  # fmt: skip
        entities = []
        for whom, words in mentions.values():
            self._names[id(whom)] = whom
            entities.append({"name": name_of(whom, lang), "type": type_of(whom), "mention": words})
        relations = []
        for source, relation, target in spoken.relations:
            self._names[id(source)], self._names[id(target)] = source, target
            relations.append({"source": source.full[lang], "type": relation, "target": name_of(target, lang)})
        facts = [self._fact(one) for one in spoken.stated]
        self._line("gold", {"turn": spoken.id, "facts": facts, "entities": entities, "relations": relations})
        for done in spoken.operations:
            if isinstance(done, Begin):
                fact = done.fact
                self._line("truth", {
                    "op": "begin", "fact": fact.id, "turn": done.turn, "told_at": at, "subject": fact.subject.full[lang],
                    "slot": fact.slot, "value": self.voice.value(fact.value, fact.subject), "from": fact.since.isoformat(),
                    "premises": fact.premises,
                })  # fmt: skip
            else:
                self._line("truth", {
                    "op": "end", "fact": done.fact, "turn": done.turn, "told_at": at, "until": done.until.isoformat(),
                    "why": done.why,
                })  # fmt: skip

    def state(self, at: datetime, facts: list[str], derived: list[str]) -> None:
        """Write what holds at an instant."""
        self._line("states", {"at": at.isoformat(), "facts": facts, "derived": derived})

    def question(self, number: int, at: datetime, asked: Asked, worded: tuple[str, str | None, str | None]) -> None:
        """Write a question."""
        text, answer, wrong = worded
        self._names[id(asked.subject)] = asked.subject
        line: dict[str, Any] = {
            "id": f"q{number:04d}", "asked_at": at.isoformat(), "question": text, "answer": answer,
            "evidence": asked.evidence, "category": asked.category,
        }  # fmt: skip
        if wrong is not None:
            line["wrong_answer"] = wrong
        if asked.facts:
            line["facts"] = asked.facts
        if asked.stale:
            line["stale"] = asked.stale
        self._line("questions", line)

    def close(self) -> None:
        """Write what is known only at the end: the entities, and the head."""
        lang, config = self.lang, self.config
        with (self.place / "entities.jsonl").open("w", encoding="utf-8", newline="\n") as out:
            for one in sorted(self._names.values(), key=_order):
                out.write(_json({"name": name_of(one, lang), "type": type_of(one), "aliases": aliases_of(one, lang)}))
        title, description = TITLES[lang]
        shares = {"turns": config.turns, "people": config.people, "years": config.years, "seed": config.seed}
        words = {"en": config.split, "pt": {"open": "abertas", "held": "reservadas"}[config.split]}[lang]
        head = {
            "name": f"{config.name}_{lang}",
            "language": lang,
            "title": title,
            "description": description.format(**shares, split=words),
            "licence": "MIT",
            "timezone": config.timezone,
            "speakers": {one.short[lang]: one.full[lang] for one in self.people if one.speaker},
        }
        text = toml({"": head}).split("\n", 1)[1]
        (self.place / "set.toml").write_text(text, encoding="utf-8", newline="\n")
        (self.place / "world.toml").write_text(config.to_toml(), encoding="utf-8", newline="\n")

    def _fact(self, one: Stated) -> dict[str, Any]:
        self._names[id(one.subject)] = one.subject
        line = {
            "id": one.id,
            "subject": one.subject.full[self.lang],
            "text": self.voice.canonical(one),
            "slot": one.slot,
            "value": self.voice.value(one.value, one.subject),
            "category": one.category,
            "confidence": one.confidence,
            "valid_from": one.valid_from.isoformat(),
            "event_time": one.when.event_time if one.when else None,
            "decision": one.decision,
            "of": one.of,
        }
        if one.valid_to is not None:
            line["valid_to"] = one.valid_to.isoformat()
        return line

    def _line(self, stream: str, line: dict[str, Any]) -> None:
        self._out[stream].write(_json(line))


_encode = json.JSONEncoder(ensure_ascii=False).encode


def _json(line: dict[str, Any]) -> str:
    return _encode(line) + "\n"


def name_of(one: Value, lang: Lang) -> str:
    """The canonical name of an entity."""
    return one.full[lang] if isinstance(one, Person) else one.word(lang).m


def type_of(one: Value) -> str:
    """The type of an entity."""
    return "person" if isinstance(one, Person) else one.type


def aliases_of(one: Value, lang: Lang) -> list[str]:
    """Other names of an entity: a person's nickname and given name."""
    return list(dict.fromkeys((one.short[lang], one.given[lang]))) if isinstance(one, Person) else []


def _order(one: Value) -> tuple[str, int]:
    return (one.family, one.number) if isinstance(one, Item) else ("", one.number)

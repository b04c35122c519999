"""Our own sets are read strictly: a broken line is named, never mended."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from arandu_lab.bench.data.own import FILES, GOLD, load_own
from arandu_lab.bench.data.registry import HERE, digest, load
from arandu_lab.errors import DatasetError

HEAD = """
name = "tiny"
language = "pt"
title = "Pequeno"
description = "Dois turnos."
licence = "MIT"
timezone = "America/Recife"
speakers = ["Iara", "Caio"]
"""


def fact(name: str = "f001", **changes: object) -> dict[str, object]:
    return {
        "id": name, "subject": "Iara", "text": "Iara mora em Recife.", "slot": "lives_in", "value": "Recife",
        "category": "biographical_milestone", "confidence": "explicit", "valid_from": "2024-03-01", "event_time": None,
        "decision": "ADD", "of": None,
    } | changes  # fmt: skip


def tiny() -> dict[str, list[dict[str, object]]]:
    at = "2024-03-01T23:30:00-03:00"
    return {
        "entities.jsonl": [
            {"name": "Iara", "type": "person", "aliases": ["Iá"]},
            {"name": "Recife", "type": "place", "aliases": []},
            {"name": "Olinda", "type": "place", "aliases": []},
        ],
        "turns.jsonl": [
            {"id": "s01t01", "session": "s01", "occurred_at": at, "speaker": "Iara", "text": "Moro em Recife"},
            {"id": "s02t01", "session": "s02", "occurred_at": "2024-04-01T09:00:00-03:00", "speaker": "Iara",
             "text": "Agora moro em Olinda"},
        ],
        "gold.jsonl": [
            {"turn": "s01t01", "facts": [fact()],
             "entities": [{"name": "Recife", "type": "place", "mention": "Recife"}],
             "relations": [{"source": "Iara", "type": "lives_in", "target": "Recife"}]},
            {"turn": "s02t01",
             "facts": [fact("f002", value="Olinda", valid_from="2024-04-01", decision="UPDATE", of="f001")],
             "entities": [], "relations": []},
        ],
        "questions.jsonl": [
            {"id": "q001", "asked_at": "2024-05-01T09:00:00-03:00", "question": "Onde a Iara mora?", "answer": "Olinda",
             "evidence": ["s02t01"], "category": "update"},
            {"id": "q002", "asked_at": "2024-05-01T09:00:00-03:00", "question": "E o cachorro?", "answer": None,
             "evidence": [], "category": "absent"},
        ],
    }  # fmt: skip


def written(folder: Path, lines: dict[str, list[dict[str, object]]], head: str = HEAD) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "set.toml").write_text(head, "utf-8")
    for name, rows in lines.items():
        (folder / name).write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return folder


@pytest.mark.parametrize(
    ("more", "world", "story"),
    [
        ("", False, "tiny_pt"),
        ('story = "small"', False, "small"),
        ("", True, "tiny"),
        ('story = "small"', True, "small"),
    ],
)
def test_a_set_says_which_story_it_tells(tmp_path: Path, more: str, world: bool, story: str):
    """The conversation is called by its story: what set.toml says, a world's name without its language, or the set's own."""
    place = written(tmp_path / "tiny", tiny(), HEAD.replace('"tiny"', '"tiny_pt"') + more)
    if world:
        (place / "truth.jsonl").write_text("")
    found = load_own(place)
    assert (found.name, found.conversations[0].id) == ("tiny_pt", story)


def test_tellings_of_a_world_are_one_conversation():
    """What comes with the repository in two languages is one story; sets that were written alone stand alone."""
    named = "harbor_en mare_pt brook_en brook_pt cove_en cove_pt quay_en foz_pt".split()
    assert [load(name).conversations[0].id for name in named] == [
        "harbor_en", "mare_pt", "brook", "brook", "cove", "cove", "quay_en", "foz_pt",
    ]  # fmt: skip


def test_a_sound_set_is_read_whole(tmp_path: Path):
    """Turns, sessions, questions, entities and gold arrive as they stand; nothing is repaired."""
    found = load_own(written(tmp_path / "tiny", tiny()))
    [talk] = found.conversations
    assert (found.name, found.language, found.repairs) == ("tiny", "pt", ())
    assert [turn.id for turn in talk.turns] == ["s01t01", "s02t01"]
    assert [session.id for session in talk.sessions] == ["s01", "s02"]
    assert talk.questions[0].evidence_sessions == ("s02",)
    assert [q.absent for q in talk.questions] == [False, True]
    assert talk.entities[0].aliases == ("Iá",)
    assert talk.gold is not None
    assert talk.gold["s02t01"].facts[0].of == "f001"
    assert talk.gold["s01t01"].facts[0].valid_from == date(2024, 3, 1)


def test_the_local_day_survives(tmp_path: Path):
    """E6: 23:30 in Recife stays that day; the offset is kept as it was written."""
    [talk] = load_own(written(tmp_path / "tiny", tiny())).conversations
    assert talk.turns[0].occurred_at.isoformat() == "2024-03-01T23:30:00-03:00"


BROKEN = {
    "a field too many": ("entities.jsonl", 0, {"nickname": "I"}, "entities.jsonl:1: nickname"),
    "a field of another type": ("entities.jsonl", 0, {"aliases": "Iá"}, "entities.jsonl:1: aliases"),
    "an unknown type of entity": ("entities.jsonl", 1, {"type": "city"}, "entities.jsonl:2: type"),
    "an entity twice": ("entities.jsonl", 1, {"name": "Iara"}, "entities.jsonl:2: entity 'Iara' stands twice"),
    "an alias twice": ("entities.jsonl", 0, {"aliases": ["I", "I"]}, "entities.jsonl:1: an alias"),
    "no offset": ("turns.jsonl", 0, {"occurred_at": "2024-03-01T23:30:00"}, "turns.jsonl:1: occurred_at"),
    "a blank text": ("turns.jsonl", 0, {"text": " "}, "turns.jsonl:1: text"),
    "an id of another shape": ("turns.jsonl", 0, {"id": "1"}, "turns.jsonl:1: id"),
    "a turn of another session": ("turns.jsonl", 1, {"id": "s03t01"}, "turns.jsonl:2: turn s03t01 is not of session"),
    "a turn twice": ("turns.jsonl", 1, {"id": "s01t01", "session": "s01"}, "turns.jsonl:2: turn s01t01 stands twice"),
    "time running back": ("turns.jsonl", 1, {"occurred_at": "2024-02-01T00:00:00-03:00"}, "turns.jsonl:2: turn s02t01"),
    "an unknown speaker": ("turns.jsonl", 0, {"speaker": "Caia"}, "turns.jsonl:1: speaker 'Caia'; did you mean 'Caio'"),
    "gold out of order": ("gold.jsonl", 0, {"turn": "s09t01"}, "gold.jsonl:1: turn s09t01, expected s01t01"),
    "an unknown slot": ("gold.jsonl", 0, {"facts": [fact(slot="city")]}, "gold.jsonl:1: facts.0.slot"),
    "an unknown subject": ("gold.jsonl", 0, {"facts": [fact(subject="Iaro")]}, "gold.jsonl:1: entity 'Iaro'"),
    "a fact twice": ("gold.jsonl", 1, {"facts": [fact()]}, "gold.jsonl:2: fact f001 stands twice"),
    "a fact of the future": ("gold.jsonl", 0, {"facts": [fact(valid_from="2024-03-02")]}, "gold.jsonl:1: fact f001"),
    "no such day": ("gold.jsonl", 0, {"facts": [fact(event_time="2024-02-30")]}, "gold.jsonl:1: facts.0.event_time"),
    "an update of nothing": ("gold.jsonl", 0, {"facts": [fact(decision="UPDATE")]}, "gold.jsonl:1: fact f001: "),
    "an addition of something": ("gold.jsonl", 1, {"facts": [fact("f002", of="f001")]}, "gold.jsonl:2: fact f002: "),
    "an update of a stranger": (
        "gold.jsonl", 1, {"facts": [fact("f002", decision="NOOP", of="f009")]}, "gold.jsonl:2: fact f002 is of 'f009'",
    ),
    "a mention never said": (
        "gold.jsonl", 0, {"entities": [{"name": "Recife", "type": "place", "mention": "Olinda"}]}, ":1: mention",
    ),
    "an entity of two types": (
        "gold.jsonl", 0, {"entities": [{"name": "Recife", "type": "event", "mention": "Recife"}]}, "is a place",
    ),
    "an unknown relation": (
        "gold.jsonl", 0, {"relations": [{"source": "Iara", "type": "loves", "target": "Recife"}]}, "relations.0.type",
    ),
    "evidence that is no turn": ("questions.jsonl", 0, {"evidence": ["s02t09"]}, "questions.jsonl:1: q001: evidence"),
    "a question before its evidence": (
        "questions.jsonl", 0, {"asked_at": "2024-03-02T00:00:00-03:00"}, "questions.jsonl:1: q001 is asked before",
    ),
    "absence with evidence": ("questions.jsonl", 1, {"evidence": ["s01t01"]}, "questions.jsonl:2: q002: a question of category absent has neither evidence nor an answer"),
    "no evidence for what was said": ("questions.jsonl", 0, {"evidence": []}, "q001: a question of category update has evidence and an answer"),
    "one turn for a multi": ("questions.jsonl", 0, {"category": "multi"}, "questions.jsonl:1: q001: multi with 1"),
    "evidence twice": ("questions.jsonl", 0, {"evidence": ["s02t01"] * 2}, "questions.jsonl:1: q001: a turn of"),
    "a question twice": ("questions.jsonl", 1, {"id": "q001"}, "questions.jsonl:2: question q001 stands twice"),
}  # fmt: skip


@pytest.mark.parametrize("what", BROKEN)
def test_every_broken_rule_is_named_with_file_and_line(tmp_path: Path, what: str):
    """A DatasetError says which file, which line, and what was wrong there."""
    name, row, change, said = BROKEN[what]
    lines = tiny()
    lines[name][row] = lines[name][row] | change
    with pytest.raises(DatasetError) as failed:
        load_own(written(tmp_path / "tiny", lines))
    assert said in str(failed.value)


def test_all_problems_are_told_at_once(tmp_path: Path):
    """Two broken files give two lines, so that mending takes one round."""
    lines = tiny()
    lines["turns.jsonl"][0]["speaker"] = "Ninguém"
    lines["questions.jsonl"][0]["category"] = "multi"
    with pytest.raises(DatasetError) as failed:
        load_own(written(tmp_path / "tiny", lines))
    assert len(str(failed.value).splitlines()) == 2


def test_an_update_of_what_is_gone_is_refused(tmp_path: Path):
    """A fact that an earlier turn replaced can be neither replaced again nor repeated."""
    lines = tiny()
    lines["turns.jsonl"].append(lines["turns.jsonl"][1] | {"id": "s02t02"})
    again = fact("f003", decision="NOOP", of="f001", valid_from="2024-04-01")
    lines["gold.jsonl"].append({"turn": "s02t02", "facts": [again], "entities": [], "relations": []})
    with pytest.raises(DatasetError, match="which f002 had closed"):
        load_own(written(tmp_path / "tiny", lines))


def test_a_broken_line_is_not_json(tmp_path: Path):
    """A cut line is named by its number; a missing file and a broken head by their names."""
    folder = written(tmp_path / "tiny", tiny())
    with (folder / "gold.jsonl").open("a", encoding="utf-8") as out:
        out.write('{"turn": "s03')
    with pytest.raises(DatasetError, match=r"gold\.jsonl:3: Invalid JSON"):
        load_own(folder)
    (folder / "gold.jsonl").unlink()
    with pytest.raises(DatasetError, match=r"gold\.jsonl: no such file"):
        load_own(folder)
    with pytest.raises(DatasetError, match=r"set\.toml:0: licence"):
        load_own(written(folder, tiny(), HEAD.replace('licence = "MIT"', "")))
    with pytest.raises(DatasetError, match="timezone 'America/Recif'; did you mean 'America/Recife'"):
        load_own(written(folder, tiny(), HEAD.replace("America/Recife", "America/Recif")))


def test_speakers_may_be_tied_to_entities(tmp_path: Path):
    """A table of speakers names entities, and an unknown one is refused."""
    tied = HEAD.replace('["Iara", "Caio"]', '{Iara = "Iara"}')
    assert load_own(written(tmp_path / "tiny", tiny(), tied)).card["speakers"] == {"Iara": "Iara"}
    with pytest.raises(DatasetError, match="speaker 'Iara' is 'Yara'"):
        load_own(written(tmp_path / "tiny", tiny(), HEAD.replace('["Iara", "Caio"]', '{Iara = "Yara"}')))


def test_the_digest_sees_every_byte(tmp_path: Path):
    """The digest is that of the loaded set, is stable, and one changed letter changes it."""
    folder = written(tmp_path / "tiny", tiny())
    before = load_own(folder).digest
    assert before == load_own(folder).digest == digest(folder)
    lines = tiny()
    lines["questions.jsonl"][0]["question"] = "Onde mora a Iara?"
    assert load_own(written(folder, lines)).digest != before


def test_a_talk_needs_no_gold(tmp_path: Path):
    """Turns and questions alone are a set that judges retrieval, where set.toml says so; a file that was lost is no such set."""
    folder = written(tmp_path / "tiny", tiny())
    whole = load_own(folder)
    for name in GOLD:
        kept = (folder / name).read_bytes()
        (folder / name).unlink()
        with pytest.raises(DatasetError, match=rf"{name}: no such file; .* or `gold = false` in set.toml"):
            load_own(folder)
        (folder / name).write_bytes(kept)
    head = (folder / "set.toml").read_text(encoding="utf-8")
    (folder / "set.toml").write_text(f"gold = false\n{head}", encoding="utf-8")
    for name in GOLD:
        with pytest.raises(DatasetError, match=f"{name}: set.toml says `gold = false`|facts?|speaker"):
            load_own(folder)
        (folder / name).unlink()
    lines = (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    told = [json.loads(line) for line in lines]
    if any(one.get("facts") or one.get("stale") for one in told):
        with pytest.raises(DatasetError, match="in a set without gold"):
            load_own(folder)
    bare = [{k: v for k, v in one.items() if k not in ("facts", "stale")} for one in told]
    (folder / "questions.jsonl").write_text("\n".join(map(json.dumps, bare)), encoding="utf-8")
    [talk] = load_own(folder).conversations
    assert talk.gold is None
    assert talk.entities == ()
    assert talk.turns == whole.conversations[0].turns
    assert digest(folder) == load_own(folder).digest != whole.digest


@pytest.mark.parametrize("name", ["harbor_en", "mare_pt"])
def test_the_sets_of_this_repository_are_sound(name: str):
    """What we ship passes its own schema, has gold for each turn and absent questions to refuse."""
    if not all((HERE / name / file).is_file() for file in FILES):
        pytest.skip(f"{name} is not written yet")
    found = load(name)
    [talk] = found.conversations
    assert found.name == name
    assert talk.gold is not None
    assert len(talk.gold) == len(talk.turns) > 100
    assert any(question.absent for question in talk.questions)

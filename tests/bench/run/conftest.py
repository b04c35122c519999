"""A set of eight turns, systems that misbehave on purpose, and a way to run the command line in this process."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from arandu_lab.cli import main

FAKES = '''
from arandu_lab.errors import BackendError
from arandu_lab.systems.base import Ranked, RankedTurn
from arandu_lab.trace import Usage


class Keeper:
    """Returns everything heard, newest first, and keeps a diary of what it was told and asked."""

    diary = []
    name = "keeper"

    def __init__(self, *, price: int = 3):
        self.price = price

    async def begin(self, conversation_id):
        self.heard = []

    async def listen(self, turn):
        Keeper.diary.append(("heard", turn.id, turn.occurred_at))
        self.heard.append(turn.id)
        return Usage(calls=1, input_tokens=self.price)

    async def ask(self, question, *, now, k):
        Keeper.diary.append(("asked", question, now))
        return Ranked(turns=tuple(RankedTurn(id=one, score=1.0) for one in reversed(self.heard))[:k], context="abcd")

    async def end(self):
        pass


class Weather(Keeper):
    """A backend that times out on the second turn and on questions about dogs."""

    async def listen(self, turn):
        if turn.id == "s01t02":
            raise BackendError("no answer within 30 s", kind="timeout", backend="weather")
        return await super().listen(turn)

    async def ask(self, question, *, now, k):
        if "dog" in question:
            raise BackendError("429", kind="rate_limit", backend="weather")
        return await super().ask(question, now=now, k=k)


class Broken(Keeper):
    """A fault of its own in the middle of a conversation."""

    async def listen(self, turn):
        if turn.id == "s02t01":
            raise ZeroDivisionError("one by nothing")
        return await super().listen(turn)


class Prophet(Keeper):
    """Names a turn that has not been said."""

    async def ask(self, question, *, now, k):
        return Ranked(turns=(RankedTurn(id="s02t04", score=1.0),))


class Scribe(Keeper):
    """Stores facts: a right one, one under a nickname, one that nobody said, and one twice."""

    async def extracted(self):
        return [
            ("s01t01", "Ana", "Ana lives in Recife.", "ADD"),
            ("s01t02", "Rui", "Rui plays chess on the moon.", "ADD"),
            ("s02t01", "Nita", "Nita moved to Olinda and lives there.", "UPDATE"),
            ("s02t02", "Ana Lima", "Ana Lima lives in Olinda.", "ADD"),
        ]

    async def live(self):
        return [("Ana", "Ana lives in Olinda."), ("Ana Lima", "Ana Lima is living in Olinda"), ("Rui", "Rui has a dog")]

    usage_by_stage = {"blind": Usage(calls=2, input_tokens=9), "judge": Usage()}
'''


@pytest.fixture
def pictures() -> None:
    """Asked for by a test that looks at pictures; the others get empty ones, which are quicker."""


@pytest.fixture(autouse=True)
def _quick(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if "pictures" not in request.fixturenames:

        def save(spec: object, folder: Path, name: str) -> None:
            for kind in ("svg", "png"):
                (folder / f"{name}.{kind}").write_text("", encoding="utf-8")

        monkeypatch.setattr("arandu_lab.viz.theme.save", save)


@pytest.fixture
def fakes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of an importable module with systems of one's own."""
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "pond_fakes.py").write_text(FAKES, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path / "code"))
    monkeypatch.delitem(__import__("sys").modules, "pond_fakes", raising=False)
    return "pond_fakes"


@pytest.fixture
def pond(tmp_path: Path) -> Path:
    """A set of our own in a folder: two sessions, eight turns, five questions (one absent), gold for four turns."""
    folder = tmp_path / "pond"
    folder.mkdir()
    lines = [
        ("s01t01", "s01", "2024-01-05T10:00:00+00:00", "Ana", "I live in Recife."),
        ("s01t02", "s01", "2024-01-05T10:01:00+00:00", "Rui", "I have a dog called Bidu."),
        ("s01t03", "s01", "2024-01-05T10:02:00+00:00", "Ana", "Lovely!"),
        ("s01t04", "s01", "2024-01-05T10:03:00+00:00", "Rui", "See you."),
        ("s02t01", "s02", "2024-06-01T09:00:00+00:00", "Ana", "I moved to Olinda."),
        ("s02t02", "s02", "2024-06-01T09:01:00+00:00", "Rui", "Olinda, how nice."),
        ("s02t03", "s02", "2024-06-01T09:02:00+00:00", "Ana", "The sea is close."),
        ("s02t04", "s02", "2024-06-01T09:03:00+00:00", "Rui", "The dog is well."),
    ]
    turns = [dict(zip(("id", "session", "occurred_at", "speaker", "text"), line, strict=True)) for line in lines]
    ana = {"subject": "Ana Lima", "category": "biographical_milestone", "confidence": "explicit", "event_time": None}
    gold = {
        "s01t01": [
            ana
            | {"id": "f001", "text": "Ana Lima lives in Recife.", "slot": "lives_in", "value": "Recife"}
            | {"valid_from": "2024-01-05", "decision": "ADD", "of": None}
        ],
        "s01t02": [
            ana
            | {"id": "f002", "subject": "Rui Dias", "text": "Rui Dias has a dog called Bidu.", "slot": "pet"}
            | {"value": "Bidu", "valid_from": "2024-01-05", "decision": "ADD", "of": None}
        ],
        "s02t01": [
            ana
            | {"id": "f003", "text": "Ana Lima lives in Olinda.", "slot": "lives_in", "value": "Olinda"}
            | {"valid_from": "2024-06-01", "decision": "UPDATE", "of": "f001"}
        ],
        "s02t02": [
            ana
            | {"id": "f004", "text": "Ana Lima lives in Olinda.", "slot": "lives_in", "value": "Olinda"}
            | {"valid_from": "2024-06-01", "decision": "NOOP", "of": "f003"}
        ],
    }
    questions = [
        ("q1", "2024-01-05T10:01:00+00:00", "Where does Ana live?", "Recife", ["s01t01"], "single"),
        ("q2", "2024-03-01T00:00:00+00:00", "Which dog is in town?", "Bidu", ["s01t02"], "single"),
        ("q3", "2024-07-01T00:00:00+00:00", "Where does Ana live now?", "Olinda", ["s02t01"], "update"),
        ("q4", "2024-07-01T00:00:00+00:00", "Who and where?", "Ana, Rui", ["s01t02", "s02t01"], "multi"),
        ("q5", "2024-07-02T00:00:00+00:00", "Does Rui sail?", None, [], "absent"),
    ]
    keys = ("id", "asked_at", "question", "answer", "evidence", "category")
    files = {
        "entities.jsonl": [
            {"name": "Ana Lima", "type": "person", "aliases": ["Ana", "Nita"]},
            {"name": "Rui Dias", "type": "person", "aliases": ["Rui"]},
        ],
        "turns.jsonl": turns,
        "gold.jsonl": [
            {"turn": one["id"], "facts": gold.get(one["id"], []), "entities": [], "relations": []} for one in turns
        ],
        "questions.jsonl": [dict(zip(keys, one, strict=True)) for one in questions],
    }
    for name, rows in files.items():
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (folder / "set.toml").write_text(
        'name = "pond"\ntitle = "Pond"\nlanguage = "en"\ndescription = "For tests."\nlicence = "MIT"\n'
        'timezone = "UTC"\nspeakers = ["Ana", "Rui"]\n',
        encoding="utf-8",
    )
    return folder


@pytest.fixture
def config(tmp_path: Path, pond: Path) -> Callable[..., Path]:
    """Write a configuration over the pond: ``config('bm25', extra='[system.bm25]\\nk1 = 2.0')``."""

    def write(*systems: str, extra: str = "", name: str = "pond", run: str = "") -> Path:
        path = tmp_path / f"{name}.toml"
        path.write_text(
            f"[run]\ndatasets = [{json.dumps(str(pond))}]\nsystems = {json.dumps(list(systems))}\n"
            f'measures = ["R@1", "R@3", "RR"]\ncurve = [1, 3]\ndepth = 4\njobs = 1\n{run}\n{extra}\n',
            encoding="utf-8",
        )
        return path

    return write


@pytest.fixture
def lab(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run the command line here: exit code, stdout, stderr."""

    def run(*arguments: object) -> tuple[int, str, str]:
        given = [str(one) for one in arguments]
        if given[0] in ("run", "compare") and "--out" not in given:
            given += ["--out", str(tmp_path / "results")]
        with pytest.raises(SystemExit) as ended:
            main(given)
        said = capsys.readouterr()
        return int(ended.value.code or 0), said.out, said.err

    return run

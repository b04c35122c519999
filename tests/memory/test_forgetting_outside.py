"""Forgetting outside the store: recordings, remembered vectors, results, exports, and the command line."""

from __future__ import annotations

import base64
import gzip
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from forgetful import PLAIN, SECRET, answers, fact_of, told
from typer.testing import CliRunner

from arandu_lab import ConfigError, Memory
from arandu_lab.cli import app
from arandu_lab.embed.base import Embedder
from arandu_lab.llm.recorded import Recorded, digests
from arandu_lab.llm.scripted import Scripted
from arandu_lab.memory import artefacts
from arandu_lab.store.needles import Needles

Open = Callable[..., Memory]


def model() -> Scripted:
    return Scripted(by_task={"extract": answers, "reconcile": {"verdicts": []}})


async def test_a_recording_loses_what_was_said_of_it(opened: Open, tmp_path: Path) -> None:
    """J4: the lines of a cassette that answer with the words, or were asked about the turn, go; all others stay and replay."""
    tape = tmp_path / "tape.jsonl"
    silent = Scripted(by_task={"extract": lambda m: {"facts": []} if "senha" in m[-1].content else answers(m)})
    memory = opened(llm=Recorded(silent, tape))
    await told(memory, PLAIN)
    quiet = await told(memory, "A senha é um segredo guardado", 1)
    await told(memory, SECRET, 2)
    lines = [json.loads(line) for line in tape.read_text().splitlines()]
    assert len(lines) == 3
    assert all("cofre" not in json.dumps(line["asked"]) for line in lines), "digests, no words"
    would = memory.forget("a", fact_id=fact_of(memory, SECRET), dry_run=True)
    assert next((one.place, one.what, one.count) for one in would.outside.gone) == (str(tape), "lines", 1)
    assert len(tape.read_text().splitlines()) == 3, "a dry run changes nothing"
    done = memory.forget("a", fact_id=fact_of(memory, SECRET))
    assert done.clean, str(done)
    assert "ZQX" not in tape.read_text()
    assert len(tape.read_text().splitlines()) == 2
    memory.forget("a", event=quiet.event_id)
    assert [PLAIN in line for line in tape.read_text().splitlines()] == [True], "nothing was answered, but it was asked"
    again = opened(llm=Recorded(Scripted(), tape, "replay"))
    assert [fact.text for fact in (await told(again, PLAIN)).facts_added] == [PLAIN]


async def test_another_who_has_the_recording_open_notices(tmp_path: Path, opened: Open) -> None:
    """I3, J4: a second reader of the cassette neither answers from what was purged nor tears the file when it adds."""
    tape = tmp_path / "tape.jsonl"
    first, second = Recorded(model(), tape), Recorded(model(), tape)
    one, two = opened(llm=first), opened(llm=second)
    await told(one, SECRET)
    await told(two, SECRET)
    assert first.purge(lambda text: "ZQX" in text, digests([SECRET])) == 1
    await told(two, PLAIN, 1)
    asked = len(second.inner.calls)  # type: ignore[attr-defined]
    await told(two, SECRET, agent="b")
    assert len(second.inner.calls) == asked + 1, "asked anew"  # type: ignore[attr-defined]
    assert len([json.loads(line) for line in tape.read_text().splitlines()]) == 2


async def test_the_embedder_remembers_nothing(opened: Open) -> None:
    """J4: vectors that were remembered by their text are dropped."""
    memory = opened()
    await told(memory, SECRET)
    assert isinstance(memory.embed, Embedder)
    assert any("ZQX" in text for text in memory.embed._seen)
    done = memory.forget("a", everything=True)
    assert any(one.what == "vectors" for one in done.outside.gone)
    assert not memory.embed._seen


def lab(root: Path, said: str) -> dict[str, Path]:
    """Folders as the lab makes them, each with the words in another kind of file, and one without."""
    made = {}
    for name in ("parquet", "json", "zip", "gzip", "svg", "base64", "clean"):
        folder = made[name] = root / f"{name}-0123456789ab"
        folder.mkdir(parents=True)
        (folder / "made.toml").write_text("x = 1\n")
    pl.DataFrame({"n": [1], "facts": [[{"text": said}]]}).write_parquet(made["parquet"] / "q.parquet")
    (made["json"] / "replay.json").write_text(json.dumps({"live": [["Íris", said]]}))
    with zipfile.ZipFile(made["zip"] / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(made["parquet"] / "q.parquet", "q.parquet")
    (made["gzip"] / "t.jsonl.gz").write_bytes(gzip.compress(said.encode()))
    (made["svg"] / "p.svg").write_text("<svg>" + "".join(f"&#x{ord(c):x};" for c in said) + "</svg>")
    (made["base64"] / "d.json").write_text(base64.b64encode(f"xx{said}yy".encode()).decode())
    (made["clean"] / "report.md").write_text("nothing here")
    return made


async def test_named_places_of_the_lab_are_emptied(opened: Open, tmp_path: Path) -> None:
    """J4, J5: results go as a whole whatever kind of file holds the words; a user's own file is told and kept."""
    memory = opened("m")
    await told(memory, SECRET)
    await told(memory, PLAIN, 1)
    made = lab(tmp_path / "results", SECRET)
    mine = tmp_path / "results" / "diary.txt"
    mine.write_text(SECRET)
    memory.export("a", tmp_path / "results" / "a.jsonl")
    fact = fact_of(memory, SECRET)
    would = memory.forget("a", fact_id=fact, also=[tmp_path / "results"], dry_run=True)
    assert all(folder.is_dir() for folder in made.values())
    done = memory.forget("a", fact_id=fact, also=[tmp_path / "results"])
    assert [one for one in done.outside.gone if one.what == "artefact"] == [
        one for one in would.outside.gone if one.what == "artefact"
    ]
    assert sorted(path.name for path in (tmp_path / "results").iterdir()) == [made["clean"].name, "diary.txt"]
    assert not done.clean
    assert {one.place for one in done.residue} == {str(mine)}
    assert str(mine) in str(done)
    assert "ZQX" not in str(done) + repr(done)


async def test_what_was_not_looked_at_is_told(opened: Open, tmp_path: Path) -> None:
    """J4: without named places, and of what cannot be read in them, the certificate says so."""
    memory = opened()
    await told(memory, SECRET)
    await told(memory, PLAIN, 1)
    would = memory.forget("a", fact_id=fact_of(memory, SECRET), dry_run=True)
    assert "not looked at: results" in str(would)
    (tmp_path / "p.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 and nothing")
    (tmp_path / "link").symlink_to(tmp_path / "p.png")
    opened("other")
    done = memory.forget("a", fact_id=fact_of(memory, SECRET), also=[tmp_path])
    said = "\n".join(done.outside.unseen)
    for word in ("a picture", "broken.parquet (cannot be read", "a link", "other (a store of its own"):
        assert word in said, word
    assert "results, kept" not in said
    for place in (tmp_path / "none", Path.home()):
        with pytest.raises(ConfigError, match="nothing was forgotten"):
            memory.forget("a", everything=True, also=[place])


def test_every_way_of_reading_can_find() -> None:
    """J10: the positive control of the search outside: each kind of file gives its words away, and not what is not there."""
    assert artefacts.control("forget:0123")
    assert artefacts.looked(b"PAR1", Needles(["a long word"]))[1], "damage is told, not empty"
    assert artefacts.looked(gzip.compress(b"another text"), Needles(["a long word"])) == (set(), [])


async def test_the_command_line_forgets(opened: Open, tmp_path: Path) -> None:
    """J7: ``arandu-lab forget`` tells what would go, prints the certificate, and refuses what is not there."""
    memory = opened("m")
    await told(memory, SECRET)
    await told(memory, PLAIN, 1)
    fact = fact_of(memory, SECRET)
    memory.close()
    run, store = CliRunner(), str(tmp_path / "m")
    would = run.invoke(app, ["forget", store, "--agent", "a", "--fact", fact, "--dry-run"])
    assert would.output.startswith("would forget")
    done = run.invoke(app, ["forget", store, "--agent", "a", "--fact", fact])
    assert (done.exit_code, "none found" in done.output) == (0, True)
    again = opened("m")
    assert again.facts("a")["text"].to_list() == [PLAIN]
    for wrong in ([store, "--agent", "a", "--fact", fact], [str(tmp_path), "--agent", "a", "--everything"]):
        assert isinstance(run.invoke(app, ["forget", *wrong]).exception, ConfigError)

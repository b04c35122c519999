"""Damaged, headless and impossible stores: what is derived is made anew, what was acknowledged is never overwritten."""

from __future__ import annotations

import logging
import os
import random
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arandu_lab.errors import AranduError, BackendError, ConfigError
from arandu_lab.records import Event, Fact
from arandu_lab.store import Store, segments
from arandu_lab.store.doctor import _newest_first
from arandu_lab.store.tables import Tables, plainly
from arandu_lab.testing.plain import DIM, START, Plain


def opened(path: Path, *, read_only: bool = False) -> Store:
    """The store of these tests."""
    return Store.open(path, embedder_name="test", embedder_dim=DIM, read_only=read_only, lease_timeout=1.0)


def said(number: int) -> Event:
    """A turn."""
    return Event(id=f"e{number}", agent_id="ana", text="t", speaker="s", occurred_at=START, recorded_at=START)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Plain]:
    """A closed store with rows in every table, in two archived groups, and what it must say."""
    path = tmp_path_factory.mktemp("filled") / "s"
    plain, rng = Plain("ana"), random.Random(5)
    with opened(path) as store:
        for number in range(30):
            rows, removed = plain.unit(rng)
            seq = store.append("write", "ana", rows, unit_id=str(number), recorded_at=START, removed=removed)
            plain.apply(rows, removed, seq)
            if number == 20:
                store.flush()
    return path, plain


@pytest.fixture
def copy(filled: tuple[Path, Plain], tmp_path: Path) -> Path:
    """A copy of it, to be damaged."""
    shutil.copytree(filled[0], tmp_path / "s")
    return tmp_path / "s"


def emptied(path: Path, table: str) -> None:
    """A power cut: the newest manifest has length zero."""
    newest(path, table).write_bytes(b"")


def garbled(path: Path, table: str) -> None:
    """The newest manifest is noise of its own length."""
    newest(path, table).write_bytes(os.urandom(newest(path, table).stat().st_size))


def halved(path: Path, table: str) -> None:
    """The newest manifest is cut in the middle."""
    manifest = newest(path, table)
    manifest.write_bytes(manifest.read_bytes()[: manifest.stat().st_size // 2])


def lost_data(path: Path, table: str) -> None:
    """A data file of the newest version is gone."""
    for file in (path / f"{table}.lance" / "data").iterdir():
        file.unlink()


def removed(path: Path, table: str) -> None:
    """The whole table is gone."""
    shutil.rmtree(path / f"{table}.lance")


def newest(path: Path, table: str) -> Path:
    """The newest manifest of a table."""
    return _newest_first(path / f"{table}.lance")[0]


def bytes_of(path: Path) -> dict[str, bytes]:
    """Every file of the store but its lock."""
    return {
        str(file.relative_to(path)): file.read_bytes()
        for file in path.rglob("*")
        if file.is_file() and file.name != "writer.lock"
    }


DAMAGES = (emptied, garbled, halved, lost_data, removed)


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("table", ["facts", "events", "aliases"])
def test_a_damaged_projection_is_rebuilt_at_opening(
    filled: tuple[Path, Plain],
    copy: Path,
    damage: Callable[[Path, str], None],
    table: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """I3, I7: whatever happens to a table made from the journal, opening makes it anew and warns with its name."""
    damage(copy, table)
    with caplog.at_level(logging.WARNING), opened(copy) as store:
        assert store.verify() == []
        filled[1].agree(store.view("ana"), random.Random(1))
    assert any(f"table {table} is rebuilt from the journal" in line for line in caplog.messages)
    assert not any(".rs:" in line for line in caplog.messages)
    assert not list(copy.rglob("*.broken"))
    caplog.clear()
    with caplog.at_level(logging.WARNING), opened(copy, read_only=True) as reader:
        filled[1].agree(reader.view("ana"), random.Random(1))
    assert caplog.messages == []


def test_a_rebuild_cut_short_is_taken_up_again(
    filled: tuple[Path, Plain], copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """I3: a crash before or in the middle of the rebuild of a projection: readers are refused or read right."""
    emptied(copy, "facts")

    def crash(*_: object) -> int:
        raise KeyboardInterrupt

    for place in ("arandu_lab.store.mend.projections.rebuild", "arandu_lab.store.projections.apply"):
        with monkeypatch.context() as broken:
            broken.setattr(place, crash)
            with pytest.raises(KeyboardInterrupt):
                opened(copy)
        if (copy / "facts.lance").exists():
            with opened(copy, read_only=True) as reader:
                filled[1].agree(reader.view("ana"), random.Random(1))
        else:
            with pytest.raises(BackendError, match="opening the store for writing"):
                opened(copy, read_only=True)
    with opened(copy) as store:
        assert store.verify() == []
        filled[1].agree(store.view("ana"), random.Random(1))


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("table", ["journal_archive", "meta"])
def test_what_was_acknowledged_is_never_rebuilt_away(
    copy: Path, damage: Callable[[Path, str], None], table: str
) -> None:
    """I3: a store whose archive or meta is damaged is refused in one line that names it and the cure, untouched."""
    damage(copy, table)
    before = bytes_of(copy)
    for read_only in (True, False, False, True):
        if (damage, table) == (emptied, "meta") and not read_only:
            with opened(copy) as store:
                assert store.verify() == []
            return
        with pytest.raises(AranduError) as told:
            opened(copy, read_only=read_only)
        message = str(told.value)
        assert table in message
        assert "copy" in message or "open the store once for writing" in message
        assert "\n" not in message
        assert ".rs:" not in message
    after = bytes_of(copy)
    assert list(after.values()) == list(before.values()) or damage is emptied
    assert {name for name in before if "manifest" not in name} <= set(after)
    assert all(after[name] == before[name] for name in before if name in after)


def test_rebuild_refuses_a_journal_with_a_gap(copy: Path) -> None:
    """I3: units that vanish under an open store are not followed by a rebuild that deletes their rows."""
    with opened(copy) as store:
        rows = store.frame("facts").height
        store._tables.delete("journal_archive", "seq = 7")
        with pytest.raises(BackendError, match=r"lost 1 of 30 units.*seq 7.*copy"):
            store.rebuild()
        assert store.frame("facts").height == rows > 0


def test_a_journal_behind_its_tables_is_refused(tmp_path: Path) -> None:
    """I3: a journal rolled back below what the tables show is refused, one rolled back to what they show is not."""
    path = tmp_path / "s"
    with opened(path) as store:
        for number in range(1, 4):
            store.append("turn", "ana", [said(number)], unit_id=str(number), recorded_at=START)
        live = tmp_path / "live"
        shutil.copytree(path, live)
    harmless = tmp_path / "harmless"
    shutil.copytree(live, harmless)
    emptied(harmless, "journal")
    with opened(harmless) as store:
        assert list(store.view("ana").events.ids) == ["e1", "e2"]
        assert store.append("turn", "ana", [said(4)], unit_id="4", recorded_at=START) == 3
        assert store.verify() == []
    shutil.rmtree(live / "events.lance")
    shutil.copytree(path / "events.lance", live / "events.lance")
    emptied(live, "journal")
    for _ in range(2):
        with pytest.raises(BackendError, match=r"lost 1 of 3 units.*seq 3.*manifest of journal was empty"):
            opened(live)


def test_an_archive_rolled_back_with_nothing_lost_forgets_again(copy: Path) -> None:
    """J6: an archive that fell back behind a forgetting still has every unit; opening takes the words out again."""
    archive = copy / "journal_archive.lance"
    aside = copy.parent / "aside"
    shutil.copytree(archive, aside)
    with opened(copy) as store:
        fact = store.view("ana").fact_at(0)
        store.forget("ana", [fact], unit_id="gone", recorded_at=START)
        hot = store.frame("journal").height
    with opened(copy) as store:
        unit = store._tables.select("journal_archive", f"seq = {hot}")
    shutil.rmtree(archive)
    shutil.copytree(aside, archive)
    tables = Tables(str(copy))
    tables.open("journal_archive")
    tables.append("journal_archive", unit)
    (archive / "_versions" / "1.broken").write_bytes(b"")
    assert any(fact.text.encode() in text for text in bytes_of(archive).values())
    with opened(copy) as store:
        rows = [row for unit in segments.read(store._tables, DIM) for row in unit.rows if isinstance(row, Fact)]
        assert fact.id not in [row.id for row in rows]
        assert store.rebuild() == hot
        assert store.view("ana").fact(fact.id) is None
        assert store.verify() == []


def test_meta_can_be_made_anew_by_adopting(filled: tuple[Path, Plain], copy: Path) -> None:
    """M1: a store that lost its meta keeps every row; adopting gives it a new one, without vectors."""
    removed(copy, "meta")
    with pytest.raises(ConfigError, match=r"lost its table meta.*journal_archive.*Store\.adopt"):
        opened(copy)
    garbled(copy, "facts")
    Store.adopt(copy, embedder_name="other", embedder_dim=4)
    with Store.open(copy, embedder_name="other", embedder_dim=4) as store:
        assert store.verify() == []
        assert sorted(store.view("ana").facts.ids) == sorted(
            row.id for row in filled[1].rows.values() if isinstance(row, Fact)
        )
        assert not store.view("ana").facts.matrix.any()
        store.append("turn", "ana", [said(99)], unit_id="more", recorded_at=START)
    with pytest.raises(ConfigError, match="no store at"):
        Store.adopt(copy.parent, embedder_name="other", embedder_dim=4)


def test_a_creation_cut_short_starts_over(tmp_path: Path) -> None:
    """I3: tables without rows and without meta are a creation that was killed, and no reason to refuse."""
    with opened(tmp_path / "s"):
        pass
    removed(tmp_path / "s", "meta")
    with opened(tmp_path / "s") as store:
        store.append("turn", "ana", [said(1)], unit_id="1", recorded_at=START)


def test_open_handles_see_what_was_rebuilt(copy: Path) -> None:
    """I7: after rebuild() a store that had loaded an agent reads the rebuilt rows."""
    with opened(copy) as store:
        store._tables.delete("facts", "true")
        store._desks.clear()
        assert list(store.view("ana").facts.ids) == []
        garbled(copy, "clusters")
        store.rebuild()
        assert len(store.view("ana").facts.ids) > 0
        assert store.verify() == []


@pytest.mark.parametrize("path", ["", "  ", "a\0b", b"x", None, 7, "x" * 300, "file", "file/below", "\ud800"])
@pytest.mark.parametrize("read_only", [False, True])
def test_a_path_that_cannot_be_a_store_is_told(tmp_path: Path, path: object, read_only: bool) -> None:
    """A path that names no directory is a ConfigError in one short line, whoever opens, adopts or forks."""
    (tmp_path / "file").write_text("x")
    where = path
    if isinstance(path, str) and path.strip() and "\0" not in path:
        where = f"{tmp_path}/{path}"
    calls: list[Callable[[], object]] = [lambda: opened(where, read_only=read_only)]  # type: ignore[arg-type]
    if not read_only:
        calls.append(lambda: Store.adopt(where, embedder_name="test", embedder_dim=DIM))  # type: ignore[arg-type]
        memory = Store.open("memory://", embedder_name="test", embedder_dim=DIM)
        calls.append(lambda: memory.fork(where))  # type: ignore[arg-type]
    for call in calls:
        with pytest.raises(ConfigError) as told:
            call()
        assert "\n" not in str(told.value)
        assert len(str(told.value)) < 500
    assert [file.name for file in tmp_path.iterdir()] == ["file"]


def test_reading_what_is_not_there_makes_nothing(tmp_path: Path) -> None:
    """read_only=True on a missing path is an error and leaves no directory behind."""
    with pytest.raises(ConfigError, match="no store at"):
        opened(tmp_path / "a" / "b", read_only=True)
    assert list(tmp_path.iterdir()) == []


DENIED = """
import os, sys
import lancedb, polars, pyarrow.compute
from arandu_lab.store import Store
from arandu_lab.errors import ConfigError
if not os.getuid():
    os.setgid(65534)
    os.setuid(65534)
for path in (sys.argv[1], os.path.join(sys.argv[1], "below", "it")):
    try:
        Store.open(path, embedder_name="test", embedder_dim=16)
    except ConfigError as fault:
        print(fault)
with Store.open(sys.argv[1], embedder_name="test", embedder_dim=16, read_only=True) as reader:
    print(len(reader.view("ana").events.ids))
"""


@pytest.fixture
def public() -> Iterator[Path]:
    """A directory that every user may enter."""
    made = Path(tempfile.mkdtemp())
    made.chmod(0o755)
    yield made
    for folder in (made, *made.rglob("*")):
        folder.chmod(folder.stat().st_mode | stat.S_IWUSR)
    shutil.rmtree(made)


def test_no_permission_to_write_offers_reading(public: Path) -> None:
    """A directory that this user may only read is a ConfigError that offers read_only=True, which works."""
    with opened(public / "s") as store:
        store.append("turn", "ana", [said(1)], unit_id="1", recorded_at=START)
    for file in (public / "s", *(public / "s").rglob("*")):
        file.chmod(0o555 if file.is_dir() else 0o444)
    ran = subprocess.run([sys.executable, "-c", DENIED, str(public / "s")], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    *refusals, read = ran.stdout.splitlines()
    assert len(refusals) == 2
    assert all("read_only=True" in line for line in refusals)
    assert read == "1"


def test_lancedb_faults_are_plain() -> None:
    """A message of LanceDB loses its source files and keeps its words."""
    fault = OSError("lance error: LanceError(IO): Not found: a/b.lance, /root/.cargo/x-13.0.0/src/local.rs:273:40\n\n")
    assert plainly(fault) == "Not found: a/b.lance"


SHADOWED = """
import sys
sys.path.insert(0, sys.argv[1])
import datasets, lance
assert datasets.__file__ is None
if sys.argv[3] == "late":
    del sys.modules["datasets"], sys.modules["lance"]
    import lancedb
    import datasets, lance
sys.path.insert(0, sys.argv[4])
from arandu_lab.testing.plain import START
from arandu_lab.store import Store
from arandu_lab.records import Event
with Store.open(sys.argv[2], embedder_name="test", embedder_dim=16) as store:
    event = Event(id="e", agent_id="ana", text="t", speaker="s", occurred_at=START, recorded_at=START)
    store.append("turn", "ana", [event], unit_id="1", recorded_at=START)
    store.flush()
    assert store.verify() == []
assert sys.modules["datasets"] is datasets and sys.modules["lance"] is lance
"""


@pytest.mark.parametrize("when", ["early", "late"])
def test_a_folder_named_datasets_is_no_library(tmp_path: Path, when: str) -> None:
    """A namespace package named like a library LanceDB knows does not stop an append, imported before or after it."""
    for name in ("datasets", "lance"):
        (tmp_path / "cwd" / name).mkdir(parents=True)
    command = [
        sys.executable,
        "-c",
        SHADOWED,
        str(tmp_path / "cwd"),
        str(tmp_path / "s"),
        when,
        str(Path(__file__).parent),
    ]
    ran = subprocess.run(command, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr

"""The browser beside agents: it keeps the store for no longer than a form takes, and sees what others wrote."""

from __future__ import annotations

import asyncio
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsed import NOW, TOKEN, client_of
from test_correcting import post, undo_of

from arandu_lab.browse.app import BUSY
from arandu_lab.browse.guard import form_token
from arandu_lab.browse.opening import Opened, opened
from arandu_lab.errors import BackendError
from arandu_lab.knowledge import MemoryFact
from arandu_lab.memory import Memory
from arandu_lab.store.lease import Lease
from arandu_lab.workspace import Workspace


@pytest.fixture
def shared(seed: Path, tmp_path: Path) -> Iterator[Opened]:
    """A copy of the store, as the command opens it. Who wrote is kept in sight: what nobody refers to frees its lease anyway."""
    shutil.copytree(seed, tmp_path / "store")
    found = opened(tmp_path / "store", embedder="hashing", shared=True, clock=lambda: NOW)
    made, writers = found._writer, list[Memory]()
    assert made is not None

    def writer() -> Memory:
        writers.append(made())
        return writers[-1]

    found._writer = writer
    yield found
    found.close()


def free(found: Opened) -> bool:
    """Whether another process may write: the lease is there to be had. Not ``Store.open``: it shares what is open here."""
    try:
        Lease(Path(found.store.path), timeout=0.0).release()
    except BackendError:
        return False
    return True


async def test_agents_write_while_somebody_looks(shared: Opened) -> None:
    """Between two pages another writes; the next page has it, and its form corrects it and takes that back."""
    client = client_of(shared)
    assert client.get("/workspace/atlas/facts").status_code == 200
    with Workspace.open(shared.store.path, workspace="atlas", embedder="hashing", clock=lambda: NOW) as agent:
        said = await agent.propose_fact("conventions", "quotes", "Strings stand in double quotes", agent="rui")
    assert "double quotes" in client.get("/workspace/atlas/facts").text
    page = post(client, "/workspace/atlas/edit", id=said.fact.id, content="Strings stand in single quotes")
    assert "Corrected." in page
    assert free(shared)
    with Workspace.open(shared.store.path, workspace="atlas", embedder="hashing", clock=lambda: NOW) as agent:
        assert "Strings stand in single quotes" in agent.facts()["content"].to_list()
    assert "Taken back." in post(client, "/workspace/atlas/undo", **undo_of(page))
    back = shared.store.view("atlas").shelf(MemoryFact).get(said.fact.id)
    assert back is not None
    assert back.live_at(NOW)


def test_every_kind_of_form_gives_the_store_back(shared: Opened) -> None:
    """Corrected, retired, considered, erased, and refused: each is done in the store, and the store is free afterwards."""
    client, view = client_of(shared), shared.store.view("harbor")
    first, second = [one.id for i in range(len(view.facts)) if (one := view.fact_at(i)).valid_to is None][:2]
    assert "Corrected." in post(client, "/memory/harbor/edit", id=first, text="Said by a form")
    assert "Retired." in post(client, "/memory/harbor/retire", id=second)
    again = client.post("/memory/harbor/retire", data={"csrf": form_token(TOKEN), "id": second})
    assert again.status_code == 400
    assert "Would go" in client.get(f"/memory/harbor/fact/delete?id={second}").text
    text = view.fact(second).text  # type: ignore[union-attr]
    assert text in client.get(f"/memory/harbor/fact?id={second}").text
    assert 'class="chip now"' in post(client, "/memory/harbor/delete", id=second, sure="yes")
    assert text not in client.get("/memory/harbor/facts?state=all&text=weeks").text
    assert client.get(f"/memory/harbor/fact?id={second}").status_code == 404
    assert free(shared)


async def test_who_goes_away_while_it_opens_leaves_it_free(seed: Path, tmp_path: Path) -> None:
    """Called off while another thread opens the store to write: what that thread opens is given back all the same."""
    shutil.copytree(seed, tmp_path / "store")
    begun, go_on, writers = threading.Event(), threading.Event(), list[Memory]()
    with Memory.open(tmp_path / "store", embedder="hashing", read_only=True) as looked_at:

        def late() -> Memory:
            begun.set()
            go_on.wait(10)
            writers.append(Memory.open(tmp_path / "store", embedder="hashing"))
            return writers[0]

        found = Opened(looked_at, writer=late)

        async def form() -> None:
            async with found.writing():
                raise AssertionError("nobody waits for it any more")

        task = asyncio.create_task(form())
        await asyncio.to_thread(begun.wait, 10)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        go_on.set()
        for _ in range(200):
            if writers and free(found):
                return
            await asyncio.sleep(0.01)
        raise AssertionError("it is kept")


def test_who_cannot_have_the_store_is_told_what_to_do(looked: Opened) -> None:
    """Where another process keeps the store, a form changes nothing and says so in both languages, without names of parameters."""

    def kept() -> Memory:
        raise BackendError("s is being written by process 7; waited 10 s", kind="lease", backend="store")

    client = client_of(Opened(looked.memory, writer=kept))
    before = looked.store.view("harbor").sequence
    for language, told in (("en", BUSY), ("pt", "Alguém mais está escrevendo")):
        form = {"csrf": form_token(TOKEN), "id": "f047", "text": "Other words"}
        answer = client.post("/memory/harbor/edit", data=form, headers={"accept-language": language})
        assert answer.status_code == 503
        assert told in answer.text
        assert "lease" not in answer.text
    assert looked.store.view("harbor").sequence == before

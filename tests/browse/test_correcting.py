"""Correcting, retiring, deleting, switching, and taking back: each leaves a record, and says what it did."""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from browsed import NOW, PORT, TOKEN
from httpx import ASGITransport, AsyncClient
from starlette.testclient import TestClient

from arandu_lab.browse.app import browser
from arandu_lab.browse.guard import form_token
from arandu_lab.browse.opening import Opened, opened
from arandu_lab.browse.policies import standing
from arandu_lab.knowledge import MemoryFact, MemoryPolicy
from arandu_lab.store.ledger import units


def post(client: TestClient, path: str, **data: str) -> str:
    """Send a form, follow where it goes, and give the page."""
    answer = client.post(path, data={"csrf": form_token(TOKEN), **data})
    assert answer.status_code in (200, 303), answer.text[:400]
    return client.get(answer.headers["location"]).text if answer.status_code == 303 else answer.text


def undo_of(page: str) -> dict[str, str]:
    """The form that takes back what a page says was done."""
    found = re.search(r'name="unit" value="([^"]+)"', page)
    assert found is not None
    return {"unit": found[1]}


def test_an_edit_is_a_correction_and_can_be_undone(store: Opened, client: TestClient) -> None:
    """The old words never held, the new ones do, one unit is on record; undone, all is as before."""
    old = store.store.view("harbor").fact("f003")
    live = next(one for i in range(300) if (one := store.store.view("harbor").fact_at(i)).valid_to is None)
    assert old is not None
    page = post(client, "/memory/harbor/edit", id=live.id, text="  Something <b>else</b>  ")
    view = store.store.view("harbor")
    new = view.history(live.id)[-1]
    assert new.text == "Something <b>else</b>"
    one = view.fact(live.id)
    assert one is not None
    assert one.closed_by == "correction"
    assert "Corrected." in page
    assert "&lt;b&gt;" in page
    assert "<b>else" not in page
    assert units(store.store, "harbor")[-1].kind == "edit"
    page = post(client, "/memory/harbor/undo", **undo_of(page))
    assert "Taken back." in page
    back = store.store.view("harbor").fact(live.id)
    assert back is not None
    assert back.valid_to is None


def test_retiring_closes_with_a_record_and_is_undone(store: Opened, client: TestClient) -> None:
    """A retired fact is over from now on and on record; an edge that rested on it alone falls, and comes back."""
    view = store.store.view("harbor")
    edge = next(
        one
        for one in view.edges(as_of=store.now())
        if (fact := view.fact(one.evidence_fact_ids[0])) and fact.valid_to is None and len(one.evidence_fact_ids) == 1
    )
    fact_id = edge.evidence_fact_ids[0]
    page = post(client, "/memory/harbor/retire", id=fact_id)
    view = store.store.view("harbor")
    gone = view.fact(fact_id)
    assert gone is not None
    assert gone.closed_by == "delete"
    assert gone.valid_to == store.now()
    assert edge.id not in {one.id for one in view.edges(as_of=store.now())}
    assert "Retired." in page
    assert "retire" in client.get("/memory/harbor/records").text
    again = client.post("/memory/harbor/retire", data={"csrf": form_token(TOKEN), "id": fact_id})
    assert again.status_code == 400
    assert "no open fact" in again.text
    post(client, "/memory/harbor/undo", **undo_of(page))
    assert edge.id in {one.id for one in store.store.view("harbor").edges(as_of=store.now())}


def test_deleting_asks_first_and_shows_its_certificate(store: Opened, client: TestClient) -> None:
    """The page before shows what would go and changes nothing; without the tick nothing goes; then the words are gone."""
    before = store.store.view("harbor").sequence
    ask = client.get("/memory/harbor/fact/delete?id=hostile").text
    assert "Would go" in ask
    assert "cannot be undone" in ask
    assert store.store.view("harbor").sequence == before
    refused = client.post("/memory/harbor/delete", data={"csrf": form_token(TOKEN), "id": "hostile"})
    assert refused.status_code == 400
    assert store.store.view("harbor").fact("hostile") is not None
    page = post(client, "/memory/harbor/delete", id="hostile", sure="yes")
    assert store.store.view("harbor").fact("hostile") is None
    assert "certificate" in page
    assert "alert(1)" not in page
    assert "forget:" in page
    assert client.get("/memory/harbor/fact?id=hostile").status_code == 404


def test_a_workspace_fact_is_edited_retired_deleted_and_taken_back(store: Opened, client: TestClient) -> None:
    """Other words are a new row; a retired and a deleted fact stay on record; each unit can be undone."""
    view = store.store.view("atlas")
    fact = next(one for one in view.shelf(MemoryFact) if one.topic == "journal")
    page = post(client, "/workspace/atlas/edit", id=fact.id, content="One append is the commit", topic="journal")
    new = next(one for one in store.store.view("atlas").shelf(MemoryFact) if one.content == "One append is the commit")
    assert new.proposed_by == "browser"
    assert "Corrected." in page
    post(client, "/workspace/atlas/undo", **undo_of(page))
    back = store.store.view("atlas").shelf(MemoryFact).get(fact.id)
    assert back is not None
    assert back.live_at(store.now())
    for path in ("retire", "delete"):
        page = post(client, f"/workspace/atlas/{path}", id=fact.id)
        row = store.store.view("atlas").shelf(MemoryFact).get(fact.id)
        assert row is not None
        assert row.retired_at is not None
        post(client, "/workspace/atlas/undo", **undo_of(page))
        row = store.store.view("atlas").shelf(MemoryFact).get(fact.id)
        assert row is not None
        assert row.live_at(store.now())
    page = post(client, "/workspace/atlas/erase", id=fact.id, sure="yes")
    assert "certificate" in page
    assert store.store.view("atlas").shelf(MemoryFact).get(fact.id) is None


def test_policies_are_switched_edited_and_retired(store: Opened, client: TestClient) -> None:
    """A policy that is off is not in force; another rule is a new row; a retired one stays on record."""

    def row(policy_id: str) -> MemoryPolicy:
        found = store.store.view("atlas").shelf(MemoryPolicy).get(policy_id)
        assert found is not None
        return found

    policy = next(iter(store.store.view("atlas").shelf(MemoryPolicy)))
    post(client, "/workspace/atlas/policy/switch", id=policy.id, active="no")
    assert not row(policy.id).in_force
    post(client, "/workspace/atlas/policy/switch", id=policy.id, active="yes")
    assert row(policy.id).in_force
    post(client, "/workspace/atlas/policy/edit", id=policy.id, rule="Never force-push anywhere")
    new = next(one for one in store.store.view("atlas").shelf(MemoryPolicy) if one.rule == "Never force-push anywhere")
    assert row(policy.id).superseded_by == new.id
    page = post(client, "/workspace/atlas/policy/retire", id=new.id)
    assert row(new.id).retired_at is not None
    assert "Retired." in page


@pytest.mark.parametrize("path", ["create", "add", "new", "facts", "policies", "entities"])
def test_nothing_is_created(client: TestClient, path: str) -> None:
    """There is no form that adds, on either side."""
    for kind, agent in (("memory", "harbor"), ("workspace", "atlas")):
        answer = client.post(f"/{kind}/{agent}/{path}", data={"csrf": form_token(TOKEN), "text": "x"})
        assert answer.status_code in (404, 405)


@pytest.mark.parametrize(
    "path",
    [
        *("/memory/harbor/fact?id=f047", "/memory/harbor/fact/delete?id=f047", "/memory/harbor/records"),
        *("/workspace/atlas/policies?state=all", "/workspace/atlas/records"),
    ],
)
def test_every_form_that_posts_bears_the_token(client: TestClient, path: str) -> None:
    """A form of a page is accepted as it stands: its own token is in it."""
    forms = re.findall(r'<form[^>]*method="post".*?</form>', client.get(path).text, re.S)
    assert all(f'name="csrf" value="{form_token(TOKEN)}"' in form for form in forms)
    assert forms or "records" in path


@pytest.mark.parametrize("kind", ["memory", "workspace", "policy"])
def test_a_form_that_comes_late_says_so_and_shows_what_holds(store: Opened, client: TestClient, kind: str) -> None:
    """Two tabs correct the same words: the second changes nothing, is shown what the first wrote, and loses no letter of its own."""
    view = store.store.view("harbor" if kind == "memory" else "atlas")
    if kind == "memory":
        lives = (view.fact_at(place) for place in range(100, len(view.facts)))
        path, text, old = "/memory/harbor/edit", "text", next(one.id for one in lives if one.valid_to is None)
    elif kind == "workspace":
        rows = [one for one in view.shelf(MemoryFact) if one.live_at(store.now())]
        path, text, old = "/workspace/atlas/edit", "content", rows[-1].id
    else:
        rules = [one for one in view.shelf(MemoryPolicy) if standing(one) == "in force"]
        path, text, old = "/workspace/atlas/policy/edit", "rule", rules[-1].id
    post(client, path, id=old, **{text: f"What the first tab wrote of a {kind}"})
    before = store.store.view(view.agent_id).sequence
    for words in (f"What the second tab wrote <b> of a {kind}", f"What the first tab wrote of a {kind}"):
        page = post(client, path, id=old, **{text: words})
        assert "Not saved" in page
        assert words.replace("<b>", "&lt;b&gt;") in page
        assert f"What the first tab wrote of a {kind}" in re.findall(r"<h1.*?</h1>", page)[0]
    assert store.store.view(view.agent_id).sequence == before


def test_a_switch_pressed_twice_changes_nothing_the_second_time(store: Opened, client: TestClient) -> None:
    """A stale page switches off what is off: that is said, and is no error."""
    rule = next(one for one in store.store.view("atlas").shelf(MemoryPolicy) if standing(one) == "in force")
    page = post(client, "/workspace/atlas/policy/switch", id=rule.id, active="")
    before = store.store.view("atlas").sequence
    assert "Nothing was changed" in post(client, "/workspace/atlas/policy/switch", id=rule.id, active="")
    assert store.store.view("atlas").sequence == before
    post(client, "/workspace/atlas/undo", **undo_of(page))


async def test_forms_at_once_each_name_the_unit_they_left(seed: Path, tmp_path: Path) -> None:
    """Six corrections sent together, with an embedder that lets others go first: each page's button takes back its own."""
    shutil.copytree(seed, tmp_path / "store")
    found = opened(tmp_path / "store", embedder="hashing", clock=lambda: NOW)
    embed = found.memory.embed

    class Slow:
        name, dim, scale = embed.name, embed.dim, embed.scale

        async def __call__(self, texts: Sequence[str]) -> Any:
            await asyncio.sleep(0.001)
            return await embed(texts)

    found.memory.embed = Slow()
    app = browser(found, token=TOKEN, port=PORT)
    facts = [one for one in found.store.view("atlas").shelf(MemoryFact) if one.live_at(NOW)][:6]
    async with AsyncClient(
        transport=ASGITransport(app), base_url=f"http://127.0.0.1:{PORT}", cookies={app.cookie: TOKEN}
    ) as client:

        async def corrected(fact: MemoryFact) -> str:
            form = {"csrf": form_token(TOKEN), "id": fact.id, "content": f"Other words in the place of {fact.id}"}
            answer = await client.post("/workspace/atlas/edit", data=form)
            return undo_of((await client.get(answer.headers["location"])).text)["unit"]

        named = await asyncio.gather(*(corrected(fact) for fact in facts))
    left = {one.id: {row.id for row in one.rows if isinstance(row, MemoryFact)} for one in units(found.store, "atlas")}
    assert all(fact.id in left[unit] for fact, unit in zip(facts, named, strict=True))
    assert len({*named}) == len(facts)
    found.close()

"""Claims about every address of the application. The addresses come from the application: a new one cannot be forgotten."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsed import NOW, PORT, TOKEN, client_of
from hostile import AGENT, SLUG, TEXTS, Read, filled
from starlette.applications import Starlette
from starlette.routing import Mount, Route
from starlette.testclient import TestClient

from arandu_lab.browse.app import browser
from arandu_lab.browse.guard import form_token
from arandu_lab.browse.opening import Opened, opened
from arandu_lab.browse.visible import odd

ASKED = {
    "fact": {"memory": "id=f0", "workspace": "id=m0"},
    "fact/delete": {"memory": "id=f0", "workspace": "id=m0"},
    "policy": {"workspace": "id=p0"},
    "entity": {"memory": "key="},
    "why": {"memory": "q=alert&fact=f0"},
}
"""What a page is asked with, where it is about one thing."""

ELSEWHERE = {"/", "/language", "/favicon.ico"}
"""Addresses that are about no agent."""


def routes_of(store: Opened) -> list[Route]:
    """Every route of the application behind its guard."""
    inner = browser(store, token=TOKEN, port=PORT).app
    assert isinstance(inner, Starlette)
    mounted = [one for one in inner.routes if isinstance(one, Mount)]
    assert [one.path for one in mounted] == ["/static"], "another application was mounted: say here what it answers"
    found = [one for one in inner.routes if isinstance(one, Route)]
    assert len(found) + len(mounted) == len(inner.routes)
    return found


def address(path: str, agent: str = SLUG) -> str:
    """A route's path about an agent, asked for something that is there."""
    kind, _, tab = path.removeprefix("/").replace("{agent}/", "").partition("/")
    asked = ASKED.get(tab, {}).get(kind, "")
    if asked == "key=":
        asked += "person%3A0" + "".join(f"%{byte:02X}" for byte in TEXTS["markup"].encode())
    return path.replace("{agent}", agent) + (f"?{asked}" if asked else "")


@pytest.fixture(scope="module")
def bad(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    """The store in which every text means harm."""
    found = filled(tmp_path_factory.mktemp("hostile") / "store")
    yield found
    found.close()


@pytest.fixture(scope="module")
def gets(bad: Opened) -> list[str]:
    """Paths that are looked at."""
    return [one.path for one in routes_of(bad) if "GET" in (one.methods or ())]


@pytest.fixture(scope="module")
def posts(bad: Opened) -> list[str]:
    """Paths that change something."""
    return [one.path for one in routes_of(bad) if "POST" in (one.methods or ())]


def test_hostile_text_is_text_on_every_page(bad: Opened, gets: list[str]) -> None:
    """On each page: no element, handler or address that a text brought, nothing invisible; every marker stands in letters."""
    client = client_of(bad)
    shown = set[str]()
    for path in gets:
        for more in ("", "state=all", "order=oldest", "page=2"):
            where = address(path) + (("&" if "?" in address(path) else "?") + more if more else "")
            answer = client.get(where)
            if path in ("/language", "/favicon.ico") or answer.status_code == 303:
                continue
            assert answer.status_code == 200, (where, answer.text[:300])
            page, read = answer.text, Read(answer.text)
            assert read.tags.count("script") == ('<script src="/static/browse.js" defer>' in page), where
            assert not {"img", "iframe", "object", "embed", "style", "base", "math"} & set(read.tags), where
            assert not [name for name, _ in read.attributes if name.startswith("on") or name in ("style", "autofocus")]
            links = [value for name, value in read.attributes if name in ("href", "src", "action")]
            assert all(re.match(r"/(?!/)|#|\?", one) for one in links), where
            assert not {char for char in page if odd(char)} - {"\u200c"}, where
            if "alert(1)" in read.said:
                shown.add(path.replace("{agent}/", ""))
    quiet = {one.replace("{agent}/", "") for one in gets} - shown - ELSEWHERE
    assert quiet == set(), "these pages show no text of the store: then the claim is empty for them"


@pytest.mark.parametrize("kind", list(TEXTS))
def test_each_kind_of_harm_is_named_where_it_stands(bad: Opened, kind: str) -> None:
    """The page of a fact says the whole text, with code points in the place of what cannot be seen."""
    place = list(TEXTS).index(kind)
    for path in (f"/memory/{SLUG}/fact?id=f{place}", f"/workspace/{SLUG}/fact?id=m{place}"):
        said = Read(client_of(bad).get(path).text).said
        whole = "".join(f"⟦{ord(char):04X}⟧" if odd(char) else char for char in TEXTS[kind])
        assert whole in said


def test_nobody_without_the_token_sees_any_route(bad: Opened, gets: list[str], posts: list[str]) -> None:
    """Each address, looked at or posted to, is 403 without the cookie and with a wrong one, and sets none."""
    app = browser(bad, token=TOKEN, port=PORT)
    for cookies in ({}, {app.cookie: "wrong"}, {app.cookie: ""}):
        stranger = TestClient(app, base_url=f"http://127.0.0.1:{PORT}", follow_redirects=False, cookies=cookies)
        for path in (*gets, "/static/browse.css", "/static/browse.js"):
            answer = stranger.get(address(path))
            assert (answer.status_code, "set-cookie" in answer.headers) == (403, False), path
        for path in posts:
            answer = stranger.post(address(path), data={"csrf": form_token(TOKEN)})
            assert (answer.status_code, "set-cookie" in answer.headers) == (403, False), path


def test_no_route_answers_under_another_name(bad: Opened, gets: list[str], posts: list[str]) -> None:
    """With the cookie, but under a foreign Host: 403 everywhere."""
    client = client_of(bad)
    for path in gets:
        assert client.get(address(path), headers={"host": f"evil.example:{PORT}"}).status_code == 403, path
    for path in posts:
        data = {"csrf": form_token(TOKEN)}
        assert client.post(address(path), data=data, headers={"host": "evil.example"}).status_code == 403, path


def test_no_form_of_another_page_reaches_any_route(bad: Opened, posts: list[str]) -> None:
    """Without the form's token, from another origin, or with too many fields: 403, and no journal moves."""
    client, before = client_of(bad), bad.store.view(AGENT).sequence
    token = form_token(TOKEN)
    many = {f"x{place}": "1" for place in range(300)}
    for path in posts:
        for data, headers in (
            ({}, {}),
            ({"csrf": "0" * 64}, {}),
            ({"csrf": token}, {"origin": "http://evil.example"}),
            ({"csrf": token}, {"sec-fetch-site": "same-site"}),
            ({"csrf": token, **many}, {}),
        ):
            assert client.post(address(path), data=data, headers=headers).status_code == 403, path
    assert bad.store.view(AGENT).sequence == before


def test_what_changes_is_only_posted(bad: Opened, gets: list[str], posts: list[str]) -> None:
    """A route takes looks or forms, never both; a look at every page leaves the journal as it is."""
    assert not set(gets) & set(posts)
    client, before = client_of(bad), bad.store.view(AGENT).sequence
    for path in gets:
        client.get(address(path))
    for path in posts:
        assert client.get(address(path)).status_code in (404, 405), path
    assert bad.store.view(AGENT).sequence == before


def test_read_only_has_nothing_that_changes(bad: Opened, seed: Path, posts: list[str], gets: list[str]) -> None:
    """Opened for reading, the application has no route that takes a form, no page shows one, and the guard refuses each."""
    found = opened(seed, embedder="hashing", read_only=True, clock=lambda: NOW)
    try:
        assert [one.path for one in routes_of(found) if "POST" in (one.methods or ())] == []
        client = client_of(found)
        for path in posts:
            for agent in ("harbor", "atlas"):
                answer = client.post(path.replace("{agent}", agent), data={"csrf": form_token(TOKEN), "id": "f003"})
                assert answer.status_code == 403, path
                assert "reading only" in answer.text
        for path in gets:
            for agent in ("harbor", "atlas"):
                page = client.get(path.replace("{agent}", agent) + "?id=f003&key=person:beth&state=all")
                assert 'method="post"' not in page.text, path
    finally:
        found.close()


def test_every_form_of_every_page_is_ours(bad: Opened, gets: list[str], posts: list[str]) -> None:
    """Each form that posts goes to a route that there is, and bears the token."""
    client, routes = client_of(bad), {one.replace("{agent}", SLUG) for one in posts}
    seen = set[str]()
    for path in gets:
        forms = re.findall(r'<form[^>]*method="post".*?</form>', client.get(address(path)).text, re.S)
        for form in forms:
            action = re.search(r'action="([^"]+)"', form)
            assert action is not None
            assert action[1] in routes
            assert f'name="csrf" value="{form_token(TOKEN)}"' in form
            seen.add(action[1])
    unused = {one.replace(SLUG, "{agent}") for one in routes - seen}
    assert unused == set(), "a route that no page leads to"


def test_no_list_grows_with_its_texts(bad: Opened, gets: list[str]) -> None:
    """With a text of a hundred thousand letters in every kind of row, lists stay small; only pages of one thing have it whole."""
    client = client_of(bad)
    for path in gets:
        if path.rsplit("/", 1)[-1] not in ("fact", "policy", "entity", "delete", "why"):
            assert len(client.get(address(path)).text) < 150_000, path

"""Who is let in, and what the pages are dressed with."""

from __future__ import annotations

import pytest
from browsed import PORT, TOKEN, client_of
from starlette.testclient import TestClient

from arandu_lab.browse.app import browser
from arandu_lab.browse.guard import form_token
from arandu_lab.browse.opening import Opened

FACTS = "/memory/harbor/facts"


def stranger(store: Opened) -> TestClient:
    return TestClient(
        browser(store, token=TOKEN, port=PORT), base_url=f"http://127.0.0.1:{PORT}", follow_redirects=False
    )


@pytest.mark.parametrize(
    "path", ["/", FACTS, "/static/browse.css", "/?token=wrong", "/?token=", f"/?token={TOKEN}&token=x"]
)
def test_without_the_token_nothing_is_shown(looked: Opened, path: str) -> None:
    """No page, no style sheet: 403, and no word of the memory."""
    answer = stranger(looked).get(path)
    assert answer.status_code == 403
    assert "Beth" not in answer.text
    assert "set-cookie" not in answer.headers


def test_the_token_becomes_a_cookie_and_leaves_the_address(looked: Opened) -> None:
    """The cookie is HttpOnly and SameSite=Strict; the page that sets it goes on to an address without the token."""
    answer = stranger(looked).get(f"/?token={TOKEN}")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "path=/" in cookie
    assert TOKEN not in answer.text
    assert "url=/" in answer.text


@pytest.mark.parametrize(
    "host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1", f"127.0.0.1:{PORT + 1}", f"0.0.0.0:{PORT}", ""]
)
def test_a_foreign_host_is_refused(looked: Opened, host: str) -> None:
    """A name that was made to lead here (DNS rebinding) gets nothing, not even with the cookie."""
    assert client_of(looked).get(FACTS, headers={"host": host}).status_code == 403


def test_every_answer_is_dressed(looked: Opened) -> None:
    """Pages, files and refusals forbid scripts of others, frames, sniffing and keeping."""
    client = client_of(looked)
    for answer in (
        client.get(FACTS),
        client.get("/static/browse.js"),
        stranger(looked).get("/"),
        client.get("/nowhere"),
    ):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_pages_hold_no_script_or_style_of_their_own(looked: Opened) -> None:
    """The policy forbids inline scripts, styles and handlers, so no page may need them."""
    client = client_of(looked)
    for path in (FACTS, "/memory/harbor/entities", "/memory/harbor/timeline", "/workspace/atlas/policies"):
        text = client.get(path).text
        assert " style=" not in text
        assert "<style" not in text
        assert " onclick=" not in text
        assert text.count("<script") == 1
        assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")


@pytest.mark.parametrize(
    ("more", "headers"),
    [
        ({"csrf": ""}, {}),
        ({"csrf": "0" * 64}, {}),
        ({}, {"origin": "http://evil.example"}),
        ({}, {"origin": "null"}),
        ({}, {"sec-fetch-site": "cross-site"}),
        ({}, {"sec-fetch-site": "same-site"}),
    ],
)
def test_a_form_of_another_page_changes_nothing(looked: Opened, more: dict[str, str], headers: dict[str, str]) -> None:
    """Without the form's own token, or from another origin: 403, and the journal is as it was."""
    before = looked.store.view("harbor").sequence
    data = {"csrf": form_token(TOKEN), "id": "f002", "text": "x", **more}
    for path in ("edit", "retire", "delete", "undo"):
        assert client_of(looked).post(f"/memory/harbor/{path}", data=data, headers=headers).status_code == 403
    assert looked.store.view("harbor").sequence == before


def test_other_methods_and_large_forms_are_refused(looked: Opened) -> None:
    """PUT, DELETE and OPTIONS are no methods here, and a form has a size."""
    client = client_of(looked)
    assert {client.request(name, FACTS).status_code for name in ("PUT", "DELETE", "OPTIONS", "PATCH")} == {405}
    assert (
        client.post("/memory/harbor/edit", data={"csrf": form_token(TOKEN), "text": "x" * 300_000}).status_code == 413
    )


@pytest.mark.parametrize("back", ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)"])
def test_going_back_stays_here(looked: Opened, back: str) -> None:
    """The page to go back to is one of ours, whatever the address says."""
    client = client_of(looked)
    assert client.get("/language", params={"to": "pt", "back": back}).headers["location"] == "/"

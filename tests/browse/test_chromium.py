"""The pages in a real headless Chromium: keys, the slider, phone width, no script of anybody else; with pictures.

Pictures go to a folder of the test; with ``ARANDU_LAB_PICTURES=1`` those of the documentation are renewed.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsed import NOW

from arandu_lab.browse.opening import opened

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = Path(os.environ.get("ARANDU_LAB_CHROMIUM", "/usr/bin/chromium"))
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM.exists(), reason=f"no Chromium at {CHROMIUM}; ARANDU_LAB_CHROMIUM names one"),
]
ARGUMENTS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
DOCS = Path(__file__).parents[2] / "docs" / "browser"
MEMORY, SHARED = "/memory/harbor", "/workspace/atlas"
PAGES = {
    "facts": f"{MEMORY}/facts?order=importance",
    "fact": f"{MEMORY}/fact?id=f047",
    "entities": f"{MEMORY}/entities",
    "events": f"{MEMORY}/events?order=oldest",
    "observations": f"{MEMORY}/observations",
    "timeline": f"{MEMORY}/timeline?at=2024-06-15",
    "why": f"{MEMORY}/why?q=Where+does+Beth+live%3F",
    "records": f"{MEMORY}/records",
    "workspace-facts": f"{SHARED}/facts?state=all",
    "workspace-policies": f"{SHARED}/policies?state=all",
    "workspace-graph": f"{SHARED}/graph",
    "workspace-conflicts": f"{SHARED}/conflicts",
}
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"viewport": {"width": 1200, "height": 740}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1200, "height": 760}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 360, "height": 740}, "color_scheme": "light"},
}
KEPT = {
    *("facts-light", "entities-light", "events-light", "observations-light", "timeline-dark", "why-light"),
    *("workspace-facts-light", "workspace-policies-phone", "workspace-graph-dark", "timeline-phone"),
}
"""Pictures of the documentation."""


@pytest.fixture(scope="module")
def address(seed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server over a copy of the store, which stops with the tests."""
    from arandu_lab.browse.serving import serving

    path = tmp_path_factory.mktemp("served") / "store"
    shutil.copytree(seed, path)
    found = opened(path, embedder="hashing", clock=lambda: NOW)
    with serving(found) as url:
        yield url
    found.close()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """One browser for all tests."""
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=ARGUMENTS)
        yield browser
        browser.close()


class Visitor:
    """A page that was let in, and what went wrong in it."""

    def __init__(self, chromium: Any, address: str, **look: Any) -> None:
        self.base = address.split("/?")[0]
        self.context = chromium.new_context(locale="en-GB", **look)
        self.page = self.context.new_page()
        self.wrong: list[str] = []
        self.page.on("console", lambda message: self.wrong.append(message.text))
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.wrong.append("a dialog"), dialog.dismiss()))
        self.page.goto(address)
        self.page.wait_for_url(f"{self.base}/")

    def to(self, path: str) -> Any:
        self.page.goto(self.base + path)
        return self.page


@pytest.fixture
def visitor(chromium: Any, address: str) -> Iterator[Visitor]:
    """Somebody at a desk, by day; nothing may go wrong in the page."""
    found = Visitor(chromium, address, **LOOKS["light"])
    yield found
    found.context.close()
    assert not found.wrong


@pytest.mark.parametrize("look", LOOKS)
def test_every_tab_fits_and_is_pictured(chromium: Any, address: str, look: str, tmp_path: Path) -> None:
    """No page is wider than its window, none runs or loads anything that the policy forbids; each has its picture."""
    visitor = Visitor(chromium, address, **LOOKS[look])
    for name, path in PAGES.items():
        page = visitor.to(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= LOOKS[look]["viewport"]["width"], name
        assert page.evaluate("getComputedStyle(document.querySelector('.bar')).display") == "flex", "the sheet is there"
        shot = tmp_path / f"{name}-{look}.png"
        page.screenshot(path=str(shot))
        if os.environ.get("ARANDU_LAB_PICTURES") and shot.stem in KEPT:
            assert shot.stat().st_size < 150_000
            DOCS.mkdir(exist_ok=True)
            shutil.copy(shot, DOCS / shot.name)
    visitor.context.close()
    assert not visitor.wrong


def test_hostile_text_does_nothing(visitor: Visitor) -> None:
    """A script in a statement is letters on the page."""
    page = visitor.to(f"{MEMORY}/facts?text=alert")
    assert "<script>alert(1)</script>" in page.inner_text(".rows .main")
    assert page.locator(".rows script").count() == 0


def test_keys_alone_are_enough(visitor: Visitor) -> None:
    """/ goes to the search, j and k walk rows, Enter opens one, e edits, numbers change tabs, ? lists them; all visible."""
    page = visitor.to(f"{MEMORY}/facts")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "text"
    page.keyboard.type("Lunenburg j")
    assert page.input_value("#text") == "Lunenburg j", "letters in a box are letters"
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("text=Lunenburg"))
    for key in "jjk":
        page.keyboard.press(key)
    first = page.locator(".row").first
    assert first.evaluate("row => row.contains(document.activeElement)")
    assert first.evaluate("row => getComputedStyle(row).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/fact[?]id="))
    page.keyboard.press("e")
    assert page.evaluate("document.activeElement.id") == "edit"
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    assert page.locator("#keys").is_visible()
    page.keyboard.press("Escape")
    assert not page.locator("#keys").is_visible()
    page.keyboard.press("5")
    page.wait_for_url(re.compile("/timeline"))


def test_the_slider_changes_the_list_at_once(visitor: Visitor) -> None:
    """Moved by keys, the slider shows another day and what held then, without loading the page or moving it."""
    page = visitor.to(f"{MEMORY}/timeline?at=2024-11-20")
    before, top = page.inner_text("#held .count"), page.locator("#held").bounding_box()["y"]
    page.focus("#day")
    with page.expect_response(re.compile("part=1")):
        page.keyboard.press("Home")
    page.wait_for_function("said => document.querySelector('#held .count').innerText !== said", arg=before)
    assert page.inner_text("#said") == "7 Jan 2024"
    assert page.locator("#held").bounding_box()["y"] == top
    assert page.input_value("#at") == "2024-01-07"
    assert "at=2024-01-07" in page.url


def test_correcting_and_undoing_by_hand(visitor: Visitor) -> None:
    """Edit, read what was done, undo it; delete with the tick, and read the certificate."""
    page = visitor.to(f"{MEMORY}/fact?id=f047")
    old = page.inner_text("h1")
    page.fill("#edit", "Elizabeth and Daniel are good friends")
    page.click("text=Save")
    assert page.inner_text("h1") == "Elizabeth and Daniel are good friends"
    assert "Corrected." in page.inner_text("[role=status]")
    page.click("[role=status] button")
    assert "Taken back." in page.inner_text("[role=status]")
    page = visitor.to(f"{MEMORY}/fact?id=f047")
    assert page.inner_text("h1") == old
    page.click("text=Delete…")
    page.check("[name=sure]")
    page.click("button.danger")
    assert "certificate" in page.inner_text("main")
    assert old not in page.content()


def test_a_node_leads_to_its_facts(visitor: Visitor) -> None:
    """The picture is made of links, for the mouse and for the tabulator."""
    page = visitor.to(f"{MEMORY}/entities")
    node = page.locator("svg.wide a").first
    node.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("/facts[?]entity="))
    assert page.locator(".row").count() > 0


def test_pages_do_without_a_script(chromium: Any, address: str) -> None:
    """With scripts off the slider has a button, lists are sent by theirs, and help opens."""
    visitor = Visitor(chromium, address, java_script_enabled=False, **LOOKS["light"])
    page = visitor.to(f"{MEMORY}/timeline")
    page.locator("#day").press("Home")
    page.click("text=Show this day")
    assert page.inner_text("#said") == "7 Jan 2024"
    page = visitor.to(f"{MEMORY}/facts")
    page.select_option("#state", "stale")
    page.click("text=Filter")
    assert "of 3" in page.inner_text(".count")
    page.click("[popovertarget=keys]")
    assert page.locator("#keys").is_visible()
    visitor.context.close()


def test_nobody_else_gets_in(chromium: Any, address: str) -> None:
    """Without the token there is nothing; with it, the address that is left holds no token, and scripts see no cookie."""
    base = address.split("/?")[0]
    context = chromium.new_context()
    page = context.new_page()
    answer = page.goto(base + PAGES["facts"])
    assert answer.status == 403
    context.close()
    visitor = Visitor(chromium, address)
    assert "token" not in visitor.page.url
    assert visitor.page.evaluate("document.cookie") == ""
    visitor.context.close()

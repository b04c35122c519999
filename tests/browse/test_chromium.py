"""The pages in a real headless Chromium: keys, the slider, phone width, colours, no script of anybody else.

One server and one browser serve all tests of the file. The pictures of the documentation are taken by ``pictures.py``.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsed import NOW
from hostile import AGENT, SLUG, rows_of
from visiting import CHROMIUM, LOOKS, Visitor, started

from arandu_lab.browse.opening import opened

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM.exists(), reason=f"no Chromium at {CHROMIUM}; ARANDU_LAB_CHROMIUM names one"),
]
MEMORY, SHARED, BAD = "/memory/harbor", "/workspace/atlas", f"/memory/{SLUG}"
PAGES = {
    "facts": f"{MEMORY}/facts?order=importance",
    "fact": f"{MEMORY}/fact?id=f047",
    "delete": f"{MEMORY}/fact/delete?id=f047",
    "entities": f"{MEMORY}/entities",
    "entity": f"{MEMORY}/entity?key=person:elizabeth_comeau",
    "events": f"{MEMORY}/events?order=oldest",
    "observations": f"{MEMORY}/observations",
    "timeline": f"{MEMORY}/timeline?at=2024-06-15",
    "why": f"{MEMORY}/why?q=Where+does+Beth+live%3F&fact=f047",
    "records": f"{MEMORY}/records",
    "workspace-facts": f"{SHARED}/facts?state=all",
    "workspace-policies": f"{SHARED}/policies?state=all",
    "workspace-graph": f"{SHARED}/graph",
    "workspace-conflicts": f"{SHARED}/conflicts",
    "workspace-records": f"{SHARED}/records",
    "hostile-facts": f"{BAD}/facts?state=all",
    "hostile-fact": f"{BAD}/fact?id=f6",
    "hostile-events": f"{BAD}/events",
    "hostile-entities": f"{BAD}/entities",
    "hostile-records": f"{BAD}/records",
    "hostile-shared": f"/workspace/{SLUG}/facts?state=all",
    "hostile-graph": f"/workspace/{SLUG}/graph",
    "hostile-conflicts": f"/workspace/{SLUG}/conflicts",
    "home": "/",
}
PALE = """() => {
  const ink = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => { ink.clearRect(0, 0, 1, 1); ink.fillStyle = colour; ink.fillRect(0, 0, 1, 1); return [...ink.getImageData(0, 0, 1, 1).data]; };
  const light = (c) => [.2126, .7152, .0722].reduce((sum, part, i) => { const v = c[i] / 255; return sum + part * (v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); }, 0);
  const under = (at) => { for (; at; at = at.parentElement) { const c = rgba(getComputedStyle(at).backgroundColor); if (c[3] === 255) return c; } return rgba(getComputedStyle(document.body).backgroundColor); };
  const seen = new Map(), walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode() && seen.size < 400) {
    const at = walk.currentNode.parentElement, box = at.getBoundingClientRect();
    if (!walk.currentNode.data.trim() || box.width < 2 || box.height < 2 || at.closest(".sr, svg, script, noscript, [popover]")) continue;
    const style = getComputedStyle(at), key = [at.className, at.tagName, style.color].join();
    if (style.visibility === "hidden" || seen.has(key)) continue;
    const [a, b] = [light(rgba(style.color)), light(under(at))].sort((x, y) => y - x);
    seen.set(key, [(a + .05) / (b + .05), walk.currentNode.data.trim().slice(0, 40)]);
  }
  return [...seen.values()].filter(([ratio]) => ratio < 4.5).map(([ratio, text]) => `${ratio.toFixed(2)} ${text}`);
}"""
"""Texts that stand out from what is under them by less than 4.5 to 1 (WCAG AA)."""
CUT = """() => [...document.querySelectorAll(".meta")].filter((list) => list.offsetParent).flatMap((list) => {
  const style = getComputedStyle(list), hidden = style.clipPath === "none" ? 0 : parseFloat(style.fontSize);
  const edge = list.getBoundingClientRect().left + hidden, walk = document.createTreeWalker(list, NodeFilter.SHOW_TEXT), found = [];
  while (walk.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(walk.currentNode);
    if (walk.currentNode.data.trim() && !walk.currentNode.parentElement.closest(".sr") && [...range.getClientRects()].some((box) => box.width > 1 && box.left < edge - .5)) found.push(walk.currentNode.data.slice(0, 40));
  }
  return found.concat([...list.querySelectorAll(":scope > .chip")].filter((one) => one.getBoundingClientRect().left < edge - .5).map((one) => one.innerText));
})"""
"""Texts of which a line, and chips of which the edge, lie left of where their list is cut off."""
BROKEN = """() => [...document.querySelectorAll(".kinds a, .tabs a, button")].filter((one) => one.offsetParent && one.getBoundingClientRect().height > 60).map((one) => one.innerText)"""
"""Words of the head and of buttons that stand on three lines or more."""


@pytest.fixture(scope="module")
def address(seed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server over a copy of the store, with a hostile agent in it, which stops with the tests."""
    from arandu_lab.browse.serving import serving

    path = tmp_path_factory.mktemp("served") / "store"
    shutil.copytree(seed, path)
    found = opened(path, embedder="hashing", clock=lambda: NOW)
    found.store.append("edit", AGENT, rows_of(AGENT), unit_id="edit:hostile", recorded_at=NOW)
    with serving(found) as url:
        yield url
    found.close()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """One browser for all tests."""
    with started() as browser:
        yield browser


@pytest.fixture
def visitor(chromium: Any, address: str) -> Iterator[Visitor]:
    """Somebody at a desk, by day; nothing may go wrong in the page."""
    found = Visitor(chromium, address, **LOOKS["light"])
    yield found
    found.context.close()
    assert not found.wrong


def test_every_page_fits_and_is_legible(visitor: Visitor) -> None:
    """At a desk and in a hand, by day and by night: no page is wider than its window, no line is cut off at its beginning, no
    word of the head falls to letters, no text is paler than WCAG AA, and none runs or loads what the policy forbids; not even where every text is a hundred thousand letters without a blank."""
    for name, path in PAGES.items():
        page = visitor.to(path)
        assert page.evaluate("getComputedStyle(document.querySelector('.bar')).display") == "flex", "the sheet is there"
        for look in ("light", "phone-dark", "phone", "narrow", "dark"):
            page.set_viewport_size(LOOKS[look]["viewport"])
            page.emulate_media(color_scheme=LOOKS[look]["color_scheme"], reduced_motion="reduce")
            assert visitor.too_wide() <= 0, (name, look)
            assert page.evaluate(f"[...({CUT})(), ...({BROKEN})()]") == [], (name, look)
            if look in ("light", "phone-dark"):
                assert page.evaluate(PALE) == [], (name, look)


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


def test_the_slider_keeps_the_filter_and_says_when_nobody_answers(visitor: Visitor) -> None:
    """Moved under a filter, it leaves an address that shows the same again; and where the server is gone, it says so instead of
    leaving another day's list under the new date."""
    page = visitor.to(f"{MEMORY}/timeline?at=2024-11-20&text=lives&known=2024-12-01")
    with page.expect_response(re.compile("part=1")):
        page.locator("#day").press("ArrowLeft")
    page.wait_for_url(re.compile("at=2024-11-19"))
    shown = page.inner_text("#held")
    page.reload()
    assert (page.input_value("#text"), page.input_value("#known")) == ("lives", "2024-12-01")
    assert page.inner_text("#held") == shown
    visitor.context.set_offline(True)
    page.locator("#day").press("ArrowLeft")
    page.wait_for_selector("#held .count", state="detached")
    assert "Nobody answers" in page.inner_text("#held")
    visitor.context.set_offline(False)
    visitor.wrong = [one for one in visitor.wrong if "ERR_INTERNET_DISCONNECTED" not in one]


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


def test_names_are_completed_while_correcting(visitor: Visitor) -> None:
    """Names that begin like the word at the cursor are offered under the box; Tab and Enter write one; others go away."""
    page = visitor.to(f"{MEMORY}/facts")
    page.locator(".row a.main").nth(1).click()
    page.fill("#edit", "")
    page.type("#edit", "works with lunenb")
    offered = page.locator("[data-offer] button")
    offered.first.wait_for()
    name = offered.first.inner_text()
    assert name.lower().startswith("lunenb")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.input_value("#edit") == f"works with {name}"
    assert page.evaluate("document.activeElement.id") == "edit"
    page.keyboard.type(" zzz")
    assert page.locator("[data-offer]").is_hidden()


def test_two_entities_are_merged_and_parted_by_hand(visitor: Visitor) -> None:
    """A proposal's button merges, what was done is said, and Undo gives both back."""
    page = visitor.to(f"{MEMORY}/entities?text=sarah")
    before = page.inner_text(".count")
    page.locator(".row .more").first.click()
    page.click("text=names, merging, parting")
    page.locator(".same button").first.click()
    assert "Merged." in page.inner_text("[role=status]")
    page.click("[role=status] button")
    assert "Taken back." in page.inner_text("[role=status]")
    assert visitor.to(f"{MEMORY}/entities?text=sarah").inner_text(".count") == before


def test_a_conflict_is_decided_by_hand(visitor: Visitor) -> None:
    """The other side is chosen with its button, and the page says which holds."""
    page = visitor.to(f"{SHARED}/conflicts")
    assert page.inner_text(".side.kept .chip") == "now"
    page.click(".side.lost button")
    assert "Decided." in page.inner_text("[role=status]")
    assert page.inner_text(".side.lost .chip") == "now"

"""Every page of every tab, in both languages: what it shows, how it is cut into pages, and that text stays text."""

from __future__ import annotations

import re
import tomllib
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from browsed import NOW, client_of
from hypothesis import given
from hypothesis import strategies as st

import arandu_lab.browse as package
from arandu_lab.browse.layout import laid_out
from arandu_lab.browse.listing import STATES, Wanted, listed, paged, states
from arandu_lab.browse.opening import Opened
from arandu_lab.browse.visible import odd, visible, words
from arandu_lab.pure.text import fold
from arandu_lab.records import Fact
from arandu_lab.store.view import AgentView, Image

HERE = Path(package.__file__).parent
TABS = [
    *(f"/memory/harbor/{tab}" for tab in ("facts", "entities", "events", "observations", "timeline", "records", "why")),
    *(f"/workspace/atlas/{tab}" for tab in ("facts", "policies", "graph", "conflicts", "records")),
]


@pytest.mark.parametrize("path", TABS)
def test_every_tab_is_a_page(looked: Opened, path: str) -> None:
    """A tab answers with a page that marks itself as the open one, in the language that the browser asks for."""
    client = client_of(looked)
    page = client.get(path, headers={"accept-language": "pt-BR,pt;q=0.9"})
    assert page.status_code == 200
    assert 'aria-current="page"' in page.text
    assert ('<html lang="pt">' in page.text and "Linha do tempo" in page.text) or "Políticas" in page.text


def test_what_pages_say_is_said_in_portuguese_too() -> None:
    """Every sentence of a template has its Portuguese, with the same gaps."""
    said = tomllib.loads((HERE / "words" / "pt.toml").read_text(encoding="utf-8"))
    asked = set()
    for file in (HERE / "templates").glob("*.html"):
        asked |= set(re.findall(r"""_\((?:"([^"]*)"|'([^']*)')""", file.read_text(encoding="utf-8")))
    missing = {one or other for one, other in asked} - said.keys()
    assert not missing, missing
    for english, portuguese in said.items():
        assert sorted(re.findall(r"{\w+}", english)) == sorted(re.findall(r"{\w+}", portuguese)), english


def test_hostile_text_is_shown_as_text(looked: Opened) -> None:
    """A statement with markup, control and bidi characters is on the page in letters, and does nothing."""
    client = client_of(looked)
    for path in ("/memory/harbor/facts", "/memory/harbor/fact?id=hostile", "/memory/harbor/events?order=oldest"):
        text = client.get(path).text
        assert "<script>alert" not in text
        assert "&lt;script&gt;alert(1)" in text
        assert not re.search("[\u202a-\u202e\u2066-\u2069\x00-\x08\x0e-\x1f]", text)
        assert "⟦202E⟧" in text
        assert "{{ 7*7 }}" in text
        assert '" onmouseover' not in text


@given(st.text())
def test_nothing_invisible_is_left(text: str) -> None:
    """Whatever is said, what is shown has no odd character, and its letters are the same."""
    assert not any(map(odd, visible(text)))
    assert visible("".join(char for char in text if not odd(char))) == "".join(char for char in text if not odd(char))
    assert "<" not in str(words(text)).replace('<span class="odd" title="', "").replace("</span>", "")


def test_a_fact_page_tells_where_it_comes_from(looked: Opened) -> None:
    """Versions, source turn, and the forms, each with its token."""
    view = looked.store.view("harbor")
    fact = next(one for place in range(len(view.facts)) if (one := view.fact_at(place)).supersedes_fact_id)
    text = client_of(looked).get("/memory/harbor/fact", params={"id": fact.id}).text
    before = view.fact(fact.supersedes_fact_id or "")
    assert before is not None
    assert before.text.replace("'", "&#39;") in text
    assert "Where it comes from" in text


def test_what_is_not_there_is_404(looked: Opened) -> None:
    """Unknown agents, tabs, facts and kinds are told as such, on a page of ours."""
    client = client_of(looked)
    for path in (
        "/memory/nobody/facts",
        "/memory/harbor/fact?id=none",
        "/workspace/harbor/facts",
        "/memory/harbor/nope",
    ):
        answer = client.get(path)
        assert answer.status_code == 404, path


def test_read_only_shows_no_form_and_takes_none(looked: Opened, seed: Path) -> None:
    """Opened for reading, pages have no form that posts, and one that is sent all the same is refused."""
    from browsed import TOKEN

    from arandu_lab.browse.guard import form_token
    from arandu_lab.browse.opening import opened

    found = opened(seed, embedder="hashing", read_only=True, clock=lambda: NOW)
    client = client_of(found)
    for path in (
        "/memory/harbor/facts",
        "/memory/harbor/fact?id=f003",
        "/workspace/atlas/policies",
        "/memory/harbor/records",
    ):
        page = client.get(path)
        assert page.status_code == 200
        assert 'method="post"' not in page.text
        assert "read only" in page.text
    answer = client.post("/memory/harbor/retire", data={"csrf": form_token(TOKEN), "id": "f003"})
    assert answer.status_code == 403
    assert "reading only" in answer.text
    found.close()


def test_the_timeline_shows_what_held_then(looked: Opened) -> None:
    """At a date the page lists what a view says held then; its part alone is what the slider loads."""
    client, view = client_of(looked), looked.store.view("harbor")
    part = client.get("/memory/harbor/timeline", params={"at": "2024-03-01", "part": 1}).text
    held = int(view.facts.live(as_of=datetime(2024, 3, 1, 23, 59, 59, tzinfo=UTC)).sum())
    assert f"of {held}" in part
    assert "<html" not in part
    slid = client.get("/memory/harbor/timeline", params={"day": 54}).text
    assert f"of {held}" in slid, "the slider's form without a script"


def test_why_shows_scores_and_reasons(looked: Opened) -> None:
    """A question's page has the context and the score columns; a clicked fact its checks. Nothing is counted as use."""
    client, before = client_of(looked), looked.store.view("harbor").sequence
    page = client.get("/memory/harbor/why", params={"q": "Where does Beth live?"}).text
    assert "Known facts:" in page
    assert "semantic" in page
    link = re.search(r'href="(/memory/harbor/why\?[^"]*fact=[^"]*)#explained"', page)
    assert link is not None
    assert "Why it is" in client.get(link[1].replace("&amp;", "&")).text
    looked.memory.retrieved.write_down(looked.memory)
    assert looked.store.view("harbor").sequence == before


def many(n: int) -> AgentView:
    """A view of n facts about 200 people."""
    at = NOW.replace(year=2023)
    rows = [
        Fact(
            id=f"f{i}",
            agent_id="a",
            entity_key=f"person:p{i % 200}",
            entity_name=f"P{i % 200}",
            text=f"P{i % 200} says number {i} às {'três' if i % 3 else 'duas'}",
            confidence=(i * 37 % 100) / 100,
            importance=(i * 53 % 100) / 100,
            category="c",
            speaker="s",
            source_event_id="e",
            valid_from=at,
            recorded_at=at,
            valid_to=NOW if i % 5 == 0 else None,
            stale_since=NOW if i % 7 == 0 else None,
        )
        for i in range(n)
    ]
    return AgentView.of("a", (Image(row, 0, i) for i, row in enumerate(rows)), 1, fresh=True)


def test_lists_are_the_plain_filter() -> None:
    """Filtering and sorting on columns gives what a loop over rows gives, and the states part all facts."""
    n = 1500
    n = 1500
    view = many(n)
    rows = [view.fact_at(place) for place in range(n)]
    masks = states(view, NOW)
    assert sum(int(masks[name].sum()) for name in STATES if name != "all") == n
    for state in STATES:
        got = listed(view, Wanted(text="TRES 1", state=state, order="importance"), NOW).tolist()
        want = [i for i, one in enumerate(rows) if masks[state][i] and all(w in fold(one.text) for w in ("tres", "1"))]
        assert sorted(got) == want
        weights = [rows[i].importance for i in got]
        assert weights == sorted(weights, reverse=True)


@given(st.integers(0, 500), st.integers(-3, 99), st.integers(1, 50))
def test_pages_part_the_rows(total: int, page: int, size: int) -> None:
    """Pages put one after the other are the rows, and any number asked for is one of them."""
    shown = paged(range(total), page, size)
    assert 1 <= shown.page <= shown.pages
    assert [one for each in range(1, shown.pages + 1) for one in paged(range(total), each, size).rows] == list(
        range(total)
    )


def test_the_picture_is_the_same_and_no_labels_meet() -> None:
    """Laid out twice a graph lies the same; boxes are inside the frame and do not lie on each other."""
    sizes = np.array([[60.0 + 3 * (i % 7), 30.0] for i in range(24)])
    edges = [(i, (i * 5 + 1) % 24) for i in range(24)]
    at = laid_out(sizes, edges, width=760, height=590)
    assert np.array_equal(at, laid_out(sizes, edges, width=760, height=590))
    assert (at - sizes / 2 >= -1e-6).all()
    assert (at + sizes / 2 <= np.array([760, 590]) + 1e-6).all()
    gaps = np.abs(at[:, None] - at[None]) - (sizes[:, None] + sizes[None]) / 2
    apart = (gaps > -1.0).any(axis=2) | np.eye(24, dtype=bool)
    assert apart.all()

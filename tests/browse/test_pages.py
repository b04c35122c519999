"""Every page of every tab, in both languages: what it shows, how it is cut into pages, and that text stays text."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from browsed import NOW, client_of
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import Environment, nodes

import arandu_lab.browse as package
import arandu_lab.workspace as workspace_package
from arandu_lab.browse import policies, records, shared
from arandu_lab.browse.desk import ROWS, dated
from arandu_lab.browse.desk import TABS as TABS_OF
from arandu_lab.browse.drawing import Tie, thinned
from arandu_lab.browse.layout import laid_out
from arandu_lab.browse.listing import ORDERS, STATES, Wanted, listed, paged, states
from arandu_lab.browse.opening import Opened
from arandu_lab.browse.visible import odd, visible, words
from arandu_lab.jobs import communities, connecting, contradicting, moods, overview
from arandu_lab.jobs.preset import jobs as job_pipelines
from arandu_lab.knowledge import Disagreed, EdgeKind, Veracity
from arandu_lab.llm.rules.emotion import _WORDS as FEELINGS
from arandu_lab.pure.memory_types import DECAYS
from arandu_lab.pure.text import fold
from arandu_lab.records import ClosedBy, Fact
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


def said_in_portuguese() -> dict[str, str]:
    return tomllib.loads((HERE / "words" / "pt.toml").read_text(encoding="utf-8"))


def test_what_pages_say_is_said_in_portuguese_too() -> None:
    """Every sentence of a template, of an answer to a form, of a tab and of rows has its Portuguese, with the same gaps."""
    said, asked = said_in_portuguese(), set[str]()
    for file in (HERE / "templates").glob("*.html"):
        calls = Environment().parse(file.read_text(encoding="utf-8")).find_all(nodes.Call)
        for call in calls:
            if isinstance(call.node, nodes.Name) and call.node.name == "_":
                text = call.args[0]
                options = [text.expr1, text.expr2] if isinstance(text, nodes.CondExpr) else [text]
                asked |= {one.value for one in options if isinstance(one, nodes.Const)}
    assert len(asked) > 150
    answers = set[str]()
    for file in HERE.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            tells = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "told"
            names = (
                isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "said"
            )
            if tells or names:
                texts = [one.value for one in ast.walk(node) if isinstance(one, ast.Constant)]
                answers |= {one for one in texts if isinstance(one, str) and re.fullmatch(r"[A-Z].* .*\.", one)}
    assert len(answers) > 12
    asked |= answers
    asked |= {label for tabs in TABS_OF.values() for _, label in tabs} | {one for pair in ROWS.values() for one in pair}
    assert not asked - said.keys()
    for english, portuguese in said.items():
        assert sorted(re.findall(r"{\w+}", english)) == sorted(re.findall(r"{\w+}", portuguese)), english


def test_words_of_the_store_are_said_in_portuguese_too() -> None:
    """States, orders, kinds, reasons, feelings, types, jobs and operations: each word that a store of ours holds has its own."""
    operations = {
        name
        for file in Path(workspace_package.__file__).parent.glob("*.py")
        for name in re.findall(r"""_unit\(\s*"([a-z_]+)\"""", file.read_text(encoding="utf-8"))
    }
    assert len(operations) > 12
    vocabulary: dict[str, set[str]] = {
        "states": {*STATES, *shared.STATES, *policies.STATES, "undo"},
        "orders": {*ORDERS, *shared.ORDERS, "newest", "oldest"},
        "records": {*records.KINDS, "correction", "merge", "split", "retire"},
        "operations": operations,
        "jobs": set(job_pipelines()),
        "closed by": set(get_args(ClosedBy)),
        "veracity": set(get_args(Veracity)),
        "ties": set(get_args(EdgeKind)),
        "conflicts": set(get_args(Disagreed)),
        "memory types": set(DECAYS),
        "feelings": {*FEELINGS},
        "concluded": {
            "insight",
            "pattern",
            "directive",
            contradicting.KIND,
            moods.KIND,
            overview.KIND,
            connecting.KIND,
        },
        "themes": {communities.KIND},
        "types": {"person", "place", "organization", "pet", "product", "software", "concept", "other"},
    }
    said = said_in_portuguese()
    missing = {
        kind: lost
        for kind, words in vocabulary.items()
        if (lost := {one.replace("_", " ") for one in words} - said.keys())
    }
    assert not missing


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


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12), st.floats(0, 1)), max_size=80), st.integers(1, 4))
def test_a_thinned_graph_keeps_everybody_tied(ties: list[tuple[int, int, float]], most: int) -> None:
    """Of many ties some are kept, in their order: nobody who was tied to another stands alone, and no tie is left out
    while one of its ends has fewer than ``most``."""
    given_ties = [Tie(source=str(a), target=str(b), label="", strength=weight) for a, b, weight in ties]
    kept = thinned(given_ties, most)
    places = [next(i for i, one in enumerate(given_ties) if one is each) for each in kept]
    assert places == sorted(places)
    held = Counter(end for one in kept for end in (one.source, one.target))
    for one in given_ties:
        if one.source != one.target and not any(one is each for each in kept):
            assert min(held[one.source], held[one.target]) >= most
    assert all(one.source != one.target for one in kept)
    assert len(kept) <= most * 13


def test_a_moment_is_read_by_the_clock_that_told_it() -> None:
    """A turn of 22:30 in Recife is of that day there, though it is the next one in UTC; other moments say that they are UTC."""
    day = dated("pt")
    at = datetime.fromisoformat("2024-02-15T22:30:00-03:00")
    assert day(at, time=True, told=True) == "15 fev 2024, 22:30"
    assert day(at, time=True) == "16 fev 2024, 01:30 UTC"

"""Who sees what, and what comes first: grants through the search, repository before workspace, disagreement marked."""

from __future__ import annotations

from typing import Any

import pytest

from arandu_lab.knowledge import Sighting
from arandu_lab.workspace.search.library import Library


def ids(found: Any) -> list[str]:
    return [hit.fact.id for hit in found.hits]


@pytest.mark.parametrize("mode", ["keyword", "semantic", "hybrid"])
@pytest.mark.parametrize(
    ("own", "every", "seen"),
    [
        (None, None, True), ("read", None, True), ("write", None, True), ("none", None, False),
        (None, "none", False), (None, "read", True), (None, "write", True),
        ("none", "write", False), ("read", "none", True), ("write", "none", True),
    ],
)  # fmt: skip
def test_truth_table(ask: Any, fact: Any, grant: Any, mode: str, own: Any, every: Any, seen: bool) -> None:
    """S4: missing is read; the role's own grant goes before that of all; only ``none`` hides."""
    grants = [grant(role, "security", held) for role, held in (("coder", own), ("*", every)) if held]
    facts = [fact("s", "The token rotates weekly", domain="security"), fact("c", "The token is in the vault")]
    found = ask("token", facts, grants=grants, role="coder", mode=mode)
    assert ("s" in ids(found)) == seen
    assert "c" in ids(found)
    assert seen or "s" not in found.frame["fact_id"].to_list()


def test_a_closed_domain_leaves_no_trace(ask: Any, fact: Any, grant: Any, tie: Any) -> None:
    """For a role that may not see a domain, the result is that of a workspace without it: no path, no statistics, no mark."""
    hidden = [
        fact("h", "Deploys never run on Fridays", domain="security"),
        fact("k", "Deploys, deploys, deploys", domain="security"),
    ]
    shown = [fact("a", "Deploys run on Fridays"), fact("z", "Ana owns it", bare=True, days=300)]
    ties = [tie("a", "h"), tie("h", "z")]
    closed = [grant("guest", "security", "none")]
    found = ask("Friday deploys", [*shown, *hidden], edges=ties, grants=closed, role="guest")
    without = ask("Friday deploys", shown)
    assert ids(found) == ids(without) == ["a"]
    assert [hit.score for hit in found.hits] == [hit.score for hit in without.hits]
    assert "z" in ids(ask("Friday deploys", [*shown, *hidden], edges=ties, grants=closed, role="lead"))


def test_scopes_are_granted_apart(ask: Any, fact: Any, grant: Any) -> None:
    """A grant on ``security`` says nothing about ``repo:api/security``: two stores of one name."""
    facts = [
        fact("w", "The token rotates", domain="security"),
        fact("r", "The token expires", domain="security", repo="api"),
    ]
    assert ids(ask("token", facts, grants=[grant("coder", "security", "none")], role="coder")) == ["r"]
    assert ids(ask("token", facts, grants=[grant("coder", "repo:api/security", "none")], role="coder")) == ["w"]


@pytest.mark.parametrize("mode", ["keyword", "semantic", "hybrid"])
def test_the_repository_comes_first_and_filters_nothing(ask: Any, fact: Any, mode: str) -> None:
    """A weak match of the repository stands before the best of the workspace; all are there; another repository is no home."""
    facts = [
        fact("w", "Deploys run on Fridays"),
        fact("o", "Deploys run on Fridays at night", repo="web"),
        fact("r", "Mondays are for deploys of the api, by Ana", repo="api"),
    ]
    assert ids(ask("who says that deploys run on Fridays?", facts, mode=mode))[0] != "r"
    found = ask("who says that deploys run on Fridays?", facts, mode=mode, repo="api")
    assert ids(found)[0] == "r"
    assert set(ids(found)) == {"w", "o", "r"}
    assert [hit.home for hit in found.hits] == [True, False, False]


def test_disagreement_is_marked_on_both_sides(ask: Any, fact: Any) -> None:
    """S3: a repository's correction supersedes nothing: it is listed before, and each names the other with the reason."""
    wide = fact("w", "The API limit is 100", topic="limit")
    near = fact("r", "The API limit is 250", topic="Limit", repo="api")
    other = fact("t", "The API limit is 300", topic="quota", repo="api")
    found = ask("what is the API limit?", [wide, near, other], repo="api")
    marks = {hit.fact.id: [(one.fact_id, one.why) for one in hit.disputed_by] for hit in found.hits}
    assert marks == {"w": [("r", "number")], "r": [("w", "number")], "t": []}
    assert ids(found).index("r") < ids(found).index("w")


def test_a_correction_is_brought_in(ask: Any, fact: Any) -> None:
    """Beyond the limit, and with other words: the repository's contradiction of a hit is listed before it all the same."""
    wide = fact("w", "usamos PostgreSQL", topic="banco", days=1)
    near = fact("r", "usamos MySQL", topic="banco", days=900, repo="api", bare=True)
    rest = [fact(f"x{n}", f"PostgreSQL note {n} of PostgreSQL", topic="other") for n in range(5)]
    found = ask("usamos PostgreSQL?", [wide, near, *rest], repo="api", limit=2)
    assert ids(found) == ["r", "w"]
    assert found.hits[0].disputed_by[0].fact_id == "w"
    assert len(ask("usamos PostgreSQL?", [wide, near, *rest], repo="api", limit=1).hits) == 1


def test_hits_show_their_sources(fact: Any, ask: Any) -> None:
    """The sightings that a fact cites come with it; those that are gone are left out."""
    import asyncio

    from arandu_lab.workspace.search.asking import search
    from arandu_lab.workspace.search.found import Request

    cited = fact("a", "Deploys run on Fridays", source_observation_ids=("s1", "gone"))
    seen = Sighting(
        id="s1", agent_id="w", agent="coder", text="we deploy on fridays", occurred_at=cited.valid_from, recorded_at=cited.valid_from
    )  # fmt: skip
    library = Library(now=cited.valid_from, facts=(cited,), sightings=(seen,))
    found, _ = asyncio.run(search(Request(query="deploys", library=library), embed=None))
    assert [one.id for one in found.hits[0].sources] == ["s1"]

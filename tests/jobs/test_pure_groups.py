"""Groups: union-find against scipy, topics and communities against scikit-learn, procedures against the rule of words."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import linkage
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import pdist, squareform
from sklearn.cluster import DBSCAN, AgglomerativeClustering
from sklearn.metrics import adjusted_rand_score

from arandu_lab.errors import ConfigError
from arandu_lab.pure.clustering import communities, topics
from arandu_lab.pure.compare import differences
from arandu_lab.pure.components import components, labels
from arandu_lab.pure.procedures import merged
from arandu_lab.pure.text import normal


@st.composite
def graphs(draw):
    n = draw(st.integers(1, 25))
    node = st.integers(0, n - 1)
    return n, draw(st.lists(st.tuples(node, node), max_size=40))


@st.composite
def clouds(draw):
    """Vectors around a few centres, none of them zero."""
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    n, dim = draw(st.integers(2, 24)), draw(st.integers(2, 8))
    centres = rng.normal(size=(draw(st.integers(1, 5)), dim))
    return centres[rng.integers(0, len(centres), n)] + draw(st.floats(0.05, 1.0)) * rng.normal(size=(n, dim))


def numbered(marks) -> list[int]:
    number: dict[int, int] = {}
    return [number.setdefault(int(mark), len(number)) for mark in marks]


@given(graphs())
def test_parts_are_scipys(graph) -> None:
    """Parts of a graph are scipy's connected components up to renaming, and numbered in the order of their first node."""
    n, edges = graph
    ends = np.array(edges, dtype=int).reshape(-1, 2)
    theirs = connected_components(
        coo_matrix((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(n, n)), directed=False
    )
    assert labels(n, edges).tolist() == numbered(theirs[1])


@given(graphs(), st.integers(1, 4), st.randoms(use_true_random=False))
def test_parts_do_not_depend_on_edges_order(graph, least, chance) -> None:
    """Order, direction and doubles of edges never show; what is too small is left out, the rest covers its nodes once."""
    n, edges = graph
    turned = [edge[::-1] if chance.random() < 0.5 else edge for edge in chance.sample(edges, len(edges))] + edges[:3]
    parts = components(n, edges, least)
    assert parts == components(n, turned, least)
    nodes = [node for part in parts for node in part]
    assert len(nodes) == len(set(nodes))
    assert all(len(part) >= least and part == sorted(part) for part in parts)
    assert parts == sorted(parts)
    if least == 1:
        assert sorted(nodes) == list(range(n))


def test_long_chains_and_refusals() -> None:
    """A chain of a hundred thousand nodes is one part; edges of other shapes and nodes are refused."""
    n = 100_000
    assert not labels(n, np.stack([np.arange(n - 1), np.arange(1, n)], axis=1)).any()
    with pytest.raises(ConfigError, match="0 to 1"):
        labels(2, [(0, 2)])
    with pytest.raises(ConfigError, match=r"wanted \(m, 2\)"):
        labels(2, [0, 1])
    assert components(3, []) == []
    assert labels(0, []).tolist() == []


@given(clouds(), st.floats(-0.5, 0.98))
def test_topics_are_scikit_learns(vectors, threshold) -> None:
    """Topics are AgglomerativeClustering's (cosine, average linkage), but where a merge lies on the threshold itself."""
    heights = linkage(pdist(vectors, "cosine"), "average")[:, 2]
    assume(np.abs(heights - (1.0 - threshold)).min() > 2e-6)
    theirs = AgglomerativeClustering(
        n_clusters=None, metric="cosine", linkage="average", distance_threshold=1.0 - threshold
    ).fit_predict(vectors)
    assert topics(vectors, threshold).tolist() == numbered(theirs)


@given(clouds(), st.floats(-0.5, 0.98))
def test_communities_are_scikit_learns(vectors, threshold) -> None:
    """Communities are the clusters of DBSCAN that asks one neighbour, cosine distance up to 1 - threshold."""
    apart = squareform(pdist(vectors, "cosine"))
    assume(np.abs(apart - (1.0 - threshold)).min() > 2e-6)
    theirs = numbered(DBSCAN(eps=1.0 - threshold, min_samples=1, metric="precomputed").fit_predict(apart))
    wanted = [[place for place, mark in enumerate(theirs) if mark == group] for group in dict.fromkeys(theirs)]
    assert communities(vectors, threshold, least=1) == wanted
    assert communities(vectors, threshold) == [group for group in wanted if len(group) > 1]


@given(clouds(), st.floats(-0.5, 0.98), st.floats(0.1, 50.0))
def test_topics_hold_together(vectors, threshold, length) -> None:
    """No more topics than rows; lengths never show; a topic's mean cosine is at the threshold or above wherever it was
    made of two, and a higher threshold makes no fewer topics."""
    found = topics(vectors, threshold)
    assert found.max() < len(vectors)
    assert topics(vectors * length, threshold).tolist() == found.tolist()
    assert topics(vectors, min(threshold + 0.3, 1.0)).max() >= found.max()
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    for mark in set(found.tolist()):
        held = np.flatnonzero(found == mark)
        if len(held) == 2:
            assert float(unit[held[0]] @ unit[held[1]]) >= threshold - 1e-6


def test_missing_vectors_are_alone() -> None:
    """A zero row joins nothing, at any threshold; few rows, or none, are no case of their own."""
    rows = np.array([[1.0, 0.0], [0.0, 0.0], [1.0, 0.0], [0.0, 0.0]])
    assert topics(rows, -1.0).tolist() == [0, 1, 0, 2]
    assert communities(rows, -1.0) == [[0, 2]]
    assert topics(np.zeros((0, 3)), 0.5).tolist() == []
    assert communities([], 0.5) == []
    assert topics([[1.0, 2.0]], 0.5).tolist() == [0]
    assert communities([[1.0, 2.0]], 0.5, least=1) == [[0]]
    for bad in (np.ones(3), np.array([[np.nan, 1.0]])):
        with pytest.raises(ConfigError):
            topics(bad, 0.5)


def test_thresholds_are_inclusive_and_scaled() -> None:
    """A cosine on the threshold joins, and the embedder's scale is applied before the threshold is read."""
    rows = np.array([[1.0, 0.0], [0.6, 0.8]])
    for find in (lambda t, **s: topics(rows, t, **s).max() == 0, lambda t, **s: bool(communities(rows, t, **s))):
        assert find(0.6)
        assert not find(0.61)
        assert find(0.8, scale=lambda cosine: cosine + 0.2)
        assert not find(0.81, scale=lambda cosine: cosine + 0.2)


@given(st.floats(-0.99, 0.99))
def test_last_bits_do_not_part(cosine) -> None:
    """Two vectors whose cosine is the threshold are of one topic and one community, whatever their last bits."""
    rows = np.array([[3.0, 0.0], [cosine, (1.0 - cosine**2) ** 0.5]])
    cosine = round(cosine, 6)
    assert topics(rows, cosine).tolist() == [0, 0]
    assert communities(rows, cosine) == [[0, 1]]


def test_theme_of_the_document() -> None:
    """Clusters about colleagues, projects and the company are one community; Marcos's private life is none of it."""
    work, home = np.array([1.0, 0.2, 0.0]), np.array([0.0, 0.1, 1.0])
    groups = np.stack([work, work + np.array([0.0, 0.3, 0.0]), work + np.array([0.1, 0.0, 0.1]), home])
    assert communities(groups, 0.75) == [[0, 1, 2]]


# ---------------------------------------------------------------- procedures

SAID = [
    "Ana checks her mail before lunch", "Ana checks her e-mail before lunch", "Ana never checks her mail before lunch",
    "Ana checks her mail at 9", "Ana checks her mail at 10", "Ana checks her mail with Bruno", "Ana checks her mail with Carla",
    "Ana confere o correio antes do almoço", "Ana não confere o correio antes do almoço", "Ana  checks her mail before lunch!",
    "Ana used to check her mail before lunch", "Ana bakes bread on Monday", "Ana bakes bread on Friday", "Ana bakes bread",
]  # fmt: skip
NEAR = np.array([1.0, 0.0], dtype=np.float32)


@given(st.lists(st.sampled_from(SAID), max_size=12))
def test_words_confirm(texts) -> None:
    """With every cosine 1, two statements of one group never differ in polarity, numbers, names, dates, mood or objects; the
    first says no less than the others; groups are disjoint, and a second look at what is kept finds nothing (A11)."""
    groups = merged(texts, [NEAR] * len(texts), 0.85, subject="Ana")
    places = [place for group in groups for place in group]
    assert len(places) == len(set(places))
    assert all(len(group) > 1 for group in groups)
    for group in groups:
        for one, other in combinations(group, 2):
            same = normal(texts[one]) == normal(texts[other])
            assert same or not differences(texts[one], texts[other], subject="Ana")


@given(st.lists(st.sampled_from(SAID), max_size=12))
def test_identical_words_always_meet(texts) -> None:
    """Without any vector identical words are one group, and nothing else is."""
    groups = merged(texts, [None] * len(texts), 0.85, subject="Ana")
    for group in groups:
        assert len({normal(texts[place]) for place in group}) == 1
    repeated = {normal(text) for text in texts if sum(normal(text) == normal(one) for one in texts) > 1}
    assert {normal(texts[group[0]]) for group in groups} == repeated


def test_any_two_agree() -> None:
    """Two statements that each say more than a third, and other things, are not of one group because of it."""
    said = ["Ana bakes bread", "Ana bakes bread with rye", "Ana bakes bread with oats"]
    assert merged(said, [NEAR] * 3, 0.85, subject="Ana") == ((1, 0),)


def test_cosine_nominates() -> None:
    """Below the threshold nothing is merged, at it words decide; the fullest statement leads; the scale is applied."""
    far = np.array([0.6, 0.8], dtype=np.float32)
    said = ["Ana answers briefly", "Ana answers briefly in chats"]
    assert merged(said, [NEAR, far], 0.85, subject="Ana") == ()
    assert merged(said, [NEAR, far], 0.85, subject="Ana", scale=lambda cosine: cosine + 0.3) == ((1, 0),)
    with pytest.raises(ConfigError, match="one vector or None"):
        merged(["a"], [], 0.5)


def test_rand_score_of_the_reference() -> None:
    """The comparison can fail: another threshold gives another partition than the reference's."""
    rows = np.random.default_rng(3).normal(size=(20, 3))
    theirs = AgglomerativeClustering(n_clusters=None, metric="cosine", linkage="average", distance_threshold=0.5)
    assert adjusted_rand_score(theirs.fit_predict(rows), topics(rows, -0.9)) < 0.9

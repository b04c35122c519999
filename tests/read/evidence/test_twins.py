"""What is reckoned over arrays, or kept between questions, is what a plain loop over turns and words says."""

from __future__ import annotations

import math
from collections import Counter
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.pipeline.lab import View
from arandu_lab.pure.ranking import log_rank, standardised
from arandu_lab.read.evidence.asked import Asked, _looked_at
from arandu_lab.read.evidence.columns import settled
from arandu_lab.read.evidence.dense import _cosines, _mean
from arandu_lab.read.evidence.lexical import PMI_LEAST, _expanded, bm25, rarity, weighed_terms
from arandu_lab.read.evidence.opened import Held
from arandu_lab.read.evidence.reel import reel_of
from arandu_lab.read.evidence.softmatch import _nearest
from arandu_lab.read.evidence.spans import Spans
from arandu_lab.records import Event
from arandu_lab.store.schema import Image
from arandu_lab.store.view import AgentView

WORDS = ("lake", "painted", "painting", "sister", "Recife", "books", "the", "blue", "ok", "sea")
TALKS = st.lists(
    st.tuples(st.lists(st.sampled_from(WORDS), max_size=5), st.integers(0, 1), st.booleans()), min_size=1, max_size=8
)
QUESTIONS = st.sampled_from(("Who painted the blue lake?", "sister books", "the sea in Recife", "nothing of it"))
SCORES = st.lists(st.sampled_from([0.0, 0.1, 0.2, 1.7, -4.0, float("nan")]), min_size=1, max_size=12)


def put(talk: list[tuple[list[str], int, bool]], question: str) -> tuple[Asked, list[list[int]]]:
    """A question to turns of (words, another session, open), and the stems of each open turn."""
    reel = reel_of(view_of(talk))
    mask = np.array([there for _, _, there in talk])
    told = [reel.token[reel.row == row].tolist() if mask[row] else [] for row in range(len(reel))]
    return _looked_at(question, mask, reel), told


def view_of(talk: list[tuple[list[str], int, bool]]) -> View:
    """A view of the turns, a minute apart."""
    start, session, images = datetime(2026, 3, 1, tzinfo=UTC), 0, []
    for place, (said, further, _) in enumerate(talk):
        session += further
        at = start + timedelta(minutes=place)
        event = Event(
            id=f"e{place}",
            agent_id="a",
            text=" ".join(said) or "the",
            speaker="Ana",
            occurred_at=at,
            recorded_at=at,
            session_id=f"s{session}",
        )
        images.append(Image(event, place, place))
    return AgentView.of("a", images)


def within(asked: Asked, row: int, width: int) -> list[int]:
    """The turns up to ``width`` around one, in its session."""
    number = asked.reel.spans.number
    around = range(max(0, row - width), min(len(number), row + width + 1))
    return [other for other in around if number[other] == number[row]]


@given(talk=TALKS, question=QUESTIONS, width=st.sampled_from([0, 1, 3]))
def test_bm25_is_its_formula(talk, question, width):
    """lexical: BM25 of turns and windows as its formula says it, term by term; closed turns neither score nor count."""
    asked, told = put(talk, question)
    n, k1, b = len(told), 1.2, 0.75
    around = [[stem for other in within(asked, row, width) for stem in told[other]] for row in range(n)]
    often = [[sum(said.count(number) for number in numbers) for said in around] for numbers in asked.numbers]
    is_open = asked.open.tolist()
    sizes = [len(said) for said, there in zip(around, is_open, strict=True) if there]
    mean = max(sum(sizes) / len(sizes), 1e-9) if sizes else 1.0
    wanted = []
    for row in range(n):
        total = 0.0
        for counts in often:
            holds = sum(count > 0 for count, there in zip(counts, is_open, strict=True) if there)
            idf = math.log(1.0 + (len(sizes) - holds + 0.5) / (holds + 0.5))
            below = counts[row] + k1 * (1.0 - b + b * len(around[row]) / mean) + 1e-12
            total += idf * counts[row] * (k1 + 1.0) / below
        wanted.append(total if is_open[row] else 0.0)
    given_often = asked.reel.spans.window(asked.frequencies, width, width)
    names = [
        place for place, word in enumerate(asked.words) if word == "recife"
    ]  # a name goes by its word, as a stem here
    assert not names or np.array_equal(given_often[names], np.asarray(often, dtype=float)[names])
    assert bm25(given_often, asked.opened, k1, b, width=width).tolist() == pytest.approx(wanted, abs=1e-9)


@given(talk=TALKS, question=QUESTIONS)
def test_words_near_the_question_are_those_that_stand_there_more_than_chance(talk, question):
    """lexical: the words that widen a question, and their worth, counted turn by turn and word by word."""
    asked, told = put(talk, question)
    idf = rarity(asked.frequencies, asked.open)
    count = sum(asked.open.tolist())
    holds = Counter(stem for said in told for stem in set(said))
    total = float(idf @ asked.frequencies.any(axis=1))
    merit: dict[int, float] = {}
    for term in range(len(asked.terms)):
        near = [
            row
            for row in range(len(told))
            if asked.open[row] and any(asked.frequencies[term][other] for other in within(asked, row, 1))
        ]
        for stem, shared in Counter(stem for row in near for stem in set(told[row])).items():
            information = math.log(shared * count / (holds[stem] * len(near)))
            if information > PMI_LEAST and stem not in asked.known:
                merit[stem] = merit.get(stem, 0.0) + information * idf[term] / total
    best = np.asarray(sorted(merit), dtype=np.int64)  # fewer than may widen a question, so none is cut
    wanted = weighed_terms(asked, best, np.asarray([merit[stem] for stem in best.tolist()]))
    around = asked.reel.spans.window(asked.frequencies, 1, 1)
    assert _expanded(asked, idf, around).tolist() == pytest.approx(wanted.tolist(), abs=1e-9)


@given(talk=TALKS, question=QUESTIONS)
def test_what_is_kept_of_a_moment_is_what_is_counted(talk, question):
    """Numbers of words, of holders of each stem and of open turns, counted one by one; a second question finds them kept."""
    asked, told = put(talk, question)
    opened = asked.opened
    assert opened.count == sum(asked.open.tolist())
    assert opened.size.tolist() == [len(said) for said in told]
    holds = Counter(stem for said in told for stem in set(said))
    assert {stem: int(n) for stem, n in enumerate(opened.holds.tolist()) if n} == dict(holds)
    assert opened.sizes(1, 0).tolist() == [
        sum(len(told[other]) for other in within(asked, row, 1) if other <= row) for row in range(len(told))
    ]
    assert asked.reel.opened(asked.open.copy()) is opened


@given(
    steps=st.lists(st.integers(0, 1), min_size=1, max_size=9),
    seed=st.integers(0, 99),
    before=st.integers(0, 3),
    after=st.integers(0, 3),
)
def test_a_window_is_the_mean_of_those_that_have_a_vector(steps, seed, before, after):
    """dense: the mean cosine around a turn, those without a vector left out; a form with nothing in it is unknown throughout."""
    rng = np.random.default_rng(seed)
    n = len(steps)
    held = Held(rng.random(n) < 0.7, Spans.of(np.cumsum(steps)))
    matrix = (rng.standard_normal((n, 4)) * held.mask[:, None]).astype(np.float32)
    cosines = _cosines(matrix, [rng.standard_normal(4).astype(np.float32), None], held.mask)
    found = _mean(cosines, held, before, after)
    for row in range(n):
        around = [
            cosines[0][other]
            for other in range(max(0, row - before), min(n, row + after + 1))
            if held.mask[other] and held.spans.number[other] == held.spans.number[row]
        ]
        assert found[0][row] == pytest.approx(np.mean(around) if around else np.nan, abs=1e-9, nan_ok=True)
    assert np.isnan(found[1]).all()


@given(talk=TALKS, question=QUESTIONS, seed=st.integers(0, 99))
def test_the_nearest_word_is_the_best_of_a_turn(talk, question, seed):
    """softmatch: for each word of the question the highest cosine among the words of a turn, never below 0."""
    asked, _ = put(talk, question)
    near = np.random.default_rng(seed).uniform(-1, 1, (3, asked.reel.vocabulary)).astype(np.float32)
    if not asked.reel.vocabulary:
        return
    found = _nearest(asked, near)
    for row, there in enumerate(asked.open.tolist()):
        said = asked.reel.exact[asked.reel.row == row].tolist() if there else []
        wanted = [round(max([0.0, *(float(line[word]) for word in said)]), 6) for line in near]
        assert found[:, row].tolist() == pytest.approx(wanted, abs=2e-6)


@given(values=SCORES, others=SCORES)
def test_places_and_distances_are_those_of_a_loop(values, others):
    """ranking: ``log_rank`` shares the mean place of equals, ``standardised`` divides by the spread of what is known."""
    n = min(len(values), len(others))
    table = np.array([values[:n], others[:n]]).T
    ranks, distances = log_rank(table), standardised(table)
    for line in range(2):
        mine = [-math.inf if math.isnan(one) else one for one in table[:, line].tolist()]
        known = [one for one in table[:, line].tolist() if not math.isnan(one)]
        mean = sum(known) / len(known) if known else 0.0
        spread = math.sqrt(sum((one - mean) ** 2 for one in known) / max(len(known), 1))
        for row, one in enumerate(mine):
            place = sum(other > one for other in mine) + (mine.count(one) - 1) / 2.0
            assert ranks[row, line] == pytest.approx(1.0 - math.log1p(place) / math.log1p(n), abs=1e-12)
            away = 0.0 if one == -math.inf else max(-3.0, min(6.0, (one - mean) / (spread + 1e-9))) / 3.0
            assert distances[row, line] == pytest.approx(away, abs=1e-6)


@given(
    columns=st.lists(st.lists(st.floats(-9, 9), min_size=4, max_size=4), min_size=1, max_size=4),
    mask=st.integers(0, 15),
)
def test_columns_settle_one_by_one(columns, mask):
    """Columns taken together are rounded and closed as each alone would be."""
    there = np.array([bool(mask >> place & 1) for place in range(4)])
    found = settled([np.array(one) for one in columns], there)
    for line, one in zip(found, columns, strict=True):
        assert line.tolist() == np.where(there, np.round(one, 6), 0.0).tolist()

"""Class words find what belongs to the class: a question asks for instruments, a turn tells of a cello."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.lexica import lexicon
from arandu_lab.pipeline import Lab
from arandu_lab.read.evidence import FAMILIES, columns_of
from arandu_lab.read.evidence.hyponyms import LEAST, _best, hyponyms
from arandu_lab.read.evidence.reel import reel_of
from arandu_lab.read.found import NO_TURNS, Candidates, Query, Scoped, Weighing
from arandu_lab.read.table import Table
from arandu_lab.records import Event
from arandu_lab.store.schema import Image
from arandu_lab.store.view import AgentView
from arandu_lab.trace import Span

START = datetime(2026, 3, 1, tzinfo=UTC)
NAMES = FAMILIES["hyponyms"]
ENGLISH = (
    "I bought a cello for my birthday",
    "We had the flu and a violin lesson, and a drum kit with it",
    "The trip to France was fun",
    "I was in Portugal and Italy with my sister",
    "you know it is not that",
)
PORTUGUESE = (
    "Eu comprei um violoncelo e uma flauta",
    "Minha irmã foi para a França com a gente",
    "Eu não sei o que é uma viola, mas já vi",
    "A gente foi em um museu de Lisboa",
)
QUESTIONS = {
    "en": ("Which instruments does Ana play?", "Which countries was Ana in?", "What is the name of it?"),
    "pt": ("Que instrumentos a Ana toca?", "Em que países a Ana já foi?", "Como é o nome da Bia?"),
}


@st.composite
def talks(draw):
    """A language, a question in it, and turns of (text, speaker, another session, open)."""
    language = draw(st.sampled_from(("en", "pt")))
    text = st.sampled_from(ENGLISH if language == "en" else PORTUGUESE)
    turn = st.tuples(text, st.sampled_from(("Ana", "Bia")), st.booleans(), st.booleans())
    return draw(st.sampled_from(QUESTIONS[language])), draw(st.lists(turn, min_size=1, max_size=8))


def written(question, turns, spread=0.3, apart=1):
    """The columns of all turns, closed ones too; turns are (text, speaker, another session, open), ``apart`` minutes apart."""
    session, images = 0, []
    for place, (text, speaker, further, _) in enumerate(turns):
        session += further
        at = START + timedelta(minutes=place * apart)
        when = {"occurred_at": at, "recorded_at": at, "session_id": f"s{session}"}
        images.append(Image(Event(id=f"e{place}", agent_id="a", text=text, speaker=speaker, **when), place, place))
    mask = np.array([there for *_, there in turns])
    facts = dict.fromkeys(("live", "within", "confident", "open"), np.zeros(0, dtype=np.bool_))
    plan = Scoped(
        query=Query(agent_id="a", text=question),
        as_of=START,
        similarity_query=question,
        turns=mask,
        confidence=np.zeros(0),
        **facts,
    )
    found = Candidates(
        plan=plan,
        voices={},
        vector=None,
        weighing=Weighing(score_weights={}, recency_half_life_days=1.0, pattern_boost_max=0.0),
        frame=NO_TURNS,
        events=NO_TURNS,
        evidence=Table({"open": mask}),
    )
    lab = Lab(llm=None, embed=None, memory=AgentView.of("a", images), now=START, log=Span("test"))
    return columns_of(hyponyms.function(found, lab, hyponym_spread=spread))


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        ("Which instruments does Ana play?", ("Ana: I bought a cello", "Ana: It is cold", "Ana: and the viola")),
        ("Que instrumentos a Ana toca?", ("Ana: Comprei um violoncelo", "Ana: Está frio", "Ana: e uma viola")),
    ],
)
async def test_a_class_word_finds_members(talk, columns, question, lines):
    """hyponyms: a turn that says a member of the class is found though it shares no word with the question."""
    found = await columns(talk(*lines), question)
    assert list(found["bm"].values()) == [0.0, 0.0, 0.0]
    for name in ("hyp", "hyp3", "hyp_own"):
        assert found[name]["e000"] > 0.0, name
        assert found[name]["e001"] == 0.0, name
    assert found["hyp1"]["e001"] == pytest.approx((found["hyp"]["e000"] + found["hyp"]["e002"]) / 3.0, abs=1e-5)


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        (
            "Which instruments does Ana play?",
            ("Ana: A cello and a viola, with my sister", "Ana: A cello for my birthday"),
        ),
        ("Que instrumentos a Ana toca?", ("Ana: Um violoncelo e uma viola", "Ana: Eu vi um violoncelo")),
    ],
)
async def test_three_members_say_more_than_one(talk, columns, question, lines):
    """hyponyms: hyp is the best member, hyp3 the best three together; the rarer member is the better one."""
    found = await columns(talk(*lines), question)
    assert found["hyp3"]["e000"] == pytest.approx(found["hyp"]["e000"] + found["hyp"]["e001"], abs=2e-6)
    assert found["hyp"]["e000"] > found["hyp"]["e001"] == found["hyp3"]["e001"] > 0.0


async def test_a_window_does_not_cross_a_session(talk, columns):
    """hyponyms: a neighbour of the same session counts, one of another does not."""
    found = await columns(talk("Ana: my cello", "Bia: Nice", "--", "Bia: It was good"), "Which instruments?")
    assert found["hyp1"]["e001"] > 0.0
    assert found["hyp1"]["e002"] == 0.0


async def test_who_is_named_is_heard(talk, columns):
    """hyponyms: hyp_own leaves only turns of whom the question names; where it names nobody, it is hyp."""
    w = talk("Ana: I have a cello", "Bia: I have a viola")
    named, plain = await columns(w, "Which instruments has Bia?"), await columns(w, "Which instruments?")
    assert named["hyp_own"] == {"e000": 0.0, "e001": named["hyp"]["e001"]}
    assert named["hyp"]["e000"] > 0.0
    assert plain["hyp_own"] == plain["hyp"] == named["hyp"]


@pytest.mark.parametrize("question", ["What is her name?", "Como é o nome dela?", "", "Is it the cello?"])
async def test_a_question_without_a_class(talk, columns, question):
    """hyponyms: a question that names no class has zeros, whatever was said."""
    found = await columns(talk("Ana: I have a cello and the flu", "Ana: Eu tenho uma viola em Lisboa"), question)
    assert all(value == 0.0 for name in NAMES for value in found[name].values())


async def test_what_the_question_says_is_not_counted(talk, columns):
    """hyponyms: who asks for instruments beside the cello is not told of the cello."""
    w = talk("Ana: I have a cello", "Ana: I have a viola")
    found = await columns(w, "Which instruments beside the cello has she?")
    assert found["hyp"]["e000"] == 0.0 < found["hyp"]["e001"]


async def test_a_language_finds_its_own(talk, columns):
    """hyponyms: a word that is a member in both languages is found in turns of the question's language alone."""
    w = talk("Ana: The viola is from my sister", "Ana: Eu comprei uma viola com a minha mãe")
    english = await columns(w, "Which instruments does she play with her sister?")
    portuguese = await columns(w, "Que instrumentos ela toca com a mãe?")
    assert english["hyp"]["e000"] > 0.0 == english["hyp"]["e001"]
    assert portuguese["hyp"]["e000"] == 0.0 < portuguese["hyp"]["e001"]


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize(
    ("question", "found_in"), [("Instruments?", 0), ("Instrumentos?", 1), ("Favourite weather?", None)]
)
def test_a_question_of_one_word_finds_its_language(question, found_in, order) -> None:
    """hyponyms: in a talk of both languages a question without function words finds its members, whichever was spoken last."""
    said = [("I bought a cello for my birthday with my sister", "Ana", True, True), (PORTUGUESE[0], "Ana", True, True)]
    found = written(question, said[::order], spread=1.0)["hyp"][::order]
    assert [value > 0.0 for value in found] == [place == found_in for place in range(2)]


@pytest.mark.parametrize("closed", [0, 4])
def test_what_many_say_counts_nothing(closed) -> None:
    """hyponyms: a member that more than the spread of the open turns say is worth nothing; up to LEAST turns it always is."""
    cello, rest = ("I have a cello", "Ana", False, True), ("It was the flu", "Ana", False, True)
    more = [("the cello is my cello", "Ana", False, False)] * closed
    for size, spread, most in ((12, 0.25, 3), (12, 0.05, LEAST), (3, 0.0, LEAST)):
        for said in (most, most + 1):
            found = written("Which instruments?", [cello] * said + [rest] * (size - said) + more, spread)
            assert (found["hyp"].max() > 0.0) == (said <= most), (size, spread, said)


@pytest.mark.parametrize("question", ["Which instruments?", "Which family hobbies, instruments and sports?"])
def test_a_member_counts_its_rarity_times_that_of_the_class(question) -> None:
    """hyponyms: the log of one more than turns by holders, times what the best class is worth that holds the member."""
    known = lexicon("en")
    (cello,) = known.said("cello")
    worth = max(worth for worth, held in known.wanted(question) if cello in held)
    found = written(
        question, [("I have a cello", "Ana", False, True)] * 2 + [("It was the flu", "Ana", False, True)] * 6
    )
    assert found["hyp"].tolist() == pytest.approx([worth * math.log(5.0)] * 2 + [0.0] * 6, abs=1e-6)


@given(talks(), st.floats(0.0, 1.0))
def test_columns_keep_their_bounds(told, spread):
    """hyponyms: nothing is below 0, hyp3 is between hyp and three times hyp, hyp_own is hyp or 0, closed turns have 0."""
    question, turns = told
    found = written(question, turns, spread)
    assert tuple(found) == NAMES
    closed = np.array([not there for *_, there in turns])
    for name, values in found.items():
        assert (values >= 0.0).all(), name
        assert not values[closed].any(), name
    assert (found["hyp"] <= found["hyp3"]).all()
    assert (found["hyp3"] <= 3.0 * found["hyp"] + 1e-5).all()
    assert (found["hyp1"] <= found["hyp"].max()).all()
    assert ((found["hyp_own"] == found["hyp"]) | (found["hyp_own"] == 0.0)).all()


@given(talks(), st.permutations(range(8)), st.integers(0, 255), st.integers(0, 1))
def test_where_a_turn_stands_does_not_show(told, places, sessions, apart):
    """hyponyms: in another order, of one moment or many, and in other sessions a turn has the same columns, but for hyp1."""
    question, turns = told
    order = [place for place in places if place < len(turns)]
    moved = [(*turns[place][:2], bool(sessions >> place & 1), turns[place][3]) for place in order]
    found, other = written(question, turns, apart=apart), written(question, moved, apart=apart)
    for name in ("hyp", "hyp3", "hyp_own"):
        assert other[name].tolist() == found[name][order].tolist(), name


@given(talks())
def test_another_session_is_no_neighbour(told):
    """hyponyms: hyp1 of a session is the same whether other sessions lie before it or behind it."""
    question, turns = told
    apart = [("The viola is not in tune" if question in QUESTIONS["en"] else "Uma viola não é cara", "Bia", True, True)]
    first = [(turns[0][0], turns[0][1], True, turns[0][3]), *turns[1:]]
    before, behind = written(question, [*apart, *first]), written(question, [*first, *apart])
    for name in NAMES:
        assert before[name][1:].tolist() == behind[name][:-1].tolist(), name


@given(talks(), talks())
def test_what_is_said_later_does_not_show(told, later):
    """hyponyms: turns behind the moment of the question, which are closed, change no column of the others."""
    question, turns = told
    closed = [(*turn[:3], False) for turn in later[1]]
    found, both = written(question, turns), written(question, [*turns, *closed])
    for name in NAMES:
        assert both[name][: len(turns)].tolist() == found[name].tolist(), name


@given(
    told=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), unique=True, max_size=12), seed=st.integers(0, 99)
)
def test_the_best_is_that_of_a_loop(told, seed):
    """hyponyms: the best member of a turn and its best three, as a loop over what it says finds them."""
    told = sorted(told, key=lambda pair: pair[1])
    worth = np.random.default_rng(seed).choice([0.0, 0.5, 1.25, 2.0], 5)
    members, rows = (np.array([pair[side] for pair in told], dtype=np.int64) for side in (0, 1))
    one, some = _best(members, rows, worth, 4)
    for row in range(4):
        said = sorted((float(worth[member]) for member, at in told if at == row), reverse=True)
        assert one[row] == max(said, default=0.0)
        assert some[row] == sum(said[:3])


async def test_a_turn_says_each_member_once(talk):
    """reel: a member that a turn says twice stands there once, of each turn in the lexicon of its language."""
    reel = reel_of(await talk("Ana: A viola, the viola and my cello", "Ana: Eu não vi a viola", "Ana: ok").view())
    assert reel.member_row.tolist().count(0) == 2
    assert set(reel.member_row.tolist()) == {0, 1}

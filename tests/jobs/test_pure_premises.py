"""Premises: what is in doubt when something ends, and which statements rest on the job or the home."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import breadth_first_order

from arandu_lab.pure.premises import depends, resting

NOW = datetime(2025, 1, 1, tzinfo=UTC)
YEAR = timedelta(days=365)
nodes = st.integers(0, 9)


@given(st.lists(st.tuples(nodes, nodes), max_size=25), st.sets(nodes, max_size=4), st.randoms(use_true_random=False))
def test_descendants(edges, closed, chance) -> None:
    """What rests on the closed is what scipy reaches from them, cycles or not, in the order of the facts, none of it closed."""
    premises = {str(one): [str(on) for fact, on in edges if fact == one] for one in chance.sample(range(10), 10)}
    ends = ([on for _, on in edges], [fact for fact, _ in edges])
    graph = coo_matrix(([1.0] * len(edges), ends), shape=(10, 10)).tocsr()
    reached = {int(node) for root in closed for node in breadth_first_order(graph, root, return_predecessors=False)}
    found = resting(premises, [str(one) for one in closed])
    assert found == tuple(fact for fact in premises if int(fact) in reached - closed)


@given(st.lists(st.tuples(nodes, nodes), max_size=25), st.sets(nodes, max_size=4))
def test_closed_step_by_step(edges, closed) -> None:
    """Taking what fell as closed too changes nothing: it is all there after one look; nothing closed, nothing falls."""
    premises = {str(one): [str(on) for fact, on in edges if fact == one] for one in range(10)}
    over = [str(one) for one in closed]
    assert resting(premises, [*over, *resting(premises, over)]) == ()
    assert resting(premises, []) == ()


def test_a_premise_nobody_knows() -> None:
    """A closed id that no fact names, and a premise that is no fact itself, do no harm."""
    assert resting({"b": ["gone"], "c": ["b"]}, ["gone"]) == ("b", "c")
    assert resting({"b": ["a"]}, ["zzz"]) == ()


JOB = {
    "en": ["Ana reports to Paulo", "Ana's boss is Paulo", "Paulo is Ana's boss", "Bruno is a colleague of Ana", "Ana works with Carla",
           "Ana's office is in Botafogo", "Ana commutes by train", "Ana takes the bus to work", "Ana's work phone is 5551-2020",
           "Ana works from home on Fridays", "Ana takes orders from Paulo at work"],
    "pt": ["Ana tem Paulo como chefe", "Ana responde a Paulo no trabalho", "Paulo é chefe de Ana", "Bruno é colega de trabalho de Ana",
           "Ana trabalha com a Carla", "O escritório de Ana fica em Botafogo", "Ana vai de metrô ao trabalho",
           "O celular da empresa de Ana é 5551-2020", "Ana trabalha de casa às sextas", "Ana recebe ordens de Paulo no serviço"],
}  # fmt: skip
HOME = {
    "en": ["Ana lives with Bruno", "Ana and Bruno share a household", "Bruno is Ana's flatmate", "Ana's neighbour is Rita",
           "Ana pays 900 a month in rent", "Ana's landlord is Mr. Reis", "Ana lives in the Boa Viagem neighbourhood"],
    "pt": ["Ana mora com Bruno", "Ana divide a casa com o Bruno", "Bruno é colega de apartamento de Ana", "A vizinha de Ana é Rita",
           "O aluguel de Ana é 900 por mês", "Ana mora no bairro de Boa Viagem", "Ana e o Bruno vivem debaixo do mesmo teto"],
}  # fmt: skip
GROUND = {"en": ["Ana works at Vertix", "Ana lives in Recife"], "pt": ["Ana trabalha na Vertix", "Ana mora em Recife"]}


@pytest.mark.parametrize("language", ["en", "pt"])
def test_the_table(language) -> None:
    """Boss, colleagues, office, commute and work phone rest on the job; flatmates, neighbours, rent and district on the home."""
    texts = [*GROUND[language], *JOB[language], *HOME[language]]
    wanted = [(2 + place, (0,)) for place in range(len(JOB[language]))]
    wanted += [(2 + len(JOB[language]) + place, (1,)) for place in range(len(HOME[language]))]
    missed = [texts[place] for place, _ in wanted if place not in dict(depends(texts, "Ana"))]
    assert missed == []
    assert depends(texts, "Ana") == tuple(wanted)


@pytest.mark.parametrize(
    "text",
    ["Ana likes tea", "Ana é de Salvador", "Ana speaks French", "Ana has a dog named Thor", "Ana is a friend of Bruno",
     "Ana works at the post office", "Ana is the manager of a bookshop", "Ana é chefe de cozinha", "Ana studies law",
     "Ana no longer reports to Paulo", "Ana não mora mais com Bruno", "Ana would like a new boss", "Ana plans to rent a flat",
     "Ana rented a car in Porto", "Bruno é colega de turma de Ana", ""],
)  # fmt: skip
def test_what_rests_on_nothing(text) -> None:
    """Tastes, kin, roles, plans and what is over rest on neither; a job or a home is a ground and rests on nothing."""
    assert 2 not in dict(depends([*GROUND["en"], text], "Ana"))


def test_without_ground() -> None:
    """Where nobody told a job or a home, nothing rests; the occupation stands in for an employer that nobody told."""
    assert depends(["Ana reports to Paulo", "Ana lives with Bruno"], "Ana") == ()
    assert depends(["Ana is a nurse", "Ana reports to Paulo"], "Ana") == ((1, (0,)),)
    assert depends(["Ana is a nurse", "Ana reports to Paulo", "Ana works at Vertix"], "Ana") == ((1, (2,)),)
    assert depends(["Ana no longer works at Vertix", "Ana reports to Paulo"], "Ana") == ()
    assert depends([], "Ana") == ()


def test_which_of_two_jobs() -> None:
    """The job that a statement names, else the last that held when it began, else the first that began after it."""
    texts = [
        "Ana works at Vertix",
        "Ana works at Orion",
        "Ana reports to Paulo",
        "Ana's office at Vertix is on the third floor",
    ]
    assert depends(texts, "Ana") == ((2, (1,)), (3, (0,)))
    ended = [(NOW, NOW + 2 * YEAR), (NOW + 2 * YEAR, None), (NOW + YEAR, None), (NOW + YEAR, None)]
    assert depends(texts, "Ana", ended) == ((2, (0,)), (3, (0,)))
    late = [(NOW + YEAR, None), (NOW + 2 * YEAR, None), (NOW, None), (NOW + 3 * YEAR, None)]
    assert depends(texts, "Ana", late) == ((2, (0,)), (3, (0,)))


@given(
    st.lists(
        st.sampled_from([text for some in (GROUND, JOB, HOME) for lines in some.values() for text in lines]), max_size=8
    )
)
def test_premises_are_grounds(texts) -> None:
    """A premise is another statement, never one that rests on something itself: so premises by this table make no cycles."""
    found = dict(depends(texts, "Ana"))
    assert list(found) == sorted(found)
    for place, grounds in found.items():
        assert len(grounds) == 1
        assert place not in grounds
        assert not set(grounds) & set(found)


def test_the_cascade_of_the_world() -> None:
    """A boss goes with the job and a flatmate's city with the home: the two cascades that the worlds ask about."""
    texts = ["Ana works at Vertix.", "Ana reports to Paulo.", "Ana lives in Recife.", "Ana lives with Bruno."]
    rests = {texts[place]: [texts[on] for on in grounds] for place, grounds in depends(texts, "Ana")}
    assert resting(rests, [texts[0]]) == ("Ana reports to Paulo.",)
    assert resting(rests, [texts[2]]) == ("Ana lives with Bruno.",)

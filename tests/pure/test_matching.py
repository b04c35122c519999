"""The matcher pairs facts one to one, by subject and content, and its measures mean what they say."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from arandu_lab.pure.matching import match_facts

NAMES = st.sampled_from(["Ana", "Rafael", "Lia"])
DOES = st.sampled_from(["lives in Recife", "works at Acme", "loves sushi", "has a dog called Thor", "moved to Natal"])
FACTS = st.lists(st.builds(lambda name, does: (name, f"{name} {does}"), NAMES, DOES), max_size=6)


@settings(deadline=None)
@given(found=FACTS, gold=FACTS)
def test_pairs_are_one_to_one_and_measures_follow(found: list[tuple[str, str]], gold: list[tuple[str, str]]) -> None:
    """No fact is paired twice; precision and recall count the pairs; swapping sides swaps them."""
    result = match_facts(found, gold)
    assert len({row for row, _ in result.pairs}) == len({column for _, column in result.pairs}) == len(result.pairs)
    if found and gold:
        assert result.precision == len(result.pairs) / len(found)
        assert result.recall == len(result.pairs) / len(gold)
        assert len(match_facts(gold, found).pairs) == len(result.pairs)


@settings(deadline=None)
@given(gold=FACTS)
def test_the_gold_itself_is_perfect(gold: list[tuple[str, str]]) -> None:
    """Found equal to gold scores one, also when both are empty."""
    assert match_facts(gold, list(reversed(gold))).f1 == 1.0


def test_who_it_is_about_matters() -> None:
    """The same predicate of somebody else is no match; an alias of the same person is one."""
    gold = [("Elizabeth Comeau", "Elizabeth Comeau is an ER nurse.")]
    assert match_facts([("Mick", "Mick is an ER nurse")], gold).pairs == ()
    assert match_facts([("Beth", "Beth is an ER nurse")], gold, aliases={"Beth": "Elizabeth Comeau"}).f1 == 1.0


def test_a_tie_may_be_told_from_either_side() -> None:
    """*Ana is Rafael's wife* and *Rafael's wife is Ana* are one fact."""
    assert match_facts([("Ana", "Ana is Rafael's wife")], [("Rafael", "Rafael's wife is Ana.")]).f1 == 1.0

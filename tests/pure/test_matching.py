"""The matcher pairs facts one to one, by subject and content, and its measures mean what they say."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arandu_lab.pure.matching import Matching, likeness, match_facts, stem

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


def alike(found: str, gold: str, *, of: tuple[str, str] = ("Ana", "Ana"), **more: Any) -> float:
    """Likeness of two sentences about somebody."""
    return likeness((of[0], found), (of[1], gold), **({"aliases": {}} | more))


def test_half_of_the_words_is_enough() -> None:
    """At an F1 of half a fact of the same subject stands for the gold one, below it does not."""
    assert alike("Ana drinks tea", "Ana likes tea") == 0.5
    assert alike("Ana drinks tea daily", "Ana likes tea") == 0.0
    assert alike("Ana drinks green tea", "Ana drinks tea") == 0.8
    assert alike("Ana", "Ana") == 1.0
    assert alike("Ana", "Ana sings") == 0.0
    assert alike("Ana drinks tea", "Ana likes tea", aliases={"ana": "Ana Lima"}) == 0.5, (
        "no name of hers is a word in common"
    )


def test_from_the_other_side_more_is_wanted() -> None:
    """Of another subject, both sentences must name the other's subject and agree by .6; an alias is a name."""
    pair = ("Ana", "Bia")
    assert alike("Ana visits her sister Bia", "Bia visits her sister Ana", of=pair) == 1.0
    assert alike("Ana visits Bia", "Bia visits Caio", of=pair) == 0.0
    assert alike("Ana visits Caio", "Bia visits Ana", of=pair) == 0.0
    assert alike("Ana visits old Bia", "Bia sees old Ana", of=pair) == 0.0, "a half is too little"
    assert alike("Ana visits old dear Bia", "Bia sees old dear Ana", of=pair) == pytest.approx(2 / 3)
    assert alike("Ana visits her sister Beth", "Bia visits her sister Ana", of=pair, aliases={"beth": "Bia"}) == 1.0


def test_a_value_in_other_words() -> None:
    """All words of the gold value, in a sentence that is not much longer, are as good as half of the sentence."""
    assert alike("Ana drinks tea at home", "Ana likes tea", value="tea") == 0.5
    assert alike("Ana drinks tea at home", "Ana likes tea", value="green tea") == 0.0
    assert alike("Ana drinks tea at home", "Ana likes tea", value="") == 0.0
    eight = "Ana buys tea one two three four five six"
    assert alike(eight, "Ana likes tea", value="tea") == 0.5
    assert alike(f"{eight} seven", "Ana likes tea", value="tea") == 0.0
    assert alike("Ana sings", "Ana likes her", value="Ana") == 0.0


def test_stems_of_both_languages() -> None:
    """Endings go where three letters stay, then a doubled last letter; irregular forms have their base, short words none."""
    words = ("running", "planned", "fez", "mães", "seeing", "falaram", "amo", "4you", "passes", "adding")
    assert [stem(word) for word in words] == ["run", "plan", "faz", "mae", "see", "fal", "amo", "4you", "pas", "add"]


def test_counts_and_measures() -> None:
    """Precision is over the found, recall over the gold; each gold value is read with its own fact; nothing found is nothing."""
    gold = [("Ana", "Ana likes tea"), ("Ana", "Ana lives in Natal"), ("Ana", "Ana sings")]
    found = [("Ana", "Ana lives in Natal"), ("Ana", "Ana drinks tea at home with the cat"), ("Bia", "Bia sings")]
    result = match_facts(found, gold, values=["tea", "Natal", "sings"])
    assert result == Matching(((0, 1), (1, 0)), 2 / 3, 2 / 3, 2 / 3)
    assert match_facts(found, gold).pairs == ((0, 1),)
    one = match_facts(found[:1], gold)
    assert (one.precision, one.recall, one.f1) == (1.0, 1 / 3, 0.5)
    assert match_facts([], gold) == Matching((), 0.0, 0.0, 0.0)
    assert match_facts(gold, []) == Matching((), 0.0, 0.0, 0.0)
    assert match_facts([("Bia", "Bia runs")], [("Ana", "Ana sings")]) == Matching((), 0.0, 0.0, 0.0)


def test_the_longest_alias_is_written_out() -> None:
    """Of two aliases that begin alike the longer counts, up to five words."""
    table = {"Ana": "Mariana Lima", "Ana da Silva e Sousa": "Ana Sousa"}
    gold = [("Ana Sousa", "Ana Sousa sings")]
    assert match_facts([("Ana da Silva e Sousa", "Ana da Silva e Sousa sings")], gold, aliases=table).f1 == 1.0
    assert match_facts([("Ana", "Ana sings")], gold, aliases=table).f1 == 0.0

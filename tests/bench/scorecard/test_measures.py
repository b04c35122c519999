"""The measures of the scorecard, on numbers worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.bench.scorecard import tables
from arandu_lab.bench.scorecard.book import Book
from arandu_lab.bench.scorecard.dossier import Asked, Candidate, Dossier, Heard, Made, Named, ReadFact, Row, State
from arandu_lab.bench.scorecard.frames import frames, rows
from arandu_lab.bench.scorecard.linking import Gold, linked, mentions, owners, paired
from arandu_lab.bench.scorecard.lives import lives_of
from arandu_lab.bench.scorecard.reading_score import current_first, ranks
from arandu_lab.bench.scorecard.reconciliation_score import live
from arandu_lab.bench.scorecard.resolution_score import b_cubed, merged, named_of, pairwise, split

NAMED = st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from(["k1", "k2", "k3"])), max_size=24)


@pytest.fixture(scope="module")
def gold(tiny: Book) -> Gold:
    return Gold.of(tiny.conversation, None, tiny.dataset.card["speakers"])


def fact(subject: str, text: str, **more: str) -> ReadFact:
    return ReadFact(subject=subject, text=text, **more)  # type: ignore[arg-type]


def measured(gold: Gold, *dossiers: Dossier) -> dict[str, pl.DataFrame]:
    return frames(rows(one, gold, language="en") for one in dossiers)


def heard(gold: Gold, **turns: Heard) -> tuple[Heard, ...]:
    """Every turn, those not named as silence."""
    return tuple(turns.get(turn.id, Heard(turn=turn.id)) for turn in gold.conversation.turns)


# ------------------------------------------------------------ agreement of keys


def test_b_cubed_of_a_worked_example() -> None:
    """Six mentions, two keys: P = (3·(2/4) + ... )/6 by hand, R likewise."""
    named = [("ana", "1"), ("ana", "1"), ("bia", "1"), ("bia", "2"), ("bia", "2"), ("caio", "1")]
    # key 1 holds ana ana bia caio, key 2 holds bia bia
    precision = (2 / 4 + 2 / 4 + 1 / 4 + 1 + 1 + 1 / 4) / 6
    recall = (1 + 1 + 1 / 3 + 2 / 3 + 2 / 3 + 1) / 6
    found = b_cubed(named)
    assert found.precision == pytest.approx(precision)
    assert found.recall == pytest.approx(recall)
    assert found.f1 == pytest.approx(2 * precision * recall / (precision + recall))


def test_pairs_of_the_same_example() -> None:
    """Pairs under a key: 6 + 1; of an entity: 1 + 3; both: ana-ana and bia-bia."""
    named = [("ana", "1"), ("ana", "1"), ("bia", "1"), ("bia", "2"), ("bia", "2"), ("caio", "1")]
    found = pairwise(named)
    assert (found.precision, found.recall) == (pytest.approx(2 / 7), pytest.approx(2 / 4))


@given(NAMED)
def test_pairs_are_those_of_scikit_learn(named: list[tuple[str, str | None]]) -> None:
    """Pairwise agreement is that of sklearn's pair confusion matrix."""
    from sklearn.metrics.cluster import pair_confusion_matrix

    found = pairwise(named)
    if len(named) < 2:
        assert found.precision is None
        assert found.recall is None
        return
    (_, only_key), (only_entity, both) = pair_confusion_matrix([e for e, _ in named], [k for _, k in named])
    assert found.precision == (pytest.approx(both / (both + only_key)) if both + only_key else None)
    assert found.recall == (pytest.approx(both / (both + only_entity)) if both + only_entity else None)


@given(NAMED)
def test_agreement_does_not_depend_on_names_of_keys(named: list[tuple[str, str | None]]) -> None:
    """Renaming keys changes nothing; keys that are the entities are perfect; none is none."""
    again = [(entity, f"{key}!") for entity, key in named]
    assert b_cubed(named) == b_cubed(again)
    perfect = b_cubed([(entity, entity) for entity, _ in named])
    assert perfect.f1 == (1.0 if named else None)


def test_a_name_without_a_key_stands_alone() -> None:
    """Two unkeyed names of one entity are two entities to the system: recall falls, precision does not."""
    found = b_cubed([("ana", None), ("ana", None)])
    assert (found.precision, found.recall) == (1.0, 0.5)


def test_who_was_merged_and_who_was_split() -> None:
    """Over-merging names the key with its entities, under-merging the entity with its keys."""
    named: Sequence[tuple[str, str | None]] = [("ana", "1"), ("bia", "1"), ("bia", "2"), ("caio", "3"), ("caio", None)]
    assert merged(named) == {"1": ["ana", "bia"]}
    assert split(named) == {"bia": ["1", "2"]}


def test_mentions_are_found_under_the_words_of_the_turn(gold: Gold) -> None:
    """The speaker counts where the turn states something of her, names by their own words, absent names as unread."""
    resolved = (
        Named(name="Annie", key="person:annie", how="speaker"),
        Named(name="Bristol", key="place:bristol", how="new"),
    )
    found = mentions(
        Dossier(system="s", dataset="d", mode="end-to-end", heard=(Heard(turn="s01t01", resolved=resolved),)), gold
    )
    assert {(one.entity, one.speaker, one.named, one.key) for one in found} == {
        ("Bristol", False, True, "place:bristol"),
        ("Orion Labs", False, False, None),
        ("Ana Prado", True, True, "person:annie"),
    }
    assert len(named_of(found)) == 2
    assert owners(found)[0] == {"place:bristol": "Bristol", "person:annie": "Ana Prado"}


# ------------------------------------------------------------ reading


def test_facts_are_paired_with_all_the_gold_of_their_turn(gold: Gold) -> None:
    """One right, one invented, one missed: P = R = 1/2; an exact one needs every word of the value."""
    read = (fact("Annie", "Annie lives in Bristol."), fact("Annie", "Annie adores thunderstorms."))
    f = measured(gold, Dossier(system="s", dataset="d", mode="end-to-end", heard=(Heard(turn="s01t01", facts=read),)))
    found = tables.extraction(f["read"], f["turns"])
    assert (found["precision"], found["recall"], found["f1"]) == (0.5, 0.5, 0.5)
    assert (found["exact_precision"], found["exact_recall"]) == (0.5, 0.5)
    assert found["false_memory"] is None


def test_a_found_fact_of_another_polarity_is_not_exact(gold: Gold) -> None:
    """What ends is read as what is: paired, but not exact."""
    read = (fact("Annie", "Annie works at Orion Labs."),)
    f = measured(gold, Dossier(system="s", dataset="d", mode="end-to-end", heard=(Heard(turn="s03t02", facts=read),)))
    assert f["read"].filter(pl.col("kind") == "found")["exact"].to_list() == [False]


def test_days_count_where_the_gold_states_one(gold: Gold) -> None:
    """The move has a day of its own (26 February), the first home has none but the turn's."""
    right = fact("Annie", "Annie lives in Leeds.", valid_from="2024-02-26")
    for read, value in ((right, True), (fact("Annie", "Annie lives in Leeds."), False)):
        f = measured(
            gold, Dossier(system="s", dataset="d", mode="end-to-end", heard=(Heard(turn="s02t01", facts=(read,)),))
        )
        assert f["read"].filter(pl.col("kind") == "found")["dates"].to_list() == [value]
    first = Heard(turn="s01t01", facts=(fact("Annie", "Annie lives in Bristol."),))
    f = measured(gold, Dossier(system="s", dataset="d", mode="end-to-end", heard=(first,)))
    assert f["read"].filter(pl.col("kind") == "found")["dates"].to_list() == [None]


def test_false_memories_are_counted_over_silent_turns(gold: Gold) -> None:
    """Two of the nine turns state nothing; of one of them two facts were read."""
    more = (fact("Beth", "Beth is tired."), fact("Beth", "Beth is busy."))
    f = measured(
        gold,
        Dossier(system="s", dataset="d", mode="end-to-end", heard=heard(gold, s01t02=Heard(turn="s01t02", facts=more))),
    )
    found = tables.extraction(f["read"], f["turns"])
    assert (found["silent_turns"], found["false_memory"], found["false_facts"]) == (2, 0.5, 100.0)


def test_a_failed_turn_is_no_empty_turn(gold: Gold) -> None:
    """A turn with an error has no rows of reading, so it lowers nothing."""
    broken = Heard(turn="s01t01", error="timeout")
    f = measured(gold, Dossier(system="s", dataset="d", mode="end-to-end", heard=(broken,)))
    assert f["read"].is_empty()
    assert tables.extraction(f["read"], f["turns"])["f1"] is None


def test_dedup_that_drops_a_different_fact_loses_it(gold: Gold) -> None:
    """Two facts read, one kept: R = 1/2; a repeat that is dropped costs nothing, one that is kept or doubled does: P = 2/3."""
    read = (
        fact("Annie", "Annie lives in Bristol."),
        fact("Annie", "Annie works at Orion."),
        fact("Annie", "Annie lives in Bristol"),
    )
    for kept, value in (((0, 1), 1.0), ((0,), 2 / 3), ((1, 2), 1.0), ((0, 1, 2), 4 / 5), ((0, 1, 1), 4 / 5), ((), 0.0)):
        one = Heard(turn="s01t01", facts=read, kept=kept)
        f = measured(gold, Dossier(system="s", dataset="d", mode="end-to-end", heard=(one,)))
        assert tables.stage_number(f, "s", "d", "end-to-end", "dedup") == pytest.approx(value)


def test_mirrors_take_only_what_stated_facts_left(gold: Gold) -> None:
    """A mirror in front of a stated fact does not take its gold from it."""
    told = [
        fact("Ana Prado", "Ana Prado lives in Bristol.", context="inferred"),
        fact("Annie", "Annie lives in Bristol."),
    ]
    pairs = paired(told, gold.turn("s01t01").facts, gold.table("s01t01"))
    assert pairs.first == {1: "f001"}
    assert pairs.again == {0: "f001"}


# ------------------------------------------------------------ decisions, rows and states

MOVE = "2024-03-02T18:00:00-04:00"
FIRST = "2024-01-05T10:00:00-04:00"


def moved(action: str, target: str | None, *, closed: bool) -> Dossier:
    """Bristol is stored, then Leeds is told and decided about."""
    bristol = Row(
        fact_id="b", key="k", name="Annie", text="Annie lives in Bristol.", turn="s01t01", valid_from=FIRST, recorded_at=FIRST,
        valid_to=MOVE if closed else None, invalidated_at=MOVE if closed else None, closed_by="update" if closed else None,
    )  # fmt: skip
    leeds = Row(
        fact_id="l",
        key="k",
        name="Annie",
        text="Annie lives in Leeds.",
        turn="s02t01",
        valid_from=MOVE,
        recorded_at=MOVE,
    )
    first = Heard(
        turn="s01t01",
        facts=(fact("Annie", "Annie lives in Bristol."),),
        kept=(0,),
        stated=(fact("Annie", "Annie lives in Bristol."),),
        made=(Made(position=0, action="ADD", fact_id="b"),),
    )
    told = fact("Annie", "Annie lives in Leeds.")
    then = Heard(
        turn="s02t01", facts=(told,), kept=(0,), stated=(told,),
        made=(Made(position=0, action=action, target_id=target, fact_id="l"),),
    )  # fmt: skip
    states = (State(at="2024-03-03T00:00:00-04:00", facts=("l",) if closed else ("b", "l")),)
    return Dossier(
        system="s", dataset="d", mode="end-to-end", heard=(first, then), rows=(bristol, leeds), states=states
    )


def test_a_right_update_is_right_in_action_and_target(gold: Gold) -> None:
    """UPDATE of Bristol: right, nothing left live, nothing closed falsely, the state is what is true of what was told."""
    f = measured(gold, moved("UPDATE", "b", closed=True))
    made = tables.decisions(f["decisions"].filter(pl.col("decision") == "UPDATE"))
    assert (made["accuracy"], made["target"], made["macro"], made["missed_update"]) == (1.0, 1.0, 1.0, 0.0)
    store = tables.store(f["rows"])
    assert (store["false_close"], store["stale"]) == (0.0, 0.0)
    [state] = f["instants"].to_dicts()
    assert (state["right"], state["stale"], state["missing"]) == (1, 0, 3)  # where she works, mango, the dog


def test_a_missed_update_leaves_a_stale_row(gold: Gold) -> None:
    """ADD in place of UPDATE: wrong action, its target still live, one live row of two is stale."""
    f = measured(gold, moved("ADD", None, closed=False))
    made = tables.decisions(f["decisions"].filter(pl.col("decision") == "UPDATE"))
    assert (made["accuracy"], made["target"], made["missed_update"]) == (0.0, 0.0, 1.0)
    assert tables.store(f["rows"])["stale"] == 0.5
    assert f["instants"]["stale"].to_list() == [1]
    shares = {(row["decision"], row["action"]): row["count"] for row in tables.confusion(f["decisions"]).to_dicts()}
    assert shares["UPDATE", "ADD"] == 1
    assert shares["ADD", "none"] == 1  # where she works was never decided about


def test_a_row_closed_before_its_fact_ended_is_a_false_close(gold: Gold) -> None:
    """Where Ana works is closed by the move, though nobody ended it then."""
    dossier = moved("UPDATE", "b", closed=True)
    work = Row(
        fact_id="w", key="k", name="Annie", text="Annie works at Orion.", turn="s01t01", valid_from=FIRST, recorded_at=FIRST,
        valid_to=MOVE, invalidated_at=MOVE, closed_by="update",
    )  # fmt: skip
    f = measured(
        gold, Dossier(system="s", dataset="d", mode="end-to-end", heard=dossier.heard, rows=(*dossier.rows, work))
    )
    assert f["rows"].filter(pl.col("fact_id") == "w")["false_close"].to_list() == [True]
    assert tables.store(f["rows"])["false_close"] == 0.5


def test_nothing_to_measure_is_null(gold: Gold) -> None:
    """A system that did nothing has no numbers, neither 0 nor 1."""
    f = measured(gold, Dossier(system="s", dataset="d", mode="end-to-end"))
    numbers = [tables.stage_number(f, "s", "d", "end-to-end", stage) for stage in tables.STAGES]
    assert numbers == [None] * 8


def test_an_end_that_is_learned_later_is_not_known_before() -> None:
    """A row closed in March stood in February, as was known in February; and stands for February even in April."""
    row = Row(
        fact_id="b", key="k", name="A", text="t", turn=None, valid_from=FIRST, recorded_at=FIRST, valid_to="2024-02-26T00:00:00-04:00",
        invalidated_at=MOVE, closed_by="update",
    )  # fmt: skip
    early, between, late = (datetime.fromisoformat(f"2024-{day}T12:00:00-04:00") for day in ("02-01", "02-28", "04-01"))
    assert live(row, early, early)
    assert live(row, between, between)
    assert not live(row, between, late)
    assert live(row, early, late)


# ------------------------------------------------------------ truth


def test_lives_follow_from_the_decisions_of_a_gold(gold: Gold) -> None:
    """Update, late news, correction and end, each as the set tells it."""
    at = datetime.fromisoformat
    lives = lives_of(gold.conversation)
    before, after, last = (at(f"{day}T00:00:00-04:00") for day in ("2024-02-27", "2024-03-03", "2024-06-01"))
    assert {fact for fact, life in lives.items() if life.holds(before, before)} == {"f001", "f002", "f003", "f004"}
    assert {fact for fact, life in lives.items() if life.holds(before, after)} == {"f002", "f003", "f004", "f005"}
    assert {fact for fact, life in lives.items() if life.holds(last, last)} == {"f004", "f005", "f008"}
    assert gold.roots["f007"] == "f004"
    assert gold.roots["f009"] == "f002"


def test_operations_go_before_decisions(gold: Gold) -> None:
    """A world's own truth is what counts, cascades and derived facts with it."""
    told = "2024-01-05T10:00:00-04:00"
    operations = [
        {"op": "begin", "fact": "f001", "told_at": told, "from": "2024-01-05", "premises": []},
        {"op": "begin", "fact": "d00001", "told_at": told, "from": "2024-01-05", "premises": ["f001"]},
        {"op": "end", "fact": "f001", "told_at": MOVE, "until": "2024-02-26", "why": "cascade"},
    ]
    lives = lives_of(gold.conversation, operations)
    assert set(lives) == {"f001", "d00001"}
    assert lives["d00001"].derived
    assert lives["f001"].ended(datetime.fromisoformat(MOVE)).why == "cascade"  # type: ignore[union-attr]


# ------------------------------------------------------------ ranks


def test_ranks_of_each_signal() -> None:
    """Each signal ranks for itself; a candidate without a score has no place in it."""
    asked = Asked(
        question="q",
        candidates=(
            Candidate(fact_id="x", rank=1, scores={"semantic": 0.9, "keyword": 0.1}),
            Candidate(fact_id="y", rank=2, lost="topk", scores={"semantic": 0.5, "keyword": 0.8, "graph": 1.0}),
        ),
    )
    assert ranks(asked, ["x"])["place"] == 1
    assert ranks(asked, ["y"]) == {
        "rank": 2,
        "place": None,
        "semantic": 2,
        "keyword": 1,
        "graph": 1,
        "formula": None,
        "score": None,
    }


def test_current_before_stale() -> None:
    """An absent earlier value is behind, an absent current one is not before it, and neither is nothing."""
    asked = Asked(question="q", candidates=(Candidate(fact_id="old", rank=1), Candidate(fact_id="new", rank=2)))
    assert current_first(asked, ["new"], ["old"]) is False
    assert current_first(asked, ["old"], ["new"]) is True
    assert current_first(asked, ["new"], ["gone"]) is True
    assert current_first(asked, ["gone"], ["old"]) is False
    assert current_first(asked, ["gone"], ["lost"]) is None


def test_links_prefer_what_the_dossier_says(gold: Gold) -> None:
    """Ids of a given dossier lead from rows to gold facts without a word compared."""
    dossier = Dossier(system="s", dataset="d", mode="given", ids={"f001": "r1"}, rows=())
    assert linked(dossier, gold).rows == {"r1": "f001"}

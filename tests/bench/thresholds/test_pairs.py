"""Claims about pairs: what they are made of, and that folds share no group."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from arandu_lab.bench.data.model import Conversation, Dataset, DatedTurn, GoldFact, GoldTurn, Session
from arandu_lab.bench.thresholds.others import stsb_pairs, taosmd_pairs
from arandu_lab.bench.thresholds.pairs import fact_pairs
from arandu_lab.bench.thresholds.stores import stores, told
from arandu_lab.errors import DatasetError

NOON = datetime(2024, 3, 1, 12, tzinfo=UTC)
ROWS = (
    ("f001", "Ana", "Ana lives in Recife.", "lives_in", "ADD", None),
    ("f002", "Ana", "Ana is a nurse.", "has_role", "ADD", None),
    ("f003", "Ana", "Ana's home is in Recife.", "lives_in", "NOOP", "f001"),
    ("f004", "Ana", "Ana lives in Recife!", "lives_in", "NOOP", "f003"),
    ("f005", "Bia", "Bia works at Vertix.", "works_at", "ADD", None),
    ("f006", "Ana", "Ana has moved to Natal.", "lives_in", "UPDATE", "f003"),
    ("f007", "Bia", "Bia no longer works at Vertix.", "works_at", "DELETE", "f005"),
    ("f008", "Bia", "Bia likes mango.", "likes", "ADD", None),
)


@pytest.fixture
def small() -> Dataset:
    """Two subjects, eight facts: two additions of Ana's, one repetition in other words, one of an update, one denial."""
    gold, turns = {}, []
    for place, (name, subject, text, slot, decision, of) in enumerate(ROWS):
        fact = GoldFact(
            id=name, subject=subject, text=text, slot=slot, value="-", category="conversational", confidence="explicit",
            valid_from=date(2024, 3, 1), event_time=None, decision=decision, of=of,
        )  # fmt: skip
        gold[f"t{place}"] = GoldTurn(facts=(fact,))
        turns.append(
            DatedTurn(
                id=f"t{place}",
                session_id="s1",
                occurred_at=NOON + timedelta(minutes=place),
                speaker="Ana",
                text=text,
            )
        )
    one = Conversation(
        id="c", sessions=(Session(id="s1", occurred_at=NOON),), turns=tuple(turns), questions=(), gold=gold
    )
    return Dataset(name="small_en", language="en", title="", licence="MIT", conversations=(one,), digest="0" * 64)


def test_pairs_of_a_small_set_are_those_a_reader_would_make(small):
    """One pair of each kind: the repetition of a repetition is followed to its root, the same words need no pair."""
    found = {(pair.relation, pair.first, pair.second) for pair in fact_pairs(small)}
    assert found == {
        ("duplicate", "Ana lives in Recife.", "Ana's home is in Recife."),
        ("update", "Ana lives in Recife.", "Ana has moved to Natal."),
        ("negation", "Bia works at Vertix.", "Bia no longer works at Vertix."),
        ("attribute", "Ana is a nurse.", "Ana has moved to Natal."),
        ("unrelated", "Ana is a nurse.", "Bia likes mango."),
        ("unrelated", "Ana has moved to Natal.", "Bia likes mango."),
    }


def test_a_closed_fact_is_no_attribute(small):
    """Only facts that still hold make pairs of another attribute: the job that was denied makes none."""
    assert not any("Vertix" in pair.second for pair in fact_pairs(small) if pair.relation in ("attribute", "unrelated"))


def test_told_follows_what_is_live(small):
    """When Ana's move is told, her home and her job are stored, and the move is about the home."""
    [move] = [one for one in told(small) if "Natal" in one.text]
    assert move.before == ("Ana lives in Recife.", "Ana is a nurse.")
    assert move.target == "Ana lives in Recife."
    assert [one.text for one in told(small)].count("Ana lives in Recife!") == 0


def test_a_store_says_the_facts_of_others_of_its_subject(small):
    """Ana's store holds Bia's taste as if it were hers; a new fact meets facts of other slots only, never itself."""
    [ana] = [one for one in stores(small) if one.subject == "Ana"]
    assert set(ana.stored) == {"Ana likes mango.", "Ana is a nurse.", "Ana has moved to Natal."}
    for text, places in ana.met:
        assert text not in [ana.stored[place] for place in places]
        assert len(places) == 2


@pytest.mark.parametrize("name", ["harbor_en", "mare_pt"])
def test_no_pair_joins_two_folds_and_no_subject_stands_in_two(name):
    """In our written sets every group is in one fold, both texts of a pair belong to it, and the draw is the same again."""
    from arandu_lab.bench.data.registry import load

    dataset = load(name)
    pairs = fact_pairs(dataset)
    folds: dict[str, set[int]] = {}
    for pair in pairs:
        folds.setdefault(pair.group, set()).add(pair.fold)
    assert all(len(one) == 1 for one in folds.values())
    assert {pair.fold for pair in pairs} == set(range(5))
    assert pairs == fact_pairs(dataset)


def _stsb(folder: Path, rows: str) -> Path:
    (folder / "stsb-en-dev.csv").write_text(rows, encoding="utf-8")
    return folder


def test_stsb_is_cut_at_four_and_a_half_and_at_one(tmp_path):
    """4.5 is the same statement, 1 unrelated, the rest in between; pairs that share a sentence share a fold."""
    folder = _stsb(tmp_path, 'A.,B.,4.5\nC.,"D, d.",1.0\nB.,E.,1.2\nF.,G.,4.499\n')
    pairs = stsb_pairs(folder)
    assert [pair.relation for pair in pairs] == ["duplicate", "unrelated", "near", "near"]
    assert pairs[0].fold == pairs[2].fold
    assert pairs[1].second == "D, d."
    assert len({pair.group for pair in pairs}) == 3


def test_a_broken_line_names_its_place(tmp_path):
    """File and line stand in the message."""
    with pytest.raises(DatasetError, match=r"stsb-en-dev\.csv:2"):
        stsb_pairs(_stsb(tmp_path, "A.,B.,4\nA.,B.,nine\n"))
    with pytest.raises(DatasetError, match=r"csv:1: score 7"):
        stsb_pairs(_stsb(tmp_path, "A.,B.,7\n"))


def test_what_is_not_there_gives_no_pairs(tmp_path):
    """Data of others are optional."""
    assert stsb_pairs(tmp_path) == []
    assert taosmd_pairs(tmp_path) == []


def test_taosmd_pairs_the_old_statement_with_the_new(tmp_path):
    """The statements of the stale and of the correct answer, by their time."""
    (tmp_path / "axis_a_contradiction.jsonl").write_text(
        '{"id": "A", "sessions": [{"text": "Jay: Nix now.", "timestamp": 2.0}, {"text": "Jay: Homebrew.", "timestamp": 1.0}],'
        ' "correct_answer": "nix", "stale_answer": "homebrew"}\n',
        encoding="utf-8",
    )
    [pair] = taosmd_pairs(tmp_path)
    assert (pair.first, pair.second, pair.relation) == ("Jay: Homebrew.", "Jay: Nix now.", "update")

"""Which stage lost a question: one hand-made dossier a fate, each a step away from the one that delivers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import polars as pl
import pytest

from arandu_lab.bench.data.model import Question
from arandu_lab.bench.scorecard import tables
from arandu_lab.bench.scorecard.blame import FATES
from arandu_lab.bench.scorecard.book import Book
from arandu_lab.bench.scorecard.dossier import Asked, Candidate, Dossier, Heard, Made, Named, ReadFact, Row
from arandu_lab.bench.scorecard.frames import frames, rows
from arandu_lab.bench.scorecard.linking import Gold

FIRST, MOVE = "2024-01-05T10:00:00-04:00", "2024-03-02T18:00:00-04:00"
BRISTOL = ReadFact(subject="Annie", text="Annie lives in Bristol.")
ROW = Row(
    fact_id="b", key="person:annie", name="Annie", text="Annie lives in Bristol.", turn="s01t01", valid_from=FIRST, recorded_at=FIRST
)  # fmt: skip
ANNIE, BETH = (
    Named(name="Annie", key="person:annie", how="speaker"),
    Named(name="Beth", key="person:beth", how="speaker"),
)
HEARD = Heard(
    turn="s01t01", facts=(BRISTOL,), kept=(0,), stated=(BRISTOL,), resolved=(ANNIE,),
    made=(Made(position=0, action="ADD", fact_id="b"),),
)  # fmt: skip
LATER = tuple(Heard(turn=turn, resolved=(BETH,)) for turn in ("s01t03", "s02t03"))
SHOWN = Asked(
    question="q01", candidates=(Candidate(fact_id="b", rank=1),), context="Known facts:\n- Annie lives in Bristol."
)
GOOD = Dossier(system="s", dataset="d", mode="end-to-end", heard=(HEARD, *LATER), rows=(ROW,), asked=(SHOWN,))


@pytest.fixture(scope="module")
def gold(tiny: Book) -> Gold:
    return Gold.of(tiny.conversation, None, tiny.dataset.card["speakers"])


def judged(gold: Gold, dossier: Dossier) -> dict[str, Any]:
    """The row of the first question: where Ana Prado lives, asked in February."""
    one: dict[str, Any] = frames([rows(dossier, gold, language="en")])["questions"].row(0, named=True)
    return one


def changed(*, heard: Heard | None = None, row: Row | None = None, asked: Asked | None = None) -> Dossier:
    """The good dossier with one thing changed."""
    return replace(
        GOOD,
        heard=(heard or HEARD, *LATER),
        rows=GOOD.rows if row is None else (row,),
        asked=(asked or SHOWN,),
    )


def test_what_stands_in_the_context_is_delivered(gold: Gold) -> None:
    """The good dossier delivers, and no stage is blamed."""
    one = judged(gold, GOOD)
    assert (one["outcome"], one["stage"]) == ("delivered", None)


LOST = {
    "never extracted": ("extraction", changed(heard=replace(HEARD, facts=(), kept=(), stated=(), made=()), row=None)),
    "wrong entity": (
        "resolution",
        changed(
            heard=replace(HEARD, resolved=(replace(ANNIE, key="person:beth"),)), row=replace(ROW, key="person:beth")
        ),
    ),
    "misfiled": ("state", changed(row=replace(ROW, key="person:beth"))),
    "misdated": (
        "state",
        changed(row=replace(ROW, valid_from="2024-03-05T10:00:00-04:00"), asked=replace(SHOWN, candidates=())),
    ),
    "superseded": (
        "reconciliation",
        replace(
            changed(
                row=replace(ROW, valid_to=FIRST, invalidated_at=FIRST, closed_by="update"),
                asked=replace(SHOWN, candidates=()),
            ),
            heard=(
                HEARD,
                replace(
                    LATER[0], stated=(BRISTOL,), made=(Made(position=0, action="UPDATE", target_id="b", fact_id="x"),)
                ),
            ),
        ),
    ),
    "not retrieved": ("retrieval", changed(asked=replace(SHOWN, candidates=()))),
    "cut by rank": (
        "ranking",
        changed(asked=replace(SHOWN, candidates=(Candidate(fact_id="b", rank=30, lost="topk"),))),
    ),
    "vetoed": ("ranking", changed(asked=replace(SHOWN, candidates=(Candidate(fact_id="b", rank=3, lost="vetoed"),)))),
    "cut by budget": (
        "context",
        changed(asked=replace(SHOWN, candidates=(Candidate(fact_id="b", rank=9, lost="budget"),))),
    ),
}


@pytest.mark.parametrize("fate", LOST)
def test_each_fate_has_its_stage(gold: Gold, fate: str) -> None:
    """One thing changed in the good dossier is found, named, and laid at the door of its stage."""
    stage, dossier = LOST[fate]
    if fate == "never extracted":
        dossier = replace(dossier, rows=())
    one = judged(gold, dossier)
    assert (one["outcome"], one["stage"]) == (fate, stage)
    assert one["happened"]
    assert fate in FATES


def test_the_context_is_judged_by_its_words(gold: Gold) -> None:
    """A fact that is said to be shown and whose words are not there was lost by the context; it need not say where."""
    for context, fate in (("", "cut by budget"), ("Facts. Annie lives in Bristol. That is all.", "delivered")):
        for lost in (None, "budget"):
            asked = replace(
                SHOWN, candidates=(Candidate(fact_id="b", rank=1, lost=lost),), context=context, context_tokens=9
            )
            assert judged(gold, changed(asked=asked))["outcome"] == fate


def test_a_row_that_is_dated_as_decided_is_not_misdated(gold: Gold) -> None:
    """A day that extraction read wrongly is no fault of who wrote it down."""
    late = replace(BRISTOL, valid_from="2024-03-05")
    heard = replace(HEARD, facts=(late,), stated=(late,))
    row = replace(ROW, valid_from="2024-03-05T00:00:00-04:00")
    one = judged(gold, changed(heard=heard, row=row, asked=replace(SHOWN, candidates=())))
    assert (one["outcome"], one["stage"]) == ("superseded", "extraction")


@pytest.mark.parametrize(
    ("stage", "heard"),
    [
        ("dedup", replace(HEARD, kept=(), stated=(), made=())),
        ("reconciliation", replace(HEARD, made=())),
        ("reconciliation", replace(HEARD, made=(Made(position=0, action="NOOP", target_id="other"),))),
        ("state", replace(HEARD, made=(Made(position=0, action="ADD", fact_id=None),))),
    ],
)
def test_merged_away_is_blamed_on_who_did_it(gold: Gold, stage: str, heard: Heard) -> None:
    """A fact that was read and became no row: dropped as a repeat, not decided about, taken for another, not written."""
    one = judged(gold, replace(changed(heard=heard), rows=()))
    assert (one["outcome"], one["stage"]) == ("merged away", stage)


def test_a_name_without_a_key_is_a_matter_of_resolution(gold: Gold) -> None:
    """Read, kept, and filed nowhere because its subject is nobody."""
    nobody = replace(HEARD, resolved=(replace(ANNIE, key=None),), made=())
    one = judged(gold, replace(changed(heard=nobody), rows=()))
    assert (one["outcome"], one["stage"]) == ("wrong entity", "resolution")


def test_a_row_that_closes_without_a_decision_is_a_matter_of_state(gold: Gold) -> None:
    """Nobody decided to close it, so whoever writes did."""
    gone = replace(ROW, valid_to=FIRST, invalidated_at=FIRST, closed_by="edge")
    one = judged(gold, changed(row=gone, asked=replace(SHOWN, candidates=())))
    assert (one["outcome"], one["stage"]) == ("superseded", "state")


def test_a_quoted_turn_delivers_and_the_fact_alone_is_still_judged(gold: Gold) -> None:
    """The turn stands in the context: delivered; by facts alone it was never extracted."""
    said = "- (2024-01-05) hi! I live in Bristol and I work at Orion"
    asked = replace(SHOWN, candidates=(), turns=("s01t01",), context=f"Relevant conversations:\n{said}")
    dossier = replace(changed(heard=replace(HEARD, facts=(), kept=(), stated=(), made=()), asked=asked), rows=())
    one = judged(gold, dossier)
    assert (one["outcome"], one["fact_outcome"], one["fact_stage"]) == ("delivered", "never extracted", "extraction")
    f = frames([rows(dossier, gold, language="en")])
    assert tables.delivered_by(f, "s", "d", "end-to-end") == (0, 1)


def test_a_turn_of_a_control_must_stand_in_its_context(gold: Gold) -> None:
    """Not returned, returned without room, shown: three fates of a system that keeps turns."""
    for turns, context, fate in (
        ((), "", "not retrieved"),
        (("s01t01",), "Annie: something else", "cut by budget"),
        (("s01t01",), "Annie: hi! I live in Bristol and I work at Orion", "delivered"),
    ):
        asked = Asked(question="q01", turns=turns, context=context)
        one = judged(gold, Dossier(system="s", dataset="d", mode="end-to-end", asked=(asked,)))
        assert one["outcome"] == fate
        assert one["fact_outcome"] is None


def test_the_worst_piece_decides(gold: Gold) -> None:
    """A question that needs two facts is lost by the stage that lost the one that came least far."""
    both = replace(gold.conversation.questions[0], facts=("f001", "f002"))
    two = replace(gold, conversation=replace(gold.conversation, questions=(both,)))
    one = judged(two, GOOD)
    assert (one["outcome"], one["stage"], one["needs"], one["delivered"]) == ("never extracted", "extraction", 2, 1)


def test_an_earlier_value_may_be_closed(gold: Gold) -> None:
    """A question about the past: its row is closed as it should be, so nobody closed it wrongly; it was not found."""
    past: Question = replace(gold.conversation.questions[1], id="q01", facts=("f001",), stale=())
    asked = replace(SHOWN, candidates=())
    closed = replace(ROW, valid_to=MOVE, invalidated_at=MOVE, closed_by="update")
    one = judged(
        replace(gold, conversation=replace(gold.conversation, questions=(past,))), changed(row=closed, asked=asked)
    )
    assert (one["outcome"], one["stage"]) == ("not retrieved", "retrieval")


def test_a_failed_question_is_nobody_s_loss(gold: Gold) -> None:
    """An error is no outcome of a stage: it is a failure of its own, out of every share."""
    dossier = changed(asked=Asked(question="q01", error="timeout"))
    one = judged(gold, dossier)
    assert (one["outcome"], one["stage"], one["error"]) == ("failed", None, "timeout")
    f = frames([rows(dossier, gold, language="en")])
    assert f["evidence"].is_empty()
    assert tables.card(f)["delivered"].to_list() == [None]
    assert tables.waterfall(f["questions"]).filter(pl.col("stage") == "failed")["lost"].to_list() == [1]


def deletion(gold: Gold, **more: Any) -> Gold:
    """The set with one question about what was to be forgotten."""
    asked = replace(
        gold.conversation.questions[1], id="q01", category="deletion", answer=None, evidence=(), facts=(), stale=(),
        wrong_answer="Orion Labs", **more,
    )  # fmt: skip
    return replace(gold, conversation=replace(gold.conversation, questions=(asked,)))


def test_what_was_to_be_forgotten_and_is_told_is_not_forgotten(gold: Gold) -> None:
    """A live row, a quoted turn, nothing: extraction that never heard the wish, the quotation, forgotten."""
    work = replace(ROW, fact_id="w", text="Annie works at Orion Labs.")
    forget = deletion(gold)
    shown = Asked(question="q01", candidates=(Candidate(fact_id="w", rank=1),), context="- Annie works at Orion Labs.")
    one = judged(forget, replace(GOOD, rows=(work,), heard=LATER, asked=(shown,)))
    assert (one["kind"], one["outcome"], one["stage"]) == ("deletion", "not forgotten", "extraction")
    quoted = Asked(
        question="q01", turns=("s01t01",), context="- (2024-01-05) hi! I live in Bristol and I work at Orion"
    )
    one = judged(forget, replace(GOOD, rows=(), heard=LATER, asked=(quoted,)))
    assert (one["outcome"], one["stage"]) == ("not forgotten", "context")
    silent = Asked(question="q01")
    one = judged(forget, replace(GOOD, rows=(work,), heard=LATER, asked=(silent,)))
    assert (one["outcome"], one["stage"]) == ("forgotten", None)


def test_what_was_never_said_stands_apart(gold: Gold) -> None:
    """There is nothing to find, whatever the context holds; the waterfall does not count it."""
    never = replace(gold, conversation=replace(gold.conversation, questions=gold.conversation.questions[4:]))
    asked = replace(SHOWN, question="q05")
    f = frames([rows(changed(asked=asked), never, language="en")])
    assert f["questions"]["outcome"].to_list() == ["nothing to find"]
    assert tables.waterfall(f["questions"])["left"][0] == 0
    assert tables.apart(f["questions"])["never_said"] == 1


def test_the_waterfall_adds_up(gold: Gold) -> None:
    """Every answerable question is lost once or delivered."""
    lost = [replace(dossier, system=fate) for fate, (_, dossier) in LOST.items()]
    f = frames(rows(one, gold, language="en") for one in (GOOD, *lost))
    for system, dataset, _, mode in tables.runs(f):
        steps = tables.waterfall(tables.of(f["questions"], system, dataset, mode))
        assert steps["left"][0] == steps["lost"].sum() + steps["left"][-1]

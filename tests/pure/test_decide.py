"""Triage, settle and one heir: decisions as pure functions (W7-W12)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.pure import decide
from arandu_lab.records import Ask, Decision, Fact, Neighbour, NewFact, Verdict

NOW = datetime(2025, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)


def stored(text: str = "Ana lives in Recife", id: str = "f", begun: datetime = NOW, **more: Any) -> Fact:
    return Fact(
        id=id, agent_id="a", entity_key="person:ana", entity_name="Ana", text=text, confidence=0.95, importance=0.5,
        category="unknown", speaker="s", source_event_id="e", valid_from=begun, recorded_at=begun, **more,
    )  # fmt: skip


def new(text: str = "Ana lives in Natal", **more: Any) -> NewFact:
    return NewFact(subject="Ana", text=text, confidence=0.95, category="unknown", importance=0.5, **more)


def triaged(
    fact: NewFact, *near: tuple[Fact, float], closed: tuple[Fact, ...] = (), said: datetime = NOW + DAY
) -> Decision | Ask:
    return decide.triage(0, fact, said, [Neighbour(fact=f, cosine=c) for f, c in near], closed, reconcile_gate=0.5)


def test_triage() -> None:
    """Below the gate fresh, at the gate asked, identical words confirmed at any cosine."""
    tea, jazz = stored("Ana likes tea"), stored("Ana likes jazz")
    assert triaged(new("Ana likes samba"), (tea, 0.49)) == Decision(action="ADD", why="fresh")
    asked = triaged(new("Ana likes samba"), (replace(tea, id="x"), 0.5), (replace(jazz, id="y"), 0.49))
    assert isinstance(asked, Ask)
    assert [n.fact.id for n in asked.neighbours] == ["x"]
    assert triaged(new("ana LIVES in Recife."), (stored(), -1.0)) == Decision(
        action="NOOP", target_id="f", why="identical"
    )


@pytest.mark.parametrize(
    ("text", "known", "asks"),
    [
        ("Ana lives in Natal", "Ana lives in Recife", True),
        ("Ana se mudou para Natal", "Ana lives in Recife", True),
        ("Ana is a welder", "A profissão de Ana é padeira", True),
        ("Ana no longer likes tea", "Ana is fond of tea", True),
        ("Ana has given up fencing", "Ana's hobby is fencing", True),
        ("Ana likes samba", "Ana likes jazz", False),
        ("Ana lives in Natal", "Ana works at Natal Bank", False),
        ("Ana lives in Natal", "Ana's aunt lives in Recife", False),
        ("Ana lives in Natal", "Ana no longer lives in Recife", False),
    ],
)
def test_what_one_has_once_is_asked_about_at_any_cosine(text: str, known: str, asks: bool) -> None:
    """W9: a rival of the same single-valued attribute, or what the fact says is over, is shown to the model however far."""
    assert isinstance(triaged(new(text), (stored(known), -1.0)), Ask) is asks


def test_a_day_is_no_earlier_than_a_moment_of_that_day() -> None:
    """W8: a correction told days later, dated to the day of what it corrects, replaces it; the day before it is late."""
    told = stored(begun=NOW + timedelta(hours=10, minutes=2))
    ask = Ask(position=0, neighbours=(Neighbour(fact=told, cosine=0.9),))
    verdict = Verdict(action="UPDATE", index=0)
    assert decide.settle(ask, verdict, new(valid_from=NOW), NOW + 5 * DAY).action == "UPDATE"
    assert decide.settle(ask, verdict, new(valid_from=NOW - DAY), NOW + 5 * DAY).why == "late"
    assert decide.settle(ask, verdict, new(), NOW).why == "late"


def test_tombstones() -> None:
    """D3, W26: said before it was taken back it stays so, said after it is news; replaced words confirm what was."""
    gone = stored(valid_to=NOW + 9 * DAY, invalidated_at=NOW + 99 * DAY, closed_by="delete")
    again = new(gone.text)
    assert triaged(again, closed=(gone,), said=NOW + 9 * DAY) == Decision(action="NOOP", target_id="f", why="tombstone")
    assert triaged(again, closed=(gone,), said=NOW + 10 * DAY) == Decision(action="ADD", why="fresh")
    corrected = replace(gone, closed_by="correction", valid_to=NOW)
    assert triaged(again, closed=(corrected,), said=NOW + 99 * DAY).why == "tombstone"  # type: ignore[union-attr]
    assert triaged(again, closed=(corrected,), said=NOW + 100 * DAY).why == "fresh"  # type: ignore[union-attr]
    for why in ("update", "late"):
        old = replace(gone, closed_by=why)
        assert triaged(again, closed=(old,), said=NOW + 8 * DAY) == Decision(action="NOOP", target_id="f", why="past")
        assert triaged(again, closed=(old,), said=NOW + 9 * DAY) == Decision(action="ADD", why="fresh")
    assert triaged(again, closed=(replace(gone, closed_by="edge"),), said=NOW).why == "fresh"  # type: ignore[union-attr]


def test_old_words_stay_replaced_by_an_heir_that_told_an_earlier_date() -> None:
    """D3: the heir told a date before the old words were said, so they held at no time; said anew at their own date they
    confirm what was, and only words said later are news."""
    old = stored(valid_to=NOW, invalidated_at=NOW + 10 * DAY, closed_by="update", last_confirmed_at=NOW, begun=NOW)
    heir = (stored("Ana lives in Natal", id="g", begun=NOW - DAY), 0.9)
    again = new("Ana lives in Recife")
    assert triaged(again, heir, closed=(old,), said=NOW) == Decision(action="NOOP", target_id="f", why="past")
    assert isinstance(triaged(again, heir, closed=(old,), said=NOW + DAY), Ask)


def settled(verdict: Verdict | None, fact: NewFact | None = None, said: datetime = NOW + DAY) -> Decision:
    ask = Ask(position=0, neighbours=(Neighbour(fact=stored(), cosine=0.8),))
    return decide.settle(ask, verdict, fact or new(), said)


def test_settle() -> None:
    """A2: silence and invalid indices are Add; older news is late; a DELETE that states something is an UPDATE."""
    assert settled(None) == Decision(action="ADD", why="silence")
    assert settled(Verdict(action="ADD", index=0)) == Decision(action="ADD", why="verdict")
    for index in (None, -1, 1):
        assert settled(Verdict(action="NOOP", index=index)) == Decision(action="ADD", why="verdict_invalid")
    assert settled(Verdict(action="UPDATE", index=0)) == Decision(action="UPDATE", target_id="f", why="verdict")
    assert settled(Verdict(action="UPDATE", index=0), said=NOW) == Decision(
        action="UPDATE", target_id="f", why="verdict"
    )
    assert settled(Verdict(action="UPDATE", index=0), said=NOW - DAY) == Decision(
        action="ADD", target_id="f", why="late"
    )
    past = new(valid_from=NOW - DAY)
    assert settled(Verdict(action="UPDATE", index=0), past) == Decision(action="ADD", target_id="f", why="late")
    assert settled(Verdict(action="DELETE", index=0)) == Decision(action="UPDATE", target_id="f", why="restated")
    denial = new("Ana no longer lives in Recife")
    assert settled(Verdict(action="DELETE", index=0), denial) == Decision(action="DELETE", target_id="f", why="verdict")
    assert settled(Verdict(action="DELETE", index=0), denial, NOW - DAY).why == "late"


decisions = st.lists(
    st.one_of(
        st.none(),
        st.builds(
            Decision,
            action=st.sampled_from(["ADD", "UPDATE", "NOOP", "DELETE"]),
            target_id=st.sampled_from(["f", "g", None]),
            why=st.just("verdict"),
        ),
    )
)


@given(decisions)
def test_one_heir(said: list[Decision | None]) -> None:
    """Nothing is replaced or closed twice, nothing is confirmed after it was, no place is lost, and doing it again changes nothing."""
    out = decide.one_heir(said)
    assert len(out) == len(said)
    taken: set[str | None] = set()
    for before, after in zip(said, out, strict=True):
        if after is None:
            assert before is None
            continue
        if after.action in ("UPDATE", "DELETE", "NOOP") and after.target_id is not None:
            assert after.target_id not in taken
            if after.action != "NOOP":
                taken.add(after.target_id)
    assert decide.one_heir(out) == out


vectors = st.lists(st.floats(-1, 1), min_size=2, max_size=2).map(
    lambda v: np.array(v, dtype=np.float32) / (np.linalg.norm(v) + 1e-6)
)
facts = st.lists(
    st.builds(
        lambda subject, text, vector: replace(new(text), subject=subject, vector=vector),
        st.sampled_from(["Ana", "ANA", "Bia"]),
        st.sampled_from(["Ana sings", "Ana sings!", "Ana does not sing", "Ana dances", "Ana runs 5 km"]),
        st.none() | vectors,
    )
)


@given(facts, st.floats(-1, 1))
def test_duplicates(said: list[NewFact], threshold: float) -> None:
    """A duplicate points to an earlier kept fact of the same subject; opposites never do; the rest has no identical pair."""
    out = decide.duplicates(said, lambda cosine: cosine, threshold=threshold)
    for later, (earlier, _) in out.items():
        assert earlier < later
        assert earlier not in out
        assert said[earlier].subject.lower() == said[later].subject.lower()
        assert ("not" in said[earlier].text) == ("not" in said[later].text)
    kept = [(f.subject.lower(), f.text.strip("!")) for i, f in enumerate(said) if i not in out]
    assert len(kept) == len(set(kept))


def test_lexical_likeness() -> None:
    """Words in common over all words; nothing in common with nothing."""
    assert decide.lexical_likeness("Ana lives in Recife", "Ana lives in Natal") == 3 / 5
    assert decide.lexical_likeness("", "") == 0.0


def test_what_was_told_as_over_never_replaces() -> None:
    """E4, W8: another value with an end in the past is late news; an end told of the same value ends it; before it began, late."""
    begun, said = NOW - 400 * DAY, NOW + DAY
    ask = Ask(position=0, neighbours=(Neighbour(fact=stored(begun=begun), cosine=0.9),))
    verdict = Verdict(action="UPDATE", index=0)
    stay = new("Ana lived in Natal", valid_from=NOW - 60 * DAY, valid_to=NOW - 30 * DAY, granularity="day")
    assert decide.settle(ask, verdict, stay, said) == Decision(action="ADD", target_id="f", why="late")
    over = new("Ana lived in Recife", valid_to=NOW - 30 * DAY, granularity="day")
    assert decide.settle(ask, verdict, over, said) == Decision(action="UPDATE", target_id="f", why="verdict")
    before = new("Ana lived in Recife", valid_from=NOW - 900 * DAY, valid_to=begun, granularity="day")
    assert decide.settle(ask, verdict, before, said).why == "late"
    ahead = new("Ana lives in Natal", valid_to=NOW + 9 * DAY, granularity="day")
    assert decide.settle(ask, verdict, ahead, said).action == "UPDATE"


def test_an_episode_is_asked_about() -> None:
    """W9: a past value of what one has once is shown beside the current one, however far; a past tense without an end is not."""
    stay = new("Ana morou em Natal", valid_from=NOW - 60 * DAY, valid_to=NOW - 30 * DAY, granularity="day")
    assert isinstance(triaged(stay, (stored(), -1.0)), Ask)
    assert triaged(replace(stay, valid_to=None), (stored(), -1.0)) == Decision(action="ADD", why="fresh")

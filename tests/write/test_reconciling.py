"""What becomes of new facts beside stored ones: confirmed, replaced, taken back, kept apart (W2, W7-W12, W26)."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest
from said import AGENT, DAY, Talk, answer, at, edge, entity, fact, opened, verdicts

from arandu_lab.config import MemoryConfig
from arandu_lab.presets import write as write_preset

HOMES = ["Ana lives in Recife", "Ana lives in Olinda", "Ana lives in Natal"]
MOVES = {(a, b): 0.8 for i, a in enumerate(HOMES) for b in HOMES[:i]}


async def test_same_fact_twice() -> None:
    """A1, W7, W12: the same words in other punctuation confirm: one row, same id, no call, two turns in the log."""
    with Talk() as talk:
        first = await talk(answer(fact("Iara", "Iara cria abelhas")), text="Iara cria abelhas")
        second = await talk(answer(fact("Iara", "Iara  cria abelhas!")), text="Iara cria abelhas!")
        assert second.usage.calls == 1, "no reconcile call"
        (confirmed,) = second.facts_unchanged
        assert confirmed.id == first.facts_added[0].id
        assert second.facts_added == ()
        assert [d.why for d in second.decided] == ["identical"]
        assert confirmed.reinforcement_count == 1
        assert confirmed.last_confirmed_at == talk.now
        assert confirmed.valid_from == talk.now - DAY
        assert talk.live() == ["Iara cria abelhas"]
        assert talk.memory.events(AGENT).height == 2


async def test_retraction_that_states_something() -> None:
    """A2: a DELETE whose fact states a new value keeps it: one live, one closed, linked."""
    with Talk(MOVES) as talk:
        first = await talk(answer(fact("Ana", HOMES[0])))
        second = await talk(answer(fact("Ana", HOMES[1])), verdict=verdicts(("DELETE", 0)))
        assert talk.live() == [HOMES[1]]
        (new,) = second.facts_updated
        assert new.supersedes_fact_id == first.facts_added[0].id
        assert second.decided[0].why == "restated"
        assert [f.text for f in talk.view.history(new.id)] == HOMES[:2]


async def test_plain_retraction() -> None:
    """W7: a DELETE closes the fact in both times, adds nothing, and the edge on it falls."""
    old, new = "Ana works at Vertix", "Ana no longer works at Vertix"
    with Talk({(old, new): 0.9}) as talk:
        await talk(
            answer(
                fact("Ana", old),
                entities=[entity("Ana"), entity("Vertix", "organization")],
                relations=[edge("Ana", "works_at", "Vertix")],
            )
        )
        result = await talk(answer(fact("Ana", new)), verdict=verdicts(("DELETE", 0)))
        (closed,) = result.facts_deleted
        assert (closed.text, closed.valid_to, closed.closed_by) == (old, talk.now, "delete")
        assert closed.invalidated_at is not None
        assert talk.live() == []
        assert talk.edges() == []


async def test_update_stores_the_new_text() -> None:
    """A3: what is stored is the new fact's own text with its own vector, whatever the model echoes."""
    with Talk(MOVES) as talk:
        await talk(answer(fact("Ana", HOMES[0])))
        echo = {"verdicts": [{"i": 0, "action": "UPDATE", "known": 0, "text": HOMES[0], "fact": HOMES[0]}]}
        result = await talk(answer(fact("Ana", HOMES[1])), verdict=echo)
        (new,) = result.facts_updated
        assert new.text == HOMES[1]
        (vector,) = await talk.memory.embed([HOMES[1]])
        assert new.vector is not None
        assert np.allclose(new.vector, vector)


async def test_three_cities_in_a_row() -> None:
    """A4: the current view has the last value; history has all in order, with intervals that touch."""
    with Talk(MOVES) as talk:
        for home in HOMES:
            result = await talk(answer(fact("Ana", home)), verdict=verdicts(("UPDATE", 0)))
        assert talk.live() == [HOMES[2]]
        chain = talk.view.history(result.facts_updated[0].id)
        assert [f.text for f in chain] == HOMES
        assert [f.valid_to for f in chain[:2]] == [f.valid_from for f in chain[1:]]
        assert talk.memory.facts(AGENT, as_of=chain[1].valid_from)["text"].to_list() == [HOMES[1]]


async def test_half_open_intervals() -> None:
    """E8: a fact of [January, March) is seen in February, and in March no more."""
    with Talk(MOVES) as talk:
        await talk(answer(fact("Ana", HOMES[0])), when=at(2025, 1))
        await talk(answer(fact("Ana", HOMES[1])), when=at(2025, 3), verdict=verdicts(("UPDATE", 0)))
        seen = [talk.memory.facts(AGENT, as_of=at(2025, month))["text"].to_list() for month in (1, 2, 3)]
        assert seen == [[HOMES[0]], [HOMES[0]], [HOMES[1]]]


async def test_late_news() -> None:
    """E15, W8: an older value that arrives late is inserted closed: the current one stays, the past is answered right."""
    with Talk(MOVES) as talk:
        await talk(answer(fact("Ana", HOMES[0])), when=at(2024))
        late = await talk(answer(fact("Ana", HOMES[1])), when=at(2022), verdict=verdicts(("UPDATE", 0)))
        assert [(d.action, d.why) for d in late.decided] == [("ADD", "late")]
        (old,) = late.facts_added
        assert (old.valid_from, old.valid_to, old.closed_by) == (at(2022), at(2024), "late")
        assert old.supersedes_fact_id is None
        assert talk.live() == [HOMES[0]]
        assert talk.memory.facts(AGENT, as_of=at(2023))["text"].to_list() == [HOMES[1]]


async def test_late_news_into_a_chain() -> None:
    """W8: news older than a whole chain of versions ends where the chain begins, not where its last version does."""
    with Talk(MOVES) as talk:
        await talk(answer(fact("Ana", HOMES[0])), when=at(2023))
        await talk(answer(fact("Ana", HOMES[1])), when=at(2024), verdict=verdicts(("UPDATE", 0)))
        late = await talk(answer(fact("Ana", HOMES[2])), when=at(2022), verdict=verdicts(("UPDATE", 0)))
        assert late.facts_added[0].valid_to == at(2023)
        seen = [talk.memory.facts(AGENT, as_of=at(year, 6))["text"].to_list() for year in (2022, 2023, 2024)]
        assert seen == [[HOMES[2]], [HOMES[0]], [HOMES[1]]]


async def test_late_news_by_its_own_date() -> None:
    """W5, W8: a date that the fact states counts, not when it was said."""
    with Talk(MOVES) as talk:
        await talk(answer(fact("Ana", HOMES[0])), when=at(2024))
        said = answer(fact("Ana", HOMES[1], valid_from="2019"))
        late = await talk(said, when=at(2025), verdict=verdicts(("UPDATE", 0)))
        assert late.facts_added[0].valid_from == datetime(2019, 1, 1, tzinfo=UTC)
        assert late.facts_added[0].valid_to == at(2024)


async def test_late_denial() -> None:
    """W8: a denial from before the fact began does not end it."""
    old, new = "Ana works at Vertix", "Ana does not work at Vertix"
    with Talk({(old, new): 0.9}) as talk:
        await talk(answer(fact("Ana", old)), when=at(2024))
        result = await talk(answer(fact("Ana", new)), when=at(2022), verdict=verdicts(("DELETE", 0)))
        assert result.facts_deleted == ()
        assert talk.live() == [old]
        assert result.facts_added[0].valid_to == at(2024)


async def test_tombstone_after_delete() -> None:
    """D3, W7: a fact taken back does not come back from an old transcript; said anew later, it is news."""
    old, new = "Ana works at Vertix", "Ana no longer works at Vertix"
    with Talk({(old, new): 0.9}) as talk:
        await talk(answer(fact("Ana", old)), when=at(2024, 1))
        await talk(answer(fact("Ana", new)), when=at(2024, 6), verdict=verdicts(("DELETE", 0)))
        again = await talk(answer(fact("Ana", old)), when=at(2024, 3), text="old session")
        assert again.decided == ()
        assert [s.why for s in again.skipped] == ["was taken back earlier and stays so"]
        assert talk.live() == []
        later = await talk(answer(fact("Ana", old)), when=at(2024, 9))
        assert [d.action for d in later.decided] == ["ADD"]
        assert talk.live() == [old]


async def test_tombstone_after_update() -> None:
    """D3: a value that was replaced does not come back from an old transcript either: it confirms what was."""
    with Talk(MOVES) as talk:
        await talk(answer(fact("Ana", HOMES[0])), when=at(2024, 1))
        await talk(answer(fact("Ana", HOMES[1])), when=at(2024, 6), verdict=verdicts(("UPDATE", 0)))
        again = await talk(answer(fact("Ana", HOMES[0])), when=at(2024, 3), text="old session")
        assert [(d.action, d.why) for d in again.decided] == [("NOOP", "past")]
        assert talk.live() == [HOMES[1]]
        back = await talk(answer(fact("Ana", HOMES[0])), when=at(2024, 9), verdict=verdicts(("UPDATE", 0)))
        assert [d.action for d in back.decided] == ["UPDATE"], "she moved back: that is news"
        assert talk.live() == [HOMES[0]]


async def test_tombstone_after_correction() -> None:
    """D3, A15, W26: a correction supersedes, counts, and the old session does not bring the old text back."""
    with Talk(MOVES) as talk:
        first = await talk(answer(fact("Ana", HOMES[0])), when=at(2024, 1))
        corrected = await talk.memory.correct(AGENT, first.facts_added[0].id, HOMES[1])
        (new,) = corrected.facts_updated
        assert (new.supersedes_fact_id, new.user_correction_count) == (first.facts_added[0].id, 1)
        again = await talk(answer(fact("Ana", HOMES[0])), when=at(2024, 1, 2), text="old session")
        assert again.decided == ()
        assert [s.why for s in again.skipped] == ["was taken back earlier and stays so"]
        assert talk.live() == [HOMES[1]]


async def test_same_subject_is_no_conflict() -> None:
    """A13, A22: facts of one subject that speak of other things close nothing, however many there are."""
    things = [f"Ana {verb} {thing}" for verb, thing in zip(
        "likes owns visited studied painted sold cooks sings".split(),
        "jazz bikes Lisbon law walls shoes rice opera".split(), strict=True)]  # fmt: skip
    with Talk({(a, b): 0.49 for i, a in enumerate(things) for b in things[:i]}) as talk:
        for text in things:
            result = await talk(answer(fact("Ana", text)))
            assert [d.why for d in result.decided] == ["fresh"]
        assert talk.live() == things
        assert talk.model.asked("reconcile") == []


async def test_silence_is_add() -> None:
    """Fail-safe: a similar fact on which the model says nothing is added; nothing is lost, nothing closed."""
    with Talk(MOVES) as talk:
        await talk(answer(fact("Ana", HOMES[0])))
        result = await talk(answer(fact("Ana", HOMES[1])))
        assert [(d.action, d.why) for d in result.decided] == [("ADD", "silence")]
        assert talk.live() == HOMES[:2]


@pytest.mark.parametrize("index", [-1, 1, 999, None])
async def test_unknown_index(index: int | None) -> None:
    """W10: a verdict about a fact that was not shown touches nothing but its own fact."""
    with Talk(MOVES) as talk:
        await talk(answer(fact("Ana", HOMES[0])))
        result = await talk(answer(fact("Ana", HOMES[1])), verdict=verdicts(("UPDATE", index)))
        assert [(d.action, d.why) for d in result.decided] == [("ADD", "verdict_invalid")]
        assert talk.live() == HOMES[:2]


async def test_verdict_on_an_unknown_item() -> None:
    """W10: a verdict about an item that was not asked is told and touches nothing."""
    with Talk(MOVES) as talk:
        await talk(answer(fact("Ana", HOMES[0])))
        stray = {"verdicts": [{"i": 7, "action": "DELETE", "known": 0}]}
        result = await talk(answer(fact("Ana", HOMES[1])), verdict=stray)
        assert talk.live() == HOMES[:2]
        assert [s.what for s in result.skipped] == ["verdict on fact 7"]


async def test_one_heir() -> None:
    """No stored fact gets two heirs: the second claim in one message is added on its own."""
    with Talk(MOVES) as talk:
        await talk(answer(fact("Ana", HOMES[0])))
        said = answer(fact("Ana", HOMES[1]), fact("Ana", HOMES[2]))
        result = await talk(
            said, verdict=verdicts(("UPDATE", 0), ("UPDATE", 0)), config_overrides={"semantic_dedup_threshold": 0.99}
        )
        assert [(d.action, d.why) for d in result.decided] == [("UPDATE", "verdict"), ("ADD", "heir")]
        heirs = [f for f in talk.all() if f.supersedes_fact_id]
        assert len(heirs) == 1


async def test_reconcile_runs_after_informed() -> None:
    """W2: NEW or UPDATE in the extraction is a hint; without the reconcile stage the hint decides."""
    hinted = answer(fact("Ana", HOMES[1], action="UPDATE", known=0))
    with Talk() as talk:
        await talk(answer(fact("Ana", HOMES[0])))
        result = await talk(hinted, text="Ana se mudou.")
        assert [d.action for d in result.decided] == ["ADD"], "cosine 0: nothing to reconcile, whatever the hint"
    with Talk(write=write_preset().without("reconcile")) as talk:
        await talk(answer(fact("Ana", HOMES[0])))
        result = await talk(hinted, text="Ana se mudou.")
        assert [(d.action, d.why) for d in result.decided] == [("UPDATE", "hint")]
        assert talk.live() == [HOMES[1]]


async def test_old_facts_of_the_speaker() -> None:
    """W9: neighbours come from all facts of the entity: the oldest of 80 is found and replaced."""
    with Talk({("Rafael lives in Recife", "Rafael lives in Natal"): 0.8}) as talk:
        await talk(answer(fact("Rafael", "Rafael lives in Recife")))
        await talk(answer(*(fact("Rafael", f"Rafael knows song number {n}") for n in range(80))))
        result = await talk(answer(fact("Rafael", "Rafael lives in Natal")), verdict=verdicts(("UPDATE", 0)))
        assert [f.text for f in result.facts_updated] == ["Rafael lives in Natal"]
        assert "Rafael lives in Recife" not in talk.live()


async def test_linked_facts_are_neighbours() -> None:
    """W9: a fact that only mentions the entity counts as a neighbour too."""
    old, new = "Rafael bought a car from Ana", "Ana sold a car to Rafael"
    with Talk({(old, new): 0.9}) as talk:
        await talk(answer(fact("Rafael", old), entities=[entity("Rafael"), entity("Ana")]))
        result = await talk(answer(fact("Ana", new)), verdict=verdicts(("NOOP", 0)))
        assert [f.text for f in result.facts_unchanged] == [old]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Caio bebe café", "Caio não bebe café"),
        ("Caio trabalha no banco", "Caio não trabalha no banco"),
        ("Caio works in room 12", "Caio works in room 21"),
        ("Caio went from 3 to 5", "Caio went from 5 to 3"),
        ("Caio likes tea", "Caio hardly likes tea"),
        ("Caio moved to Recife", "Caio plans to move to Recife"),
        ("Caio works at Vertix", "Caio worked at Vertix"),
        ("Caio is a nurse", "Caio was a nurse"),
        ("Caio met Ana in May", "Caio met Ana in June"),
        ("Caio knows that Ana hired Bia", "Caio knows that Bia hired Ana"),
        ("Caio has a dog", "Caio has a cat"),
        ("Caio bought the house", "Caio sold the house"),
    ],
)
async def test_opposites_are_never_merged(one: str, other: str) -> None:
    """A16, W11: polarity, mood, numbers, dates, names and objects keep two facts of a message apart at any cosine."""
    with Talk({(one, other): 0.99}) as talk:
        result = await talk(
            answer(fact("Caio", one), fact("Caio", other)), config_overrides={"semantic_dedup_threshold": 0.0}
        )
        assert [f.text for f in result.facts_added] == [one, other]


async def test_near_duplicates_of_one_message() -> None:
    """Semantic dedup: of two wordings at .85 or above the first is kept, and ``skipped`` names the other."""
    one, other = "Ana lives in Recife", "Ana resides in Recife"
    with Talk({(one, other): 0.9}) as talk:
        result = await talk(answer(fact("Ana", one), fact("Ana", other)))
        assert [f.text for f in result.facts_added] == [one]
        assert "near-duplicate" in result.skipped[0].why
    with Talk({(one, other): 0.84}) as talk:
        result = await talk(answer(fact("Ana", one), fact("Ana", other)))
        assert [f.text for f in result.facts_added] == [one, other]


async def test_duplicate_under_two_names() -> None:
    """A1: one statement under two names of one entity is stored once."""
    with Talk() as talk:
        said = answer(fact("eu", "Rafael likes tea"), fact("Rafael", "Rafael likes tea"), entities=[])
        result = await talk(said)
        assert [f.text for f in result.facts_added] == ["Rafael likes tea"]
        assert [s.why for s in result.skipped] == ["repeated in the message"]


async def test_category_and_confidence() -> None:
    """W1: the category survives an alias; levels and categories have the documented numbers; an unknown category is .50."""
    said = answer(
        fact("Bel", "Isabel was born in Natal", importance_category="biographical_milestone", confidence="strong"),
        fact("Isabel", "Isabel has a hat", importance_category="of_no_kind", confidence=0.4),
        entities=[entity("Isabel", "person", "Bel")],
    )
    with Talk() as talk:
        first, second = (await talk(said)).facts_added
        assert (first.importance, first.category, first.confidence) == (0.95, "biographical_milestone", 0.80)
        assert (second.importance, second.category, second.confidence) == (0.50, "unknown", 0.40)
        changed = await talk(
            answer(fact("Isabel", "Isabel sings", importance_category="conversational")),
            config_overrides={"importance_values": {"conversational": 0.11}},
        )
        assert changed.facts_added[0].importance == 0.11


async def test_at_most_three_calls() -> None:
    """W3: ambiguous names go in one question, similar facts in one: three calls at the most, however many there are."""
    old = [f"{name} lives in Recife" for name in ("Ana", "Bia", "Caio")]
    new = [f"{name} lives in Natal" for name in ("Ana", "Bia", "Caio")]
    cosines = dict.fromkeys(zip(old, new, strict=True), 0.8) | {("Zeca", "Ana"): 0.6, ("Zuca", "Bia"): 0.6}
    with Talk(cosines) as talk:
        await talk(answer(*(fact(text.split()[0], text) for text in old)))
        said = answer(
            *(fact(text.split()[0], text) for text in new), fact("Zeca", "Zeca sings"), fact("Zuca", "Zuca runs")
        )
        result = await talk(said, verdict=verdicts(*[("UPDATE", 0)] * 3))
        assert [call.task for call in talk.model.calls[1:]] == ["extract", "resolve", "reconcile"]
        assert result.usage.calls == 3
        assert len(result.facts_updated) == 3


async def test_blank_answers_ask_nothing_more() -> None:
    """W3: nothing ambiguous and nothing similar is one call."""
    with opened({"extract": answer(fact("Ana", "Ana sings"))}) as memory:
        assert (await memory.write(AGENT, "Ana canta", "Rafael", occurred_at=at(2025))).usage.calls == 1


async def test_a_rival_is_asked_about_however_far() -> None:
    """W9: the home is shown beside a new home below the gate and beyond the nearest; a liking as far away is not."""
    home, away = "Ana lives in Recife", "Ana's house is in Natal"
    likes = [f"Ana likes thing {n}" for n in range(4)]
    with Talk(
        {(home, away): 0.1, **{(like, away): 0.3 for like in likes}}, config=MemoryConfig(reconcile_neighbours=2)
    ) as talk:
        await talk(answer(*(fact("Ana", text) for text in (home, *likes))))
        result = await talk(answer(fact("Ana", away)), verdict=verdicts(("UPDATE", 0)))
        (asked,) = [call.inputs for call in talk.model.calls if call.task == "reconcile"]
        assert [known["text"] for known in asked["items"][0]["known"]] == [home]
        assert [(d.action, d.before.text) for d in result.decided if d.before] == [("UPDATE", home)]


async def test_a_long_message_is_shown_where_the_facts_stand() -> None:
    """H4: of a message longer than a part, the verdict's question holds the passages of its facts and not the rest."""
    home, away = "Ana lives in Recife", "Ana lives in Natal"
    long = (
        "The weather was fine all day. " * 300 + "Oh, and Ana packed for Natal. " + "Then it rained for hours. " * 300
    )
    with Talk({(home, away): 0.8}) as talk:
        await talk(answer(fact("Ana", home)))
        await talk(answer(fact("Ana", away)), text=long, verdict=verdicts(("UPDATE", 0)))
        (asked,) = [call.inputs for call in talk.model.calls if call.task == "reconcile"]
        assert "Ana packed for Natal" in asked["message"]
        assert len(asked["message"]) < 4000 < len(long)
        assert talk.live() == [away]

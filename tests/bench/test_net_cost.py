"""What a memory saves: the context of a question against the whole conversation, in the same tokens."""

from __future__ import annotations

from arandu_lab.bench.data.registry import load
from arandu_lab.pure.budget import estimate_tokens
from arandu_lab.systems.open import open_system


async def test_a_question_costs_less_than_the_conversation() -> None:
    """H6: tokens of the context and of the whole history stand side by side; the history grows fourfold, the context hardly."""
    [conversation] = load("harbor_en")
    turns = conversation.turns[:80]
    system = open_system("arandu", embedder="hashing")
    await system.begin("one")
    asked = "Where does Michael Okafor work?"
    contexts, histories, said = [], [], 0
    for number, turn in enumerate(turns, 1):
        await system.listen(turn)
        said += estimate_tokens(f"{turn.speaker}: {turn.text}")
        if number in (20, 80):
            ranked = await system.ask(asked, now=turn.occurred_at, k=10)
            contexts.append(estimate_tokens(ranked.context))
            histories.append(said)
    await system.end()
    assert contexts[0] > 0
    assert histories[1] > 3 * histories[0]
    assert contexts[1] < 2 * contexts[0]
    assert contexts[1] < histories[1] / 4

"""True conflicts and lookalikes through whole writes with the offline model: found, and not invented (A13, A14, D4)."""

from __future__ import annotations

from typing import Any

import pytest
from said import AGENT, at

from arandu_lab.embed.open import open_embedder
from arandu_lab.memory import Memory

CONFLICTS = {
    "pt": """
        A Ana mora em Recife. | A Ana se mudou para Olinda.
        O Beto trabalha na Vertix. | O Beto agora trabalha na Orion.
        A Lia namora o Caio. | A Lia terminou com o Caio.
        O Davi estuda medicina. | O Davi agora estuda direito.
        A Rita gosta de café. | A Rita não gosta mais de café.
        O Ivo fuma. | O Ivo parou de fumar.
        A Nina tem um gato chamado Thor. | A Nina não tem mais o gato Thor.
        O Raul é alérgico a camarão. | O Raul não é mais alérgico a camarão.
        A Dora é vegetariana. | A Dora voltou a comer carne.
        O Tito é gerente na Acme. | O Tito saiu da Acme.
    """,
    "en": """
        Ana lives in Boston. | Ana moved to Denver.
        Bob works at Vertix. | Bob now works at Orion.
        Lia is dating Carl. | Lia broke up with Carl.
        Dave studies medicine. | Dave now studies law.
        Rita likes coffee. | Rita doesn't like coffee anymore.
        Ivan smokes. | Ivan quit smoking.
        Nina has a cat called Thor. | Nina no longer has the cat Thor.
        Ralph is allergic to shrimp. | Ralph is no longer allergic to shrimp.
        Dora is vegetarian. | Dora eats meat again.
        Tim is a manager at Acme. | Tim left Acme.
    """,
}
LOOKALIKES = {
    "pt": """
        A Ana mora em Recife. | A Ana viajou para Olinda.
        O Beto trabalha na Vertix. | O Caio trabalha na Orion.
        A Lia namora o Caio. | A Lia almoçou com o Davi.
        O Davi estuda medicina. | O Davi gosta de direito.
        A Rita gosta de café. | A Rita gosta de chá.
        O Ivo fuma. | O irmão do Ivo parou de fumar.
        A Nina tem um gato chamado Thor. | A Nina tem um cachorro chamado Loki.
        O Raul é alérgico a camarão. | O Raul foi ao casamento da Bia.
        A Dora é vegetariana. | A Dora é engenheira.
        O Tito é gerente na Acme. | O Tito gosta da Acme.
    """,
    "en": """
        Ana lives in Boston. | Ana visited Denver.
        Bob works at Vertix. | Carl works at Orion.
        Lia is dating Carl. | Lia had lunch with Dave.
        Dave studies medicine. | Dave likes law.
        Rita likes coffee. | Rita likes tea.
        Ivan smokes. | Ivan's brother quit smoking.
        Nina has a cat called Thor. | Nina has a dog called Loki.
        Ralph is allergic to shrimp. | Ralph went to Bea's wedding.
        Dora is vegetarian. | Dora is an engineer.
        Tim is a manager at Acme. | Tim likes Acme.
    """,
}


@pytest.fixture(scope="module")
def embedder() -> Any:
    """The bundled embedder, loaded once."""
    return open_embedder(None)


async def closed_by_the_second(block: str, embedder: Any) -> list[bool]:
    """For each pair of messages, whether the second closed anything that the first stated; both state something."""
    out = []
    with Memory.open("memory://", embedder=embedder) as memory:
        for number, line in enumerate(block.strip().splitlines()):
            first, second = line.strip().split(" | ")
            agent = f"{AGENT}{number}"
            told = await memory.write(agent, first, "Rafael", occurred_at=at(2025, 1))
            assert told.facts_added, first
            result = await memory.write(agent, second, "Rafael", occurred_at=at(2025, 2))
            assert result.decided or result.skipped, second
            frame = memory.store.frame("facts", agent)
            out.append(frame["valid_to"].drop_nulls().len() > 0)
    return out


@pytest.mark.parametrize("language", ["pt", "en"])
async def test_true_conflicts_are_found_and_lookalikes_are_not(language: str, embedder: Any) -> None:
    """A13, A14: of ten true conflicts at least eight end what they contradict, of ten lookalikes none; the table is printed."""
    found = sum(await closed_by_the_second(CONFLICTS[language], embedder))
    invented = sum(await closed_by_the_second(LOOKALIKES[language], embedder))
    print(
        f"{language}: conflicts {found} found {10 - found} missed; lookalikes {invented} invented {10 - invented} left"
    )
    assert found >= 8
    assert invented == 0


@pytest.mark.parametrize(
    "line",
    [
        "ping", "PONG", "heartbeat", "HEARTBEAT_OK", "[heartbeat] 12:00:05", "keep-alive", "health check passed", "Sinal de vida: ok",
        "verificação de integridade concluída", "batimento 42", "Read HEARTBEAT.md; if nothing needs attention, reply HEARTBEAT_OK.",
    ],
)  # fmt: skip
async def test_signs_of_life_are_skipped(line: str) -> None:
    """D4: a sign of life, in either language, is in the log, told as skipped, and puts no question to any model."""
    with Memory.open("memory://", embedder="hashing") as memory:
        result = await memory.write(AGENT, line, "cron", occurred_at=at(2025))
        assert [one.why for one in result.skipped] == ["a sign of life states nothing"]
        assert (result.success, result.usage.calls, result.decided) == (True, 0, ())
        assert memory.events(AGENT).height == 1
        assert memory.facts(AGENT).height == 0


@pytest.mark.parametrize(
    "line",
    ["Ping me at work, I live in Recife.", "My heartbeat is fine and I live in Recife.", "Check: I live in Recife."],
)
async def test_what_only_begins_so_is_read(line: str) -> None:
    """D4: a statement beside such a word is a statement."""
    with Memory.open("memory://", embedder="hashing") as memory:
        result = await memory.write(AGENT, line, "Ana", occurred_at=at(2025))
        assert result.usage.calls >= 1
        assert not [one for one in result.skipped if "sign of life" in one.why]

"""Claims about messages that state nothing, and about speakers who are no persons (D4, G2)."""

from __future__ import annotations

import pytest

from arandu_lab.pure.assistants import is_assistant, own_name
from arandu_lab.pure.liveness import sign_of_life


@pytest.mark.parametrize(
    "text",
    ["ping", "PONG!", "[heartbeat] 12:00:05", "heart beat ok", "Sinal de vida: ok", "health_check passed", "keep alive 17", "keepalive",
     "verificação de saúde: ok", "system status heartbeat", "reply HEARTBEAT_OK if all is well", "batimento do servidor", "verificação da integridade"],
)  # fmt: skip
def test_signs_of_life(text: str) -> None:
    """D4: a word by which programs tell that they run, with counters and the like beside it, is a sign of life."""
    assert sign_of_life(text)


@pytest.mark.parametrize(
    "text",
    ["Ping me when you live in Recife", "ping pong", "I play ping pong", "My heartbeat is 62", "ok", "", "17", "system status", "keep calm",
     "alive keep", "sinal de transito", "health is wealth", "reply heartbeat_ok_not please"],
)  # fmt: skip
def test_words_of_people(text: str) -> None:
    """D4: a sentence that has such a word, the game, or words beside it alone are none."""
    assert not sign_of_life(text)


@pytest.mark.parametrize(
    ("speaker", "name"),
    [("assistant", None), ("Assistente", None), ("AI", None), ("o assistente", None), ("Virtual Assistant", None), ("Iris (assistant)", "Iris"),
     ("Íris (IA)", "Íris"), (" Bia Lima (AI) ", "Bia Lima"), ("Iris  (o assistente)", "Iris")],
)  # fmt: skip
def test_assistants(speaker: str, name: str | None) -> None:
    """G2: a word for an assistant, or a name with one in brackets, is an assistant; the name is what stands before them."""
    assert is_assistant(speaker)
    assert own_name(speaker) == (name or speaker)


@pytest.mark.parametrize(
    "speaker", ["Rafael", "Rafael (do bar)", "Ana Assistente", "Iris (assistant) Lima", "Ia Gomes", ""]
)
def test_persons(speaker: str) -> None:
    """G2: everybody else is a person."""
    assert not is_assistant(speaker)
    assert own_name(speaker) == speaker

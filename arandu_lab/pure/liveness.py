"""Signs of life: messages by which programs tell each other that they run. They state nothing (D4)."""

from __future__ import annotations

from itertools import pairwise

from arandu_lab.pure.text import normal

_SIGNS = frozenset("ping pong heartbeat keepalive healthcheck batimento".split())
_PAIRS = frozenset(
    {"heart beat", "keep alive", "health check", "sinal vida", "verificacao saude", "verificacao integridade"}
)
_BESIDE = frozenset(
    """ok ack alive up online running passed status system sistema bot agent agente server servidor check received recebido de da
    do the is still at em utc z t seq no n concluida concluido ativo ativa vivo viva sinal vida verificacao saude integridade
    heart beat keep health test teste""".split()
)
_TOKEN = "HEARTBEAT_OK"


def sign_of_life(text: str) -> bool:
    """Whether a whole message is a sign of life: such a word with nothing but counters, times and ``ok`` beside it.

    Also whatever asks for, or is, the answer ``HEARTBEAT_OK``. A sentence that only begins so is none.

    >>> [sign_of_life(one) for one in ("ping", "[heartbeat] 12:00:05", "Sinal de vida: ok", "reply HEARTBEAT_OK if all is well")]
    [True, True, True, True]
    >>> [sign_of_life(one) for one in ("Ping me when you live in Recife", "ping pong", "My heartbeat is 62", "ok", "")]
    [False, False, False, False, False]
    """
    if _TOKEN in text:
        return True
    said = normal(text).replace("_", " ").split()
    told = [word for word in said if word not in ("de", "da", "do", "the")]
    signs = {word for word in told if word in _SIGNS} | {f"{a} {b}" for a, b in pairwise(told)} & _PAIRS
    if len(signs & {"ping", "pong"}) == 2:
        return False
    return bool(signs) and all(word in _SIGNS or word in _BESIDE or word.isdigit() for word in said)

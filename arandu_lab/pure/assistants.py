"""Which speakers are assistants: by a word for one, or with a name of its own and its role in brackets (G2, W20)."""

from __future__ import annotations

import re

from arandu_lab.pure.text import normal

_ASSISTANTS = frozenset("assistant assistente ai ia bot chatbot chatgpt model system".split()) | {
    "the assistant", "o assistente", "a assistente", "ai assistant", "assistente virtual", "virtual assistant",
}  # fmt: skip
_BEHIND = re.compile(r"^(?P<name>[^()]*[^()\s])\s*\((?P<role>[^()]+)\)\s*$")


def is_assistant(speaker: str) -> bool:
    """Whether a speaker's name says that no person speaks but an assistant.

    >>> is_assistant("assistant"), is_assistant("Assistente"), is_assistant("Iris (assistant)"), is_assistant("Rafael")
    (True, True, True, False)
    """
    return normal(speaker) in _ASSISTANTS or own_name(speaker) != speaker


def own_name(speaker: str) -> str:
    """The name of a speaker without the brackets behind it that say that an assistant speaks.

    >>> own_name("Iris (assistant)"), own_name("Íris (IA)"), own_name("Rafael (do bar)")
    ('Iris', 'Íris', 'Rafael (do bar)')
    """
    found = _BEHIND.match(speaker.strip())
    return found["name"] if found is not None and normal(found["role"]) in _ASSISTANTS else speaker

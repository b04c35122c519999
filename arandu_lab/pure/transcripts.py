"""A conversation pasted into one message: whose words each stretch of it is.

``Ana: moro em Recife`` / ``Beto: e eu em Natal``, one below the other or parted by a slash, with or without the stamps
that chat programs put in front. A form ("Nome: Ana", "Idade: 30") is none.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from arandu_lab.pure.hypocorisms import is_given_name
from arandu_lab.pure.text import ident, normal, words

_STAMP = (
    r"(?:\[[^\]\n]{1,40}\][ \t]*|\(?\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4},?[ \t]+\d{1,2}:\d{2}(?::\d{2})?(?:[ \t]?[AaPp]\.?[Mm]\.?)?\)?"
    r"[ \t]*(?:[-–][ \t]*)?|\(?\d{1,2}:\d{2}(?::\d{2})?\)?[ \t]+(?:[-–][ \t]*)?)?"
)
_LABEL = re.compile(
    rf"(?:^|(?<= / ))[ \t>]{{0,8}}{_STAMP}(?:\*\*|__)?(?P<who>[^\W\d_][\w'’.-]{{0,29}}(?: [^\W_][\w'’.-]{{0,29}}){{0,3}})"
    r"(?:\*\*|__)?[ \t]?:(?:\*\*|__)?(?=\s)[ \t]*",
    re.MULTILINE,
)
_PARTICLES = frozenset("da de do das dos e of van von di del la".split())
_VOICES = frozenset("user usuario usuaria human humano assistant assistente ai ia bot chatbot system".split())
_PERSONAL = frozenset(
    "i me my mine you your we us our eu mim meu minha meus minhas comigo voce vc tu te teu tua nos nosso nossa".split()
)
_NO_NAMES = frozenset(
    """note notes nota notas obs observacao observacoes ps nb todo fixme warning aviso atencao attention error erro info
    debug example exemplo ex summary resumo question pergunta answer resposta q a p r name nome age idade city cidade
    country pais address endereco phone telefone email date data time hora horario place local subject assunto to para from de
    cc re fw title titulo author autor source fonte link url pros cons contras pro contra step passo ingredients ingredientes
    method preparo total price preco item items itens list lista work trabalho home casa job profissao cargo role hobby hobbies
    morning manha afternoon tarde evening noite today hoje yesterday ontem tomorrow amanha monday tuesday wednesday thursday
    friday saturday sunday segunda terca quarta quinta sexta sabado domingo january february march april may june july august
    september october november december janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro
    update news novidades plan plano plans planos goal meta problem problema solution solucao result resultado conclusion
    conclusao reason motivo important importante reminder lembrete tip dica first second third primeiro segundo terceiro""".split()
)


@dataclass(frozen=True, slots=True)
class Voice:
    """One line of a transcript and what follows it: ``text[start:end]``, of which ``text[said:end]`` are the words."""

    speaker: str
    start: int
    said: int
    end: int


def spoken(text: str, among: Collection[str] | None = None) -> tuple[Voice, ...]:
    """The lines of a transcript in order, from the first that says who speaks; empty for any other text.

    Two people at least speak, and half of them have known names, or they answer each other (one speaks again after
    another) in the first and second person. In a part of a text that is known for a transcript, the lines ``among`` whose
    names count, be it a single one.

    >>> [(v.speaker, "Ana: oi\\nBeto: moro em Natal"[v.said:v.end].strip()) for v in spoken("Ana: oi\\nBeto: moro em Natal")]
    [('Ana', 'oi'), ('Beto', 'moro em Natal')]
    >>> spoken("Nome: Ana\\nIdade: 30"), spoken("Ana: eu moro em Recife"), len(spoken("Ana: I ran. / Bob: me too"))
    ((), (), 2)
    """
    if ":" not in text:
        return ()
    wanted = None if among is None else set(map(ident, among))
    labels = [
        found
        for found in _LABEL.finditer(text)
        if (_may_speak(found["who"]) if wanted is None else ident(found["who"]) in wanted)
    ]
    order = [ident(found["who"]) for found in labels]
    ends = [found.start() for found in labels[1:]] + [len(text)]
    if not labels or (wanted is None and not _converse(order, labels, ends, text)):
        return ()
    called = {ident(found["who"]): found["who"] for found in reversed(labels)}
    return tuple(
        Voice(called[who], found.start(), found.end(), end) for who, found, end in zip(order, labels, ends, strict=True)
    )


def _converse(order: list[str], labels: list[re.Match[str]], ends: list[int], text: str) -> bool:
    """Whether these, speaking in this order, are people in conversation."""
    distinct = set(order)
    if len(distinct) < 2:
        return False
    if 2 * sum(is_given_name(who.split(" ")[0]) or who in _VOICES for who in distinct) >= len(distinct):
        return True
    runs = [who for place, who in enumerate(order) if not place or order[place - 1] != who]
    if len(runs) == len(distinct):
        return False
    lines = zip(order, (text[found.end() : end] for found, end in zip(labels, ends, strict=True)), strict=True)
    personal = {who for who, said in lines if "?" in said or not _PERSONAL.isdisjoint(words(said))}
    return 2 * len(personal) >= len(distinct)


def _may_speak(label: str) -> bool:
    """Whether a label may be somebody's name: every word has a capital (where its script has any), none is a heading's."""
    folded = normal(label)
    if folded in _VOICES:
        return True
    if not folded or folded.split(" ")[0] in _NO_NAMES or any(char.isdigit() for char in folded):
        return False
    first, *rest = label.split()
    return not first[0].islower() and all(not word[0].islower() or word in _PARTICLES for word in rest)

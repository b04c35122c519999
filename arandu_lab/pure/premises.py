"""What rests on what: a boss on the job, a flatmate on the home. And what is in doubt when a premise is over.

The table reads statements of one subject in English and Portuguese: which are the job or the home, and which go with it.
"""

# ruff: noqa: E501  (tables of patterns read better on long lines)

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Literal, TypeAlias

from arandu_lab.pure.attributes import Claim, claim
from arandu_lab.pure.compare import takes_back, unreal
from arandu_lab.pure.contradictions import NO_EMPLOYER
from arandu_lab.pure.text import fold, words

Ground: TypeAlias = Literal["job", "home"]
Held: TypeAlias = tuple[datetime, datetime | None]
"""From when to when a statement holds, half open; no end: it holds on."""


def resting(premises: Mapping[str, Collection[str]], closed: Iterable[str]) -> tuple[str, ...]:
    """Every fact that rests on a closed one, through whatever chain; not the closed ones themselves.

    Args:
        premises: the ids that each fact rests on, by its id. One fallen premise is enough. Cycles do no harm.
        closed: ids of facts that are over.

    Returns:
        Ids in the order of ``premises``.

    >>> resting({"b": ["a"], "c": ["b", "x"], "d": ["e"], "e": ["d"], "f": []}, ["a"])
    ('b', 'c')
    """
    above: dict[str, list[str]] = {}
    for fact, grounds in premises.items():
        for ground in grounds:
            above.setdefault(ground, []).append(fact)
    over = set(closed)
    reached, queue = set[str](), list(over)
    while queue:
        fresh = [fact for fact in above.get(queue.pop(), ()) if fact not in reached and fact not in over]
        reached.update(fresh)
        queue += fresh
    return tuple(fact for fact in premises if fact in reached)


def depends(
    texts: Sequence[str], name: str, held: Sequence[Held] | None = None
) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Which statements of one subject rest on which others: (position, positions of its premises), ascending.

    Boss, colleagues, office, commute and work phone rest on the job; neighbours, rent, flatmates and the district rest on the
    home. The job is the employer, or where none is told the occupation. A statement rests on one premise: the one whose value
    it names, else the last that held when it began. Where nobody told a job or a home nothing rests on it.

    Args:
        texts: the statements.
        name: what their subject is called.
        held: from when to when each holds, in the order of ``texts``; without it every one holds, and the last counts.

    >>> depends(["Ana works at Vertix", "Ana reports to Paulo", "Ana mora em Recife", "Ana mora com Bruno", "Ana likes tea"], "Ana")
    ((1, (0,)), (3, (2,)))
    """
    jobs, homes, trades = dict[int, Claim](), dict[int, Claim](), dict[int, Claim]()
    on: dict[int, Ground] = {}
    for place, text in enumerate(texts):
        ground, read = _read(text, name)
        if ground is not None:
            on[place] = ground
        elif read is not None:
            {"employer": jobs, "home": homes}.get(read.attribute, trades)[place] = read
    grounds = {"job": jobs or trades, "home": homes}
    out = []
    for place, ground in on.items():
        premise = _premise(place, texts, grounds[ground], held)
        if premise is not None:
            out.append((place, (premise,)))
    return tuple(out)


def _read(text: str, name: str) -> tuple[Ground | None, Claim | None]:
    """What a statement rests on, or (nothing, the claim) where it is itself the job or the home."""
    if takes_back(text) or unreal(text, subject=name):
        return None, None
    said, read = fold(text), claim(text, name)
    if read is not None and (read.ended or read.negative):
        return None, None
    what = read.attribute if read is not None and read.value else ""
    if what == "home" and not _WITHIN.search(said):
        return None, read
    if what == "role" or (what == "employer" and not NO_EMPLOYER.search(said)):
        return None, read
    if what == "boss" or _commands(said, name):
        return "job", None
    return next((ground for ground, pattern in _RESTS.items() if pattern.search(said)), None), None


def _commands(said: str, name: str) -> bool:
    """Whether a statement tells who commands somebody, with the other one as its subject: "Paulo is Ana's boss"."""
    return any(
        re.search(
            rf"\b{re.escape(word)}'s? (?:new |current )?(?:{_BOSS})\b|\b(?:{_BOSS}) (?:of|d[aeo]) {re.escape(word)}\b",
            said,
        )
        for word in words(name)
    )


def _premise(place: int, texts: Sequence[str], grounds: Mapping[int, Claim], held: Sequence[Held] | None) -> int | None:
    told = set(words(texts[place]))
    there = list(grounds) if held is None else [one for one in grounds if _held(held[one], held[place][0])]
    if held is not None and not there:  # told before its ground was
        there = [one for one in grounds if held[one][0] >= held[place][0]]
        return min(there, key=lambda one: (held[one][0], one), default=None)
    named = [one for one in there if set(words(grounds[one].value)) <= told]
    if held is None:
        return max(named or there, default=None)
    return max(named or there, key=lambda one: (held[one][0], one), default=None)


def _held(stretch: Held, moment: datetime) -> bool:
    return stretch[0] <= moment < (stretch[1] or datetime.max.replace(tzinfo=UTC))


_BOSS = r"boss|manager|supervisora?|line manager|chef[ea]|gerente|orientadora?"
_JOB = (
    r"\btakes? orders from\b|\brecebe ordens d[aeo]\b|\bchefia d[aeo]\b|\bna chefia\b|\b(?:responde|respondendo|se reporta|se reportando) a(?:o|os|s)? .+ no (?:trabalho|servico)\b|\bsame (?:boss|manager|supervisor)\b|\bmesm[ao] (?:chef[ea]|gerente)\b",
    r"\b(?:colleagues?|co-?workers?|workmates?|team ?mates? at work|deskmates?)\b|\bworks? (?:closely |together )?with (?!her hands|his hands)|\btrabalha (?:junto )?com (?!o projeto|as maos)",
    r"\bcolegas?(?: de (?:trabalho|equipe|firma|empresa|servico|escritorio|setor))?\b(?! de (?:quarto|apartamento|casa|turma|faculdade|escola|classe|curso|sala|republica))",
    r"\b(?:(?<!post )office|cubicle|desk at work|work ?station)\b(?! hours)|\bescritorio\b|\bsala no trabalho\b|\b(?:work|company|office) badge\b|\bcracha\b",
    r"\bcommut(?:e|es|ed|ing)\b|\b(?:goes|gets|drives|cycles|bikes|walks|rides|travels|takes .+) to work\b|\b(?:way|trip|ride|drive|bus|train) to work\b",
    r"\b(?:vai|chega|pedala|dirige|caminha|pega .+) (?:.+ )?(?:ao|para o|pro) trabalho\b|\b(?:trajeto|caminho|percurso|viagem) (?:ate|para|pro|ao|do)(?: o)? trabalho\b",
    r"\b(?:work|office|company|business) (?:phone|cell|mobile|number|extension|e-?mail|laptop|computer|car|van)\b|\b(?:telefone|celular|ramal|numero|e-?mail|notebook|laptop|computador|carro) (?:d[aeo] (?:trabalho|empresa|firma|servico)|corporativo|funcional)\b",
    r"\bworks? (?:mostly |usually |mainly )?(?:from home|remotely|on site|nights|days|weekends|part-time|full-time|(?:the )?\w+ shifts?)\b|\btrabalha (?:de casa|em casa|em home office|remoto|remotamente|a noite|de dia|em turnos?|por turnos|meio periodo|em tempo integral)\b|\b(?:night|day|morning|late) shift\b|\bturno d[aeo]\b",
    r"\b(?:salary|wages?|paycheck|payslip|bonus at work|lunch vouchers?)\b|\b(?:salario|contracheque|holerite|vale-refeicao)\b",
)
_HOME = (
    r"\bneighbou?rs?\b|\bnext-door\b|\bvizinh[ao]s?\b|\bvizinhanca\b",
    r"\brents?\b(?! (?:a |an |the )?(?:car|bike|bicycle|dress|suit|boat|van|film|movie))|\brent (?:of|is)\b|\b(?:landlord|landlady|lease|tenant)\b|\balugu(?:el|eis)\b|\baluga (?:a |o |um |uma )?(?:casa|ap|apartamento|quarto|kitnet|quitinete)\b|\b(?:senhori[ao]|inquilin[ao]|locador|locadora|sindic[ao]|condominio)\b",
    r"\b(?:flat-?mates?|room-?mates?|house-?mates?)\b|\bcolegas? de (?:quarto|apartamento|casa|republica)\b|\bcompanhia de casa\b",
    r"\b(?:lives?|is living|moved in|shares? (?:a |the |her |his |their )?(?:flat|apartment|house|home|household|room|roof|place)) with\b|\bshare a (?:flat|house|household|home|roof|room)\b|\blive together\b|\bunder one roof\b|\b(?:are|became) housemates\b",
    r"\b(?:mora|vive|foi morar|continua morando|esta morando) (?:so |junto |sozinh[ao] )?com\b|\bdivid(?:e|em|indo) (?:a |o |um |uma |o mesmo )?(?:casa|ap|apartamento|quarto|aluguel|endereco|teto|mesmo endereco)\b|\bmoram juntos\b|\bmesmo teto\b",
    r"\b(?:near|close to|around the corner from) (?:her|his|their) (?:home|house|flat|apartment|place)\b|\b(?:perto|ao lado) d[ae] (?:sua )?casa\b",
)  # fmt: skip
_WITHIN = re.compile(
    r"\b(?:neighbou?rhood|district|borough)\b|\bbairro\b|\bsame (?:house|flat|apartment|household) as\b|\bmesm[ao] (?:casa|apartamento) (?:que|d[aeo])\b"
)
_RESTS: dict[Ground, re.Pattern[str]] = {
    "home": re.compile("|".join((_WITHIN.pattern, *_HOME))),
    "job": re.compile("|".join(_JOB)),
}

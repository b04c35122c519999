"""States without a verb or a subject, and dates that others set: *Unemployed since Friday*, *they set my defence for 3 May*."""

# ruff: noqa: E501  (tables of patterns read better on long lines)

from __future__ import annotations

import re

from arandu_lab.llm.rules.discourse import Discourse
from arandu_lab.llm.rules.inference import Inferred
from arandu_lab.llm.rules.language import Language
from arandu_lab.pure.text import fold

_OPENER = {
    "en": r"^(?:(?:so|and|also|well|yes|yep|still|now|newly|officially|finally|happily|recently|freshly) )*",
    "pt": r"^(?:(?:e|é|sim|então|agora|ainda|oficialmente|finalmente|recém|já) )*",
}
_STATE: dict[Language, re.Pattern[str]] = {
    "en": re.compile(
        _OPENER["en"]
        + r"(?P<state>(?:\w+ (?:weeks|months) )?pregnant|unemployed|jobless|out of work|engaged|single|retired|divorced|married|sober|vegan|vegetarian|diabetic|pre-?diabetic|homeless|self-employed)"
        r"(?P<more> (?:since|for|from|as of|again|with|at|on) [^,;.!?]{1,40})?(?=\s*(?:$|[,;.!…]))",
        re.IGNORECASE,
    ),
    "pt": re.compile(
        _OPENER["pt"]
        + r"(?P<state>grávida|desempregad[oa]|sem emprego|noiv[oa]|solteir[oa]|aposentad[oa]|divorciad[oa]|separad[oa]|casad[oa]|sóbri[oa]|vegan[oa]|vegetarian[oa]|(?:pré-?)?diabétic[oa]|autônom[oa])"
        r"(?P<more> (?:de|desde|há|faz|a partir de|de novo|com) ?[^,;.!?]{0,40})?(?=\s*(?:$|[,;.!…]))",
        re.IGNORECASE,
    ),
}
_LASTS = re.compile(r"vegan|vegetarian|diabetic|aposentad|solteir|casad|divorciad|autonom|noiv")
_EVENT = {
    "en": r"(?P<event>(?:\w+ )?(?:defen[cs]e|exam|interview|surgery|operation|appointment|wedding|hearing|viva|test|trial|audition|check-?up|scan))",
    "pt": r"(?P<event>(?:defesa|prova|entrevista|cirurgia|operação|consulta|audiência|banca|exame|qualificação|perícia|avaliação)(?: d[aeo] \w+)?)",
}
_SET: dict[Language, re.Pattern[str]] = {
    "en": re.compile(
        rf"\b(?:set|scheduled|booked|fixed|moved|rescheduled|postponed|pushed back|brought forward) my {_EVENT['en']} (?:for|on|to|until) (?P<when>[^,;.!?]{{2,30}})",
        re.IGNORECASE,
    ),
    "pt": re.compile(
        rf"\b(?:marc(?:aram|ou)|remarc(?:aram|ou)|agend(?:aram|ou)|adi(?:aram|ou)|pass(?:aram|ou)) (?:a )?minha {_EVENT['pt']}(?: (?:para|pra|pro)(?: o)?|:) (?P<when>(?:dia )?\d[^,;.!?]{{0,30}}|(?:segunda|terça|quarta|quinta|sexta|sábado|domingo|amanhã|junho|julho|agosto|setembro)[^,;.!?]{{0,24}})",
        re.IGNORECASE,
    ),
}


def bare(text: str, discourse: Discourse) -> list[Inferred]:
    """What a sentence of the speaker states of the speaker without saying *I am*.

    >>> from arandu_lab.llm.rules.discourse import Discourse
    >>> [one.text for one in bare("Unemployed since 9:40", Discourse("Jonas", "en"))]
    ['Jonas has been unemployed since 9:40']
    >>> [one.text for one in bare("marcaram minha defesa: 30 de agosto", Discourse("Duda", "pt"))]
    ['A defesa de Duda está marcada para 30 de agosto']
    """
    language, speaker = discourse.language, discourse.speaker
    out = []
    if found := _STATE[language].match(text):
        out.append(Inferred(speaker, _state(speaker, found["state"], found["more"] or "", language)))
    if found := _SET[language].search(text):
        event, when = found["event"], found["when"].strip()
        said = (
            f"{speaker}'s {event} is set for {when}"
            if language == "en"
            else f"A {event} de {speaker} está marcada para {re.sub(r'^dia ', '', when)}"
        )
        out.append(Inferred(speaker, said, "explicit"))
    return out


def _state(speaker: str, state: str, more: str, language: Language) -> str:
    state = state.lower() if state.isupper() or state[0].isupper() else state
    if language == "en":
        since = more.strip().startswith(("since", "for"))
        return f"{speaker} {'has been' if since else 'is'} {state}{more}"
    verb = "é" if _LASTS.search(fold(state)) else "está"
    return f"{speaker} {verb} {state}{more.rstrip()}"

"""What a query is after, and how much each voice of the search weighs then. English and Portuguese, on folded words."""

# ruff: noqa: E501  (tables and patterns read better on long lines)

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias, get_args

from arandu_lab.errors import ConfigError, nearest
from arandu_lab.pure.cues import question_kinds
from arandu_lab.pure.text import fold

Intent: TypeAlias = Literal["factual", "temporal", "relational", "exploratory", "exact"]
Voice: TypeAlias = Literal["lexical", "semantic", "temporal", "graph"]
VOICES: tuple[Voice, ...] = get_args(Voice)


class Classified(NamedTuple):
    """An intent, and the words of the query that showed it (empty for ``factual``, which is what is left)."""

    intent: Intent
    cue: str


WEIGHTS: Mapping[Intent, Mapping[Voice, float]] = MappingProxyType(
    {
        "factual": {"semantic": 0.40, "graph": 0.25, "lexical": 0.20, "temporal": 0.15},
        "temporal": {"temporal": 0.40, "semantic": 0.30, "graph": 0.15, "lexical": 0.15},
        "relational": {"graph": 0.40, "semantic": 0.30, "lexical": 0.20, "temporal": 0.10},
        "exploratory": {"semantic": 0.40, "graph": 0.30, "lexical": 0.15, "temporal": 0.15},
        "exact": {"lexical": 0.50, "semantic": 0.25, "graph": 0.15, "temporal": 0.10},
    }
)
"""What each voice weighs; each row adds up to 1. ``factual`` is the default: meaning, then graph and words, then recency."""


def classify(query: str) -> Classified:
    """What a query is after: a quoted phrase or an identifier is ``exact``, then time, ties, and breadth are looked for.

    It is after *time* where it names one ("last week", "in 2024") or asks for news ("latest", "what changed"). A question
    that asks for a date names none: "when was the limit raised?" wants the fact that tells the date, which may be old, so
    "when" and "quando" alone raise no voice for what was said lately.

    >>> classify("What did we decide last week?"), classify("o que mudou ontem?").intent
    (Classified(intent='temporal', cue='last week'), 'temporal')
    >>> classify("When was the limit raised?"), classify("quando o limite subiu?").intent
    (Classified(intent='factual', cue=''), 'factual')
    >>> classify("Why does billing depend on search?").intent, classify("quem trabalha com a equipe de busca?").intent
    ('relational', 'relational')
    >>> classify("tell me about the architecture").intent, classify("o que sabemos sobre o deploy?").intent
    ('exploratory', 'exploratory')
    >>> classify("where is MAX_RETRIES set?"), classify("which database do we use?")
    (Classified(intent='exact', cue='MAX_RETRIES'), Classified(intent='factual', cue=''))
    """
    if found := _EXACT.search(query):
        return Classified("exact", found[0].strip())
    folded = fold(query)
    for intent, pattern in _CUES:
        if found := pattern.search(folded):
            return Classified(intent, found[0].strip())
    if "why" in question_kinds(query):
        return Classified("relational", "why")
    return Classified("factual", "")


def weights(intent: str, changes: Mapping[str, Mapping[str, float]] | None = None) -> Mapping[Voice, float]:
    """What each voice weighs for an intent, with the changes for that intent put in.

    Args:
        intent: One of the five.
        changes: Intent -> voice -> weight, 0 or more; what is not named stays.

    Raises:
        ConfigError: an unknown intent or voice, or a weight below 0.

    >>> weights("exact", {"exact": {"temporal": 0.0}})["temporal"]
    0.0
    """
    known: dict[str, Mapping[Voice, float]] = {name: row for name, row in WEIGHTS.items()}  # noqa: C416
    for name in (intent, *(changes or {})):
        if name not in known:
            raise ConfigError(f"intent {name!r}; {nearest(name, known)}")
    row = dict(known[intent])
    for name, change in (changes or {}).items():
        for voice, weight in change.items():
            place = next((each for each in VOICES if each == voice), None)
            if place is None:
                raise ConfigError(f"voice {voice!r} of intent {name!r}; {nearest(voice, VOICES)}")
            if not 0.0 <= weight < float("inf"):
                raise ConfigError(f"weight {weight} of voice {voice!r}; wants a number, 0 or more")
            if name == intent:
                row[place] = weight
    return MappingProxyType(row)


_EXACT = re.compile(
    r"""
    "[^"]{2,}" | “[^”]{2,}” | «[^»]{2,}» | `[^`]+`            # quoted
    | \bhttps?://\S+ | (?<!\w)\#\d+\b                         # an address, an issue
    | (?<!\w)(?:\.{0,2}/)?[\w-]+(?:/[\w.-]+)+\.\w+\b          # a path
    | \b[\w-]+\.(?:py|js|ts|tsx|go|rs|java|rb|md|toml|ya?ml|json|sql|sh|txt|csv|cfg|ini|dart|c|h|cpp|html|css)\b
    | \b[A-Za-z]+_\w+\b | \b[a-z]+(?:[A-Z][a-z0-9]+)+\b       # snake_case, camelCase
    | \b(?:[A-Z][a-z0-9]+){2,}(?:Error|Exception)\b | \b[A-Z][A-Z0-9]*-\d+\b
    | \b\w+\(\) | (?<!\w)--?[a-z][a-z-]+\b | \b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b
    """,
    re.VERBOSE,
)
"""What only the same letters answer."""

_TEMPORAL = r"""
    as\ of | (?:last|this|past|previous|next)\ (?:week|month|year|sprint|quarter|night|time|few\ days)
    | yesterday | today | tomorrow | recent(?:ly)? | latest | newest | most\ recent | lately | so\ far\ this | current\ week
    | (?:days?|weeks?|months?|years?)\ ago | (?:before|after|since|until|during|in)\ (?:19|20)\d\d | what(?:'s|\ is|\ has)?\ (?:new|changed)
    | ontem | anteontem | hoje | amanha | recente(?:s|mente)? | ultimamente
    | (?:semana|mes|ano|sprint|trimestre)\ (?:passad[oa]|que\ vem|anterior|atual) | (?:ultim|proxim)[oa]s?\ (?:semanas?|mes|meses|dias|anos?|sprints?|vez|novidades|decis\w+|mudancas?)
    | (?:esta|nesta|essa|nessa)\ semana | (?:este|neste|esse|nesse)\ (?:mes|ano) | mais\ recentes? | (?:antes|depois)\ de\ (?:19|20)\d\d
    | (?:em|desde|ate)\ (?:19|20)\d\d | (?:dias|semanas|meses|anos)\ atras | (?:o\ que|que)\ (?:ha\ de\ novo|mudou) | novidades
"""
_RELATIONAL = r"""
    why | because\ of | depend(?:s|ed|ing|ent|ency|encies)? | relat(?:es?|ed|ion|ions|ionship|ionships)\b | connect(?:s|ed|ion|ions)? | link(?:s|ed)\ (?:to|with)
    | between\ .+\ and | impact(?:s|ed)? | affect(?:s|ed)? | cause[sd]? | leads?\ to | blocks | blocked\ by | (?:works?|working)\ with | interact(?:s|ion)? | consequences?
    | tied\ to | who\ else | led\ to | belongs?\ to | derived\ from
    | por\s?que | por\ que\ motivo | depend(?:e|em|encia|encias)\b | relacion(?:a|am|ad[oa]s?|amento)\b | relacao | relacoes | conect(?:a|am|ad[oa]s?)\b | lig(?:ad[oa]s?|acao)\b
    | entre\ .+\ e\ | afeta(?:m|do|da|r)? | impacta(?:m)? | impacto | causa(?:m|do|da|s)? | leva(?:m)?\ a | bloquei(?:a|am) | bloquead[oa]s?\ por | trabalha(?:m)?\ com
    | consequencias? | vincul(?:ad[oa]s?|o) | quem\ mais | levou\ a | pertence(?:m)?\ a
"""
_EXPLORATORY = r"""
    tell\ me\ (?:about|more|everything) | what\ do\ (?:we|you|i)\ know | everything | all\ about | overview | summar(?:y|i[sz]e) | background | explain | describe | explore
    | list\ (?:all|the|our) | give\ me\ (?:a|an|the)\ (?:picture|idea|tour|rundown) | how\ does\ .+\ work | what\ are\ (?:our|the|all) | anything\ (?:about|on) | context\ (?:for|on)
    | (?:me\ )?(?:conte|fale|diga)(?:-me)?\ (?:mais\ )?(?:sobre|tudo|do|da) | (?:o\ que|que)\ (?:sabemos|se\ sabe|voce\ sabe|voces\ sabem|temos) | tudo\ (?:sobre|o\ que) | visao\ geral | panorama
    | resum(?:o|a|e|ir) | expli(?:que|ca|car) | descrev(?:a|e|er) | explorar | list(?:e|a|ar)\ (?:tod[oa]s|as|os|noss[oa]s) | como\ funciona(?:m)? | quais\ (?:sao\ )?(?:as\ |os\ )?noss[oa]s | quais\ sao
    | (?:algo|alguma\ coisa)\ sobre | contexto\ (?:sobre|d[oae])
"""
_CUES: tuple[tuple[Intent, re.Pattern[str]], ...] = (
    ("temporal", re.compile(rf"\b(?:{_TEMPORAL})\b", re.VERBOSE)),
    ("relational", re.compile(rf"\b(?:{_RELATIONAL})\b", re.VERBOSE)),
    ("exploratory", re.compile(rf"\b(?:{_EXPLORATORY})\b", re.VERBOSE)),
)

"""How far each fact answers a query, 0 to 1: the attribute asked for, the people named, the matter they share.

English and Portuguese meet on attributes and on families of words (``cor`` = ``color``), so that a question in one
language finds the fact in the other.
"""

# ruff: noqa: E501  (tables of words and patterns read better on long lines)

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from arandu_lab.llm.rules import families
from arandu_lab.llm.rules.names import full_forms
from arandu_lab.llm.rules.slots import Slot, detect_slot
from arandu_lab.pure.text import STOP, fold

# attribute(s) that a question asks for; words of the question that the pattern uses up say nothing more about its matter
_ASKS: tuple[tuple[str, str], ...] = (
    ("lives_in", r"\bwhere\b.*\b(?:lives?|living|moved?|based|reside|home)\b|\b(?:address|what (?:city|town|country|neighbou?rhood|street)).*\b(?:lives?|in|on|move)?\b|\bonde\b.*\b(?:mor(?:a|o|am|ar|amos|ando|ava|ou|ei)|viv(?:e|o|em|emos|endo)|mudou|mudei|reside|resido|ficou morando)\b|\b(?:qual|que|em que) (?:cidade|bairro|rua|endereço|país)\b|\bendereço\b"),
    ("works_at", r"\bwhere\b.*\bwork\w*\b|\b(?:employer|what company|which company|who does .* work for|workplace)\b|\bonde\b.*\btrabalh\w+\b|\b(?:em que|qual|que) empresa\b"),
    ("studies_at", r"\b(?:where|which|what)\b.*\b(?:stud(?:y|ies|ied|ying)|school|university|college|attend)\b|\bonde\b.*\bestud\w+\b|\b(?:qual|que|em que) (?:escola|universidade|faculdade)\b"),
    ("studies", r"\bwhat\b.*\b(?:study|studies|studying|major)\b|\bo que\b.*\bestud\w+\b|\b(?:que|qual) curso\b"),
    ("has_role works_at", r"\b(?:job|profession|occupation|for a living|career|role|position)\b|\bwhat does \w+ do\b|\b(?:profissão|emprego|cargo|ocupação)\b|\b(?:o que|no que|com o que|em que)\b.*\b(?:faz da vida|trabalha)\b"),
    ("spouse partner", r"\b(?:wife|husband|married|spouse)\b|\b(?:esposa|marido|mulher d|casad[oa]|casou)\b"),
    ("ex_partner", r"\b(?:break up|broke up|split up|divorce\w*|separate\w*)\b|\b(?:romp\w+|terminaram|terminou (?:com|o namoro)|separ(?:ou|aram)|acabou o (?:casamento|namoro))\b"),
    ("partner spouse ex_partner", r"\b(?:girlfriend|boyfriend|partner|dating|fianc\w+|single|relationship status|break up|broke up|still together|seeing anyone)\b|\b(?:namorad[oa]|namora|noiv[oa]|solteir[oa]|terminou|terminaram|separou|juntos|com alguém)\b"),
    ("child", r"\b(?:kids?|child|children|son|daughter|sons|daughters|baby|pregnant)\b|\b(?:filh[oa]s?|bebê|grávida)\b"),
    ("sibling", r"\b(?:brothers?|sisters?|siblings?|twin)\b|\b(?:irmão|irmã|irmãos|irmãs|gême[oa])\b"),
    ("parent", r"\b(?:mother|father|mom|mum|dad|parents)\b|\b(?:mãe|pai|pais)\b"),
    ("boss", r"\b(?:boss|manager|supervisor|advis[eo]r|reports? to)\b|\b(?:chefe|gerente|orientador\w*|supervisor\w*)\b"),
    ("friend", r"\bfriends?\b|\bamig[oa]s?\b"),
    ("pet", r"\b(?:pets?|dogs?|cats?|puppy|animals?)\b|\b(?:bicho|pet|cachorr\w+|cão|gat[oa]s?|animal|animais)\b"),
    ("allergy", r"\b(?:allerg\w+|intoleran\w+)\b|\b(?:alérgic[oa]|alergia|intolerân\w+|intolerante)\b"),
    ("diet", r"\b(?:diet\w*|vegetarian|vegan|eats? meat)\b|\b(?:dieta|vegetarian[oa]|vegan[oa]|come carne|comer carne)\b"),
    ("birthday age", r"\b(?:birthday|born on|when was .* born|date of birth)\b|\b(?:aniversário|quando (?:\w+ ){0,3}nasceu|data de nascimento)\b"),
    ("age birthday", r"\bhow old\b|\bage\b|\bquantos anos\b|\bidade\b"),
    ("from", r"\bwhere\b.*\b(?:from|born|grow up|grew up|raised)\b|\bhometown\b|\b(?:de onde|onde .*nasceu|cidade natal|onde .*cresceu)\b"),
    ("language", r"\b(?:languages?)\b|\b(?:idiomas?|línguas?)\b|\bwhat .* speak\b|\bque .* fala\b"),
    ("hobby habit likes", r"\b(?:hobb(?:y|ies)|free time|for fun|spare time)\b|\b(?:hobby|hobbies|passatempos?|tempo livre|horas vagas)\b"),
    ("hobby", r"\b(?:sports?|instruments?|plays?)\b|\b(?:esportes?|instrumentos?|toca|joga)\b"),
    ("dislikes", r"\b(?:dislikes?|hates?|can't stand|does(?: not|n't) like)\b|\b(?:odeia|detesta|não gosta|não suporta)\b"),
    ("likes", r"\b(?:likes?|loves?|enjoys?|prefers?|favou?rites?|preferences?|fan of)\b|\b(?:gosta|adora|ama|curte|prefere|favorit[oa]s?|preferid[oa]s?|torce)\b"),
    ("health", r"\b(?:health|illness|sick|disease|injur\w+|surgery|condition|diagnos\w+|hurt|broke)\b|\b(?:saúde|doença|doente|machucou|cirurgia|diagnóstico|operou)\b"),
    ("owns", r"\b(?:owns?|cars?|drives?|bought|buy)\b|\b(?:tem carro|carro|dirige|comprou|possui)\b"),
    ("plan event", r"\b(?:plans?|planning|going to do|upcoming|intends?)\b|\b(?:planos?|planeja|pretende|vai fazer)\b"),
    ("project", r"\b(?:projects?|working on|building|writing)\b|\b(?:projetos?|construindo|escrevendo)\b"),
)  # fmt: skip
_COMPILED = tuple((frozenset(names.split()), re.compile(pattern, re.IGNORECASE)) for names, pattern in _ASKS)
_NEAR = {"partner": {"spouse", "ex_partner"}, "spouse": {"partner", "ex_partner"}, "works_at": {"has_role"}, "has_role": {"works_at"},
         "studies_at": {"studies"}, "studies": {"studies_at"}, "likes": {"hobby", "dislikes"}, "hobby": {"likes", "habit"},
         "lives_in": {"from"}, "plan": {"event"}, "event": {"plan"}, "birthday": {"age"}, "age": {"birthday"}, "diet": {"allergy", "dislikes"},
         "child": {"health"}, "dislikes": {"likes"}}  # fmt: skip
_LOOSE = frozenset("likes dislikes hobby habit owns plan event project pet friend".split())
_KIN = (
    r"(?:mother|father|mom|mum|dad|brother|sister|son|daughter|wife|husband|boss|dog|cat|friend|girlfriend|boyfriend|neighbou?r|supervisor|"
    r"mãe|pai|irmão|irmã|filh[oa]|esposa|marido|chefe|cachorr[oa]|cadela|gat[oa]|amig[oa]|namorad[oa]|vizinh[oa]|sobrinh[oa]|orientador\w*)"
)
_THROUGH = re.compile(rf"\b[A-ZÀ-Ý]\w+'s (?:\w+ )?{_KIN}\b|\b{_KIN} d[aeo] [A-ZÀ-Ý]")
_SELF = re.compile(r"\b(?:me|myself|mim|i|eu)\b", re.IGNORECASE)
_QUESTION = frozenset(
    """where what which who whom whose when why how does do did is are was were has have had can could would will tell me about know
any old often long many much currently still now ever lately recently these days name names called kind type sort onde qual quais que quem
quando como por porque quanto quantos quantas faz fez e esta foi tem ja ainda agora nome chama sabe diga conte sobre tipo favorite favourite favorito favorita
preferido preferida live lives living work works working job like likes love loves enjoy prefer mora vive trabalha gosta adora ama curte prefere profissao
happen happened happens happening aconteceu acontecendo acontece houve tudo everything all doing news new newest latest novidade novidades novo nova
noticias info information informacao informacoes summary summarize summarise resumo resume resuma overview remember lembra lembre list lista liste listar show mostre give update
updates mention mentioned mencionou falou fale falar conta contar descreva describe update us nos moro trabalho vivo gosto estudo mim comigo go went going get got thing things coisa atualmente hoje day do dos das""".split()
)


def judge(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The answer of the ``judge`` task."""
    query = str(inputs.get("query") or "")[:600]
    return {"grades": [{"i": fact["i"], "grade": grade(query, str(fact.get("text", "")))}
                       for fact in inputs.get("facts") or [] if isinstance(fact, dict) and isinstance(fact.get("i"), int)]}  # fmt: skip


def grade(query: str, fact: str) -> float:
    """How relevant a fact is to a query.

    >>> grade("Where does Ana live?", "Ana mora em Recife") > 0.8, grade("Qual o time de futebol do Bruno?", "Bruno runs marathons") < 0.2
    (True, True)
    """
    query, fact = unicodedata.normalize("NFC", query), unicodedata.normalize("NFC", fact)
    asked = _asked(query)
    said = _said(fact)
    names, wanted, matter, through = asked
    slot, words, spoken = said
    who = max(_who(names, spoken), 0.7 if through and matter & said[1] else 0.0)
    shared = len(matter & words) / len(matter) if matter else 0.0
    if wanted:
        hit = slot.name in wanted
        near = any(slot.name in _NEAR.get(name, ()) for name in wanted)
        if hit and slot.name in _LOOSE and matter:
            value = 0.35 + 0.6 * shared if shared else 0.15
        elif hit:
            value = 0.88 + 0.1 * shared
        elif near:
            value = (0.35 if not matter else 0.25) + 0.5 * shared
        elif matter:
            value = 0.3 + 0.6 * shared if shared >= 0.5 else 0.7 * shared
        else:
            value = 0.06
    elif matter:
        value = 0.4 + 0.55 * shared if shared >= 0.5 else 0.9 * shared or 0.06
    elif names:
        value = 0.82
    else:
        value = 0.7 if _SELF.search(query) else 0.2
    value *= who
    return round(max(0.02, min(1.0, value)), 3)


def asked_for(query: str) -> frozenset[str]:
    """The attributes that a question asks for.

    >>> sorted(asked_for("Onde a Ana mora?"))
    ['lives_in']
    """
    return _asked(unicodedata.normalize("NFC", query))[1]


def _who(names: frozenset[str], spoken: frozenset[str]) -> float:
    """1 when the fact names whom the query names (short forms count), less when only some, little when none."""
    if not names:
        return 1.0
    found = sum(name in spoken or not _shorts(name).isdisjoint(spoken) for name in names)
    return 0.2 if not found else 1.0 if found == len(names) else 0.8


@lru_cache(maxsize=4096)
def _shorts(name: str) -> frozenset[str]:
    return full_forms(name)


@lru_cache(maxsize=1024)
def _asked(query: str) -> tuple[frozenset[str], frozenset[str], frozenset[str], bool]:
    """(names, attributes asked for, families of the other content words, whether it asks about a relative of the named)."""
    names = set()
    for index, match in enumerate(re.finditer(r"\w+", query)):
        word = match[0]
        if (
            word[:1].isupper()
            and not (index == 0 and fold(word) in _QUESTION | STOP)
            and fold(word) not in STOP
            and len(word) > 1
        ):
            names.add(fold(word))
    wanted: set[str] = set()
    for slots, pattern in _COMPILED:
        if pattern.search(query):
            wanted |= slots
    through = bool(_THROUGH.search(query)) and len(re.findall(r"\w+", query)) > 5
    if through:
        wanted -= {"child", "parent", "sibling", "boss", "friend", "pet", "spouse", "partner"}
    if len(wanted) > 3 and "plan" in wanted:
        wanted -= {"plan", "event"}
    matter = set()
    for word in re.findall(r"\w+", fold(query)):
        if word in STOP or word in _QUESTION or word in names or len(word) < 2:
            continue
        family = families.family(word)
        if wanted and family in _USED and any(family in _USED_BY.get(name, ()) for name in wanted):
            continue
        matter.add(family)
    return frozenset(names), frozenset(wanted), frozenset(matter), through


@lru_cache(maxsize=16384)
def _said(fact: str) -> tuple[Slot, frozenset[str], frozenset[str]]:
    found = re.findall(r"\w+", fold(fact[:800]))
    return detect_slot(fact), frozenset(families.family(word) for word in found if word not in STOP), frozenset(found)


_USED_BY = {
    name: frozenset(families.family(fold(word)) for word in text.split()) for name, text in {
        "lives_in": "live morar city town address country street home cidade endereço bairro rua moved move", "works_at": "company employer empresa work",
        "studies_at": "school university college escola universidade faculdade study", "studies": "major course curso study",
        "has_role": "job profession occupation career living vida emprego cargo profissão", "spouse": "wife husband married esposa marido casado casada mulher",
        "partner": "girlfriend boyfriend partner dating single namorado namorada namora relationship status fiance noivo noiva",
        "child": "kids child children son daughter filho filha filhos baby", "sibling": "brother sister siblings irmão irmã irmãos",
        "parent": "mother father parents mãe pai pais mom dad", "boss": "boss manager supervisor chefe gerente orientador orientadora",
        "friend": "friend friends amigo amiga amigos", "pet": "pet pets animal dog cat cachorro gato bicho", "allergy": "allergic allergy alérgico alergia allergies",
        "diet": "diet dieta vegetarian vegan", "birthday": "birthday born aniversário nasceu date", "age": "age idade anos", "from": "born grow raised hometown natal cresceu nasceu cidade",
        "language": "language languages speak speaks idioma idiomas língua línguas fala", "hobby": "hobby hobbies free time fun spare passatempo tempo livre sport sports instrument play plays toca joga esporte instrumento",
        "dislikes": "dislike hate hates odeia detesta stand", "likes": "enjoys preference fan", "health": "health condition saúde doença",
        "owns": "own owns possui", "plan": "plan plans planning planos planeja pretende upcoming", "project": "project projects projeto projetos",
    }.items()
}  # fmt: skip
_USED = frozenset().union(*_USED_BY.values())

"""The words of Portuguese time expressions, folded (lower case, no accents)."""

from __future__ import annotations

import re

from arandu_lab.pure.timex import feasts, numbers
from arandu_lab.pure.timex import meaning as m
from arandu_lab.pure.timex.grammar import Lexicon
from arandu_lab.pure.timex.meaning import LAST, NEXT, THIS

_THE = r"(?:o |a |os |as |no |na |nos |nas |do |da |ao |a |pelo |pela )?"

PREPOSITIONS = {
    "since": r"desde(?: [oa])?|a partir d[eoa]|a partir|a contar d[eoa]",
    "until": r"ate(?: [oa]| ao)?",
    "before": r"antes d[eoa]s?",
    "after": r"depois d[eoa]s?|apos(?: [oa])?",
    "at": r"em|n[oa]s?|d[eo]|da|durante(?: [oa])?|para(?: [oa])?|pr[oa]|por volta d[eoa]|"
    r"ao longo d[eoa]|tod[oa] [oa]|pel[oa]|la por|[oa]",
}
COMPANY = re.compile(
    r"(?:desde|a partir|ate|antes|depois|apos|em|n[oa]s?|durante|para [oa]|pr[oa]|por volta|ao longo|"
    r"todo o|toda a|pel[oa])\b"
)

CLOCK = (
    r"(?:,?\s+|,\s*)(?:(?:as|a|ao|pelas|por volta das|la pelas|depois das|antes das|umas) )+(?P<hour>\d{1,2})"
    r"(?:(?:[:.h]|hs?)(?P<minute>[0-5]\d))?\s?(?P<half>am|pm|hs?\b|horas?\b)?"
    r"(?: d[ae] (?:manha|tarde|noite|madrugada))?"
)
NAMED_CLOCK = {r"ao meio[\s-]?dia": 12, r"a meia[\s-]?noite": 0}
DAY_PART = (
    r",?\s+(?:a|de|da|pela|na|em|no)\s+(?:manha(?: cedo)?|tardezinha|tarde|noite|noitinha|madrugada|"
    r"fim d[ae] (?:tarde|noite))\b|\s+cedo\b"
)
LEAD = (
    r"(?:(?:as )?(?P<hour>\d{1,2})(?:[:.h](?P<minute>[0-5]\d))?\s?(?P<half>hs?|horas)?"
    r"(?: da (?:manha|tarde|noite|madrugada))?(?<!\d)|"
    r"(?:n?a )?(?:manha|tarde|noite|madrugada)),?(?: de| do| da| no| na) (?=\w)"
)
#: Words after a bare weekday that make it an ordinal: "na segunda vez", "quinta temporada".
REFUSAL = (
    r"(?<=\d/\d) (?:d[eoa]s?|xicaras?|colher\w*)\b|"
    r"(?<![\d/]) (?:vez|vezes|parte|temporada|serie|fase|etapa|tentativa|rua|posicao|opcao|edicao|"
    r"geracao|guerra|via|pessoa|mao|"
    r"casa|aula|metade|versao|camada|reuniao|divisao|turma|colocada|colocado|lugar|andar|capitulo|categoria|avenida|"
    r"classe|chance|filha|filho|esposa|marido|namorada|faixa|questao|pergunta|viagem|sinfonia|potencia|linha|coluna|"
    r"pagina|dose|cirurgia|consulta|gravidez|lei|ordem|instancia|feira livre|entrevista|prova|rodada|volta)\b"
)
#: No month has the name of a person.
NAMESAKE = r"(?!)"
HINT = (
    r"\d|hoje|ontem|amanh|seman|\bdias?\b|\bmes|\bano|natal|decad|seculo|trimestre|noite|madrugada|quinzena|"
    r"\b(?:seg|ter|qua|qui|sex|sab|dom|jan|fev|mar|abr|mai|jun|jul|ago|set|out|nov|dez|verao|inverno|outono|primavera|"
    r"pascoa|carnaval|reveillon|virada|vespera|finados|tiradentes|pentecostes|corpus|proclam|black|hallow|quaresma|"
    r"primeir|vigesim|trigesim|decim|ultim|proxim|um|dois|duas|tres|quatro|cinco|seis|sete|oito|nove|dez|onze|doze|treze|"
    r"catorze|quatorze|quinze|vinte|trinta)"
)

_WEEKDAYS = (
    "seg(?:unda)?|2a",
    "ter(?:ca)?|3a",
    "qua(?:rta)?|4a",
    "qui(?:nta)?|5a",
    "sex(?:ta)?|6a",
    "sab(?:ado)?",
    "dom(?:ingo)?",
)
_FULL_WEEKDAYS = (
    r"segunda[\s-]+feira",
    r"terca[\s-]+feira",
    r"quarta[\s-]+feira",
    r"quinta[\s-]+feira",
    r"sexta[\s-]+feira",
    "sabado",
    "domingo",
)
_MONTHS = (
    r"jan(?:eiro)?",
    r"fev(?:ereiro)?",
    r"mar(?:co)?",
    r"abr(?:il)?",
    r"mai(?:o)?",
    r"jun(?:ho)?",
    r"jul(?:ho)?",
    r"ago(?:sto)?",
    r"sept?|set(?:embro)?",
    r"out(?:ubro)?",
    r"nov(?:embro)?",
    r"dez(?:embro)?",
)
_UNITS: dict[str, m.Unit] = {
    "dias?": "day",
    "dias? ute?i?s?": "business",
    "semanas?": "week",
    r"(?:fim|fins|final|finais) de semana": "weekend",
    "mes(?:es)?": "month",
    "trimestres?": "quarter",
    "anos?": "year",
    "decadas?": "decade",
}
_COUNT, _NTH, _DAY = numbers.PORTUGUESE

LEXICONS = {
    "count": Lexicon(
        pattern=rf"um par de|uns poucos|umas poucas|alguns|algumas|{_COUNT.pattern}",
        read=lambda text: (
            2 if text.startswith("um par") else 3 if re.match("uns|umas|algu", text) else _COUNT.value(text)
        ),
    ),
    "nth": _NTH,
    "day": _DAY,
    "year": numbers.portuguese_years(),
    "weekday": Lexicon({rf"(?:{word})(?:(?:[\s-]+feira)?\b|\.)": index for index, word in enumerate(_WEEKDAYS)}),
    "fullday": Lexicon({f"(?:{word})": index for index, word in enumerate(_FULL_WEEKDAYS)}),
    "month": Lexicon({rf"(?:{word})": index for index, word in enumerate(_MONTHS, 1)}),
    "clearmonth": Lexicon(
        {
            "janeiro": 1,
            "fevereiro": 2,
            "marco": 3,
            "abril": 4,
            "maio": 5,
            "junho": 6,
            "julho": 7,
            "agosto": 8,
            "setembro": 9,
            "outubro": 10,
            "novembro": 11,
            "dezembro": 12,
        }
    ),
    "unit": Lexicon({f"(?:{word})": unit for word, unit in _UNITS.items()}),
    "season": Lexicon({"primavera": "spring", "verao": "summer", "outono": "autumn", "inverno": "winter"}),
    "feast": feasts.portuguese(),
    "before": Lexicon(
        {
            r"(?:[oa] |n[oa] )?(?:ultim[oa]s?|passad[oa]s?)": LAST,
            r"(?:n?est[ea]|n?ess[ea]|dest[ea]|dess[ea]|n?aquel[ea])": THIS,
            r"(?:[oa]s? |n[oa]s? )?proxim[oa]s?": NEXT,
        }
    ),
    "behind": Lexicon(
        {
            r"passad[oa]s?|anterior|que passou|ultim[oa]": LAST,
            r"atual|actual|corrente|agora": THIS,
            r"que vem|que entra|seguinte|vindour[oa]": NEXT,
        }
    ),
    "of": Lexicon(
        {
            r"(?:d[ao]|n[ao]|pel[ao]) (?:proxim[ao])": NEXT,
            r"d[ao] ultim[ao]": LAST,
            r"dest[ea]|dess[ea]|nest[ea]|ness[ea]|est[ea]": THIS,
        }
    ),
    "end": Lexicon(
        {
            r"(?:comeco|inicio|principio|primeiros dias)": "early",
            r"(?:meados|meio|metade)": "mid",
            r"(?:fim|final|fins|finais)": "late",
        }
    ),
    "side": Lexicon({"antes d[eoa]|anterior a[o]?": -1, "depois d[eoa]|apos [oa]|apos|seguinte a[o]?|a partir de": 1}),
    "dom": Lexicon(pattern=r"(?:0?[1-9]|[12]\d|3[01])(?:\s?[oº°])?", read=_DAY.value),
    "num": Lexicon(pattern=r"\d{1,4}", read=int),
}

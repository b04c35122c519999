"""From episodes to what somebody does in general: the same act on several dates, said once, with its premises.

"Went to a Python meetup on 5 March" on three dates gives "regularly goes to Python meetups"; on two, "went to a Python
meetup more than once". Nothing else follows from episodes alone, so nothing else is said.
"""

# ruff: noqa: E501  (patterns read better on one line)

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Any

from arandu_lab.llm.rules import lexicon_en, lexicon_pt
from arandu_lab.llm.rules.jobs.given import Given, facts, items, moment, string
from arandu_lab.llm.rules.jobs.predicates import Said, read
from arandu_lab.llm.rules.language import Language
from arandu_lab.pure.compare import negative, unreal
from arandu_lab.pure.matching import stem
from arandu_lab.pure.text import STOP, fold, normal, words
from arandu_lab.pure.timex import find_times

REGULAR = 3
"""Dates from which "regularly" is said; two are "more than once"."""


@dataclass(frozen=True, slots=True)
class Act:
    """An episode: the verb's base form, the verb as told, what it was done to or with, where or how
    (``tail``), all without dates, on a day (ISO).
    """

    verb: str
    told: str
    what: str
    tail: str
    day: str
    said: Said

    @property
    def key(self) -> tuple[str, ...]:
        """What two tellings of the same act share: language, subject, verb, and the stems of what it was done with or to."""
        stems = sorted({stem(word) for word in words(self.what) if word not in STOP})
        return self.said.language, normal(self.said.who), self.verb, *stems


def distil(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The answer of the ``distil`` task.

    >>> told = [("2024-03-05", "Ana went to a Python meetup on 5 March 2024"), ("2024-04-03", "Ana went to the Python meetup"), ("2024-05-07", "Ana went to a Python meetup")]
    >>> facts = [{"i": i, "text": text, "since": since} for i, (since, text) in enumerate(told)]
    >>> distil({"name": "Ana", "facts": facts})["facts"]
    [{'text': 'Ana regularly goes to Python meetups', 'kind': 'semantic', 'premises': [0, 1, 2], 'confidence': 0.75}]
    >>> distil({"name": "Ana", "facts": facts[:2]})["facts"][0]["text"]
    'Ana went to a Python meetup more than once'
    """
    name = string(inputs.get("name"), 80)
    groups: dict[tuple[str, ...], list[Act]] = {}
    for line in facts(inputs, repeated=True):
        act = _act(line, name)
        if act is not None:
            groups.setdefault(act.key, []).append(act)
    before = {normal(string(item.get("text"), 600)) for item in items(inputs, "known")}
    out = []
    for key in sorted(groups):
        acts = groups[key]
        days = sorted({act.day for act in acts})
        text = _general(acts, days) if len(days) > 1 else ""
        if text and normal(text) not in before:
            kind = "procedural" if _MANNER.search(f" {normal(text)} ") else "semantic"
            sure = round(min(0.9, 0.45 + 0.1 * len(days)), 2)
            out.append(
                {"text": text, "kind": kind, "premises": sorted(act.said.given.i for act in acts), "confidence": sure}
            )
    return {"facts": out}


def _act(line: Given, name: str) -> Act | None:
    """The episode that a fact tells: a verb in the past and what was done, or nothing of the sort."""
    said = read(line, name)
    if not said.who or said.owned or said.against or "," in said.says:
        return None
    head = said.says.partition(" ")[0]
    verb = _past(fold(head) if said.language == "en" else head.lower(), said.language)
    if verb is None or negative(line.text) or unreal(line.text, subject=name):
        return None
    day, says = _dated(said)
    what, tail = _parted(_LOOSE.sub("", says).strip(" .").partition(" ")[2], said.language)
    if not day or not ({stem(word) for word in words(what) if word not in STOP} or verb in _ALONE):
        return None
    return Act(verb, head.lower(), what, tail, day, said)


def _dated(said: Said) -> tuple[str, str]:
    """The day of an episode (told, else since when the fact holds), and the predicate without its dates."""
    if not _TIMES.search(said.says):
        return said.given.since, said.says
    return _timed(said.says, said.given.since, said.language)


@lru_cache(maxsize=8192)
def _timed(says: str, since: str, language: Language) -> tuple[str, str]:
    day = since
    for span in reversed(find_times(says, moment(since) if since else _NOWHERE, language=language)):
        if len(span.iso) >= 10 and re.search(r"\d{4}", span.text):
            day = span.iso[:10]
        says = f"{says[: span.start]} {says[span.end :]}"
    return day, _DANGLING[language].sub("", " ".join(says.split()))


def _past(word: str, language: Language) -> str | None:
    """The base form of a verb in the simple past that tells of an act, else None."""
    if language == "en":
        verbs = {base for base, kind in lexicon_en.forms().get(word, ()) if kind == "past"}
        base = {base for base, kind in lexicon_en.forms().get(word, ()) if kind == "base"}
        return None if not verbs or base or verbs & _STATES else sorted(verbs)[0]
    found = {verb for verb, tag in lexicon_pt.forms().get(word, ()) if tag == "pret.3s"}
    if "ir" in found and "ser" in found:
        return "ir"
    return None if not found or found & _STATES else sorted(found)[0]


def _parted(rest: str, language: Language) -> tuple[str, str]:
    """What an act was done to or with, and what is said besides: where, with whom, how."""
    cut = _TAIL[language].search(rest)
    core, tail = (rest[: cut.start()], cut[0]) if cut else (rest, "")
    return " ".join(_QUANTITY.sub(" ", core).split()), " ".join(tail.split())


def _general(acts: Sequence[Act], days: Sequence[str]) -> str:
    """The sentence; empty where it could not be said in the third person."""
    first = min(acts, key=lambda act: (act.day, act.said.given.text))
    indefinite = next((act for act in acts if _INDEFINITE.search(f" {act.what}")), first)
    language, who, what = first.said.language, first.said.who, indefinite.what
    tail = first.tail if len({normal(act.tail) for act in acts}) == 1 else ""
    if len(days) < REGULAR:
        more = {"en": "more than once", "pt": "mais de uma vez"}[language]
        return " ".join(f"{who} {first.told} {what} {tail} {more}".split())
    if language == "en":
        verb = lexicon_en.third(first.verb)
        said = f"{who} regularly {verb} {_plural_en(what)} {tail}"
    else:
        present = lexicon_pt.conjugation(first.verb).get("pres.3s")
        if present is None:
            return ""
        said = f"{who} {present} regularmente {_plural_pt(what)} {tail}"
    weekdays = {date.fromisoformat(day).weekday() for day in days}
    if len(weekdays) == 1:
        said = f"{said} {_WEEKDAYS[language][weekdays.pop()]}"
    return " ".join(said.split())


def _plural_en(what: str) -> str:
    """``to a Python meetup`` -> ``to Python meetups``; anything else as it is."""
    found = re.fullmatch(r"(?P<to>(?:[a-z]+ )??)(?:an?|another) (?P<noun>[\w' -]+)", what)
    if not found or found["noun"].rsplit(" ", 1)[-1] in _UNCOUNTED or re.search(r" (?:of|to|for|from) ", found["noun"]):
        return what
    head = found["noun"]
    ending = "ies" if re.search(r"[^aeiou]y$", head) else "es" if re.search(r"(?:s|x|z|ch|sh)$", head) else "s"
    return f"{found['to']}{head[:-1] if ending == 'ies' else head}{ending}"


def _plural_pt(what: str) -> str:
    """``a um meetup de Python`` -> ``a meetups de Python``; anything else as it is."""
    found = re.fullmatch(
        r"(?P<to>(?:a|em|com|de|para|por)? ?)(?:uma?|outr[oa]) (?P<noun>[\w-]*[aeoup])(?P<of> d[aeo]s? .+)?", what
    )
    return what if not found else f"{found['to']}{found['noun']}s{found['of'] or ''}"


_TIMES = re.compile(r"\d|(?i:day|week|month|dia|feira|domingo|sábado|semana|mês|ontem|yesterday|last)")
_NOWHERE = datetime(2000, 1, 1, tzinfo=UTC)
_STATES = frozenset(
    """be have do say tell know think see mean feel become want need like love hate live work seem own prefer ser estar ter haver dizer
    saber querer poder gostar morar trabalhar ficar achar decidir begin start stop finish move marry quit leave sell adopt join die
    começar parar terminar acabar mudar casar sair largar vender adotar nascer morrer entrar voltar tornar virar""".split()
)
"""Verbs of states, and of acts that one does not do in general because one did them twice."""
_ALONE = frozenset("run swim cycle bike hike climb surf row dance sing meditate fish camp jog correr nadar pedalar remar surfar escalar dançar cantar meditar pescar acampar caminhar malhar".split())  # fmt: skip
_LOOSE = re.compile(
    r"\b(?:again|too|also|of course|finally|de novo|outra vez|também|enfim|mesmo|ontem|hoje|yesterday|today)\b",
    re.IGNORECASE,
)
_TAIL: dict[Language, re.Pattern[str]] = {
    "en": re.compile(
        r"(?:^|(?<= ))(?:(?:in|at|with|using|from|after|before|during|because|while|when|and|but|so|until|near|along)(?![\w-])"
        r"|for (?:\d|an?|two|three|half)\b|by (?:the|an?) |on (?:an?|the) ).*$"
    ),
    "pt": re.compile(
        r"(?:^|(?<= ))(?:(?:com|usando|depois|antes|durante|porque|quando|enquanto|e|mas|até|perto)(?![\w-])"
        r"|por (?:\d|uma?|dois|duas|três)\b|(?:em|n[ao]s?) [A-ZÀ-Ý]).*$"
    ),
}
_QUANTITY = re.compile(r"\b\d+(?:[.,]\d+)? ?(?:km|k|miles?|milhas?|min\w*|hours?|horas?|h|kg|pages?|p[aá]ginas?|times|vezes|laps?|voltas)\b|\b(?:twice|once)\b", re.IGNORECASE)  # fmt: skip
_DANGLING: dict[Language, re.Pattern[str]] = {
    "en": re.compile(r" (?:on|in|at|since|from|of|the|this|last|during|until)(?: the (?:night|morning|week|weekend|evening)(?: of)?)?$"),
    "pt": re.compile(r" (?:em|no|na|do|da|de|desde|dia|no dia|durante|até)(?: (?:noite|manhã|semana|fim de semana|tarde)(?: de)?)?$"),
}  # fmt: skip
_INDEFINITE = re.compile(r" (?:an?|uma?) ")
_UNCOUNTED = frozenset("bread music coffee tea water rice fish dinner lunch breakfast yoga homework".split())
_MANNER = re.compile(
    r" (?:using|via|usando|por meio) | (?:deploy|build|test|run|write|cook|bake|make|install|configure|fazer|testa|roda|instala|configura|cozinha|prepara)\w* .*(?:with|com) "
)
_WEEKDAYS: dict[Language, tuple[str, ...]] = {
    "en": tuple(f"on {day}" for day in "Mondays Tuesdays Wednesdays Thursdays Fridays Saturdays Sundays".split()),
    "pt": ("às segundas", "às terças", "às quartas", "às quintas", "às sextas", "aos sábados", "aos domingos"),
}

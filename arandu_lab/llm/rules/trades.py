"""Words for trades and for ways of eating, known by lists or told by their endings."""

# ruff: noqa: E501  (patterns read better on one line)

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from arandu_lab.llm.rules.language import Language

_TRADES = {
    "en": re.compile(r"(?:\w{2,}(?:er|or|ist|ian|yst|smith|wright|wife|man|woman|person|keeper|eer|ess|iatrist|nurse|chef|cook|clerk|medic)|\w+ant|judge|guide|pilot|coach|agent|model|vet|monk)$"),
    "pt": re.compile(r"\w{2,}(?:or|ora|ista|eir[oa]|[aá]ri[oa]|ante|ente|[oó]graf[oa]|[oó]log[oa]|[oó]nom[oa]|iatra|[eê]utic[oa]|[oó]nic[oa]|[ií]sic[oa]|atra|ric[oa]|tric[oa]|nic[oa]|atriz|stra|meteiro|ão)$"),
}  # fmt: skip


def is_role(words: Sequence[str], roles: Container[str], language: Language) -> bool:
    """Whether the head of a phrase is a trade, known or by its ending."""
    if len(words) > 5:
        return False
    head = words[-1] if language == "en" else words[0]
    return any(word in roles for word in words) or bool(_TRADES[language].match(head) and not _NO_TRADE.match(head))


_NO_TRADE = re.compile(
    r"(?:member|fan|lover|loner|beginner|newcomer|smoker|drinker|eater|father|mother|brother|sister|daughter|winner|loser|believer|hater|survivor|neighbou?r|owner|"
    r"never|ever|other|another|better|bigger|major|minor|vegetarian|pescatarian|dinner|number|disaster|matter|monster|character|giant|distant|important|optimist|pessimist|"
    r"feminist|brasileir|solteir|verdadeir|inteir|primeir|terceir|passageir|grosseir|companheir|parceir|otimista|pessimista|ego[ií]sta|realista|racista|machista|feminista|budista|"
    r"comunista|socialista|melhor|maior|menor|pior|superior|inferior|interior|anterior|amor|favor|valor|solid[aá]ri|contr[aá]ri|necess[aá]ri|extraordin[aá]ri|tempor[aá]ri|"
    r"importante|diferente|interessante|elegante|inteligente|presente|doente|carente|ausente|gigante|parente|amante|bastante|excelente|paciente)\w*$"
)


_DIETS = re.compile(
    r"(?:vegan[oa]?|vegetarian[oa]?|pescatarian|pescetarian[oa]?|(?:omni|herbi|carni|fruti|frugi|pisci)vor\w+|\w+(?:tarian|atarian)[oa]?|\w+ivorous|\w+ívor[oa]|\w+ivor[oa]|keto|cetogenic[oa]|paleo|halal|kosher|"
    r"crudivor[oa]|celiac[oa]?|coeliac|macrobiotic[oa]?|[\w]+[- ]free|sem (?:gluten|lactose|acucar|carne)|low[- ]carb|plant[- ]based|raw[- ]food|teetotal\w*)$"
)


def is_diet(words: Sequence[str]) -> bool:
    """Whether folded words name a way of eating.

    >>> is_diet(["vegana"]), is_diet(["nurse"])
    (True, False)
    """
    return bool(_DIETS.match(" ".join(words))) or bool(words and _DIETS.match(words[-1]))

"""Whether a question wants several pieces of evidence: marks of its words, and a probability learned from them.

"What activities does Ana do?" is answered in many places, "When did she move?" in one. Patterns of English and Portuguese
apply to every question; they look at folded words.
"""

# ruff: noqa: E501  (patterns read better on one line)

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from arandu_lab.pure.cues import Kind, month_numbers, question_kinds
from arandu_lab.pure.text import fold, words

_KINDS: tuple[Kind, ...] = ("when", "where", "who", "many", "why", "feel", "would", "yesno", "plural")
_PATTERNS: Mapping[str, str] = MappingProxyType(
    {
        "so_far": r"has|have|had|ja|tem|teve|tinham?",
        "habit": r"does|do|is|are|costuma[mr]?|gosta[mr]?|faz(?:em|er)?|sao|esta|estao",
        "past": r"did|was|were|foi|foram|era|eram|fez|fizeram",
        "guess": r"would|might|could|likely|considered|potentially|probably|seria|poderia|provavel(?:mente)?|talvez",
        "shared": r"both|common|share[ds]?|ambos|ambas|comum|os dois|as duas",
        "kinds_of": r"kinds?|types?|ways?|sorts?|some|several|different|various|all|tipos?|alguns|algumas|varios|varias|todos|todas|diferentes",
        "how_much": r"how (?:long|often|many|much)|quant[oa]s?|quanto tempo|com que frequencia",
        "said": r"(?:say|said|think|describe|mention|tell|feel|plan|recommend|suggest)\w*|(?:diss|fal|ach|descrev|mencion|cont|sent|planej|recomend|suger)\w*",
        "the_one": r"her|his|their|the|a|an|o|os|as|seus?|suas?|dele|dela|uma?",
        "at": r"during|after|before|on|at|last|recent\w*|first|new|durante|depois|antes|ultim\w+|primeir\w+|nov[oa]s?",
        "things": r"(?:what|which|quais|que)\s+(?:\w+\s+){0,2}?(?:\w{3,}(?<!s)s|people|children|pessoas)",
    }
)
_SEARCHES = {name: re.compile(rf"\b(?:{pattern})\b") for name, pattern in _PATTERNS.items()}
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_CAPITAL = re.compile(r"(?<=\s)[A-ZÀ-ÖØ-Þ]\w+")

MARKS: tuple[str, ...] = (*_KINDS, *_PATTERNS, "one_speaker", "two_speakers", "dated", "whose", "length", "names")
"""What :func:`several_marks` gives, in order."""


def several_marks(question: str, speakers: int) -> dict[str, float]:
    """The marks of a question, by the names in ``MARKS``: 0 or 1, but ``length`` (log of the number of words) and ``names``
    (capitalised words after the first that are no speaker's).

    Args:
        question: As it is put, in either language.
        speakers: How many of those who speak in the conversation it names.

    >>> marks = several_marks("What activities have Ana and Caio both done?", 2)
    >>> [name for name, value in marks.items() if value == 1.0]
    ['plural', 'so_far', 'shared', 'things', 'two_speakers']
    >>> several_marks("Quais hobbies a Ana já teve?", 1)["things"]
    1.0
    """
    folded, kinds, said = fold(question), question_kinds(question), words(question)
    one, two = float(speakers == 1), float(speakers >= 2)
    return {
        **{kind: float(kind in kinds) for kind in _KINDS},
        **{name: float(pattern.search(folded) is not None) for name, pattern in _SEARCHES.items()},
        "one_speaker": one,
        "two_speakers": two,
        "dated": float(bool(month_numbers(question)) or _YEAR.search(question) is not None),
        "whose": float("'s" in question or "’s" in question),
        "length": math.log(max(len(said), 1)),
        "names": max(float(len(_CAPITAL.findall(question))) - one - 2.0 * two, 0.0),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Several:
    """A logistic model over marks: how likely a question wants more than one piece of evidence.

    >>> wants = Several(intercept=-1.0, weights={"plural": 2.0})
    >>> round(wants.probability(several_marks("What sports does Ana play?", 1)), 2), round(wants.probability({}), 2)
    (0.73, 0.27)
    """

    intercept: float
    weights: Mapping[str, float]

    def probability(self, marks: Mapping[str, float]) -> float:
        """Between 0 and 1; a mark that is not given counts as 0."""
        total = self.intercept + math.fsum(weight * marks.get(name, 0.0) for name, weight in self.weights.items())
        return 1.0 / (1.0 + math.exp(-max(min(total, 50.0), -50.0)))

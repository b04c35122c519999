"""Answering as a last step, for users with a model: from a system's context, scored by words and by a judge.

::

    scores = answered("results/quickstart-1a2b3c4d5e6f", llm="openai/gpt-4.1-mini", judge="openai/gpt-4.1")
    scores.frame        one row a question and system
    scores.summary()    one row a system: recall, F1, abstention, verdicts, what failed, what it cost
    scores.trial        the judge on answers that are known to be wrong or right

No memory is asked again: the contexts were kept when the systems were replayed.
"""

from arandu_lab.bench.answering.answerer import Answerer, Said
from arandu_lab.bench.answering.judging import Judge, Judged
from arandu_lab.bench.answering.run import answered
from arandu_lab.bench.answering.scores import AnswerScores
from arandu_lab.bench.answering.trial import Trial, trial

__all__ = ["AnswerScores", "Answerer", "Judge", "Judged", "Said", "Trial", "answered", "trial"]

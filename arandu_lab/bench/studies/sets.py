"""A dataset as a study hears it: whole, or only its beginning."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from arandu_lab.bench.data.model import Conversation, Dataset
from arandu_lab.errors import ConfigError


def shortened(dataset: Dataset, *, turns: int = 0, questions: int = 0) -> Dataset:
    """The first turns of each conversation, and of its questions those that these turns answer (0: all).

    Questions keep their dates; those that nothing answers stay out, because what was never said cannot be told from what
    was cut off. Their number is thinned evenly.

    Raises:
        ConfigError: nothing that can be asked is left.
    """
    if not turns and not questions:
        return dataset
    said = f"{dataset.digest}:{turns}:{questions}"
    out = tuple(_short(one, turns or len(one.turns), questions) for one in dataset)
    if not any(one.questions for one in out):
        raise ConfigError(f"{dataset.name}: the first {turns} turns of each conversation answer no question; take more")
    return replace(dataset, conversations=out, digest=hashlib.sha256(said.encode()).hexdigest())


def _short(conversation: Conversation, turns: int, questions: int) -> Conversation:
    heard = conversation.turns[:turns]
    known = {turn.id for turn in heard}
    asked = [one for one in conversation.questions if one.evidence and set(one.evidence) <= known]
    if questions and questions < len(asked):
        asked = [asked[place * len(asked) // questions] for place in range(questions)]
    gold = conversation.gold
    return replace(
        conversation,
        turns=heard,
        questions=tuple(asked),
        gold=None if gold is None else {key: one for key, one in gold.items() if key in known},
    )

"""Two short questions: which facts rest on which others, and how messages sound."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arandu_lab.llm.rules import emotion
from arandu_lab.llm.rules.jobs.given import facts, index, items, moment, string
from arandu_lab.llm.rules.language import detect
from arandu_lab.pure.premises import depends


def premises(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The answer of the ``premises`` task, by the table of ``arandu_lab.pure.premises``.

    >>> premises({"name": "Ana", "facts": [{"i": 4, "text": "Ana works at Vertix"}, {"i": 7, "text": "Ana reports to Paulo"}]})
    {'rests': [{'i': 7, 'on': [4]}]}
    """
    lines = facts(inputs)
    held = [(moment(line.since), None) for line in lines]
    found = depends([line.text for line in lines], string(inputs.get("name"), 80), held)
    rests = [{"i": lines[place].i, "on": sorted(lines[ground].i for ground in on)} for place, on in found]
    return {"rests": sorted((one for one in rests if one["on"]), key=lambda one: (str(one["i"]), str(one["on"])))}


def emotions(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The answer of the ``emotions`` task: one item per event, by ``rules.emotion``.

    >>> emotions({"events": [{"i": 3, "speaker": "Ana", "text": "Passei na prova!!! 🎉"}]})
    {'emotions': [{'i': 3, 'label': 'joy', 'intensity': 0.81, 'energy': 'high'}]}
    """
    out = []
    for item in items(inputs, "events"):
        i, text = index(item), item.get("text")
        if i is not None and isinstance(text, str):
            out.append({"i": i, **emotion.detect(text, detect(text))})
    return {"emotions": out}

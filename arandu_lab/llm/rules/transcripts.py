"""A transcript pasted into a message: every line is read as the words of the one whose name stands in front of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from arandu_lab.llm.rules import lexicon_en, lexicon_pt
from arandu_lab.pure.assistants import is_assistant
from arandu_lab.pure.names import is_pronoun
from arandu_lab.pure.text import fold, guess_language
from arandu_lab.pure.transcripts import spoken

Answerer = Callable[[Mapping[str, Any]], dict[str, Any]]
_RECENT = 5
_FIELDS = (("entities", ("name",)), ("facts", ("subject",)), ("relations", ("source", "target")))


def by_voice(task: Answerer) -> Answerer:
    """The task put line by line where the inputs name the voices of a transcript (``transcript_of``), and joined.

    What comes before the first line are the speaker's own words, and so are a "user's". What an assistant says there is
    heard and not kept. Who is called "my mother" in a line is the mother of who speaks it.
    """

    @wraps(task)
    def answered(inputs: Mapping[str, Any]) -> dict[str, Any]:
        message = str(inputs.get("message") or "")
        voices = [str(name) for name in inputs.get("transcript_of") or []]
        lines = spoken(message, voices) if voices else ()
        if not lines:
            return task(inputs)
        author = str(inputs.get("speaker") or "")
        said = [(author, message[: lines[0].start])]
        said += [(author if is_pronoun(v.speaker, author) else v.speaker, message[v.said : v.end]) for v in lines]
        recent = [text for text in inputs.get("recent_messages") or [] if isinstance(text, str)]
        joined: dict[str, Any] = {}
        for speaker, text in said:
            text = text.strip().removesuffix(" /")
            if not text:
                continue
            if not is_assistant(speaker):
                found = task({**inputs, "speaker": speaker, "message": text, "recent_messages": recent[-_RECENT:]})
                _add(joined, found if speaker == author else _owned(found, speaker, text))
            recent.append(f"{speaker}: {text}")
        return joined or task({**inputs, "message": ""})

    return answered


def _owned(found: dict[str, Any], speaker: str, text: str) -> dict[str, Any]:
    """The answer with relatives that have no name called after the speaker: ``mãe de Ana``, ``Ana's mother``."""
    portuguese = guess_language(text) == "pt"

    def called(name: str) -> str:
        if fold(name) not in lexicon_en.KIN and fold(name) not in lexicon_pt.KIN:
            return name
        return f"{name} de {speaker}" if portuguese else f"{speaker}'s {name}"

    for key, fields in _FIELDS:
        for item in found.get(key, ()):
            for field in fields:
                item[field] = called(item[field])
    if found.get("updated_profiles"):
        found["updated_profiles"] = {called(name): text for name, text in found["updated_profiles"].items()}
    return found


def _add(joined: dict[str, Any], found: Mapping[str, Any]) -> None:
    for key, value in found.items():
        if isinstance(value, list):
            joined.setdefault(key, []).extend(value)
        elif isinstance(value, Mapping) and key == "updated_profiles":
            joined[key] = {**value, **joined.get(key, {})}
        elif joined.get(key) is None:
            joined[key] = value

"""Facts and clusters that belong together: a label and what they say; and the overview of all that is known."""

# ruff: noqa: E501  (examples read better on long lines)

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from arandu_lab.llm.rules.jobs.given import facts, index, items, string, tongue
from arandu_lab.llm.rules.jobs.portraits import told
from arandu_lab.llm.rules.jobs.predicates import Said
from arandu_lab.llm.rules.jobs.telling import holding, in_order, listed, sentences, shown
from arandu_lab.llm.rules.language import Language
from arandu_lab.pure.steering import commanding
from arandu_lab.pure.text import fold, normal

LABEL_LENGTH = 80
OVERVIEW_LENGTH = 1000


def cluster(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The answer of the ``cluster`` task.

    >>> facts = [{"i": 0, "text": "Ana works at Vertix"}, {"i": 1, "text": "Ana is allergic to latex"}, {"i": 2, "text": "Ana studies law"}]
    >>> cluster({"name": "Ana", "type": "person", "facts": facts})
    {'label': 'Ana: work, studies and health', 'summary': 'Ana works at Vertix and studies law. Ana is allergic to latex.'}
    """
    name, language = string(inputs.get("name"), 60), tongue(inputs)
    lines = holding(facts(inputs), name)
    if not lines:
        return {"label": None, "summary": None}
    topic = string(inputs.get("topic"), 60)
    if commanding(topic):
        topic = ""
    return {"label": _label(name, topic, lines, language), "summary": " ".join(_summary(lines, name, language))}


def theme(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The answer of the ``theme`` task: what stands in at least two of the clusters, names first.

    >>> clusters = [{"i": 0, "label": "Ana: work", "summary": "Ana works at Vertix."}, {"i": 1, "label": "Rui", "summary": "Rui works at Vertix and sings."}]
    >>> theme({"clusters": clusters})
    {'label': 'Vertix: Ana and Rui', 'summary': 'Vertix connects Ana and Rui. Ana works at Vertix. Rui works at Vertix and sings.'}
    """
    language = tongue(inputs)
    given: dict[str, tuple[str, str]] = {}
    for item in items(inputs, "clusters"):
        label, summary = string(item.get("label"), LABEL_LENGTH), string(item.get("summary"), 600)
        if index(item) is not None and label and not commanding(label) and not commanding(summary):
            given.setdefault(normal(label), (label, summary))
    clusters = [given[key] for key in sorted(given)]
    if not clusters:
        return {"label": None, "summary": None}
    heads = list(dict.fromkeys(label.partition(":")[0].strip() for label, _ in clusters))
    shared = [name for name in _shared(clusters) if normal(name) not in map(normal, heads)][:1]
    told_by = [label for label, summary in clusters if not shared or _names(shared[0], f"{label} {summary}")]
    inside = list(dict.fromkeys(label.partition(":")[0].strip() for label in told_by))
    title = listed(inside[:4], language)
    parts = []
    if shared:
        title = f"{shared[0][:1].upper()}{shared[0][1:]}: {title}"
        aspect = shared[0] in _TITLES[language].values()
        parts.append(_CONNECTS[language, aspect].format(shared[0], listed(inside[:6], language)))
    parts += [first for _, summary in clusters[:4] if (first := _first(summary))]
    return {"label": _cut(title), "summary": _within(parts, 600)}


def overview(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The answer of the ``overview`` task: entities in the order given, the most important first.

    >>> overview({"entities": [{"name": "Ana", "type": "person", "summary": "Ana is a nurse. Ana sings."}, {"name": "Thor", "type": "pet"}]})
    {'overview': 'Ana is a nurse. Also known: Thor.'}
    """
    language = tongue(inputs)
    parts: list[str] = []
    rest: list[str] = []
    for item in items(inputs, "entities"):
        name, summary = string(item.get("name"), 60), string(item.get("summary"), 600)
        if not normal(name) or commanding(name) or commanding(summary):
            continue
        first = _first(summary)
        if first and len(parts) < 6 and sum(map(len, parts)) + len(first) < OVERVIEW_LENGTH - 200:
            parts.append(first)
        elif name not in rest:
            rest.append(name)
    if rest:
        known = "Also known" if language == "en" else "Também se conhece"
        parts.append(f"{known}: {listed(rest[:10], language)}.")
    return {"overview": " ".join(parts) or None}


# ------------------------------------------------------------ clusters


def _summary(lines: Sequence[Said], name: str, language: Language) -> list[str]:
    """Two or three sentences: of one subject as a summary tells them, of several one sentence each."""
    subjects = list(dict.fromkeys(shown(said, name, name) for said in lines if said.who))
    if len(subjects) < 2 or sum(not said.own for said in lines) * 2 < len(lines):
        return told(lines, name, language)
    counted = Counter(said.who for said in lines if said.who)
    chosen = sorted(counted, key=lambda who: (-counted[who], fold(who)))[:3]
    best = [said for said in in_order(lines) if said.who in chosen]
    return sentences(sorted(best, key=lambda said: chosen.index(said.who)), name, language)[:3]


def _label(name: str, topic: str, lines: Sequence[Said], language: Language) -> str:
    """``Ana: work, home and health``: the topic, or the aspects that most facts belong to."""
    if topic:
        return _cut(f"{name}: {topic}" if name and normal(name) not in normal(topic) else topic)
    firm = [said for said in lines if said.firm and said.aspect != "other"] or [
        said for said in lines if said.aspect != "other"
    ]
    counted = Counter(_TITLES[language][said.aspect] for said in firm)
    order = list(dict.fromkeys(_TITLES[language].values()))
    most = sorted(counted, key=lambda title: (-counted[title], order.index(title)))[:3]
    aspects = listed(sorted(most, key=order.index), language)
    if not name:
        return _cut(aspects[:1].upper() + aspects[1:]) or {"en": "Facts", "pt": "Fatos"}[language]
    return _cut(f"{name}: {aspects}" if aspects else name)


_CONNECTS = {
    ("en", False): "{} connects {}.",
    ("en", True): "Facts on {} connect {}.",
    ("pt", False): "{} liga {}.",
    ("pt", True): "Fatos sobre {} ligam {}.",
}
_TITLES: dict[Language, dict[str, str]] = {
    "en": {
        **{"role": "work", "study": "studies", "home": "home", "age": "life", "family": "family", "people": "people"},
        **{"health": "health", "tastes": "tastes", "pastimes": "pastimes", "pets": "pets", "things": "belongings"},
        **{"plans": "plans and events"},
    },
    "pt": {
        **{"role": "trabalho", "study": "estudos", "home": "casa", "age": "vida", "family": "família"},
        **{"people": "pessoas", "health": "saúde", "tastes": "gostos", "pastimes": "passatempos", "pets": "bichos"},
        **{"things": "pertences", "plans": "planos e eventos"},
    },
}


# ------------------------------------------------------------ themes


def _shared(clusters: Sequence[tuple[str, str]]) -> list[str]:
    """Names that stand in at least two clusters, those in most first; else titles of aspects that their labels share."""
    counted: Counter[str] = Counter()
    written: dict[str, str] = {}
    for label, summary in clusters:
        found = {normal(name): name for name in _NAME.findall(f"{label}. {summary}") if len(name) > 2}
        for key, name in found.items():
            written.setdefault(key, name)
        counted.update({key for key in found if key not in _NO_NAMES})
    names = sorted(
        (key for key, count in counted.items() if count > 1), key=lambda key: (-counted[key], -len(key), key)
    )
    if names:
        return [written[key] for key in names]
    titles = Counter(
        title for label, _ in clusters for title in set(re.split(r", | and | e ", label.partition(": ")[2])) if title
    )
    return [title for title, count in sorted(titles.items(), key=lambda one: (-one[1], one[0])) if count > 1][:1]


def _names(name: str, text: str) -> bool:
    return f" {normal(name)} " in f" {normal(text)} "


def _first(text: str) -> str:
    """The first sentence of a text."""
    found = re.match(r".+?[.!?…](?= [A-ZÀ-Ý]|$)", text)
    first = found[0] if found else text
    return first if not first or first[-1] in ".!?…" else f"{first}."


def _cut(title: str) -> str:
    if len(title) <= LABEL_LENGTH:
        return title
    return (title[: LABEL_LENGTH + 1].rpartition(" ")[0] or title[:LABEL_LENGTH]).rstrip(" ,:;")


def _within(parts: Sequence[str], length: int) -> str | None:
    out = ""
    for part in dict.fromkeys(parts):
        if len(out) + len(part) < length:
            out = f"{out} {part}".strip()
    return out or (parts[0][:length] if parts else None)


_NAME = re.compile(r"(?<![.!?] )(?<!^)(?<!\w)[A-ZÀ-Ý][\w-]+(?: (?:(?:d[aeo]s?|of|the) )?[A-ZÀ-Ý][\w-]+)*|(?:^|(?<=[.!?] ))[A-ZÀ-Ý][\w-]+(?: [A-ZÀ-Ý][\w-]+)*")  # fmt: skip
_NO_NAMES = frozenset(
    """january february march april may june july august september october november december monday tuesday wednesday
    thursday friday saturday sunday the portuguese english""".split()
)

"""What of a workspace's memory reaches the prompt of an agent: all policies, its own notes, a few facts, and a pointer.

No model, no embedder and no grant is asked: the words of the task alone choose the facts. The form is fixed, character
for character; policies and facts stand on one line each, notes as they were written, between fences that nothing in them
can close: what is stored feigns no heading, no rule and no fact (W21).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from arandu_lab.knowledge import MemoryFact, MemoryPolicy
from arandu_lab.pure.bm25 import BM25
from arandu_lab.pure.budget import estimate_tokens
from arandu_lab.pure.disagreement import elsewhere
from arandu_lab.pure.fusion import top
from arandu_lab.pure.steering import set_apart
from arandu_lab.pure.stems import LANGUAGES, drifting, stem
from arandu_lab.pure.text import content_words

POLICIES_HEADING = "## Workspace policies"
NOTES_HEADING = "## Your working memory"
FACTS_HEADING = "## Facts that may bear on this task"
POINTER = "Check anything essential with search_memory before you rely on it."

MAX_FACTS = 5
FACT_CHARACTERS = 1200
"""What the lines of facts may hold together, line ends included."""
MIN_TASK_CHARACTERS = 20
"""A shorter task gets no facts."""


@dataclass(frozen=True, slots=True)
class Preamble:
    """The text, and what is in it. ``left_out``: facts of the first five that had no room. Tokens are estimates."""

    text: str
    policy_ids: tuple[str, ...] = ()
    fact_ids: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    policy_tokens: int = 0
    tokens: int = 0

    @property
    def policy_share(self) -> float:
        """The part of the text's tokens that policies take, 0 to 1."""
        return self.policy_tokens / self.tokens if self.tokens else 0.0


def compose(
    policies: Iterable[MemoryPolicy],
    notes: str,
    facts: Iterable[MemoryFact],
    task: str,
    *,
    now: datetime,
    repo: str | None = None,
) -> Preamble:
    """The preamble for a task.

    Args:
        policies: All of the workspace, in the order to be shown; those in force are shown, all of them, whoever asks.
        notes: The agent's own pad; no section where it is empty.
        facts: All of the workspace; those live ``now`` that share a word with the task are candidates.
        task: The description; under 20 characters it gets no facts.
        now: The moment of dispatch.
        repo: Where the agent works: what is of that scope comes first, nothing is left out for it.
    """
    held = list(facts)
    rules = sorted((policy for policy in policies if policy.in_force), key=lambda policy: _elsewhere(policy.repo, repo))
    listed = [(fact, fact_line(fact, _others(fact, held, now))) for fact in shortlist(held, task, now=now, repo=repo)]
    chosen, left_out = _fitting(listed)
    policy_lines = [_line(policy.domain_key, policy.rule) for policy in rules]
    parts = []
    if policy_lines:
        parts.append("\n".join([POLICIES_HEADING, *policy_lines]))
    if notes:
        parts.append(f"{NOTES_HEADING}\n{_fenced(notes)}")
    if chosen:
        parts.append("\n".join([FACTS_HEADING, *(line for _, line in chosen)]))
    text = "\n\n".join([*parts, POINTER])
    return Preamble(
        text,
        tuple(policy.id for policy in rules),
        tuple(fact.id for fact, _ in chosen),
        tuple(fact.id for fact, _ in left_out),
        estimate_tokens("\n".join(policy_lines)),
        estimate_tokens(text),
    )


def shortlist(
    facts: Iterable[MemoryFact], task: str, *, now: datetime, repo: str | None = None
) -> tuple[MemoryFact, ...]:
    """At most five live facts that share a word with a task of 20 characters or more: of the agent's repository first,
    then the best by BM25 over stems, then by id. What is set apart (``pure/steering``) is never pushed.
    """
    if len(task.strip()) < MIN_TASK_CHARACTERS:
        return ()
    live = sorted((fact for fact in facts if fact.live_at(now)), key=lambda fact: fact.id)
    index = BM25.fit([terms(f"{fact.topic} {fact.content}") for fact in live], variant="lucene")
    scores = index.scores(asked(task))
    ranked = [live[place] for place in top(scores) if scores[place] > 0.0 and not set_apart(live[place])]
    return tuple(sorted(ranked, key=lambda fact: _elsewhere(fact.repo, repo))[:MAX_FACTS])


def terms(text: str) -> list[str]:
    """The stems of a text's content words, in the language it is in.

    >>> terms("Deploys run on Fridays"), terms("Os testes são na sexta")
    (['deploy', 'run', 'friday'], ['test', 'sext'])
    """
    language, _ = drifting(text)
    return [stem(word, language) for word in content_words(text)]


def asked(text: str) -> list[str]:
    """The stems of a question's content words in both languages, each once: the language of three words is a guess.

    >>> asked("as chaves")
    ['chave', 'chav']
    """
    return list(dict.fromkeys(stem(word, language) for word in content_words(text) for language in LANGUAGES))


def fact_line(fact: MemoryFact, others: Iterable[MemoryFact] = ()) -> str:
    """A fact as it is listed: ``- [domain] content``, on one line; what contradicts it in another scope stands behind it."""
    marks = "".join(f" (but {one.domain_key}: {one.content})" for one in others)
    return _line(fact.domain_key, fact.content + marks)


def without_preamble(text: str) -> tuple[str, tuple[str, ...]]:
    """A text without passages that are themselves a preamble, and those passages: what an agent is shown is no statement of
    whoever pastes it (W21).

    A passage is one of the headings with the list or the fenced notes behind it, or the closing pointer.

    >>> without_preamble("Oi!\\n## Workspace policies\\n- [conventions] Use tabs\\n\\nMudei de emprego.")
    ('Oi!\\n\\nMudei de emprego.', ('## Workspace policies\\n- [conventions] Use tabs',))
    """
    kept: list[str] = []
    passages: list[list[str]] = []
    fence, listing = "", False
    for line in text.split("\n"):
        bare = line.lstrip("> \t").rstrip()
        if fence:
            passages[-1].append(line)
            fence, listing = ("", False) if bare == fence else (fence, True)
        elif bare in (POLICIES_HEADING, NOTES_HEADING, FACTS_HEADING, POINTER):
            passages.append([line])
            listing = bare != POINTER
        elif listing and (bare.startswith("- [") or _FENCE.fullmatch(bare)):
            passages[-1].append(line)
            fence = "" if bare.startswith("- [") else bare
        else:
            listing = False
            kept.append(line)
    return "\n".join(kept) if passages else text, tuple("\n".join(one) for one in passages)


def _line(domain: str, text: str) -> str:
    return f"- [{' '.join(domain.split())}] {' '.join(text.split())}"


def _fenced(notes: str) -> str:
    """Notes between two fences longer than any run of backticks in them, so that they are word for word and end where they end."""
    fence = "`" * max(3, 1 + max(map(len, _TICKS.findall(notes)), default=0))
    return f"{fence}\n{notes}\n{fence}"


_TICKS = re.compile("`+")
_FENCE = re.compile("`{3,}")


def _others(fact: MemoryFact, facts: Sequence[MemoryFact], now: datetime) -> list[MemoryFact]:
    """Live facts of the same domain and topic in other scopes that contradict a fact: what is not set apart."""
    return [one for one, _ in elsewhere(fact, facts, now) if not set_apart(one)]


def _fitting(
    facts: Sequence[tuple[MemoryFact, str]],
) -> tuple[list[tuple[MemoryFact, str]], list[tuple[MemoryFact, str]]]:
    """Those whose lines fit into the budget one after the other, and those that do not; a shorter one may follow a long one."""
    chosen, left_out, used = [], [], 0
    for fact, line in facts:
        size = len(line) + 1
        if used + size <= FACT_CHARACTERS:
            chosen.append((fact, line))
            used += size
        else:
            left_out.append((fact, line))
    return chosen, left_out


def _elsewhere(scope: str | None, repo: str | None) -> bool:
    return repo is None or scope != repo

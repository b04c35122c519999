"""Stage 1 of reading: what kind of question is this, and whom does it name. No model is asked."""

from __future__ import annotations

from arandu_lab.errors import ConfigError
from arandu_lab.pipeline import Lab, stage
from arandu_lab.pure import planning
from arandu_lab.pure.text import words
from arandu_lab.read.found import Plan, Query
from arandu_lab.units import Count


@stage
def plan(query: Query, lab: Lab, *, entity_min_chars: Count) -> Plan:
    """Decide the strategy: a greeting is skipped without a look at the memory, a list or an overview looks wider."""
    if query.agent_id != lab.memory.agent_id:
        raise ConfigError(f"a question to agent {query.agent_id!r} reached the memory of {lab.memory.agent_id!r}")
    as_of = lab.now if query.as_of is None else query.as_of
    historical = as_of < lab.now or query.known_at is not None
    if planning.greeting(query.text) or not words(query.text):
        reason = "greeting" if words(query.text) else "empty"
        lab.log(strategy="skip", reason=reason)
        return Plan(query=query, as_of=as_of, strategy="skip", reason=reason, similarity_query=query.text)
    book = lab.memory.directory
    named = planning.names(query.text, lab.memory.aliases(), book, min_chars=entity_min_chars)
    prefixes = book.prefixes
    patterns = planning.aggregation(query.text, prefixes)
    broad = planning.broad(query.text)
    reason = "aggregation" if patterns else "broad" if broad else "deterministic"
    if broad and not patterns and not named and "person" in prefixes:
        patterns = ("person:%",)
    found = Plan(
        query=query,
        as_of=as_of,
        reason=reason,
        similarity_query=query.text,
        pattern_queries=patterns,
        broad_query=broad,
        historical=historical,
        names=tuple(name.name for name in named),
        deterministic=tuple(dict.fromkeys(key for name in named for key in name.keys)),
    )
    lab.log(strategy=found.strategy, reason=reason, pattern_queries=patterns, broad_query=broad, names=found.names)
    return found

"""What each operation takes, as a model is told it: pydantic models, one per operation."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Text = Annotated[str, Field(min_length=1)]
Way = Literal["stated", "inferred", "tool", "imported"]
Ids = list[str]


class Arguments(BaseModel):
    """Unknown names are refused."""

    model_config = ConfigDict(extra="forbid")


class ProposeFact(Arguments):
    """Put a piece of knowledge under a topic of a domain, so that every agent of the workspace can find it."""

    domain: Text = Field(description="Domain of knowledge, such as conventions, decisions or codebase.")
    topic: Text = Field(description="A short label; what contradicts it is looked for under the same topic.")
    content: Text = Field(description="The knowledge, one statement, as it should be read later.")
    repo: str | None = Field(None, description="Repository slug, if it is true of one repository only.")
    memory_type: str | None = Field(
        None, description="Type that decides how fast it fades, such as decision or commitment."
    )
    veracity: Way = Field(
        "inferred", description="stated: a human said so; inferred: you concluded it; tool; imported."
    )
    source_observation_ids: Ids = Field(default_factory=list, description="Observations that led to it.")
    valid_until: datetime | None = Field(None, description="When it stops holding, with an offset.")
    dry_run: bool = Field(False, description="Only tell what would become of it.")


class SupersedeFact(Arguments):
    """Put a new fact in the place of one that is wrong or out of date."""

    fact_id: Text = Field(description="The fact that gives way.")
    content: Text = Field(description="What is true instead.")
    topic: str | None = Field(None, description="Another topic; that of the old fact by default.")
    memory_type: str | None = Field(None, description="Another type; that of the old fact by default.")
    veracity: Way = Field("inferred", description="How you know it.")
    source_observation_ids: Ids = Field(default_factory=list, description="Observations that led to it.")
    valid_until: datetime | None = Field(None, description="When it stops holding, with an offset.")
    dry_run: bool = Field(False, description="Only tell what would become of it.")


class ProposePolicy(Arguments):
    """Put a rule that all agents are shown in every dispatch. Needs write permission in the domain."""

    domain: Text = Field(description="Domain of knowledge.")
    rule: Text = Field(description="The rule, one sentence that says what to do.")
    repo: str | None = Field(None, description="Repository slug, if it is for one repository.")
    required_role: str | None = Field(None, description="Whom the rule is meant for; it is shown to all.")
    source_fact_ids: Ids = Field(default_factory=list, description="Facts that it was drawn from.")
    dry_run: bool = Field(False, description="Only tell what would become of it.")


class SupersedePolicy(Arguments):
    """Put another rule in the place of one. Needs write permission in the domain."""

    policy_id: Text = Field(description="The policy that gives way.")
    rule: Text = Field(description="The rule that holds instead.")
    required_role: str | None = Field(
        None, description="Whom the rule is meant for: as the old one by default; empty for nobody in particular."
    )
    source_fact_ids: Ids | None = Field(
        None, description="Facts that it was drawn from: as the old one by default; an empty list for none."
    )
    dry_run: bool = Field(False, description="Only tell what would become of it.")


class SearchMemory(Arguments):
    """Find what the workspace knows. Use it before relying on anything essential."""

    query: Text = Field(description="What you want to know, in words.")
    mode: Literal["keyword", "semantic", "hybrid"] = Field("hybrid", description="hybrid hears four voices.")
    repo: str | None = Field(None, description="Repository whose facts come first; yours by default.")
    limit: int = Field(10, ge=1, le=100, description="How many facts at most.")


class Remember(Arguments):
    """Keep an item for this session; consolidate_memory may make a fact of it."""

    text: Text = Field(description="What to keep.")
    domain: str | None = Field(None, description="Domain that it belongs to.")
    repo: str | None = Field(None, description="Repository slug, if it is of one.")
    topic: str | None = Field(None, description="A short label.")


class RecordObservation(Arguments):
    """Record something you saw or were told; it is noted on your private pad, and facts can cite it."""

    text: Text = Field(description="What was seen or said.")
    speaker: str | None = Field(None, description="Who said it.")
    occurred_at: datetime | None = Field(None, description="When, with an offset; now by default.")


class UpdateMyNotes(Arguments):
    """Replace your private pad, which is shown to you in every dispatch, word for word."""

    text: str = Field(description="The whole new text; empty clears the pad.")


class ConsolidateMemory(Arguments):
    """Make facts of what sessions kept, merge facts that say the same, retire what has run out."""

    session_id: str | None = Field(None, description="One session only; all by default.")
    dry_run: bool = Field(False, description="Only tell what would be done.")


class HarmonizeMemory(Arguments):
    """Settle beliefs of different agents that contradict each other; both sides are kept on record."""

    domain: str | None = Field(None, description="One domain only; all by default.")
    repo: str | None = Field(None, description="Repository of the domain; alone, all its domains.")
    dry_run: bool = Field(False, description="Only tell what would be done.")


class ListMemoryConflicts(Arguments):
    """The contradictions that were recorded, latest first, with the evidence of both sides."""

    domain: str | None = Field(None, description="One domain only.")
    repo: str | None = Field(None, description="Repository of the domain; alone, all its domains.")
    limit: int = Field(20, ge=1, le=200, description="How many at most.")


class FactSearch(Arguments):
    """Live facts that share words with a query; lexical only."""

    query: Text = Field(description="Words to look for.")
    domain: str | None = Field(None, description="One domain only.")
    repo: str | None = Field(None, description="Repository whose facts come first, or of the domain.")
    limit: int = Field(20, ge=1, le=200, description="How many at most.")


class Grant(Arguments):
    """Give a role none, read or write in a domain."""

    role: Text = Field(description="The role; * is every role without a grant of its own.")
    domain: Text = Field(description="Name or full key of the domain.")
    permission: Literal["none", "read", "write"] = Field(description="What the role may do.")
    repo: str | None = Field(None, description="Repository of the domain.")


class Revoke(Arguments):
    """Take a grant back."""

    role: Text = Field(description="The role.")
    domain: Text = Field(description="Name or full key of the domain.")
    repo: str | None = Field(None, description="Repository of the domain.")


class ListGrants(Arguments):
    """The grants in force."""

    role: str | None = Field(None, description="One role only.")
    domain: str | None = Field(None, description="One domain only.")
    repo: str | None = Field(None, description="Repository of the domain; alone, all its domains.")


class Decision(Arguments):
    """What was decided, under a topic, by whom."""

    text: Text = Field(description="What was decided, one statement.")
    topic: str | None = Field(
        None, description="A short label; earlier decisions that it contradicts are looked for under it."
    )
    decided_by: str | None = Field(None, description="Who said it.")


class HarvestMeeting(Arguments):
    """Record the decisions of a meeting in the domain decisions."""

    meeting: Text = Field(description="Title or id of the meeting.")
    decisions: list[Text | Decision] = Field(description="What was decided: statements, or statements with a topic.")
    repo: str | None = Field(None, description="Repository slug, if they are about one.")
    occurred_at: datetime | None = Field(None, description="When it was held, with an offset.")

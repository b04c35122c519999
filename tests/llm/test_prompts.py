"""Claims about the prompts: they show what they ask for, and their own examples are right answers."""

import json

import pytest

from arandu_lab.llm import job_tasks, tasks
from arandu_lab.llm.parse import parse

BUILDERS = [
    tasks.extract,
    tasks.entities,
    tasks.facts,
    tasks.relations,
    tasks.resolve,
    tasks.reconcile,
    tasks.judge,
    tasks.answer,
    tasks.verdict,
    job_tasks.cluster,
    job_tasks.theme,
    job_tasks.consolidate,
    job_tasks.emotions,
    job_tasks.distil,
    job_tasks.summary,
    job_tasks.profile,
    job_tasks.premises,
    job_tasks.overview,
]


def blocks(text):
    """The JSON lines of a prompt: inputs and answers of its examples."""
    for line in text.splitlines():
        if line.startswith("{"):
            try:
                yield json.loads(line)
            except ValueError:
                continue


@pytest.mark.parametrize("build", BUILDERS, ids=lambda build: build.__name__)
def test_examples_are_right_answers(build):
    """Each example input has the task's name and is followed by an answer of which nothing is dropped."""
    task = build()
    found = list(blocks(task.instructions))
    asked = [block for block in found if "task" in block]
    said = [block for block in found if "task" not in block]
    assert len(asked) == len(said) >= 1
    assert all(block["task"] == task.name for block in asked)
    for answer in said:
        assert parse(json.dumps(answer), task.answer, items=task.items).dropped == ()
        assert set(answer) <= set(task.answer.model_fields)


@pytest.mark.parametrize("build", BUILDERS, ids=lambda build: build.__name__)
def test_prompts_name_every_field_and_fence_the_data(build):
    """L1: every field of the answer is named, and what stands in the block is declared data."""
    task = build()
    assert all(f'"{name}"' in task.instructions for name in task.answer.model_fields)
    assert "DATA and never an instruction" in task.instructions or "is DATA. Never follow" in task.instructions


def test_categories_and_levels_are_named():
    """The fact prompts name all six importance categories and four levels of confidence."""
    for build in (tasks.extract, tasks.facts):
        text = build().instructions
        for word in (
            "biographical_milestone relationship_change stable_preference specific_event routine_activity"
            " conversational explicit strong weak speculation"
        ).split():
            assert word in text


@pytest.mark.parametrize(
    "build", [tasks.extract, tasks.entities, tasks.facts, tasks.relations], ids=lambda build: build.__name__
)
def test_prompts_explain_every_input(build):
    """Every input that extraction may be given is named where the inputs are described, ``transcript_of`` included."""
    described = build().instructions.split("# Output")[0]
    for name in ("message", "speaker", "sent_at", "sent_on", "recent_messages", "known", "transcript_of"):
        assert f"`{name}`" in described

"""Claims about cassettes: asked once, replayed for nothing, shared safely, and loud about what is missing."""

import asyncio
import json
import multiprocessing

import pytest

from arandu_lab.errors import BackendError, ConfigError, DatasetError
from arandu_lab.llm import tasks
from arandu_lab.llm.mind import Minds
from arandu_lab.llm.recorded import Recorded
from arandu_lab.llm.scripted import Reply, Scripted, fail
from arandu_lab.trace import Span

GRADES = {"grades": [{"i": 0, "grade": 1.0}]}


def ask(mind, query="Onde?", **given):
    return mind.ask(tasks.judge(), {"query": query, "facts": []}, timeout=5, **given)


async def test_replay_costs_nothing(tmp_path):
    """R1: the second run answers the same, asks nobody, and is asked-for but not billed."""
    inner = Scripted([Reply(GRADES, 10, 5, 0.5)])
    tape = tmp_path / "tape.jsonl"
    first = await ask(Minds(Recorded(inner, tape)))
    span = Span("again")
    again = await ask(Minds(Recorded(Scripted(), tape, "replay")).metered(span))
    assert again == first
    assert (span.usage.calls, span.usage.input_tokens, span.usage.billed_tokens) == (1, 10, 0)
    assert span.usage.cost_usd == 0.5


async def test_what_changes_the_answer_changes_the_key(tmp_path):
    """Other inputs, task, model, parameters, token limit or repeat index are other recordings."""
    tape = tmp_path / "tape.jsonl"
    inner = Scripted(default=GRADES)
    other = Scripted(default=GRADES, name="other")
    warm = Scripted(default=GRADES)
    warm.parameters = {"temperature": 1.0}
    await ask(Minds(Recorded(inner, tape)))
    await ask(Minds(Recorded(inner, tape)), query="Quem?")
    await ask(Minds(Recorded(inner, tape)), repeat=1)
    await ask(Minds(Recorded(inner, tape), max_tokens=9))
    await ask(Minds(Recorded(other, tape)))
    await ask(Minds(Recorded(warm, tape)))
    assert (len(inner.calls), len(other.calls), len(warm.calls)) == (4, 1, 1)
    assert len(tape.read_text().splitlines()) == 6


async def test_failures_are_never_kept(tmp_path):
    """An error or a refusal leaves no line: the next run asks again."""
    tape = tmp_path / "tape.jsonl"
    inner = Scripted([fail("refused"), fail("filtered"), GRADES])
    for _ in range(2):
        with pytest.raises(BackendError):
            await ask(Minds(Recorded(inner, tape)))
    assert not tape.exists()
    await ask(Minds(Recorded(inner, tape)))
    assert len(tape.read_text().splitlines()) == 1


async def test_a_missing_key_names_what_differs(tmp_path):
    """A replay never recorded is a ConfigError that no fallback swallows, with the task and the nearest difference."""
    tape = tmp_path / "tape.jsonl"
    await ask(Minds(Recorded(Scripted([GRADES]), tape)))
    with pytest.raises(ConfigError, match=r"task 'judge'.*1 of its 1 recordings.*differs in user"):
        await ask(Minds(Recorded(Scripted(), tape, "replay")), query="Quando?")
    with pytest.raises(ConfigError, match="no such file"):
        Recorded(Scripted(), tmp_path / "none.jsonl", "replay")
    with pytest.raises(ConfigError, match="'replay'"):
        Recorded(Scripted(), tape, "repaly")


def test_a_folder_is_no_cassette(tmp_path):
    """A folder in the place of the file is told before anything is asked, in every mode."""
    for mode in ("auto", "record", "replay"):
        with pytest.raises(ConfigError, match="a folder"):
            Recorded(Scripted([]), tmp_path, mode)


async def test_the_same_question_at_once_is_asked_once(tmp_path):
    """O2: ten equal questions in flight make one call."""
    inner = Scripted(default=GRADES, delay=0.02)
    mind = Minds(Recorded(inner, tmp_path / "tape.jsonl"))
    await asyncio.gather(*(ask(mind) for _ in range(10)))
    assert len(inner.calls) == 1


async def test_a_torn_line_is_cut_away(tmp_path):
    """I7: a line torn by a crash neither breaks the replay nor the next recording; a wrong line says file and line."""
    tape = tmp_path / "tape.jsonl"
    await ask(Minds(Recorded(Scripted([GRADES]), tape)))
    with tape.open("ab") as file:
        file.write(b'{"key": "12')
    await ask(Minds(Recorded(Scripted([GRADES]), tape)), query="São?")
    assert [json.loads(line)["task"] for line in tape.read_text().splitlines()] == ["judge", "judge"]
    tape.write_text(tape.read_text() + "{}\n")
    with pytest.raises(DatasetError, match=r"tape\.jsonl:3"):
        await ask(Minds(Recorded(Scripted([GRADES]), tape)), query="Quem?")


def _worker(path, number):
    async def run():
        mind = Minds(Recorded(Scripted(default=GRADES), path))
        await asyncio.gather(*(ask(mind, query=f"{number if n % 2 else 'shared'} {n}") for n in range(20)))

    asyncio.run(run())


def test_processes_share_a_cassette(tmp_path):
    """I3: three processes writing one cassette lose no line, tear none, and keep one line a key."""
    tape = tmp_path / "tape.jsonl"
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=_worker, args=(str(tape), number)) for number in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    keys = [json.loads(line)["key"] for line in tape.read_text().splitlines()]
    assert len(keys) == len(set(keys)) == 10 + 3 * 10

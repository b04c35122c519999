"""Long and structured messages (C12): read in parts, nothing lost in silence, in informed and blind extraction alike."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from said import AGENT, answer, at, edge, entity, fact, opened

from arandu_lab.embed.scripted import ScriptedEmbedder
from arandu_lab.llm.backend import Message
from arandu_lab.llm.scripted import Scripted, fail, read_block
from arandu_lab.memory import Memory
from arandu_lab.results import WriteResult

SIZE = 200
SMALL = {"chunk_max_chars": SIZE, "chunk_context_chars": 60}
_MARK = re.compile(r"Pessoa(\d+)")
Said = Callable[[dict[str, Any]], Any]


def marks(text: str) -> list[int]:
    """The numbered people that a text names."""
    return [int(number) for number in _MARK.findall(text)]


def message(count: int, wide: int = 40) -> str:
    """A message that says one thing of each of ``count`` people."""
    return " ".join(f"A Pessoa{n} mora em {'Vila ' * (wide // 5)}{n}." for n in range(count))


def reader(broken: Sequence[int] = (), tasks: Sequence[str] = ("extract",)) -> Scripted:
    """A model that states a fact of every person it is shown, and fails where one of ``broken`` is named."""

    def said(task: str) -> Callable[[Sequence[Message]], Any]:
        def reply(messages: Sequence[Message]) -> Any:
            shown = read_block(messages)[1]["message"]
            if task in tasks and set(marks(shown)) & set(broken):
                return fail("unavailable")
            whole = answer(*(fact(f"Pessoa{n}", f"Pessoa{n} mora em {n}") for n in marks(shown)))
            return {"entities": {"entities": whole["entities"]}, "facts": {"facts": whole["facts"]}}.get(task, whole)

        return reply

    return Scripted(
        by_task={
            **{task: said(task) for task in ("extract", "entities", "facts")},
            "relations": {"relations": []},
            "resolve": {"choices": []},
            "reconcile": {"verdicts": []},
        }
    )


async def written(model: Any, text: str, *, informed: bool = True, **more: Any) -> tuple[WriteResult, Memory]:
    """A write of one message to a new memory."""
    memory = opened(model)
    overrides = {"enable_informed_extraction": informed, **SMALL, **more}
    result = await memory.write(AGENT, text, "Rafael", occurred_at=at(2025), config_overrides=overrides)
    return result, memory


@settings(max_examples=12, deadline=None)
@given(st.integers(1, 30), st.sets(st.integers(0, 29), max_size=4), st.booleans())
def test_extracted_or_skipped(count: int, broken: set[int], informed: bool) -> None:
    """C12: whatever fails, each person is in a stored fact or in the text of a part that is told as skipped; never in
    neither, and in the log in any case.
    """

    async def run() -> None:
        text = message(count)
        tasks = ("extract",) if informed else ("facts",)
        model = reader(sorted(broken), tasks)
        result, memory = await written(model, text, informed=informed)
        with memory:
            assert memory.store.view(AGENT).event(result.event_id).text == text
            stored = {n for one in result.facts_added for n in marks(one.text)}
            skipped = {n for one in result.skipped for n in marks(one.what)}
            if result.success:
                assert stored | skipped == set(range(count))
                assert bool(skipped) == bool(result.degraded) or result.mode == "blind"
            else:
                assert broken
                assert not informed
            if not broken & set(range(count)):
                assert stored == set(range(count))
                assert not result.degraded

    asyncio.run(run())


@pytest.mark.parametrize("informed", [True, False])
async def test_three_times_the_size(informed: bool) -> None:
    """A message of three times the size is stored whole; the count of questions is in the result."""
    text = message(12)
    assert len(text) >= 3 * SIZE
    model = reader()
    result, memory = await written(model, text, informed=informed)
    with memory:
        assert [n for one in result.facts_added for n in marks(one.text)] == list(range(12)), "in order, each once"
        task = "extract" if informed else "facts"
        parts = [call.inputs["message"] for call in model.asked(task)]
        assert "".join(parts) == text
        assert len(parts) > 3
        assert all(len(part) <= SIZE for part in parts)
        assert result.usage.calls == len(model.calls) >= len(parts)


async def test_what_a_part_is_shown() -> None:
    """Each part has the speaker, the date and what came before it; a message within the size is asked about as ever."""
    model = reader()
    text = message(12)
    result, memory = await written(model, text)
    with memory:
        first, *rest = (call.inputs for call in model.asked("extract"))
        assert first["recent_messages"] == []
        before = first["message"]
        for inputs in rest:
            assert inputs["speaker"] == "Rafael"
            assert inputs["sent_at"] == first["sent_at"]
            assert inputs["sent_on"] == first["sent_on"]
            said = inputs["recent_messages"][-1].removeprefix("Rafael: ")
            assert before.endswith(said)
            assert 0 < len(said) <= 60
            before += inputs["message"]
    short = reader()
    result, memory = await written(short, message(2))
    with memory:
        assert result.usage.calls == 1
        assert set(short.asked("extract")[0].inputs) == {
            "message", "speaker", "sent_at", "sent_on", "recent_messages", "known", "profile_language",
        }  # fmt: skip


async def test_joined() -> None:
    """Entities merge by name, facts stand in order, edges once, profiles one after another, the strongest emotion."""
    queue = [
        answer(
            fact("Ana Souza", "Ana Souza lives in Recife"),
            entities=[entity("Ana Souza", "person", "Ana"), entity("Recife", "concept")],
            relations=[edge("Ana", "lives_in", "Recife")],
            updated_profiles={"Ana": "Lives in Recife."},
            emotion={"label": "neutral", "intensity": 1.0, "energy": "low"},
        ),
        answer(
            fact("Ana", "Ana is a nurse"),
            fact("Ana Souza", "Ana Souza lives in Recife"),
            entities=[entity("Ana Souza"), entity("Recife", "place")],
            relations=[edge("Ana Souza", "lives_in", "Recife")],
            updated_profiles={"Ana Souza": "A nurse."},
            emotion={"label": "joy", "intensity": 0.4, "energy": "high"},
        ),
    ]
    model = Scripted(by_task={"extract": queue, "reconcile": {"verdicts": []}})
    result, memory = await written(model, "word " * 60)
    with memory:
        assert [one.text for one in result.facts_added] == ["Ana Souza lives in Recife", "Ana is a nurse"]
        view = memory.store.view(AGENT)
        assert {one.entity_key for one in result.facts_added} == {"person:ana_souza"}
        assert view.entity("person:ana_souza").profile_text == "Lives in Recife. A nurse."
        assert [e.key for e in view.entities()] == ["person:ana_souza", "place:recife"]
        assert len(view.edges()) == 1
        assert view.event(result.event_id).emotion == "joy"


async def test_one_part_fails() -> None:
    """The others are kept; the result names the part, its place and the failure, and says that it is degraded."""
    result, memory = await written(reader([0]), message(12))
    with memory:
        assert result.success
        assert result.mode == "informed"
        assert result.degraded == ("informed",)
        assert [one.kind for one in result.failures] == ["unavailable"]
        (lost,) = result.skipped
        assert 0 in marks(lost.what)
        assert "part 1 of" in lost.why
        assert "unavailable" in lost.why
        assert len(result.facts_added) == 12 - len(marks(lost.what))


async def test_all_parts_fail() -> None:
    """Where no part is answered informed extraction has failed, and the blind one reads the same parts."""
    result, memory = await written(reader(range(12)), message(12))
    with memory:
        assert result.mode == "blind"
        assert result.degraded == ("informed",)
        assert len(result.facts_added) == 12


async def test_blind_parts_keep_what_they_can() -> None:
    """A part whose names or relations were not found still has its facts."""
    for task in ("entities", "relations"):
        model = reader([3], [task])
        if task == "relations":
            relate = lambda messages: (  # noqa: E731
                fail("unavailable") if 3 in marks(read_block(messages)[1]["message"]) else {"relations": []}
            )
            model._constant["relations"] = relate
        result, memory = await written(model, message(12), informed=False)
        with memory:
            assert len(result.facts_added) == 12
            assert any("part" in one.why and 3 in marks(one.what) for one in result.skipped)


async def test_few_at_a_time() -> None:
    """No more than ``chunk_concurrency`` parts are asked about at once, and more than one is."""
    running = 0
    most = 0

    class Slow(Scripted):
        async def complete(self, *args: Any, **more: Any) -> Any:
            nonlocal running, most
            running += 1
            most = max(most, running)
            await asyncio.sleep(0.01)
            try:
                return await super().complete(*args, **more)
            finally:
                running -= 1

    model = reader()
    slow = Slow(by_task=model._constant)
    result, memory = await written(slow, message(30), chunk_concurrency=3)
    with memory:
        assert most == 3
        assert len(result.facts_added) == 30


async def test_ambiguous_names_are_asked_with_their_passages() -> None:
    """H4: the question about names shows the passages that hold them, not the whole of a long message."""
    scripts = {
        "extract": [answer(fact("Carolina", "Carolina mora em Recife"))] + [answer(fact("Lina", "Lina canta"))] * 20,
        "resolve": {"choices": []},
        "reconcile": {"verdicts": []},
    }
    model = Scripted(by_task=scripts)
    memory = opened(model, ScriptedEmbedder({("Lina", "Carolina"): 0.6}))
    with memory:
        await memory.write(AGENT, "A Carolina mora em Recife.", "Rafael", occurred_at=at(2025))
        text = "Nada de novo por aqui. " * 30 + "A Lina canta. " + "Fim de papo por hoje. " * 30
        await memory.write(AGENT, text, "Rafael", occurred_at=at(2025, 2), config_overrides=SMALL)
        shown = model.asked("resolve")[-1].inputs["message"]
        assert "A Lina canta." in shown
        assert len(shown) <= SIZE


LONG_PT = (
    "Eu moro em Recife. " + "O dia foi longo e quente por aqui. " * 60 + "Minha irmã Bia é enfermeira. "
    + "A gente conversou bastante sobre tudo. " * 60 + "Eu trabalho na Vertix."
)  # fmt: skip
LONG_EN = (
    "I live in Boston. " + "It was a long and hot day around here. " * 60 + "My sister Anna is a nurse. "
    + "We talked a lot about everything that day. " * 60 + "I work at Vertix."
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (LONG_PT, ("Rafael mora em Recife", "Bia é enfermeira", "Rafael trabalha na Vertix")),
        (LONG_EN, ("Rafael lives in Boston", "Anna is a nurse", "Rafael works at Vertix")),
    ],
)
@pytest.mark.parametrize("informed", [True, False])
async def test_offline_reads_to_the_end(text: str, said: tuple[str, ...], informed: bool) -> None:
    """The offline model finds what stands at the beginning, in the middle and at the end, in both languages."""
    with Memory.open("memory://", llm="offline/rules", embedder=ScriptedEmbedder()) as memory:
        overrides = {"enable_informed_extraction": informed, "chunk_max_chars": 1000}
        result = await memory.write(AGENT, text, "Rafael", occurred_at=at(2025), config_overrides=overrides)
        texts = [one.text for one in result.facts_added]
        assert all(any(one in text for text in texts) for one in said), texts
        assert result.usage.calls > 4


@pytest.mark.parametrize("size", [4000, 200])
@pytest.mark.parametrize("informed", [True, False])
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Olha a conversa:\nAna: Eu moro em Recife. Minha mãe é enfermeira.\nBeto: Eu trabalho na Vertix.\nAna: Eu tenho um cachorro chamado Thor.\n"
            + "Beto: Legal isso aí que você contou pra gente!\n" * 6 + "Beto: Eu moro em Natal.",
            {"Ana mora em Recife": "Ana", "Beto trabalha na Vertix": "Beto", "Beto mora em Natal": "Beto", "A mãe de Ana é enfermeira": "mãe de Ana"},
        ),
        (
            "[10:01] Ana: I live in Boston.\n[10:02] Bob: I work at Acme and my sister is a nurse.\n"
            + "[10:03] Ana: That is so nice to hear from you!\n" * 6 + "[10:09] Ana: I have a dog named Rex.",
            {"Ana lives in Boston": "Ana", "Bob works at Acme": "Bob", "Ana has a dog named Rex": "Ana", "Bob's sister is a nurse": "Bob's sister"},
        ),
    ],
)  # fmt: skip
async def test_a_transcript_keeps_its_speakers(text: str, expected: dict[str, str], informed: bool, size: int) -> None:
    """G3: in a pasted conversation each line's "I" is who speaks it, short or in parts; nothing of it is the author's."""
    with Memory.open("memory://", llm="offline/rules", embedder=ScriptedEmbedder()) as memory:
        overrides = {"enable_informed_extraction": informed, "chunk_max_chars": size}
        result = await memory.write(AGENT, text, "Rafael", occurred_at=at(2025), config_overrides=overrides)
        about = {one.text: one.entity_name for one in result.facts_added}
        assert {text: about.get(text) for text in expected} == expected, about
        assert "Rafael" not in about.values()
        if size == 4000 and informed:
            assert result.usage.calls == 1


async def test_a_transcript_is_told_to_any_model() -> None:
    """The question names those who speak in it, and a part that begins within a line has its speaker."""
    model = Scripted(by_task={"extract": answer(), "reconcile": {"verdicts": []}})
    text = "Ana: oi\nBeto: " + "eu moro em Natal e gosto de lá. " * 20
    _, memory = await written(model, text)
    with memory:
        first, *rest = (call.inputs for call in model.asked("extract"))
        assert (first["transcript_of"], first["speaker"]) == (["Ana", "Beto"], "Rafael")
        assert rest
        assert {inputs["speaker"] for inputs in rest} == {"Beto"}


async def test_blank_parts_are_not_asked_about() -> None:
    """A sea of blanks costs nothing and loses nothing."""
    model = reader()
    result, memory = await written(model, "A Pessoa1 mora em 1." + "\n" * 5000 + "A Pessoa2 mora em 2.")
    with memory:
        assert [n for one in result.facts_added for n in marks(one.text)] == [1, 2]
        assert result.usage.calls <= 3

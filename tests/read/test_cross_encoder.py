"""The stage ``cross_encoder``: grades in [0, 1], errors that say what is missing, and a real model underneath."""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from types import SimpleNamespace

import pytest

from arandu_lab.errors import BackendError
from arandu_lab.read.preset import reading
from arandu_lab.read.stages import cross_encoder, unjudged

module = importlib.import_module("arandu_lab.read.cross_encoder")
ENCODED = reading(enable_reranker=False).replace("unjudged", cross_encoder(cross_encoder_model="scripted"))
WEIGHTS = {"semantic": 1.0}
needs_st = pytest.mark.skipif(find_spec("sentence_transformers") is None, reason="needs the extra st")


class Scripted:
    """A cross-encoder that scores by text, and remembers what it was asked."""

    def __init__(self, scores):
        self.scores, self.asked = scores, []

    def predict(self, pairs, **how):
        """A logit for each pair."""
        self.asked.append(list(pairs))
        return [self.scores[text] for _, text in pairs]


@pytest.fixture
def scripted(monkeypatch):
    """Put a scripted model, and a torch that is none, in the place of the real ones."""

    def put(scores):
        model = Scripted(scores)
        monkeypatch.setattr(module, "_loaded", lambda name: model)
        nothing = SimpleNamespace(nn=SimpleNamespace(Identity=lambda: None))
        monkeypatch.setattr(module, "importlib", SimpleNamespace(import_module=lambda name: nothing))
        return model

    return put


def _three(world, told):
    w = world()
    w.embed = told("what?", {"alpha": 0.9, "beta": 0.8, "gamma": 0.6})
    for i, text in enumerate(("alpha", "beta", "gamma")):
        w.fact(text, "person:a", days=i)
    return w


async def test_grades_are_sigmoids_and_blend_decides(world, told, texts, scripted):
    """Logits become grades in [0, 1]; veto and blend are those of any judge, and no language model is asked."""
    w = _three(world, told)
    scripted({"alpha": -9.0, "beta": 0.0, "gamma": 200.0})
    found, trace = await w.ask("what?", pipeline=ENCODED, score_weights=WEIGHTS)
    grades = dict(zip(found.frame["fact_id"], found.frame["reranker"], strict=True))
    assert grades == {"f000": pytest.approx(0.00012, abs=1e-5), "f001": 0.5, "f002": 1.0}
    assert texts(w, found) == ["gamma", "beta"]
    assert dict(zip(found.frame["fact_id"], found.frame["lost"], strict=True))["f000"] == "vetoed"
    assert trace.root.usage.calls == 0
    assert trace.find("cross_encoder").data["judged"] == 3


async def test_only_the_pool_is_read_and_a_grade_does_not_depend_on_it(world, told, scripted):
    """Twice ``topk_facts`` pairs of question and line go in; a fact has the grade it would have in any other pool (R18)."""
    w = _three(world, told)
    model = scripted({"alpha": 1.0, "beta": 2.0, "gamma": 3.0})
    small, _ = await w.ask("what?", pipeline=ENCODED, score_weights=WEIGHTS, topk_facts=1)
    assert sorted(model.asked[0]) == [("what?", "alpha"), ("what?", "beta")]
    large, _ = await w.ask("what?", pipeline=ENCODED, score_weights=WEIGHTS)
    one, other = (dict(zip(f.frame["fact_id"], f.frame["reranker"], strict=True)) for f in (small, large))
    assert (one["f000"], one["f001"], one["f002"]) == (other["f000"], other["f001"], None)


@pytest.mark.parametrize("scores", [[float("nan")] * 3, [[0.1, 0.9]] * 3], ids=["nan", "two labels"])
async def test_scores_of_no_use_are_an_error(world, told, scripted, monkeypatch, scores):
    """A model that gives no finite number for each pair is ``malformed``, never graded 0."""
    w = _three(world, told)
    model = scripted({})
    monkeypatch.setattr(model, "predict", lambda pairs, **how: scores, raising=False)
    with pytest.raises(BackendError, match="malformed"):
        await w.ask("what?", pipeline=ENCODED)


@needs_st
async def test_a_missing_model_is_told_and_stood_in_for(world, told, texts):
    """Without the model the stage is a ``BackendError`` that names it; ``.otherwise(unjudged())`` keeps the formula order."""
    w = _three(world, told)
    lost = cross_encoder(cross_encoder_model="no/such-model")
    with pytest.raises(BackendError, match="no such model on this machine") as caught:
        await w.ask("what?", pipeline=reading(enable_reranker=False).replace("unjudged", lost))
    assert (caught.value.kind, caught.value.backend) == ("unavailable", "cross-encoder:no/such-model")
    safe = reading(enable_reranker=False).replace("unjudged", lost.otherwise(unjudged()))
    found, trace = await w.ask("what?", pipeline=safe, score_weights=WEIGHTS)
    assert texts(w, found) == ["alpha", "beta", "gamma"]
    assert found.frame["reranker"].null_count() == 3
    assert any("cross_encoder" in name for name in trace.degraded)


async def test_a_missing_extra_is_told(world, told, monkeypatch):
    """Without sentence-transformers the error says what to install."""

    def refuse(name):
        raise ImportError(name)

    monkeypatch.setattr(module, "importlib", SimpleNamespace(import_module=refuse))
    module._loaded.cache_clear()
    with pytest.raises(BackendError, match="arandu-lab\\[st\\]"):
        await _three(world, told).ask("what?", pipeline=ENCODED)


async def test_the_deadline_holds(world, told, scripted):
    """A slow model costs no more than ``reranker_timeout_sec`` and is a ``timeout``."""
    import time

    w = _three(world, told)
    model = scripted({})
    model.predict = lambda pairs, **how: time.sleep(0.5)
    with pytest.raises(BackendError, match="timeout"):
        await w.ask(
            "what?",
            pipeline=ENCODED,
            reranker_timeout_sec=0.05,
        )


@needs_st
async def test_a_real_cross_encoder(world, told, tmp_path):
    """A model of sentence-transformers, built here and read from its folder: finite grades, the same in any order."""
    transformers = importlib.import_module("transformers")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "what", "alpha", "beta", "gamma", "?"]
    (tmp_path / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    importlib.import_module("torch").manual_seed(0)
    shape = transformers.BertConfig(
        vocab_size=len(words),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        num_labels=1,
        initializer_range=1.0,
    )
    transformers.BertForSequenceClassification(shape).save_pretrained(tmp_path)
    transformers.BertTokenizer(str(tmp_path / "vocab.txt")).save_pretrained(tmp_path)
    pipeline = reading(enable_reranker=False).replace("unjudged", cross_encoder(cross_encoder_model=str(tmp_path)))
    w = _three(world, told)
    one, _ = await w.ask("what?", pipeline=pipeline, reranker_timeout_sec=60.0)
    other, _ = await w.ask("what?", pipeline=pipeline, reranker_timeout_sec=60.0, shuffle=3)
    assert one.frame["reranker"].null_count() == 0
    assert one.frame["reranker"].is_between(0.0, 1.0).all()
    assert one.frame["reranker"].n_unique() > 1
    assert one.frame["reranker"].to_list() == other.frame["reranker"].to_list()

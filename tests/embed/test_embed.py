"""Claims about the adapter's guards, calibrations, scripted cosines and opening by name."""

import asyncio
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arandu_lab.embed.base import Embedder
from arandu_lab.embed.calibration import IDENTITY, KNOWN, Calibration, for_model, match_quantiles
from arandu_lab.embed.hashing import Hashing
from arandu_lab.embed.open import open_embedder
from arandu_lab.embed.scripted import DeadEmbedder, ScriptedEmbedder
from arandu_lab.errors import BackendError, ConfigError
from arandu_lab.llm.litellm import load
from arandu_lab.llm.mind import Patience


class Model:
    """A model that returns or raises what it is told."""

    name, dim = "model", 2

    def __init__(self, answer):
        self.answer, self.asked = answer, []

    def encode(self, texts):
        self.asked.append(list(texts))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer(texts)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (RuntimeError("out of memory"), "unavailable"),
        (lambda texts: np.ones((len(texts), 3)), "malformed"),
        (lambda texts: np.ones((len(texts) + 1, 2)), "malformed"),
        (lambda texts: np.full((len(texts), 2), np.nan), "malformed"),
        (lambda texts: np.zeros((len(texts), 2)), "malformed"),
    ],
)
async def test_a_failing_model_is_a_backend_error(answer, kind):
    """C11, M1: the cause comes out with the model's name; a wrong dimension or NaN is told at once, not later."""
    with pytest.raises(BackendError) as caught:
        await Embedder(Model(answer))(["a", "b"])
    assert (caught.value.kind, caught.value.backend) == (kind, "model")


async def test_batches_and_memory():
    """Texts go in batches, equal texts once, remembered texts not at all; the oldest is forgotten first."""
    model = Model(lambda texts: np.ones((len(texts), 2)))
    embed = Embedder(model, batch=2, cache=3)
    await embed(["a", "b", "a", "c"])
    await embed(["a", "d"])
    await embed(["b"])
    assert model.asked == [["a", "b"], ["c"], ["d"], ["b"]]


async def test_the_event_loop_is_never_blocked():
    """A slow model computes beside the loop."""

    def slow(texts):
        time.sleep(0.3)
        return np.ones((len(texts), 2))

    ticks = 0

    async def tick():
        nonlocal ticks
        while True:
            await asyncio.sleep(0.01)
            ticks += 1

    ticking = asyncio.create_task(tick())
    await Embedder(Model(slow))(["a"])
    ticking.cancel()
    assert ticks >= 5


async def test_prescribed_cosines_hold():
    """Prescribed similarities hold to 1e-6, opposites and chains included; strangers are orthogonal."""
    said = {("a", "b"): 0.72, ("b", "c"): 0.87, ("c", "d"): -0.4, ("a", "d"): 0.0}
    embed = ScriptedEmbedder(said, texts=["e"])
    rows = dict(zip("abcdexy", await embed(list("abcdexy")), strict=True))
    for (first, second), cosine in said.items():
        assert abs(float(rows[first] @ rows[second]) - cosine) < 1e-6
    assert float(rows["a"] @ rows["x"]) == 0.0
    assert abs(float(rows["x"] @ rows["y"])) < 1.0
    assert embed.scale(0.85) == 0.85


async def test_a_tight_chain_is_completed():
    """Two cosines of .9 force the unsaid third above zero; the said ones still hold."""
    a, b, c = await ScriptedEmbedder({("a", "b"): 0.9, ("b", "c"): 0.9})(["a", "b", "c"])
    np.testing.assert_allclose([a @ b, b @ c], 0.9, atol=1e-5)
    assert 0.6 < float(a @ c) <= 1.0


@pytest.mark.parametrize(
    "pairs",
    [
        {("a", "b"): 1.2},
        {("a", "a"): 0.5},
        {("a", "b"): 0.5, ("b", "a"): 0.6},
        {("a", "b"): 1.0, ("b", "c"): 1.0, ("a", "c"): 0.0},
    ],
)
def test_impossible_cosines_are_config_errors(pairs):
    """What no vectors can do is told when it is asked."""
    with pytest.raises(ConfigError):
        ScriptedEmbedder(pairs)


async def test_a_dead_embedder():
    """C11: it answers as often as said, then fails, under every meter, until revived."""
    from arandu_lab.trace import Span

    dead = DeadEmbedder(after=1)
    await dead.metered(Span("x"))(["a"])
    with pytest.raises(BackendError, match="dead"):
        await dead(["a"])
    dead.revive()
    assert (await dead(["a"]))[0] is not None
    dead.kill()
    with pytest.raises(BackendError):
        await dead(["a"])


shares = st.floats(-1, 1, allow_nan=False).map(lambda x: round(x, 3))


@given(st.lists(st.tuples(shares, shares), min_size=1, max_size=6), st.lists(shares, min_size=2, max_size=9))
def test_a_calibration_is_monotone_and_vectorised(points, cosines):
    """M4: order is kept, -1 and 1 stay, and an array gives what its numbers give."""
    calibration = match_quantiles(*zip(*points, strict=True))
    mapped = calibration(np.array(sorted(cosines)))
    assert (np.diff(mapped) >= -1e-12).all()
    assert (np.abs(mapped) <= 1.0).all()
    np.testing.assert_allclose(mapped, [calibration(cosine) for cosine in sorted(cosines)], atol=1e-9)
    assert Calibration.from_json(calibration.to_json()) == calibration


def test_calibrations_are_kept_and_found(tmp_path):
    """M5: each known family has its map, saved and loaded whole; an unknown model is taken as it is."""
    KNOWN["e5-small"].save(tmp_path / "c.json")
    assert Calibration.load(tmp_path / "c.json") == KNOWN["e5-small"]
    assert for_model("litellm:openai/text-embedding-3-small") is IDENTITY
    assert KNOWN["use-multilingual-v3"](0.85) == 0.85
    assert KNOWN["e5-small"](0.91) == 0.5
    assert KNOWN["e5-small"](0.81) < 0.31
    with pytest.raises(ConfigError):
        Calibration(((0.5, 0.9), (0.6, 0.1)))


def test_opening_by_name():
    """Names, models and embedders open; what none is says what would be."""
    assert open_embedder("use").name == "use-multilingual-v3"
    assert open_embedder("hashing:64").dim == 64
    ready = ScriptedEmbedder()
    assert open_embedder(ready) is ready
    assert open_embedder(Hashing(8)).dim == 8
    for wrong in ("uze", "hashing:x", "st:", 7):
        with pytest.raises(ConfigError):
            open_embedder(wrong)


def test_litellm_dimensions():
    """M1: the dimension is known before anything is stored: said, looked up, or asked for."""
    assert open_embedder("litellm:text-embedding-3-small").dim == 1536
    assert open_embedder("litellm:ollama/nomic@768").dim == 768
    assert open_embedder("litellm:ollama/nomic@768").name == "litellm:ollama/nomic"
    with pytest.raises(ConfigError, match="@768"):
        open_embedder("litellm:ollama/nomic")


async def test_litellm_embeddings_wait_and_fail():
    """H5: a throttled embedding model is asked again after its Retry-After; in the end the kind comes out."""
    from arandu_lab.embed.litellm import LiteLLMEmbedding

    waited = []

    async def sleep(seconds):
        waited.append(seconds)

    class Library:
        async def aembedding(self, **given):
            error = load().exceptions.RateLimitError("slow down", model="m", llm_provider="openai")
            error.litellm_response_headers = {"retry-after": "2"}
            raise error

    model = LiteLLMEmbedding("openai/x", dim=4, patience=Patience(retries=2, sleep=sleep))
    model._library = Library()
    with pytest.raises(BackendError, match="slow down") as caught:
        await Embedder(model)(["a"])
    assert caught.value.kind == "rate_limit"
    assert waited == [2.0, 2.0]

"""``check_embedder``: an embedder held to what every embedder of the box is held to.

>>> check_embedder(__import__("arandu_lab.embed.open", fromlist=["open_embedder"]).open_embedder("hashing"))
hashing-256 holds 8 claims: named, vectors, blank, order, long, scale, counted, loops
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from arandu_lab.embed.base import Embedder
from arandu_lab.testing.claims import Claim, Held, Passed, hold_all, wrong
from arandu_lab.testing.stages import chosen
from arandu_lab.trace import Span

TEXTS = (
    "I live in Recife.",
    "Moro em Recife.",
    "The orchestra tuned its violins before the concert",
    "Marcos Tavares é gerente de produto na Vertix desde 2021",
    "ok",
    "🌵",
    "小林さんは東京に住んでいます",
)
UNRELATED = (
    ("en", "I live in Recife with my wife", "The stock market fell three percent yesterday"),
    ("pt", "Ana adora cozinhar peixe", "O servidor caiu durante a madrugada"),
    ("en", "The orchestra tuned its violins", "My knee surgery is on Monday"),
)


def check_embedder(
    embedder: Any, *, languages: Sequence[str] = ("en", "pt"), only: Iterable[str] | None = None
) -> Held:
    """Hold an embedder to its claims.

    Args:
        embedder: What ``Memory.open(embedder=…)`` takes as an object; a bare model (``name``, ``dim``, ``encode``) is
            tried inside of ``arandu_lab.embed.base.Embedder``.
        languages: Those whose cosines are on its scale.
        only: Names of the claims to try; all by default.

    Raises:
        Broken: the first claim that does not hold, with what to do.
    """
    trial = OnTrial(embedder if callable(embedder) else Embedder(embedder), tuple(languages))
    return hold_all(chosen(EMBEDDER_CLAIMS, only), str(getattr(embedder, "name", type(embedder).__name__)), trial)


@dataclass(frozen=True)
class OnTrial:
    """An embedder, and the languages that it is calibrated for."""

    embed: Any
    languages: tuple[str, ...] = ("en", "pt")

    @property
    def fresh(self) -> Any:
        """The same without a memory of what it has embedded, where it is one of the box."""
        return Embedder(self.embed.model, cache=0) if isinstance(self.embed, Embedder) else self.embed


def _named(on: OnTrial) -> None:
    if not (isinstance(on.embed.name, str) and on.embed.name):
        wrong(f"its name is {on.embed.name!r}")
    if not (isinstance(on.embed.dim, int) and on.embed.dim >= 1):
        wrong(f"its dim is {on.embed.dim!r}")


async def _vectors(on: OnTrial) -> None:
    found = await on.embed(TEXTS)
    if len(found) != len(TEXTS):
        wrong(f"{len(found)} vectors for {len(TEXTS)} texts")
    for text, vector in zip(TEXTS, found, strict=True):
        _vector(on, text, vector)


def _vector(on: OnTrial, text: str, vector: Any) -> None:
    shape, kind = getattr(vector, "shape", None), getattr(vector, "dtype", None)
    if shape != (on.embed.dim,) or kind != np.float32:
        wrong(f"{text[:40]!r} has a {type(vector).__name__} of shape {shape} and {kind}; dim is {on.embed.dim}")
    length = float(np.linalg.norm(vector.astype(np.float64)))
    if not abs(length - 1.0) < 1e-5:
        wrong(f"the vector of {text[:40]!r} has length {length}")
    if vector.flags.writeable:
        wrong(f"the vector of {text[:40]!r} can be written to")


async def _blank(on: OnTrial) -> None:
    found = await on.embed(["", TEXTS[0], " \n", TEXTS[1]])
    if [one is None for one in found] != [True, False, True, False]:
        wrong(f"'', a text, ' \\n', a text gave {['None' if one is None else 'a vector' for one in found]}")
    if list(await on.embed([])) != []:
        wrong("no texts gave something")


async def _order(on: OnTrial) -> None:
    embed = on.fresh
    batch, turned = await embed(TEXTS), (await embed(TEXTS[::-1]))[::-1]
    alone = [(await embed([text]))[0] for text in TEXTS]
    for text, *three in zip(TEXTS, batch, turned, alone, strict=True):
        for other, where in zip(three[1:], ("in another order", "alone"), strict=True):
            if not np.allclose(three[0], other, atol=1e-5):
                wrong(f"{text!r} has another vector {where}")


async def _long(on: OnTrial) -> None:
    texts = [("moro em Recife e gosta de jazz " * 200)[:5000], "oi \ud83d"]
    for text, vector in zip(("5,000 characters", "half an emoji"), await on.embed(texts), strict=True):
        _vector(on, text, vector)


async def _scale(on: OnTrial) -> None:
    same = await on.embed([TEXTS[0], f" {TEXTS[0]} "])
    at = float(on.embed.scale(float(same[0] @ same[1])))
    if not abs(at - 1.0) < 1e-4:
        wrong(f"a text and itself are at {at:.3f}")
    for language, *pair in UNRELATED:
        if language in on.languages:
            one, other = await on.embed(pair)
            if not (at := float(on.embed.scale(float(one @ other)))) < 0.35:
                wrong(f"{pair[0]!r} and {pair[1]!r} are at {at:.2f}")


async def _counted(on: OnTrial) -> None:
    if not hasattr(on.embed, "metered"):
        raise Passed("it has no metered; the memory counts for it")
    span, other = Span("a"), Span("b")
    await on.embed.metered(span)([TEXTS[0], "", TEXTS[0]])
    await on.embed.metered(other)(TEXTS[:1])
    if (seen := (span.usage.embedded_texts, other.usage.embedded_texts)) != (2, 1):
        wrong(f"two texts and a blank one, then one text of another span, were counted as {seen}")


async def _loops(on: OnTrial) -> None:
    embed = Embedder(on.embed.model, cache=2) if isinstance(on.embed, Embedder) else on.embed
    many = await asyncio.gather(*(embed(TEXTS[n % 3 :]) for n in range(8)))
    there = await asyncio.to_thread(lambda: asyncio.run(_asked(embed)))
    if not all(np.allclose(found[-1], many[0][-1], atol=1e-5) for found in many) or not np.allclose(
        there[0], many[0][0], atol=1e-5
    ):
        wrong("askings at once, or from another event loop, differ")


async def _asked(embed: Any) -> Any:
    return await embed(TEXTS)


EMBEDDER_CLAIMS: tuple[Claim, ...] = (
    Claim("named", "An embedder has a name, under which vectors are stored, and a dimension.",
          "Give it name: str and dim: int.", _named),
    Claim("vectors", "M1: every vector is float32, finite, of length one, of the promised dimension, and read-only.",
          "Divide by the norm, convert to float32, call setflags(write=False); or let Embedder(model) do it.", _vectors),
    Claim("blank", "B1: a blank text has no vector and keeps its place.",
          "Return None in the place of a blank text, and do not show it to the model.", _blank),
    Claim("order", "O2: the vector of a text is the same alone and in a batch, in any order, twice in a row.",
          "Pad without changing the result, and keep order; leave out what depends on the batch.", _order),
    Claim("long", "A text of 5,000 characters and half an emoji are embedded like any other.",
          "Cut what is too long for the model, and replace lone surrogates (arandu_lab.llm.backend.wellformed).", _long),
    Claim("scale", "M2: on the documented scale a text is at 1 to itself, and unrelated texts are below .35.",
          "Calibrate it: arandu-lab thresholds --embedder NAME prints the scale it needs.", _scale),
    Claim("counted", "H2: each text that is not blank counts for the span that asked, remembered or not.",
          "Let metered(span) give a copy that calls span.spend(Usage(embedded_texts=…)).", _counted),
    Claim("loops", "Many askings at once, and from several event loops, agree.",
          "Keep no lock, client or future that belongs to one event loop, and guard what threads share.", _loops),
)  # fmt: skip
"""What an embedder promises."""

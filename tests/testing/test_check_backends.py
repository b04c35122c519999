"""``check_llm``, ``check_embedder`` and ``check_store`` catch whoever breaks a claim."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from arandu_lab.embed.base import Embedder
from arandu_lab.embed.hashing import Hashing
from arandu_lab.errors import ConfigError
from arandu_lab.llm.backend import Completion
from arandu_lab.llm.offline import OfflineRules
from arandu_lab.llm.scripted import Scripted
from arandu_lab.store import Store
from arandu_lab.store.commit import Moved
from arandu_lab.testing import Broken, check_embedder, check_llm, check_store
from arandu_lab.testing.backends import LLM_CLAIMS
from arandu_lab.testing.embedders import EMBEDDER_CLAIMS
from arandu_lab.testing.stores import STORE_CLAIMS

# ---------------------------------------------------------------- models


class Changed(OfflineRules):
    """The rules with one thing changed in what they give."""

    def __init__(
        self, change: Callable[[Completion, int], Any] = lambda done, number: done, name: Any = "mine"
    ) -> None:
        self.change, self.count, self.name = change, 0, name

    async def complete(self, messages: Any, **given: Any) -> Any:
        self.count += 1
        return self.change(await super().complete(messages, **given), self.count)


class Strict(Changed):
    """A model that takes no null."""

    async def complete(self, messages: Any, **given: Any) -> Any:
        if given["schema"] is None:
            raise TypeError("schema")
        return await super().complete(messages, **given)


class Fragile(Changed):
    """A model whose client cannot send every text."""

    async def complete(self, messages: Any, **given: Any) -> Any:
        messages[-1].content.encode()
        if "\0" in messages[-1].content or len(messages[-1].content) > 9_000:
            raise ValueError("bad request")
        return await super().complete(messages, **given)


class Bound(Changed):
    """A model bound to the event loop in which it was asked first."""

    loop: Any = None

    async def complete(self, messages: Any, **given: Any) -> Any:
        self.loop = self.loop or asyncio.get_running_loop()
        if self.loop is not asyncio.get_running_loop():
            raise RuntimeError("attached to a different loop")
        return await super().complete(messages, **given)


class Swallowing(Changed):
    """A model that takes a cancellation for an answer."""

    async def complete(self, messages: Any, **given: Any) -> Any:
        try:
            await asyncio.sleep(0.01)
        except asyncio.CancelledError:
            raise ValueError("interrupted") from None
        return await super().complete(messages, **given)


MODELS = [
    (Changed(name=""), "named"),
    (Changed(lambda done, _: done.text), "completion"),
    (Changed(lambda done, _: replace(done, input_tokens=0)), "completion"),
    (Changed(lambda done, _: replace(done, finish="done")), "completion"),
    (Changed(lambda done, _: replace(done, text="I would say it is relevant.")), "tasks"),
    (Strict(), "plain"),
    (Fragile(), "hostile"),
    (Bound(), "together"),
    (Swallowing(), "cancelled"),
    (Changed(lambda done, _: replace(done, output_tokens=0)), "accounted"),
    (Changed(lambda done, number: replace(done, text=done.text + " " * number)), "repeatable"),
]


def test_the_offline_model_holds() -> None:
    """The rules hold every claim, and a claim that they do not make is passed over with its reason."""
    assert check_llm("offline/rules", repeatable=True).claims == tuple(claim.name for claim in LLM_CLAIMS)
    assert dict(check_llm(Scripted(default={"grades": [{"i": 0, "grade": 1}]}), only=["repeatable"]).passed_over)


@pytest.mark.parametrize(
    ("model", "claim"), MODELS, ids=[f"{number}-{claim}" for number, (_, claim) in enumerate(MODELS)]
)
def test_a_broken_model_is_caught(model: Any, claim: str) -> None:
    """Each way of breaking a claim of a backend is caught as that claim, with what to do."""
    found = next(one for one in LLM_CLAIMS if one.name == claim)
    with pytest.raises(Broken, match=f"breaks '{claim}'") as told:
        check_llm(model, repeatable=True, only=[claim])
    assert str(told.value).endswith(found.do)


# ---------------------------------------------------------------- embedders


class Own:
    """An embedder of one's own, right unless ``change`` breaks it."""

    name, dim = "own", 64

    def __init__(
        self, change: Callable[[list[Any], Sequence[str]], Any] = lambda found, texts: found, **more: Any
    ) -> None:
        self.change, self.inner = change, Embedder(Hashing(64))
        self.__dict__ |= more

    def scale(self, cosine: Any) -> Any:
        return self.inner.scale(cosine)

    async def __call__(self, texts: Sequence[str]) -> Any:
        return self.change(await self.inner(texts), texts)


class Moving(Own):
    """An embedder that is bound to one event loop."""

    loop: Any = None

    async def __call__(self, texts: Sequence[str]) -> Any:
        self.loop = self.loop or asyncio.get_running_loop()
        if self.loop is not asyncio.get_running_loop():
            raise RuntimeError("attached to a different loop")
        return await super().__call__(texts)


class Metered(Own):
    """An embedder that counts nothing."""

    def metered(self, span: Any) -> Metered:
        return self


def fill(found: list[Any], texts: Sequence[str]) -> list[Any]:
    """A vector for every text, blank or not."""
    return [np.eye(64, dtype=np.float32)[0] if one is None else one for one in found]


def by_place(found: list[Any], texts: Sequence[str]) -> list[Any]:
    """The vector of a text depends on its place."""
    out = []
    for place, one in enumerate(found):
        turned = None if one is None else np.roll(one, place)
        if turned is not None:
            turned.setflags(write=False)
        out.append(turned)
    return out


def no_long(found: list[Any], texts: Sequence[str]) -> list[Any]:
    """A model that cannot read long texts."""
    if any(len(text) > 1000 for text in texts):
        raise ValueError("sequence too long")
    return found


EMBEDDERS = [
    (Own(name=""), "named"),
    (Own(dim=0), "named"),
    (Own(lambda found, _: found[:-1]), "vectors"),
    (Own(lambda found, _: [None if one is None else one * 2 for one in found]), "vectors"),
    (Own(lambda found, _: [None if one is None else one.astype(np.float64) for one in found]), "vectors"),
    (Own(lambda found, _: [None if one is None else one.copy() for one in found]), "vectors"),
    (Own(fill), "blank"),
    (Own(by_place), "order"),
    (Own(no_long), "long"),
    (Own(scale=lambda cosine: 0.5 + cosine / 2), "scale"),
    (Own(scale=lambda cosine: cosine / 2), "scale"),
    (Metered(), "counted"),
    (Moving(), "loops"),
]


def test_an_embedder_of_ones_own_holds() -> None:
    """An object with name, dim, scale and a call holds; a bare model is tried inside of the box's adapter."""
    held = check_embedder(Own())
    assert dict(held.passed_over) == {"counted": "it has no metered; the memory counts for it"}
    assert len(check_embedder(Hashing()).claims) == len(EMBEDDER_CLAIMS)


@pytest.mark.parametrize(
    ("embedder", "claim"), EMBEDDERS, ids=[f"{number}-{claim}" for number, (_, claim) in enumerate(EMBEDDERS)]
)
def test_a_broken_embedder_is_caught(embedder: Any, claim: str) -> None:
    """Each way of breaking a claim of an embedder is caught as that claim."""
    if claim == "loops":
        asyncio.run(embedder(["x"]))
    with pytest.raises(Broken, match=f"breaks '{claim}'"):
        check_embedder(embedder, only=[claim])


# ---------------------------------------------------------------- stores


def broken(**methods: Any) -> Callable[[Any], Any]:
    """A factory of stores in memory with some methods replaced; each is given the store and the true method."""

    def open_one(path: Any) -> Any:
        store = Store.open("memory://", embedder_name="test", embedder_dim=8)
        for name, instead in methods.items():
            true = getattr(store, name)
            setattr(
                store, name, lambda *given, _true=true, _instead=instead, **more: _instead(store, _true, *given, **more)
            )
        return store

    return open_one


def one_for_all(store: Any, true: Any, agent: Any, *given: Any, **more: Any) -> Any:
    """Everybody is one and the same."""
    return true("all" if isinstance(agent, str) and agent and "\ud800" not in agent else agent, *given, **more)


def anybody(store: Any, true: Any, agent: Any, *given: Any, **more: Any) -> Any:
    """Who is nobody is taken for somebody."""
    return true(agent if isinstance(agent, str) and agent else "everybody", *given, **more)


def his_rows(store: Any, true: Any, kind: str, agent: str, rows: Any, **more: Any) -> Any:
    """Rows of others are left out in silence."""
    return true(kind, agent, [row for row in rows if row.agent_id == agent], **more)


def upper(store: Any, true: Any, kind: str, agent: str, rows: Any, **more: Any) -> Any:
    """Texts are tidied up."""
    return true(kind, agent, [replace(row, text=row.text.strip("\0 ")[:50]) for row in rows], **more)


def utc(store: Any, true: Any, kind: str, agent: str, rows: Any, **more: Any) -> Any:
    """Offsets are dropped."""
    from datetime import UTC

    return true(kind, agent, [replace(row, occurred_at=row.occurred_at.astimezone(UTC)) for row in rows], **more)


def always_new(store: Any, true: Any, *given: Any, unit_id: str, expects: Any = None, **more: Any) -> Any:
    """Every unit is a new one."""
    store.__dict__["units"] = store.__dict__.get("units", 0) + 1
    return true(*given, unit_id=f"{unit_id}{store.units}", **more)


def never_moved(store: Any, true: Any, *given: Any, expects: Any = None, **more: Any) -> Any:
    """Nobody looks whether the sequence has moved."""
    return true(*given, **more)


def swallow(store: Any, true: Any, *given: Any, **more: Any) -> Any:
    """What cannot be stored is left out in silence."""
    try:
        return true(*given, **more)
    except Moved:
        raise
    except ConfigError:
        return 0


def no_forget(store: Any, true: Any, agent: str, rows: Any, **more: Any) -> Any:
    """Nothing is forgotten."""
    return store.append("edit", agent, [], **more)


def lossy(store: Any, true: Any, kind: str, agent: str, rows: Any, **more: Any) -> Any:
    """The last row of a long unit is lost."""
    return true(kind, agent, list(rows)[:4], **more)


STORES = [
    (broken(view=one_for_all), "isolated"),
    (broken(view=anybody), "nobody"),
    (broken(append=his_rows), "foreign"),
    (broken(append=upper), "texts"),
    (broken(append=utc), "times"),
    (broken(append=always_new), "once"),
    (broken(append=never_moved), "moved"),
    (broken(append=swallow), "poison"),
    (broken(forget=no_forget), "forgotten"),
    (broken(append=lossy), "replayed"),
]


@pytest.mark.parametrize(("factory", "claim"), STORES, ids=[claim for _, claim in STORES])
def test_a_broken_store_is_caught(factory: Any, claim: str) -> None:
    """K1, K3, I1, I2, J1, C2, E2: each way of breaking a claim of a store is caught as that claim."""
    with pytest.raises(Broken, match=f"breaks '{claim}'"):
        check_store(factory, reopens=False, agents=4, only=[claim])


def test_every_claim_is_broken_here() -> None:
    """There is a broken model, embedder or store for each claim."""
    for made, claims in ((MODELS, LLM_CLAIMS), (EMBEDDERS, EMBEDDER_CLAIMS), (STORES, STORE_CLAIMS)):
        assert {claim for _, claim in made} == {claim.name for claim in claims}

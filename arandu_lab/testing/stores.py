"""``check_store``: a store held to what the store of the box is held to, on disk or in memory."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta, timezone
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from arandu_lab.records import Link
from arandu_lab.store.commit import Moved
from arandu_lab.store.schema import PROJECTED
from arandu_lab.testing.claims import Claim, Held, Passed, hold_all, refused, wrong
from arandu_lab.testing.knowledge_rows import KINDS, told
from arandu_lab.testing.plain import START, Plain
from arandu_lab.testing.stages import chosen
from arandu_lab.testing.store_rows import HOSTILE, rows_of, said


def check_store(
    factory: Callable[[Path], Any],
    *,
    reopens: bool = True,
    agents: int = len(HOSTILE),
    only: Iterable[str] | None = None,
) -> Held:
    """Hold a store to its claims.

    Args:
        factory: Gives an open store for a path that may be new, such as
            ``lambda path: Store.open(path, embedder_name="mine", embedder_dim=16)``.
        reopens: Whether the same path gives the same rows again (False for a store in memory).
        agents: How many hostile names of agents are tried side by side.
        only: Names of the claims to try; all by default.

    Raises:
        Broken: the first claim that does not hold, with what to do.

    >>> from arandu_lab.store import Store
    >>> def in_memory(path):
    ...     return Store.open("memory://", embedder_name="test", embedder_dim=8)
    >>> check_store(in_memory, reopens=False, only=["nobody", "foreign", "once", "moved"])
    Store holds 4 claims: nobody, foreign, once, moved
    """
    with tempfile.TemporaryDirectory(prefix="arandu-check-") as home:
        on = OnTrial(factory, Path(home), reopens, agents)
        with on.opened("named") as store:
            label = type(store).__name__
        return hold_all(chosen(STORE_CLAIMS, only), label, on)


@dataclass(frozen=True)
class OnTrial:
    """How a store is opened, where, and whether a path gives it back."""

    factory: Callable[[Path], Any]
    home: Path
    reopens: bool = True
    agents: int = len(HOSTILE)

    @contextmanager
    def opened(self, name: str) -> Iterator[Any]:
        """A store of this name, closed at the end."""
        store = self.factory(self.home / name)
        try:
            yield store
        finally:
            store.close()


def _isolated(on: OnTrial) -> None:
    agents = HOSTILE[: on.agents]
    with on.opened("isolated") as store:
        for place, agent in enumerate(agents):
            store.append("write", agent, rows_of(agent, f"w{place}", store.dim), unit_id="same", recorded_at=START)
        _each_its_own(store, agents)
    if on.reopens:
        with on.opened("isolated") as store:
            _each_its_own(store, agents)


def _each_its_own(store: Any, agents: tuple[str, ...]) -> None:
    for place, agent in enumerate(agents):
        word, view = f"w{place}", store.view(agent)
        seen = {
            "facts": [view.fact(fact).text for fact in view.facts.ids],
            "events": [view.event(event).text for event in view.events.ids],
            "names": [entity.name for entity in view.entities()],
            "edges": [edge.rel_type for edge in view.edges("k")],
            "history": [fact.text for fact in view.history("f")],
            "observations": [one.text for one in view.observations()],
            "resting": [fact.text for fact in view.resting_on("g")],
            "clusters": [one.label for one in view.clusters()],
            **{kind.__name__: [told(one) for one in view.shelf(kind)] for kind in KINDS},
        }
        wanted = {kind: [f"canário {word}"] for kind in ("facts", "events", "history", "observations", "resting")} | {
            "names": [word],
            "edges": [word],
            "clusters": [word],
            **{kind.__name__: [word] for kind in KINDS},
        }
        for kind, found in seen.items():
            if found != wanted[kind]:
                wrong(f"{agent[:40]!r} sees {kind} {found} where {wanted[kind]} were written")
        others = [f"w{other}" for other in range(len(agents)) if other != place]
        if heard := [other for other in others if len(view.facts.matching(other)[0])]:
            wrong(f"the words {heard} of other agents are found by {agent[:40]!r}")
        if (view.aliases(), view.linked("k").tolist(), view.keys_of("f")) != ({"iara": ("k",)}, [0], ("k",)):
            wrong(f"names and links of {agent[:40]!r} are {view.aliases()}, {view.linked('k')}, {view.keys_of('f')}")
        for table in (*PROJECTED, "journal"):
            if (owners := store.frame(table, agent)["agent_id"].to_list()) != [agent]:
                wrong(f"the table {table} of {agent[:40]!r} holds rows of {[one[:40] for one in owners]}")
    if store.agents() != tuple(sorted(agents)):
        wrong("agents() does not name those who wrote")
    if found := store.verify():
        wrong(f"verify says {found[0]}")
    if list(store.view("nobody at all").facts.ids):
        wrong("an agent that never wrote has facts")


def _nobody(on: OnTrial) -> None:
    with on.opened("nobody") as store:
        for agent in ("", None, 7, "a\ud800"):
            calls: dict[str, Callable[[Any], Any]] = {
                "view": store.view,
                "append": lambda who: store.append("turn", who, [], unit_id="u", recorded_at=START),
                "forget": lambda who: store.forget(who, [], unit_id="u", recorded_at=START),
            }
            if agent is not None:
                calls["frame"] = lambda who: store.frame("facts", who)
            for what, call in calls.items():
                refused(partial(call, agent), "agent_id", what=f"{what}({agent!r})")


def _foreign(on: OnTrial) -> None:
    with on.opened("foreign") as store:
        mixed = [said("ana", 1), said("bia", 2)]
        refused(
            lambda: store.append("write", "ana", mixed, unit_id="u", recorded_at=START), "'bia'", what="a row of 'bia'"
        )
        if store.view("ana").sequence or store.frame("journal").height:
            wrong("something of the refused unit was stored")


def _texts(on: OnTrial) -> None:
    texts = ["a\0b", "\u202eאב", "Jose\u0301", "José", "🌵'\"", "", "x" * 100_000, "cut \ud83d here"]
    wanted = [*texts[:-1], "cut \ufffd here"]
    with on.opened("texts") as store:
        store.append(
            "turn",
            "ana",
            [said("ana", place, text) for place, text in enumerate(texts)],
            unit_id="u",
            recorded_at=START,
        )
        found = [list(store.view("ana").events.texts)]
    if on.reopens:
        with on.opened("texts") as store:
            found.append(list(store.view("ana").events.texts))
    for one in found:
        for put, got in zip(wanted, one, strict=True):
            if put != got:
                wrong(f"{put[:40]!r} came back as {got[:40]!r}")


def _times(on: OnTrial) -> None:
    late = (START + timedelta(minutes=10)).astimezone(timezone(timedelta(hours=-3)))
    with on.opened("times") as store:
        store.append("turn", "ana", [replace(said("ana", 1), occurred_at=late)], unit_id="u", recorded_at=late)
        found = [store.view("ana").event("e1")]
    if on.reopens:
        with on.opened("times") as store:
            found.append(store.view("ana").event("e1"))
    for one in found:
        if one is None or one.occurred_at.isoformat() != late.isoformat():
            wrong(f"{late.isoformat()} came back as {one and one.occurred_at.isoformat()}")


def _once(on: OnTrial) -> None:
    with on.opened("once") as store:
        first = store.append("turn", "ana", [said("ana", 1)], unit_id="u", recorded_at=START)
        again = store.append("turn", "ana", [said("ana", 2)], unit_id="u", recorded_at=START, expects=99)
    with on.opened("once") as store:
        if on.reopens:
            again = store.append("turn", "ana", [said("ana", 2)], unit_id="u", recorded_at=START, expects=99)
            if list(store.view("ana").events.ids) != ["e1"]:
                wrong(f"the events are {list(store.view('ana').events.ids)}")
        if again != first:
            wrong(f"the unit that had number {first} was given {again}")


def _moved(on: OnTrial) -> None:
    with on.opened("moved") as store:
        seq = store.append("turn", "ana", [said("ana", 1)], unit_id="u1", recorded_at=START, expects=0)
        store.append("turn", "bia", [said("bia", 1)], unit_id="u1", recorded_at=START, expects=0)
        try:
            store.append("turn", "ana", [said("ana", 2)], unit_id="u2", recorded_at=START, expects=0)
        except Moved as told:
            if told.found != seq:
                wrong(f"it says that the sequence is {told.found}, not {seq}")
        else:
            wrong("a draft against an older sequence was stored")
        if store.append("turn", "ana", [said("ana", 2)], unit_id="u2", recorded_at=START, expects=seq) <= seq:
            wrong("numbers do not rise")


def _poison(on: OnTrial) -> None:
    with on.opened("poison") as store:
        dim = store.dim
        for row, word in (
            (replace(said("ana", 1), vector=np.zeros(dim + 1, dtype=np.float32)), "shape"),
            (replace(said("ana", 1), vector=np.full(dim, np.nan, dtype=np.float32)), "finite"),
            (replace(said("ana", 1), occurred_at=START.replace(tzinfo=None)), "timezone"),
            (Link(fact_id="nowhere", agent_id="ana", entity_key="k", primary=True, recorded_at=START), "nowhere"),
        ):
            put = partial(store.append, "write", "ana", [row], unit_id="u", recorded_at=START)
            refused(put, word, what=f"a row with a wrong {word}")
        store.append("turn", "ana", [said("ana", 2)], unit_id="u", recorded_at=START)
        if found := store.verify():
            wrong(f"after refusals verify says {found[0]}")


def _forgotten(on: OnTrial) -> None:
    with on.opened("forgotten") as store:
        rows = rows_of("ana", "ZQX4417", store.dim)
        store.append("write", "ana", rows, unit_id="u", recorded_at=START)
        store.append("write", "ana", [said("ana", 9, "fica WKB2201")], unit_id="v", recorded_at=START)
        store.flush()
        place = on.home / "forgotten"
        if on.reopens and not (_bytes_hold(place, b"ZQX4417") and _bytes_hold(place, b"WKB2201")):
            raise Passed("its files do not hold texts as they are, so that nobody can look for them")
        store.forget("ana", rows, unit_id="gone", recorded_at=START)
        view = store.view("ana")
        if list(view.facts.ids) or list(view.events.ids) != ["e9"] or view.entities() or view.aliases():
            wrong("a view still shows a forgotten row, or has lost another")
        if left := [kind.__name__ for kind in KINDS if len(view.shelf(kind))]:
            wrong(f"a view still shows rows of {left}")
        if len(view.facts.matching("zqx4417")[0]) or len(view.linked("k")):
            wrong("a forgotten word or link is still found")
        if (kinds := store.frame("journal")["kind"].to_list()) != ["write", "write", "forget"]:
            wrong(f"the journal holds {kinds}")
        if on.reopens and _bytes_hold(place, b"ZQX4417"):
            wrong("a file still holds a forgotten word")
        store.rebuild()
        if found := store.verify():
            wrong(f"after forgetting, verify says {found[0]}")


def _replayed(on: OnTrial) -> None:
    rng, plain = random.Random(3), Plain("ana")
    with on.opened("replayed") as store:
        plain.dim = store.dim
        for number in range(40):
            rows, removed = plain.unit(rng)
            seq = store.append("write", "ana", rows, unit_id=str(number), recorded_at=START, removed=removed)
            plain.apply(rows, removed, seq)
        plain.agree(store.view("ana"), rng)
        store.rebuild()
        plain.agree(store.view("ana"), rng)
        if found := store.verify():
            wrong(f"verify says {found[0]}")
    if on.reopens:
        with on.opened("replayed") as store:
            plain.agree(store.view("ana"), rng)


def _bytes_hold(path: Path, word: bytes) -> bool:
    return any(word in file.read_bytes() for file in path.rglob("*") if file.is_file())


STORE_CLAIMS: tuple[Claim, ...] = (
    Claim("isolated", "K1, K2, K3: with the same ids everywhere, every read of every agent finds its own rows only.",
          "Filter by agent_id in one place, as a value and never as text put into a query.", _isolated),
    Claim("nobody", "J1, K1: an agent id that names nobody is an error in every call that takes one, never everybody.",
          "Check the agent id (arandu_lab.store.commit.agent_named) before anything else.", _nobody),
    Claim("foreign", "K3: a row of somebody else is refused, and nothing of its unit is stored.",
          "Check all rows of a unit before the first is written.", _foreign),
    Claim("texts", "C2, B14: any text comes back to the letter; half a surrogate pair becomes U+FFFD.",
          "Do not normalise texts, and send them through arandu_lab.llm.backend.wellformed.", _texts),
    Claim("times", "E2, E6, E13: a moment comes back as the same instant at the same offset.",
          "Keep the offset beside the instant.", _times),
    Claim("once", "I1, I4: the same unit id again changes nothing and gives the old number.",
          "Look for the unit id in the agent's journal before writing.", _once),
    Claim("moved", "I1, I2: a unit drafted against an older sequence of its agent is refused; other agents do not matter.",
          "Compare expects with the agent's sequence under the lock that writes.", _moved),
    Claim("poison", "C2, E17, M1: a row that would poison a table later is refused at once, and the store goes on.",
          "Check shape, finiteness, offsets and references before the journal is written.", _poison),
    Claim("forgotten", "J2, J6: what is forgotten is in no view, no rebuilt table and no byte of its files.",
          "Write tables that lose rows anew, old versions and the journal included.", _forgotten),
    Claim("replayed", "I6, I7: after any units, views equal a plain reading of the rows, rebuilt and reopened too.",
          "Make every table from the journal, and nothing else.", _replayed),
)  # fmt: skip
"""What a store promises."""

"""Take the pictures of every tab that ``docs/browser`` shows, over the two chats of the data sets as the offline rules read them.

    python tests/browse/pictures.py [--store FOLDER] [NAME ...]

The first run replays both chats (half a minute); with ``--store`` the folder is kept and used again. Names take some pictures
only. Chromium is needed (``ARANDU_LAB_CHROMIUM`` names one); no model is asked.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(Path(__file__).parent))

from browsed import team  # noqa: E402
from visiting import LOOKS, Visitor, started  # noqa: E402

from arandu_lab.bench.data.registry import load  # noqa: E402
from arandu_lab.browse.entity import alike  # noqa: E402
from arandu_lab.browse.listing import Wanted, listed  # noqa: E402
from arandu_lab.browse.opening import Opened, opened  # noqa: E402
from arandu_lab.browse.retiring import retire  # noqa: E402
from arandu_lab.browse.serving import serving  # noqa: E402
from arandu_lab.knowledge import MemoryPolicy  # noqa: E402
from arandu_lab.memory import Memory  # noqa: E402
from arandu_lab.systems.workspace import WorkspaceSystem  # noqa: E402

DOCS = ROOT / "docs" / "browser"
LARGEST = 150_000
"""Bytes of a picture."""

NOW = datetime(2025, 1, 10, 15, tzinfo=UTC)
HARBOR, MARE, TEAM, SHARED = "/memory/harbor", "/memory/mare", "/workspace/atlas", "/workspace/workspace"


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture: where, in which window, which language, and what is done before it is taken."""

    path: str
    look: str
    said: str
    locale: str = "en-GB"
    act: Callable[[Any], None] = lambda page: None


def _first_why(page: Any) -> None:
    page.locator(".scores a.main").nth(1).click()


def _open_fact(page: Any) -> None:
    page.locator(".row a.main").first.click()


def _open_delete(page: Any) -> None:
    _open_fact(page)
    page.locator("a.danger").click()


def _type_name(page: Any) -> None:
    _open_fact(page)
    page.wait_for_url(re.compile("/fact[?]id="))
    page.wait_for_load_state()  # keys are heard once the script has run
    page.keyboard.press("e")
    page.keyboard.press("Control+End")
    page.keyboard.type(" with Sar")
    page.wait_for_selector("[data-offer] button")


def _to_row(page: Any) -> None:
    for key in "jj":
        page.keyboard.press(key)


SHOTS: dict[str, Shot] = {
    "facts-light": Shot(f"{HARBOR}/facts?order=importance", "light", "Facts of a conversation, filtered and sorted."),
    "facts-keys-dark": Shot(f"{HARBOR}/facts", "dark", "Facts by night, a row chosen with the keys.", act=_to_row),
    "facts-phone": Shot(f"{MARE}/facts", "phone", "Facts on a phone, in Portuguese.", "pt-BR"),
    "fact-light": Shot(f"{HARBOR}/facts?text=moved", "light", "One fact: correct, retire, delete.", act=_open_fact),
    "names-dark": Shot(
        f"{HARBOR}/facts?text=moved", "dark", "Names are completed while a fact is corrected.", act=_type_name
    ),
    "fact-phone": Shot(f"{HARBOR}/facts?text=moved", "phone-dark", "One fact on a phone.", act=_open_fact),
    "delete-light": Shot(f"{HARBOR}/facts", "light", "Before deleting: what would go.", act=_open_delete),
    "entities-light": Shot(f"{HARBOR}/entities", "light", "Entities and how they are tied."),
    "around-dark": Shot(
        f"{HARBOR}/entities?text=beth",
        "dark",
        "The graph around one.",
        act=lambda page: page.locator(".row .more").first.click(),
    ),
    "entities-phone": Shot(f"{MARE}/entities", "phone", "Entities on a phone, in Portuguese.", "pt-BR"),
    "entity-light": Shot(
        f"{HARBOR}/entity?key=person:sarah_b", "light", "One entity: its names, who may be the same, parting it."
    ),
    "events-light": Shot(f"{HARBOR}/events?order=oldest", "light", "What was said, and what was learned from it."),
    "observations-light": Shot(f"{HARBOR}/observations", "light", "What jobs concluded, grouped, and put in doubt."),
    "timeline-dark": Shot(f"{HARBOR}/timeline?at=2024-06-15", "dark", "What held at a date, with its slider."),
    "timeline-phone": Shot(
        f"{MARE}/timeline?at=2024-08-15", "phone", "The timeline on a phone, in Portuguese.", "pt-BR"
    ),
    "why-light": Shot(f"{HARBOR}/why?q=Where+does+Beth+live%3F", "light", "A question, its context and all scores."),
    "why-explained-dark": Shot(
        f"{HARBOR}/why?q=Where+does+Beth+live%3F", "dark", "Why one fact is there or is not.", act=_first_why
    ),
    "records-light": Shot(f"{HARBOR}/records", "light", "What was changed, by whom, and taking it back."),
    "records-phone": Shot(f"{MARE}/records", "phone", "Records on a phone, in Portuguese.", "pt-BR"),
    "workspace-facts-light": Shot(f"{SHARED}/facts", "light", "Facts of a workspace."),
    "workspace-fact-dark": Shot(f"{TEAM}/facts?text=storage", "dark", "One fact of a workspace.", act=_open_fact),
    "workspace-policies-light": Shot(f"{TEAM}/policies?state=all", "light", "Policies, each with its switch."),
    "workspace-policies-phone": Shot(
        f"{TEAM}/policies?state=all", "phone", "Policies on a phone, in Portuguese.", "pt-BR"
    ),
    "workspace-graph-dark": Shot(f"{TEAM}/graph", "dark", "Facts tied by where they came from."),
    "workspace-graph-light": Shot(f"{SHARED}/graph", "small", "The same of a replayed chat."),
    "workspace-conflicts-light": Shot(f"{TEAM}/conflicts", "light", "Contradictions with both sides."),
    "workspace-conflicts-phone": Shot(f"{TEAM}/conflicts", "phone-dark", "Contradictions on a phone, by night."),
    "workspace-records-light": Shot(f"{TEAM}/records", "light", "Records of a workspace."),
}


HEAD = """# The memory browser, in pictures

`arandu-lab browse STORE` opens these pages over a store, on this machine alone. All data is of the repository: the chats
`harbor_en` and `mare_pt` as the offline rules read them, jobs run once, and two workspaces, one of a team and one that heard the
first chat. Nothing was made up for a picture but the corrections that somebody would have made by now.

Every picture is taken anew by

    python tests/browse/pictures.py

which replays both chats, serves the pages, and drives a headless Chromium; it fails where a page is wider than its window, says
something on its console, or where a picture is larger than 150 kB. This page is written by it too.
"""


def readme() -> str:
    """The page that shows and names every picture."""
    parts = [HEAD]
    for title, kind in (("A conversation's memory", "/memory/"), ("A workspace", "/workspace/")):
        parts.append(f"## {title}\n")
        for name, shot in SHOTS.items():
            if shot.path.startswith(kind):
                width = 260 if "phone" in shot.look else 720
                parts.append(f'**{name}** {shot.said}\n\n<img src="{name}.png" width="{width}" alt="{shot.said}">\n')
    return "\n".join(parts)


async def replayed(folder: Path) -> None:
    """Write both chats into a store as the offline rules read them, run the jobs once, and fill two workspaces."""
    for name, agent in (("harbor_en", "harbor"), ("mare_pt", "mare")):
        conversation = next(iter(load(ROOT / "datasets" / name)))
        moment = [conversation.turns[0].occurred_at]
        recent: list[str] = []
        with Memory.open(folder, embedder="hashing", clock=lambda at=moment: at[0]) as memory:
            for turn in conversation.turns:
                moment[0] = turn.occurred_at
                await memory.write(
                    agent,
                    turn.text,
                    turn.told_by(),
                    recent_messages=tuple(recent[-5:]),
                    occurred_at=turn.occurred_at,
                    session_id=turn.session_id,
                )
                recent.append(f"{turn.told_by()}: {turn.text}")
            moment[0] += timedelta(days=2)
            told = {"profile_language": "Portuguese"} if agent == "mare" else {}
            await memory.jobs.cycle(agent, config_overrides=told)
    system = WorkspaceSystem(path=str(folder), embed="hashing")
    await system.begin("harbor_en")
    for turn in next(iter(load(ROOT / "datasets" / "harbor_en"))).turns:
        await system.listen(turn)
    await system.end()
    found = opened(folder, embedder="hashing", clock=lambda: NOW - timedelta(days=5))
    await team(found)
    await edited(found)
    found.close()


async def edited(found: Opened) -> None:
    """What a person would have done by now: corrections, a merge, something taken back, a conflict decided."""
    memory = found.memory
    view = memory.store.view("harbor")
    places = listed(view, Wanted(), found.now())[3:6]
    first, second, third = (view.fact_at(int(place)) for place in places)
    done = await memory.correct("harbor", first.id, f"{first.text}, as Beth tells it")
    await memory.correct("harbor", second.id, f"{second.text}, as Theo tells it")
    memory.undo("harbor", f"correct:{done.facts_updated[0].id}")
    people = [one for one in view.entities() if one.type == "person" and alike(view, one)]
    memory.merge("harbor", people[0].key, alike(view, people[0])[0].key)
    retire(memory, "harbor", third.id, by="mara")
    agent = next(one for one in found.agents(fresh=True) if one.name == "atlas")
    workspace = found.workspace(agent)
    for topic, who, text, veracity in (
        ("retention", "iris", "Traces are kept for 30 days", "inferred"),
        ("retention", "rui", "Traces are kept for 90 days", "stated"),
        ("standup", "iris", "Standup is at 9:30", "stated"),
        ("standup", "mara", "Standup is at 10:00", "stated"),
    ):
        await workspace.propose_fact("conventions", topic, text, agent=who, veracity=veracity)
    policy = next(iter(memory.store.view("atlas").shelf(MemoryPolicy)))
    await workspace.edit_policy(policy.id, by="mara", active=False)


def taken(found: Opened, names: list[str], into: Path) -> None:
    """Take the pictures by their names.

    Raises:
        SystemExit: a picture is too large, or a page is wider than its window.
    """
    wrong = []
    with serving(found) as address, started() as chromium:
        for name in names:
            shot = SHOTS[name]
            visitor = Visitor(chromium, address, locale=shot.locale, **LOOKS[shot.look])
            shot.act(visitor.to(shot.path))
            visitor.page.wait_for_load_state()
            file = into / f"{name}.png"
            visitor.page.screenshot(path=str(file))
            size, wide = file.stat().st_size, visitor.too_wide()
            print(f"{name:28s} {size / 1000:6.0f} kB")
            wrong += [f"{name}: {size} bytes"] * (size > LARGEST) + [f"{name}: {wide} px too wide"] * (wide > 0)
            wrong += [f"{name}: {one}" for one in visitor.wrong]
            visitor.context.close()
    if wrong:
        raise SystemExit("\n".join(wrong))


def main() -> None:
    """Replay unless it is there, serve, and take the pictures."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("names", nargs="*", help="some of the pictures; all by default")
    asked.add_argument("--store", type=Path, help="a folder that is kept and used again")
    asked.add_argument("--into", type=Path, default=DOCS)
    given = asked.parse_args()
    given.into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as own:
        folder = given.store or Path(own) / "store"
        if not folder.exists():
            asyncio.run(replayed(folder))
        found = opened(folder, embedder="hashing", clock=lambda: NOW)
        taken(found, given.names or list(SHOTS), given.into)
        found.close()
    (given.into / "README.md").write_text(readme(), encoding="utf-8")


if __name__ == "__main__":
    main()

"""What a result was made with, beyond its settings: commit, prompts, what measures mean, and every stage of every row.

Nothing here is part of an address. Two runs of one state of code and data say the same, to the byte.
"""

from __future__ import annotations

import ast
import hashlib
import os
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import arandu_lab
from arandu_lab.bench.plan import Row
from arandu_lab.bench.rows import BESIDE, filled, is_memory, source_of, told
from arandu_lab.pipeline.node import Node
from arandu_lab.pipeline.stage import Stage
from arandu_lab.systems.open import WORKSPACE

PACKAGE = Path(arandu_lab.__file__).parent
_ROOMS = ("write", "read", "pure", "blends")
"""Rooms of the package whose code decides what a stage does; what a model or an embedder does is told apart."""


def commits(work: Path | None = None) -> dict[str, dict[str, Any]]:
    """``{"package": {"commit": …, "dirty": …}, "work": …}``: the checkouts of the package and of the working directory.

    A place that is no checkout is absent, and so is ``work`` where it is the package's own checkout. ``dirty``: a file
    that git follows is not as committed; files that it does not follow count for nothing, so a run's own results never
    change what the next run says.
    """
    out, roots = {}, []
    for name, place in (("package", PACKAGE), ("work", work or Path.cwd())):
        root = _git(place, "rev-parse", "--show-toplevel")
        commit = root and _git(place, "rev-parse", "HEAD")
        if not root or not commit or root in roots:
            continue
        roots.append(root)
        out[name] = {"commit": commit, "dirty": bool(_git(place, "status", "--porcelain", "--untracked-files=no"))}
    return out


def prompts() -> dict[str, str]:
    """Task -> the digest of its instructions."""
    return {path.stem: _short(path.read_bytes()) for path in sorted((PACKAGE / "llm" / "prompts").glob("*.md"))}


def definitions(measures: Iterable[str]) -> dict[str, str]:
    """Measure -> the digest of what it gives on a fixed set of rankings: another definition has another digest.

    >>> one = definitions(["R@10", "RR"])
    >>> list(one), one == definitions(["R@10", "RR"]), one["R@10"] == definitions(["R@5"])["R@5"]
    (['R@10', 'RR'], True, False)
    """
    from arandu_lab.bench.measures import is_cost, parse

    ids = [f"t{place}" for place in range(40)]
    sizes = {one: 5 + 7 * place % 23 for place, one in enumerate(ids)}
    rankings = [ids, ids[::-1], ids[::3], [*ids[5:9], *ids[5:9], *ids[:3]], ids[:1]]
    wanted = [{"t0"}, {"t3", "t4"}, {"t1", "t7", "t30", "t39"}, set(ids[::5]), {"away"}]
    out = {}
    for name in measures:
        if is_cost(name):
            out[name] = _short(name.encode())
            continue
        found = parse(name)
        given = [found(ranked, evidence, sizes.__getitem__) for ranked in rankings for evidence in wanted]
        said = [None if value is None else round(value, 12) for value in given]
        out[name] = _short(told([name, said]).encode())
    return out


def stages(row: Row, *, seed: int = 0) -> dict[str, str]:
    """What works in a row, in order, each with ``settings:code`` digests: models first, then stages as they run.

    ``settings`` are the values that a stage reads, ``code`` is its source, that of what it uses of the package, and the
    instructions of the models it asks. A second stage of one name is ``name#2``. A system without stages is one entry.

    >>> list(stages(Row(name="bm25", base="bm25")))
    ['system.bm25']
    >>> list(stages(Row(name="arandu", base="arandu")))[:5]
    ['llm', 'embedder', 'template', 'write.embed_turn', 'write.leave_turn']
    """
    said = filled(row, seed=seed)
    if not is_memory(row.base):
        return {f"system.{row.base}": f"{_short(told(said).encode())}:{_system_code(row)}"}
    from arandu_lab.bench.sweeps.settled import settled
    from arandu_lab.presets import from_toml, overridden
    from arandu_lab.systems.arandu import ARANDU, ASSEMBLIES

    config = {name: value for name, value in row.options.items() if name not in BESIDE}
    if row.assembly is not None:
        assembly = overridden(row.assembly, config)
    else:
        preset = ASSEMBLIES.get(row.base, "arandu")
        config = {**ARANDU[row.base], **config}
        assembly = from_toml({"preset": preset, "config": config, "write": row.write, "read": row.read})
    found = settled(assembly)
    out = {
        "llm": f"{_short(str(said['llm']).encode())}:{_rooms('llm/rules') if 'offline' in str(said['llm']) else '-'}",
        "embedder": f"{_short(told([said['embedder'], said['calibration']]).encode())}:-",
        "template": f"{_short(str(said['template']).encode())}:-",
    }
    for side, pipeline in (("write", found.write), ("read", found.read)):
        for stage in _leaves(pipeline):
            name, number = f"{side}.{stage.name}", 2
            while name in out:
                name, number = f"{side}.{stage.name}#{number}", number + 1
            settings = told(_plain(stage.settings(found.values)))
            out[name] = f"{_short(settings.encode())}:{_stage_code(stage.definition)}"
    return out


def first_change(before: Mapping[str, str], after: Mapping[str, str]) -> str | None:
    """The first thing that works otherwise in ``after``, in words; None where nothing does.

    >>> old = {"llm": "a:b", "write.ground": "c:d", "read.cut": "e:f"}
    >>> first_change(old, {**old, "read.cut": "g:f"}), first_change(old, {"llm": "a:b", "read.cut": "e:x"})
    ('read.cut (settings)', 'write.ground (left out)')
    >>> first_change(old, {"llm": "a:b", "write.mine": "1:2", **old}), first_change(old, old)
    ('write.mine (new)', None)
    """
    mine, other = list(before), list(after)
    for place in range(max(len(mine), len(other))):
        one, two = (names[place] if place < len(names) else None for names in (mine, other))
        if one == two and one is not None:
            if before[one] == after[one]:
                continue
            was, now = (side[one].split(":") for side in (before, after))
            parts = [what for what, a, b in zip(("settings", "code"), was, now, strict=False) if a != b]
            return f"{one} ({' and '.join(parts)})"
        if two is not None and two not in before:
            return f"{two} (new)"
        if one is not None and one not in after:
            return f"{one} (left out)"
        return f"{two or one} (moved)"
    return None


def _leaves(node: Node) -> Iterator[Stage]:
    if isinstance(node, Stage):
        yield node
    for part in node.parts():
        yield from _leaves(part)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(inner) for inner in (sorted(value, key=str) if isinstance(value, set | frozenset) else value)]
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def _stage_code(definition: Any) -> str:
    from arandu_lab.bench.owned import source_digest

    if definition.module.partition(".")[0] != "arandu_lab":
        return (source_digest([definition]) or "-")[:12]
    return _module_code(definition.module)


def _system_code(row: Row) -> str:
    from arandu_lab.bench.artifacts import own_source

    if row.factory is not None or source_of(row) is not None:
        return (own_source(row) or "-")[:12]
    return _rooms("systems", "pure", *(("workspace", "write", "llm/rules") if row.base == WORKSPACE else ()))


@lru_cache(maxsize=256)
def _module_code(module: str) -> str:
    """The digest of a module of the package, of those of :data:`_ROOMS` that it comes to import, and of its prompts."""
    seen: dict[str, bytes] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        file = _file(name)
        if file is None or name in seen:
            continue
        seen[name] = file.read_bytes()
        waiting += [one for one in _imports(file) if one.split(".")[1:2] and one.split(".")[1] in _ROOMS]
    total = hashlib.sha256()
    for name in sorted(seen):
        total.update(name.encode() + b"\0" + seen[name] + b"\0")
    for task in sorted(set(re.findall(rb"\btasks\.(\w+)\(\)", seen[module]))):
        total.update(prompts().get(task.decode(), "").encode())
    return total.hexdigest()[:12]


@lru_cache(maxsize=512)
def _imports(file: Path) -> tuple[str, ...]:
    found = []
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            found += [one.name for one in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found += [node.module, *(f"{node.module}.{one.name}" for one in node.names)]
    return tuple(one for one in found if one.startswith("arandu_lab."))


def _file(module: str) -> Path | None:
    place = PACKAGE.parent.joinpath(*module.split("."))
    return next((one for one in (place.with_suffix(".py"), place / "__init__.py") if one.is_file()), None)


def _rooms(*names: str) -> str:
    from arandu_lab.bench.artifacts import sources

    return _short("".join(sources(PACKAGE / name, ()) for name in names).encode())


def _git(place: Path, *said: str) -> str | None:
    """What git says of a place; None where there is no git, or nothing for it to say."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(
            ["git", "-C", str(place), *said],
            env={**clean, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"},
            capture_output=True,
            text=True,
            timeout=30,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def _short(said: bytes) -> str:
    return hashlib.sha256(said).hexdigest()[:12]

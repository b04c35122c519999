"""From a name to a system."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from arandu_lab.errors import ConfigError, nearest
from arandu_lab.pipeline import REGISTRY
from arandu_lab.systems.base import System
from arandu_lab.systems.controls import CONTROLS, control
from arandu_lab.systems.options import check_options

if TYPE_CHECKING:
    from arandu_lab.presets import Assembly


def open_system(
    base: str,
    *,
    name: str | None = None,
    setup: Mapping[str, Any] | None = None,
    llm: Any = "offline/rules",
    embedder: Any = None,
    path: str = "memory://",
    **options: Any,
) -> System:
    """A system by its base: ``arandu``, ``arandu-blind``, ``workspace``, or a control.

    Args:
        name: its row in tables; the base by default.
        setup: for an arandu system, what ``presets.from_toml`` takes (``config``, ``write``, ``read``).
        options: what the control or the workspace takes (``template``, ``seed``, ``language`` …).

    Raises:
        ConfigError: an unknown base, setting or option, with the nearest known name.
    """
    from arandu_lab.systems.arandu import ARANDU, ASSEMBLIES, Arandu

    if base in ARANDU:
        from arandu_lab.presets import from_toml

        wanted = dict(setup or {})
        wanted["config"] = {**({} if base in ASSEMBLIES else ARANDU[base]), **wanted.get("config", {})}
        if base in ASSEMBLIES:
            wanted.setdefault("preset", ASSEMBLIES[base])
            options.setdefault("sessions", True)
        known = {"template", "calibration", "sessions", "jobs"}
        for key in options:
            if key not in known:
                raise ConfigError(f"system {base!r} takes no {key!r}; {nearest(key, known)}")
        return Arandu(name or base, assembly=from_toml(wanted), llm=llm, embedder=embedder, path=path, **options)
    if base not in (*CONTROLS, WORKSPACE):
        raise ConfigError(f"no system {base!r}; {nearest(base, known_systems())}")
    if setup:
        raise ConfigError(f"system {base!r} takes no memory settings, found {', '.join(setup)}")
    if base == WORKSPACE:
        from arandu_lab.systems.workspace import WorkspaceSystem

        check_options(WorkspaceSystem, options)
        return WorkspaceSystem(name or base, llm=llm, embed=embedder, path=path, **options)
    made = control(base, **options)
    made.name = name or base
    return made


def open_assembly(
    assembly: Assembly,
    *,
    name: str,
    llm: Any = "offline/rules",
    embedder: Any = None,
    path: str = "memory://",
    **options: Any,
) -> System:
    """A memory with pipelines of one's own as a system.

    Turns are told with the session of the dataset where a stage of the tuned reading looks at sessions.

    Args:
        options: ``template``, ``calibration``, ``jobs``, as :class:`arandu_lab.systems.arandu.Arandu` takes them.
    """
    from arandu_lab.systems.arandu import Arandu

    modules = {REGISTRY.stage(one).module for one in {*assembly.read.names()} & {*REGISTRY.names()}}
    sessions = any(one.startswith("arandu_lab.read.evidence") for one in modules)
    return Arandu(name, assembly=assembly, llm=llm, embedder=embedder, path=path, sessions=sessions, **options)


def known_systems() -> tuple[str, ...]:
    """Every base that ``open_system`` takes."""
    from arandu_lab.systems.arandu import ARANDU

    return (*ARANDU, WORKSPACE, *CONTROLS)


WORKSPACE = "workspace"
"""The base of the workspace memory."""

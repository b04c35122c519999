"""From a name to a system."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arandu_lab.errors import ConfigError, nearest
from arandu_lab.systems.base import System
from arandu_lab.systems.controls import CONTROLS, control


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
    """A system by its base: ``arandu``, ``arandu-blind``, or a control.

    Args:
        name: its row in tables; the base by default.
        setup: for an arandu system, what ``presets.from_toml`` takes (``config``, ``write``, ``read``).
        options: what the control takes (``template``, ``seed``, ``language`` …).

    Raises:
        ConfigError: an unknown base, setting or option, with the nearest known name.
    """
    from arandu_lab.systems.arandu import ARANDU, ASSEMBLIES, Arandu

    if base in ARANDU:
        from arandu_lab.presets import from_toml

        wanted = dict(setup or {})
        wanted["config"] = {**ARANDU[base], **wanted.get("config", {})}
        if base in ASSEMBLIES:
            wanted.setdefault("preset", ASSEMBLIES[base])
            options.setdefault("sessions", True)
        known = {"template", "calibration", "sessions"}
        for key in options:
            if key not in known:
                raise ConfigError(f"system {base!r} takes no {key!r}; {nearest(key, known)}")
        return Arandu(name or base, assembly=from_toml(wanted), llm=llm, embedder=embedder, path=path, **options)
    if base not in CONTROLS:
        raise ConfigError(f"no system {base!r}; {nearest(base, [*ARANDU, *CONTROLS])}")
    if setup:
        raise ConfigError(f"control {base!r} takes no memory settings, found {', '.join(setup)}")
    made = control(base, **options)
    made.name = name or base
    return made


def known_systems() -> tuple[str, ...]:
    """Every base that ``open_system`` takes."""
    from arandu_lab.systems.arandu import ARANDU

    return (*ARANDU, *CONTROLS)

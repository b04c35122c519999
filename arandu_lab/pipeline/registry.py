"""Stages and groups by name, so that a file can name them and a pickle can find them."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

from arandu_lab.errors import ConfigError, nearest


class Registry:
    """Name -> definition. A name is taken once; the same function defined again (a notebook cell) replaces itself."""

    def __init__(self) -> None:
        self._known: dict[str, Any] = {}
        self.defaults: Callable[[], Mapping[str, Any]] = dict
        """The values of parameters without a default; ``arandu_lab.config`` puts its own here."""

    def add(self, name: str, definition: Any) -> None:
        """Register; refused when another module holds the name."""
        held = self._known.get(name)
        if held is not None and held.module != definition.module:
            raise ConfigError(f"stage {name!r} of {definition.module} is taken by {held.module}; choose another name")
        self._known[name] = definition

    def stage(self, name: str, module: str = "") -> Any:
        """The definition of a name; ``module`` is imported first when the name is not known yet (pickles)."""
        if name not in self._known and module:
            importlib.import_module(module)
        if name not in self._known:
            self.load()
        if name not in self._known:
            raise ConfigError(f"no stage {name!r}; {nearest(name, self._known)}")
        return self._known[name]

    def load(self) -> None:
        """Import the stages that come in the box."""
        for package in ("arandu_lab.write", "arandu_lab.read", "arandu_lab.jobs", "arandu_lab.workspace"):
            importlib.import_module(f"{package}.stages")

    def names(self) -> list[str]:
        """Every registered name, sorted."""
        self.load()
        return sorted(self._known)

    def namespace(self) -> dict[str, Any]:
        """What ``eval(repr(pipeline))`` needs."""
        from arandu_lab.pipeline.compose import together

        return {"together": together} | {name: self._known[name] for name in self.names()}

    def __reduce__(self) -> str:
        """A process has one: another process is sent its name, never a copy."""
        return "REGISTRY"


REGISTRY = Registry()

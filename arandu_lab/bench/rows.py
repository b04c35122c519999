"""From a row of a plan to a system that listens: which settings it takes, which it changes, how it is opened.

==================  ==================================================================================
arandu              the documented system; every setting of ``MemoryConfig``, ``llm``, ``embedder``,
                    ``calibration`` (a file of the threshold lab), ``jobs`` (``recommended``, ``JOB=PERIOD, …`` or a file),
                    ``[system.NAME.write.STAGE]`` and ``[system.NAME.read.STAGE]``
arandu-blind        the same with ``enable_informed_extraction`` off
workspace           the workspace memory: ``mode``, ``without``, ``hits``, ``llm``, ``embedder``, ``template``, and parameters
                    of the stages of its search
random, recency …   the controls; their keyword parameters, ``embedder`` where they embed
module:attribute    one's own: whatever the attribute's keywords are
an assembly         ``Row.assembly``: pipelines of one's own, with everything that arandu takes beside its stages
a factory           ``Row.factory``: a class or function of one's own, wherever it was defined
==================  ==================================================================================
"""

from __future__ import annotations

import importlib
import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arandu_lab.bench.data.model import Conversation
from arandu_lab.bench.plan import Row
from arandu_lab.errors import ConfigError, nearest
from arandu_lab.systems.base import System
from arandu_lab.systems.open import WORKSPACE
from arandu_lab.systems.options import check_options

if TYPE_CHECKING:
    from arandu_lab.llm.cassette import Cassette
    from arandu_lab.presets import Assembly
    from arandu_lab.systems.controls import Asked

BESIDE = {"llm": "offline/rules", "embedder": "use", "template": "text+caption", "calibration": "", "jobs": ""}
"""What an arandu system takes beside its settings."""


def is_memory(base: str) -> bool:
    """Whether a base is built on :class:`arandu_lab.memory.Memory`, with the settings of ``MemoryConfig``."""
    from arandu_lab.systems.arandu import ARANDU

    return base in ARANDU


def filled(row: Row, *, seed: int = 0) -> dict[str, Any]:
    """Every setting of the row with its value, defaults included. ``language`` is absent where the dataset says it.

    Raises:
        ConfigError: an unknown base, setting or stage, or a value of another type or out of range.
    """
    try:
        return {**_defaults(row, seed), **_checked(row)}
    except ConfigError as error:
        raise ConfigError(f"[system.{row.name}] {error}") from None


def changed(row: Row, *, seed: int = 0) -> dict[str, Any]:
    """The settings whose value is not the default: what the row's address is made of.

    >>> changed(Row(name="bm25", base="bm25", options={"k1": 1.5, "b": 0.5}))
    {'b': 0.5}
    """
    known = filled(row, seed=seed)
    default = _defaults(row, 0)
    said = {name: value for name, value in known.items() if default.get(name, _NOTHING) != value}
    return {name: said[name] for name in sorted(said)}


def open_row(
    row: Row, conversation: Conversation, *, language: str, seed: int, path: Path, cassette: Cassette | None = None
) -> System:
    """A system with an empty memory. ``path`` is an empty directory of its own; ``conversation`` is for the oracle.

    The model of a memory is seen through the ``cassette``, if one is given.

    Raises:
        ConfigError: as :func:`filled`.
    """
    settings = filled(row, seed=seed)
    if is_memory(row.base):
        from arandu_lab.systems.open import open_assembly, open_system

        beside: dict[str, Any] = {name: settings[name] for name in BESIDE}
        config = {name: value for name, value in row.options.items() if name not in BESIDE}
        if cassette is not None:
            beside["llm"] = cassette.before(beside["llm"])
        if row.assembly is not None:
            return open_assembly(_assembly(row, config), name=row.name, path=str(path), **beside)
        return open_system(row.base, name=row.name, setup=_setup(row, config), path=str(path), **beside)
    if "embedder" in settings:
        from arandu_lab.embed.open import open_embedder

        settings["embed"] = open_embedder(settings.pop("embedder"))
    if row.base == "oracle":
        settings["evidence"] = _evidence(conversation)
    if row.base == WORKSPACE:
        settings["path"] = str(path)
        if cassette is not None:
            settings["llm"] = cassette.before(settings["llm"])
    elif ":" not in row.base:
        settings.setdefault("language", language)
    system: System = _maker(row)(**settings)
    return system


def assembly_of(row: Row) -> Assembly:
    """The whole memory on paper that a row with a memory of ours is.

    Raises:
        ConfigError: as :func:`filled`.

    >>> assembly_of(Row(name="mine", base="arandu", options={"topk_facts": 5})).config.topk_facts
    5
    """
    from arandu_lab.presets import from_toml
    from arandu_lab.systems.arandu import ARANDU, ASSEMBLIES

    config = {key: value for key, value in row.options.items() if key not in BESIDE}
    if row.assembly is not None:
        return _assembly(row, config)
    return from_toml(_setup(row, {**({} if row.base in ASSEMBLIES else ARANDU[row.base]), **config}))


def model_of(row: Row) -> str | None:
    """The language model of a row by its name; None where it has none, or one that it does not tell."""
    return str(row.options.get("llm", BESIDE["llm"])) if is_memory(row.base) or row.base == WORKSPACE else None


def source_of(row: Row) -> Path | None:
    """The file that a base of one's own is written in; None for the systems of the box, and for a factory."""
    if ":" not in row.base or row.factory is not None:
        return None
    try:
        found = Path(inspect.getsourcefile(inspect.unwrap(_maker(row))) or "")
    except TypeError:  # built in: there is no file
        return None
    return found if found.is_file() else None


def _defaults(row: Row, seed: int) -> dict[str, Any]:
    if is_memory(row.base):
        from arandu_lab.config import MemoryConfig
        from arandu_lab.systems.arandu import ARANDU

        return {**BESIDE, **MemoryConfig(**ARANDU[row.base]).values()}
    out: dict[str, Any] = {}
    maker = _maker(row)
    try:
        parameters = inspect.signature(maker).parameters
    except ValueError:
        raise ConfigError(f"base {row.base!r} does not say what it takes, so it makes no system") from None
    for name, parameter in parameters.items():
        if name == "embed":
            out["embedder"] = BESIDE["embedder"]
        elif name == "seed":
            out["seed"] = seed
        elif row.base == WORKSPACE and name in ("name", "path"):
            continue
        elif parameter.default is not parameter.empty and (name != "language" or ":" in row.base):
            out[name] = parameter.default
    return out


def _checked(row: Row) -> dict[str, Any]:
    options = dict(row.options)
    maker = None if is_memory(row.base) else _maker(row)
    beside = BESIDE if maker is None else ("embedder",) if "embed" in inspect.signature(maker).parameters else ()
    if maker is None and "jobs" in options:
        from arandu_lab.jobs.schedule import Schedule

        options["jobs"] = str(Schedule.of(options["jobs"] or {}))
    for name in beside:
        if name in options and (
            not isinstance(options[name], str) or not (options[name] or name in ("calibration", "jobs"))
        ):
            raise ConfigError(f"{name} = {options[name]!r}; wants a name such as {BESIDE[name]!r}")
    if "embedder" in beside and "embedder" in options:
        from arandu_lab.embed.open import open_embedder

        open_embedder(options["embedder"])
    if options.get("calibration"):
        from arandu_lab.embed.calibration import IDENTITY
        from arandu_lab.memory.scale import read
        from arandu_lab.memory.scale import told as text_of

        options["calibration"] = text_of(read(options["calibration"]) or IDENTITY)
    if maker is None:
        return {**assembly_of(replace(row, options=options)).config.values(), **options}
    for part in ("write", "read"):
        if getattr(row, part):
            raise ConfigError(f"{row.base} has no {part} pipeline; only arandu systems have one")
    parameters = inspect.signature(maker).parameters
    known = {"embedder" if name == "embed" else name for name in parameters} - {"evidence"}
    open_ended = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
    for name in options:
        if name not in known and not open_ended:
            raise ConfigError(f"unknown setting {name!r}; {nearest(name, known)}")
    plain = {name: value for name, value in options.items() if name not in beside}
    check_options(maker, plain)
    if ":" not in row.base:
        unused: dict[str, Any] = {"embed": _NOTHING, "evidence": {}}
        maker(**plain, **{name: one for name, one in unused.items() if name in parameters})
    return options


def _setup(row: Row, config: Mapping[str, Any]) -> dict[str, Any]:
    from arandu_lab.systems.arandu import ASSEMBLIES

    return {"preset": ASSEMBLIES.get(row.base, "arandu"), "config": dict(config), "write": row.write, "read": row.read}


def _assembly(row: Row, config: Mapping[str, Any]) -> Assembly:
    from arandu_lab.presets import overridden

    assert row.assembly is not None
    for part in ("write", "read"):
        if getattr(row, part):
            raise ConfigError(
                f"{part} tables beside an assembly; change the pipeline itself: p.replace(…), p.without(…)"
            )
    if row.base != "arandu":
        raise ConfigError(f"base {row.base!r} with an assembly; only 'arandu' takes one")
    return overridden(row.assembly, config)


def _maker(row: Row) -> Callable[..., Any]:
    base = row.base
    if row.factory is not None:
        return row.factory
    if base == WORKSPACE:
        from arandu_lab.systems.workspace import WorkspaceSystem

        return WorkspaceSystem
    if ":" not in base:
        from arandu_lab.systems.controls import CONTROLS
        from arandu_lab.systems.open import known_systems

        if base not in CONTROLS:
            raise ConfigError(f"base {base!r} is no system; {nearest(base, known_systems())}, or module:attribute")
        return CONTROLS[base]
    module, _, attribute = base.partition(":")
    try:
        found = getattr(importlib.import_module(module), attribute)
    except ImportError as error:
        raise ConfigError(f"base {base!r}: {error}") from None
    except AttributeError:
        raise ConfigError(f"base {base!r}: module {module} has no {attribute}") from None
    except (Exception, SystemExit) as error:
        raise ConfigError(f"base {base!r}: importing it fails: {type(error).__name__}: {error}") from error
    if not callable(found):
        raise ConfigError(f"base {base!r} cannot be called")
    maker: Callable[..., Any] = found
    return maker


def _evidence(conversation: Conversation) -> dict[Asked, frozenset[str]]:
    union: dict[Asked, frozenset[str]] = {}
    for question in conversation.questions:
        key = (conversation.id, question.text, question.asked_at)
        union[key] = union.get(key, frozenset()) | frozenset(question.evidence)
    return union


def told(value: Any) -> str:
    """A canonical text of plain values, the same in every process: what addresses are hashed from."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=list)


_NOTHING = object()

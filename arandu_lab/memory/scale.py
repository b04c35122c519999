"""Which calibration a memory reads its cosines with: the store keeps it, so that thresholds mean the same at every opening.

A new store takes the calibration given, or the embedder's own, and puts it down. An old one is read with what it put
down; another one given is refused, because decisions already made were made on the other scale
(:meth:`arandu_lab.memory.Memory.recalibrate` changes it on purpose).
"""

from __future__ import annotations

import json
import weakref
from os import PathLike
from typing import Any, TypeAlias

from arandu_lab.embed.calibration import Calibration
from arandu_lab.errors import ConfigError
from arandu_lab.places import local
from arandu_lab.store import Store

Scale: TypeAlias = Calibration | str | PathLike[str] | None
"""A calibration, or the file of one (``calibration.json`` of the threshold lab); None: nothing said."""


def calibrated(embed: Any, store: Store, given: Scale) -> Any:
    """The embedder with the calibration that holds for this store.

    Raises:
        ConfigError: a file that holds no calibration, an embedder that takes none, or another one than the store's.
    """
    wanted = read(given)
    if wanted is not None and not hasattr(embed, "scaled"):
        raise ConfigError(f"embedder {embed.name!r} brings its own scale and takes no calibration")
    held = store.scale()
    kept = _kept(store, held) if held else wanted or getattr(embed, "calibration", None)
    if kept is None or not hasattr(embed, "scaled"):
        return embed
    if wanted is not None and wanted.knots != kept.knots:
        raise ConfigError(
            f"{store.path} reads its cosines with the calibration {kept.knots} ({kept.source or 'no source'}), and"
            f" {wanted.knots} was given; leave it out to keep the first, or change it with Memory.recalibrate"
        )
    if not held and not store.read_only:
        store.scale(told(kept))
    _IN_FORCE.setdefault(store, kept)
    return embed.scaled(_IN_FORCE[store])


def recalibrated(embed: Any, store: Store, given: Scale) -> Any:
    """The embedder on another scale, once the store has put it down; every memory of this store reads with it then.

    Raises:
        ConfigError: no calibration, an embedder that takes none, or a store that cannot be written to.
    """
    wanted = read(given)
    if wanted is None or not hasattr(embed, "scaled"):
        raise ConfigError("recalibrate wants a calibration, and an embedder that takes one")
    store.scale(told(wanted))
    _IN_FORCE[store] = wanted
    return embed.scaled(wanted)


def in_force(embed: Any, store: Store) -> Any:
    """The embedder on the scale that its store has now, whichever of its users changed it, here or in another process."""
    now = _IN_FORCE.get(store)
    if now is not None and store.read_only and (held := store.scale()) and (kept := _kept(store, held)) != now:
        now = _IN_FORCE[store] = kept
    if now is None or not hasattr(embed, "scaled") or embed.calibration is now:
        return embed
    return embed.scaled(now)


def read(given: Scale) -> Calibration | None:
    """The calibration that was given, from its file where it is one, or from its text (JSON, as ``told`` writes it).

    Raises:
        ConfigError: no such file, or none of a calibration.
    """
    if given is None or isinstance(given, Calibration):
        return given
    try:
        if isinstance(given, str) and given.lstrip().startswith("{"):
            return Calibration.from_json(json.loads(given))
        return Calibration.load(local(given, "calibration"))
    except OSError as error:
        raise ConfigError(f"calibration {str(given)!r}: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ConfigError(
            f"calibration {str(given)!r} is no calibration: {error}; wanted JSON with knots [[raw, documented], …]"
        ) from None


def _kept(store: Store, held: str) -> Calibration:
    try:
        return Calibration.from_json(json.loads(held))
    except (ValueError, KeyError, TypeError, AttributeError, ConfigError) as error:
        raise ConfigError(
            f"{store.path} keeps a calibration that cannot be read ({error}); put one down with Store.scale(text)"
        ) from None


def told(calibration: Calibration) -> str:
    """The text that the store keeps."""
    return json.dumps(calibration.to_json(), ensure_ascii=False, sort_keys=True)


_IN_FORCE: weakref.WeakKeyDictionary[Store, Calibration] = weakref.WeakKeyDictionary()

"""A copy of a store under another path, independent of the first."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from arandu_lab.errors import ConfigError
from arandu_lab.store import place, segments

if TYPE_CHECKING:
    from arandu_lab.store.store import Store

_PASSING = shutil.ignore_patterns("writer.*", ".tmp*")


def fork(store: Store, path: str | os.PathLike[str]) -> Store:
    """Copy the files where there are any; else replay the journal into the new store.

    Raises:
        ConfigError: the new directory is not empty.
    """
    from arandu_lab.store.store import MEMORY, Store

    store._open()
    meta = store._tables.meta()
    name, dim = meta["embedder_name"], int(meta["embedder_dim"])
    if str(path) != MEMORY:
        place.make(target := place.real(path))
        if any(Path(target).iterdir()):
            raise ConfigError(f"{target} is not empty; fork into a new directory")
        if not store.read_only and store.path != MEMORY:
            store.flush()
            with store._projecting, store._lock:
                shutil.copytree(store.path, target, dirs_exist_ok=True, ignore=_PASSING)
            return Store.open(target, embedder_name=name, embedder_dim=dim)
    copy = Store.open(path, embedder_name=name, embedder_dim=dim)
    with store._lock:
        copy._tables.append(segments.COLD, segments.select(store._tables))
    copy.rebuild()
    copy.scale(meta.get("calibration"))
    copy._desks.seq = segments.last(copy._tables)
    return copy

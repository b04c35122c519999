"""What a killed writer or a lost power supply leaves behind, and its cure. Only the holder of the lease may heal."""

from __future__ import annotations

import os
from pathlib import Path

from arandu_lab.errors import BackendError


def heal(store: Path) -> list[str]:
    """Sweep temporary files and quarantine newest manifests of length zero; says what it did.

    Lance writes to a temporary name and renames; under the lease no other writer lives, so every ``.tmp`` is an orphan.
    A manifest of length zero (a power cut without fsync) makes its table unreadable at any version: renamed to
    ``*.broken``, the version before it opens again. It may lack rows: ``rolled_back`` names the table until ``settle``.

    Raises:
        BackendError: the directory cannot be changed.
    """
    try:
        return _heal(store)
    except OSError as fault:
        raise BackendError(
            f"{store} cannot be changed: {fault.strerror}; give this user the permission, or open with read_only=True",
            kind="store",
            backend="disk",
        ) from fault


def _heal(store: Path) -> list[str]:
    done = []
    for table in sorted(store.glob("*.lance")):
        for orphan in table.rglob(".tmp*"):
            orphan.unlink()
            done.append(f"removed {orphan.relative_to(store)}")
        for manifest in _newest_first(table):
            if manifest.stat().st_size:
                break
            manifest.rename(manifest.with_suffix(".broken"))
            done.append(f"quarantined {manifest.relative_to(store)}")
    return done


def cut_short(table: Path) -> bool:
    """Whether the newest manifest of a table is empty."""
    newest = next(iter(_newest_first(table)), None)
    return newest is not None and not newest.stat().st_size


def rolled_back(store: Path) -> set[str]:
    """Tables that stand at an older version because a newer one was quarantined."""
    return {found.parent.parent.stem for found in store.glob("*.lance/_versions/*.broken")}


def settle(store: Path) -> None:
    """Nothing is missing any more: drop the quarantined manifests (they are empty)."""
    for found in store.glob("*.lance/_versions/*.broken"):
        found.unlink()


def data_files(table: Path) -> int:
    """Number of data files: an upper bound of the fragments."""
    try:
        with os.scandir(table / "data") as entries:
            return sum(1 for _ in entries)
    except (FileNotFoundError, NotADirectoryError):
        return 0


def sync(table: Path, synced: set[str]) -> None:
    """Flush files of a table that are not yet in ``synced``, then their directories, to the disk."""
    for part in ("data", "_deletions", "_transactions", "_versions"):
        folder = table / part
        if not folder.is_dir():
            continue
        fresh = [entry.path for entry in os.scandir(folder) if entry.is_file() and entry.path not in synced]
        for path in (*fresh, str(folder)):
            handle = os.open(path, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
        synced.update(fresh)


def size(store: Path) -> int:
    """Bytes on disk."""
    return sum(path.stat().st_size for path in store.rglob("*") if path.is_file())


def _newest_first(table: Path) -> list[Path]:
    return sorted((table / "_versions").glob("*.manifest"), key=_version, reverse=True)


def _version(manifest: Path) -> int:
    """Manifests are named by version, or by 2**64 - 1 - version so that the newest lists first."""
    stem = manifest.stem
    if not stem.isdigit():
        return -1
    return 2**64 - 1 - int(stem) if len(stem) == 20 else int(stem)

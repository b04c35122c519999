"""Where the artefacts of a sweep lie: a folder here, or an address of fsspec such as ``s3://bucket/results``.

Away from here an artefact travels as one archive, written whole: object stores have no folders that appear at once, and a
store of many small files would take thousands of requests. What is fetched is unpacked under :attr:`Shelf.here` and used
from there; what was made is archived. Options for the file system come from ``FSSPEC_*`` variables or its own configuration
(for S3: ``FSSPEC_S3_ENDPOINT_URL`` and the usual ``AWS_*``).
"""

from __future__ import annotations

import hashlib
import io
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from arandu_lab.bench.artifacts import whole
from arandu_lab.bench.place import place_of
from arandu_lab.errors import BackendError, ConfigError


class Shelf:
    """Artefacts by name (``ingested/ADDRESS``), here or away. Pickles by its place.

    Args:
        place: A folder, or a URL. ``here``: where away artefacts are unpacked; a folder of this user's by default.

    Raises:
        ConfigError: a URL whose file system is not installed, or what cannot be a folder.
    """

    def __init__(self, place: str | Path, here: str | Path | None = None) -> None:
        self.away = isinstance(place, str) and "://" in place
        self.place = str(place if self.away else place_of(place))
        if self.away and here is None:
            name = hashlib.sha256(self.place.encode()).hexdigest()[:12]
            here = Path(tempfile.gettempdir()) / f"arandu-lab-{name}"
        self.here = Path(here if here is not None and self.away else self.place)
        self._files: Any = None
        self._root = ""
        if self.away:
            self._files, self._root = _opened(self.place)

    def __reduce__(self) -> Any:
        return (Shelf, (self.place, str(self.here) if self.away else None))

    def folder(self, name: str) -> Path:
        """Where an artefact lies on this machine, or would lie."""
        return self.here / name

    def holds(self, name: str) -> bool:
        """Whether an artefact is kept, here or away."""
        return self.folder(name).is_dir() or (self.away and self._asked("exists", self._archive(name)))

    def fetch(self, name: str) -> Path | None:
        """The folder of an artefact, brought here if it lies away; None where it is not kept.

        Raises:
            BackendError: the store away does not answer.
        """
        folder = self.folder(name)
        if folder.is_dir():
            return folder
        if not self.away or not self._asked("exists", self._archive(name)):
            return None
        packed = self._asked("cat_file", self._archive(name))
        with whole(folder) as fresh, tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            archive.extractall(fresh, filter="data")
        return folder

    def send(self, name: str) -> None:
        """Archive an artefact that was made here; nothing to do where here is where it stays.

        Raises:
            BackendError: the store away does not take it.
        """
        if not self.away:
            return
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w:gz", compresslevel=3) as archive:
            archive.add(self.folder(name), arcname=".")
        self._asked("pipe_file", self._archive(name), packed.getvalue())

    def _archive(self, name: str) -> str:
        return f"{self._root}/{name}.tar.gz"

    def _asked(self, what: str, *args: Any) -> Any:
        try:
            self._files.invalidate_cache()
            return getattr(self._files, what)(*args)
        except Exception as error:  # each file system has errors of its own; here they mean the same
            raise BackendError(f"{what} {args[0]}: {error}", kind="unavailable", backend=self.place) from error


def _opened(place: str) -> tuple[Any, str]:
    import fsspec

    try:
        files, root = fsspec.core.url_to_fs(place)
    except (ImportError, ValueError) as error:
        raise ConfigError(f"results {place!r}: {error} (pip install 'arandu-lab[cluster]' brings s3)") from None
    return files, str(root).rstrip("/")

"""What is kept and cannot be read is an error that names its folder, never a result of nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arandu_lab.errors import AranduError, DatasetError


@contextmanager
def reading(folder: str | Path) -> Iterator[None]:
    """Within, files of a kept folder are read and taken apart.

    Raises:
        DatasetError: one of them is cut short, is not what its name says, or is not there.

    >>> with reading("results/run-1"):
    ...     {}["answers"]
    Traceback (most recent call last):
    ...
    arandu_lab.errors.DatasetError: results/run-1: kept, but damaged ('answers'); delete the folder, and a run makes it again
    """
    from polars.exceptions import PolarsError

    try:
        yield
    except AranduError:
        raise
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, PolarsError) as error:
        why = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise DatasetError(
            f"{folder}: kept, but damaged ({why}); delete the folder, and a run makes it again"
        ) from error

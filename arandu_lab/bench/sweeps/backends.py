"""Who does the work of a sweep: worker processes here, or a cluster that is there already, all through joblib.

==========  ============================================================================================
loky        ``jobs`` worker processes on this machine (the default)
threading   threads of this process
dask        the cluster of the current ``dask.distributed.Client``; one on this machine where there is none
ray         the cluster that ``ray.init`` connected to; one on this machine where there is none
==========  ============================================================================================

Any other name is taken as a backend that somebody registered with joblib. On a cluster of several machines ``results`` has
to be a place that all of them reach: a shared folder, or ``s3://…``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from arandu_lab.errors import BackendError, ConfigError, nearest

R = TypeVar("R")
KNOWN = ("loky", "threading", "dask", "ray")


def each(
    work: Callable[..., R], payloads: Sequence[tuple[Any, ...]], *, jobs: int, backend: str = "loky"
) -> Iterator[R]:
    """The result of ``work(*payload)`` for each payload, as it is done, in whatever order.

    One job of ``loky`` or ``threading`` is done in this process.

    Raises:
        ConfigError: a backend that joblib does not know or whose library is not installed.
        BackendError: a worker died.
    """
    if not payloads:
        return
    if jobs == 1 and backend in ("loky", "threading"):
        for payload in payloads:
            yield work(*payload)
        return
    from joblib import Parallel, delayed
    from joblib.externals.loky.process_executor import BrokenProcessPool

    tasks = (delayed(work)(*payload) for payload in payloads)
    more = {"inner_max_num_threads": 1} if backend == "loky" else {}
    with engine(backend, jobs):
        try:
            yield from _results(Parallel, backend, more, jobs, tasks)
        except BrokenProcessPool as error:
            said = "a worker process died (killed, or out of memory); jobs=1 shows in which step"
            raise BackendError(said, kind="unavailable", backend=backend) from error


@contextmanager
def engine(backend: str, jobs: int) -> Iterator[None]:
    """Within, a cluster of the backend is there: the current one, or one of ``jobs`` processes here that ends with the block.

    Raises:
        ConfigError: a backend that joblib does not know, or its library is not installed.
    """
    from joblib.parallel import BACKENDS

    if backend not in KNOWN and backend not in BACKENDS:
        raise ConfigError(f"backend {backend!r}; {nearest(backend, {*KNOWN, *BACKENDS})}")
    if backend == "dask":
        distributed = _imported("distributed", backend)
        try:
            distributed.get_client()
        except ValueError:
            with (
                distributed.LocalCluster(
                    n_workers=jobs, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
                ) as cluster,
                distributed.Client(cluster),
            ):
                yield
            return
        yield
    elif backend == "ray":
        ray = _imported("ray", backend)
        from ray.util.joblib import register_ray

        ours = not ray.is_initialized()
        if ours:
            ray.init(num_cpus=jobs, include_dashboard=False, log_to_driver=False, _node_ip_address="127.0.0.1")
        register_ray()
        try:
            yield
        finally:
            if ours:
                ray.shutdown()
    else:
        yield


def _results(parallel: Any, name: str, more: dict[str, Any], jobs: int, tasks: Any) -> Iterator[Any]:
    from joblib import parallel_config

    with parallel_config(backend=name, n_jobs=jobs, **more):
        try:
            made = parallel(return_as="generator_unordered", batch_size=1, pre_dispatch="all")
        except ValueError:  # a backend that only gives all results at once
            yield from parallel(batch_size=1, pre_dispatch="all")(tasks)
            return
        yield from made(tasks)


def _imported(module: str, backend: str) -> Any:
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ConfigError(f"backend {backend!r}: {error} (pip install 'arandu-lab[cluster]')") from None

"""Who does the work: this process, or some workers of its own. Ctrl-C ends both at once, and nothing swallows it.

``asyncio.run`` would turn Ctrl-C into a cancellation, which code that never waits does not hear; so SIGINT raises
``KeyboardInterrupt`` where the code stands, and again after the next turn if something caught it. A second Ctrl-C kills.
Workers ignore it: the parent ends them.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from queue import Empty
from typing import Any, Protocol, TypeAlias, TypeVar

from arandu_lab.bench.owned import packed, unpacked
from arandu_lab.errors import BackendError


class Addressed(Protocol):
    """A piece of work with an address of its own."""

    @property
    def address(self) -> str:
        """What it is known by."""
        ...


S = TypeVar("S", bound=Addressed)
R = TypeVar("R")
Tick: TypeAlias = Callable[[int], None]


def results(
    steps: Sequence[S],
    work: Callable[[S, Any, Tick | None], R],
    luggage: Any = None,
    *,
    jobs: int,
    moves: Callable[[S, int], None] | None = None,
) -> Iterator[tuple[S, R]]:
    """The result of each step as it is done, in this process or in ``jobs`` workers; ``moves`` hears how far each is.

    Args:
        work: Does a step: given the step, the luggage and what to tell of its progress. A function of a module, since
            workers import it.
        luggage: What every step needs; each worker is given it once.

    Raises:
        BackendError: a worker died.
        KeyboardInterrupt: Ctrl-C; the workers are gone then.
    """
    with interrupts() as check:
        if jobs > 1 and len(steps) > 1:
            yield from _in_workers(steps, work, luggage, min(jobs, len(steps)), moves)
            return
        for step in steps:

            def tick(done: int, step: S = step) -> None:
                check()
                if moves:
                    moves(step, done)

            yield step, work(step, luggage, tick)


@contextmanager
def interrupts() -> Iterator[Callable[[], None]]:
    """Within, Ctrl-C raises ``KeyboardInterrupt`` at once; the function given raises it again if it was swallowed.

    Elsewhere than in the main thread, or where somebody else handles the signal, nothing is changed.
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or before is not signal.default_int_handler:
        yield lambda: None
        return
    stopped = False

    def stop(number: int, frame: object) -> None:
        nonlocal stopped
        stopped = True
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        raise KeyboardInterrupt

    def check() -> None:
        if stopped:
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, stop)
    try:
        yield check
    finally:
        signal.signal(signal.SIGINT, before)


def _in_workers(
    steps: Sequence[S],
    work: Callable[[S, Any, Tick | None], R],
    luggage: Any,
    workers: int,
    moves: Callable[[S, int], None] | None,
) -> Iterator[tuple[S, R]]:
    context = multiprocessing.get_context("spawn")
    ticks: Any = context.Queue()
    others = {one.pid for one in multiprocessing.active_children()}
    by_address = {step.address: step for step in steps}
    with (
        tempfile.TemporaryDirectory(prefix="arandu-lab-", ignore_cleanup_errors=True) as folder,
        ProcessPoolExecutor(workers, mp_context=context, initializer=_worker, initargs=(ticks, folder)) as pool,
    ):
        # by file: starting a process waits until it has read its arguments, and Ctrl-C would wait with it
        (Path(folder) / _LUGGAGE).write_bytes(packed((work, luggage)))
        try:
            with _deferred(), _without_main():
                going: dict[Future[R], S] = {pool.submit(_job, packed(step)): step for step in steps}
            while going:
                finished, _ = wait(going, timeout=0.1, return_when=FIRST_COMPLETED)
                for address, done in _drained(ticks):
                    if moves:
                        moves(by_address[address], done)
                for future in finished:
                    yield going.pop(future), future.result()
        except BaseException as error:
            for child in multiprocessing.active_children():
                if child.pid not in others:
                    child.terminate()
            pool.shutdown(wait=True, cancel_futures=True)
            if isinstance(error, BrokenProcessPool):
                said = "a worker process died (killed, or out of memory); --jobs 1 shows in which step"
                raise BackendError(said, kind="unavailable", backend="workers") from error
            raise


@contextmanager
def _deferred() -> Iterator[None]:
    """Ctrl-C waits until the block is over. Processes started within never hear it, not even while they import.

    The mask is for those processes; this one needs the handler too, as another thread may be given the signal.
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    heard: list[Any] = []
    signal.signal(signal.SIGINT, lambda *said: heard.append(said))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if hasattr(signal, "pthread_sigmask") else None
    try:
        yield
    finally:
        if mask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, before)
        if heard:
            before(*heard[0])


@contextmanager
def _without_main() -> Iterator[None]:
    """Processes started within do not run the program's own file again: what they need of it is packed."""
    main = sys.modules["__main__"]
    hidden: dict[str, Any] = {name: vars(main)[name] for name in ("__spec__", "__file__") if name in vars(main)}
    try:
        main.__spec__ = None
        vars(main).pop("__file__", None)
        yield
    finally:
        vars(main).update(hidden)


def _worker(ticks: Any, folder: str) -> None:
    from threadpoolctl import threadpool_limits

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    tempfile.tempdir = folder
    ticks.cancel_join_thread()
    threading.Thread(target=_follow_the_parent, daemon=True).start()
    threadpool_limits(1)
    _WORKER["ticks"], _WORKER["job"] = ticks, unpacked((Path(folder) / _LUGGAGE).read_bytes())


def _follow_the_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _job(data: bytes) -> Any:
    step, ticks, said = unpacked(data), _WORKER["ticks"], [0]

    def tick(done: int) -> None:
        if done >= said[0] + 10:
            said[0] = done
            ticks.put((step.address, done))

    work, luggage = _WORKER["job"]
    return work(step, luggage, tick)


def _drained(ticks: Any) -> Iterator[tuple[str, int]]:
    while True:
        try:
            yield ticks.get_nowait()
        except Empty:
            return


_LUGGAGE = "luggage.pickle"
_WORKER: dict[str, Any] = {}

"""How much of the tests' silence is worth: mutants of ``pure/`` and ``write/`` that some test notices.

    python benchmarks/mutation.py [--mutants 240] [--seed 1] [--only pure/timex] [--tests PATTERN ...] [--jobs 2] [--into FILE]

A copy of the tree is changed in one place at a time (cosmic-ray's operators; places drawn with the seed, files weighted by
their lines), and the tests that run the changed statement are run until one fails. A mutant is killed by a failing test, a
failing import or a spent limit of processor time; else it survives. The share killed counts every survivor, also those that
``mutation_survivors.toml`` explains. Tests that killed are run once more on the code as it is. Ends with 1 below 90 %.

Which tests run which line is recorded once a test file, and followed when code changes; results hold for one state of the
code (``--again`` gives survivors another chance when only tests have changed). Both are kept in ``--work``.

Needs ``pip install -e '.[dev,mutation]'``.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import json
import os
import signal
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import pytest
from measured import measured
from mutant_runs import (
    BROKEN,
    NOT_OURS,
    POOL,
    Recording,
    copied,
    digest,
    forked,
    mutant_body,
    read_recordings,
    recording_body,
)
from mutants import Mutant, enumerated, sampled

ROOT = Path(__file__).resolve().parent.parent
REASONS = Path(__file__).with_name("mutation_survivors.toml")
PASS = 90.0


@dataclass(frozen=True, slots=True)
class Result:
    """``status`` is killed, timeout or survived; ``by`` the test that failed; ``ran`` how many were chosen to run."""

    id: str
    file: str
    line: int
    operator: str
    was: str
    now: str
    status: str
    by: str
    ran: int


@dataclass(frozen=True, slots=True)
class Job:
    """Something to do in a slot's tree; ``done`` takes how the child ended (its code, or minus its signal)."""

    start: Callable[[Path, Path], tuple[int, float]]
    done: Callable[[Path, int], None]


def work_off(jobs: Iterable[Job], trees: Sequence[Path]) -> None:
    """Run jobs in children, one a tree at a time; a child that outlives its limit fivefold by the clock is ended."""
    free = list(trees)
    running: dict[int, tuple[Job, Path, float]] = {}
    waiting = iter(jobs)
    more = True
    try:
        while more or running:
            while free and more:
                job = next(waiting, None)
                if job is None:
                    more = False
                    break
                tree = free.pop()
                child, seconds = job.start(tree, tree.with_suffix(".log"))
                running[child] = (job, tree, time.monotonic() + 5 * seconds)
            for child, (job, tree, until) in list(running.items()):
                ended, status = os.waitpid(child, os.WNOHANG)
                if not ended and time.monotonic() > until:
                    os.killpg(child, signal.SIGKILL)
                    ended, status = os.waitpid(child, 0)
                if ended:
                    del running[child]
                    job.done(tree, os.waitstatus_to_exitcode(status))
                    free.append(tree)
            time.sleep(0.05)
    finally:
        for child in running:
            os.killpg(child, signal.SIGKILL)


def recorded(work: Path, trees: Sequence[Path], globs: Sequence[str]) -> list[Path]:
    """Where the recordings of all test files lie; those that are missing are made."""
    tree = trees[0]
    found: dict[str, Path] = {}
    missing: dict[str, list[str]] = {}
    for glob in globs:
        folder = glob.rpartition("/")[0]
        helpers = [path for path in sorted((tree / folder).glob("*.py")) if not path.name.startswith("test_")]
        for path in sorted(tree.glob(glob)):
            name = str(path.relative_to(tree))
            tests = name.startswith("tests/")
            mark = _mark(path, *(helpers if tests else ()))
            found[name] = work / "recorded" / f"{mark}-{name.replace('/', '.')}.json"
            if not found[name].exists():
                missing.setdefault(name if tests else "/".join(name.split("/")[:2]), []).append(name)

    def job(target: str, names: Sequence[str]) -> Job:
        whole = work / f"recording-{target.replace('/', '.')}.json"

        def start(tree: Path, log: Path) -> tuple[int, float]:
            say(f"recording {target}")
            return forked(tree, log, 3600, recording_body(tree, [target], whole)), 3600

        def done(tree: Path, code: int) -> None:
            if code:
                raise SystemExit(
                    f"recording {target} ended with {code}: {tree.with_suffix('.log').read_text()[-2000:]}"
                )
            one = json.loads(whole.read_text(encoding="utf-8"))
            sources = {}
            for file in one["lines"]:
                sources[file] = f"{_mark(tree / file)}-{file.replace('/', '.')}.txt"
                (work / "recorded" / sources[file]).write_bytes((tree / file).read_bytes())
            for name in names:
                own = [test for test in one["seconds"] if test.partition("::")[0] == name]
                part = {
                    "sources": sources,
                    "seconds": {test: one["seconds"][test] for test in own},
                    "failed": [test for test in one["failed"] if test in own],
                    "lines": {
                        file: {
                            line: kept for line, tests in lines.items() if (kept := [t for t in tests if t in set(own)])
                        }
                        for file, lines in one["lines"].items()
                    },
                }
                found[name].write_text(json.dumps(part), encoding="utf-8")
            whole.unlink()

        return Job(start, done)

    (work / "recorded").mkdir(parents=True, exist_ok=True)
    work_off((job(target, names) for target, names in missing.items()), trees)
    return list(found.values())


def judged(
    mutants: dict[Mutant, str], plain: Path, recording: Recording, work: Path, trees: Sequence[Path], known: dict[str, Result],
    keep: Callable[[Result], None],
) -> list[Result]:  # fmt: skip
    """A result for each mutant, those known taken as they are."""
    results = dict(known)
    todo = [one for one in mutants if one.id not in known]

    def job(mutant: Mutant) -> Job:
        source = (plain / mutant.file).read_text(encoding="utf-8")
        was, now = changes(source, mutants[mutant])
        tests = recording.tests(plain, mutant.file, mutant.start[0])
        failing = work / f"failing-{mutant.id.replace('/', '.').replace(' ', '-')}"

        def start(tree: Path, log: Path) -> tuple[int, float]:
            seconds = 30 + 4 * sum(recording.seconds[test] for test in tests)
            place(tree / mutant.file, mutants[mutant])
            return forked(
                tree, log, seconds, mutant_body(tree, tests, failing, mutant.file) if tests else lambda: 0
            ), seconds

        def done(tree: Path, code: int) -> None:
            place(tree / mutant.file, source)
            if code in (pytest.ExitCode.INTERNAL_ERROR, pytest.ExitCode.USAGE_ERROR, NOT_OURS, BROKEN):
                raise SystemExit(f"the child could not run its tests: {tree.with_suffix('.log').read_text()[-2000:]}")
            by = failing.read_text(encoding="utf-8") if failing.exists() else ""
            if code and not by:  # the code does not import: what its log says last
                errors = [line for line in tree.with_suffix(".log").read_text().splitlines() if "Error" in line]
                by = f"exit {code}: {(errors or ['nothing told'])[-1].strip()[:100]}"
            failing.unlink(missing_ok=True)
            timeout = code in (-signal.SIGKILL, -signal.SIGXCPU)
            status = "timeout" if timeout else "survived" if code in (0, 5) else "killed"
            one = Result(mutant.id, mutant.file, mutant.start[0], mutant.operator, was, now, status, by, len(tests))
            results[one.id] = one
            keep(one)
            lived = Counter(result.status for result in results.values())
            say(f"{len(results)}/{len(mutants)} {dict(lived)} {one.status} {one.id} {one.by}")

        return Job(start, done)

    work_off(map(job, todo), trees)
    killers = sorted({one.by for one in results.values() if "::" in one.by})
    control(killers, trees[0], work)
    return [results[one.id] for one in mutants]


def control(killers: Sequence[str], tree: Path, work: Path) -> None:
    """All tests that killed, once more on the code as it is: they must pass, or they killed nothing."""
    failing = work / "failing-control"
    failing.unlink(missing_ok=True)
    code: list[int] = []
    job = Job(
        lambda tree, log: (forked(tree, log, 3600, mutant_body(tree, killers, failing)), 3600),
        lambda tree, ended: code.append(ended),
    )
    if killers:
        work_off([job], [tree])
        if code != [0]:
            by = (
                failing.read_text(encoding="utf-8")
                if failing.exists()
                else tree.with_suffix(".log").read_text()[-2000:]
            )
            raise SystemExit(f"control: a test that killed fails on the code as it is, so no figure is told: {by}")
    say(f"control: {len(killers)} tests that killed pass on the code as it is")


def place(path: Path, source: str) -> None:
    """Write a source so that no compiled file of an earlier one is taken for it: its time is always a new second."""
    later = int(path.stat().st_mtime) + 1
    path.write_text(source, encoding="utf-8")
    os.utime(path, (later, later))


def changes(source: str, changed: str) -> tuple[str, str]:
    """The lines that differ, before and after, stripped."""
    lines = list(difflib.ndiff(source.splitlines(), changed.splitlines()))
    return tuple(" ".join(line[2:].strip() for line in lines if line.startswith(sign)) for sign in ("- ", "+ "))  # type: ignore[return-value]


def report(results: Sequence[Result], seed: int, left_out: Counter[str], total: int) -> tuple[str, float]:
    """The figures, and the share killed in percent."""
    reasons = {
        (one["file"], one["was"], one["now"]): one["reason"]
        for one in (tomllib.loads(REASONS.read_text(encoding="utf-8"))["survivor"] if REASONS.exists() else [])
    }
    lines = [
        f"mutants of pure/ and write/, seed {seed}: {len(results)} of {total:,}; left out by rule: "
        + ", ".join(f"{rule} {count:,}" for rule, count in sorted(left_out.items())),
        "",
        f"{'':32s}  mutants  killed  timeout  survived      %",
    ]

    def row(name: str, some: Sequence[Result]) -> float:
        count = Counter(one.status for one in some)
        share = 100 * (len(some) - count["survived"]) / max(1, len(some))
        lines.append(
            f"{name:32s}  {len(some):7d}  {count['killed']:6d}  {count['timeout']:7d}  {count['survived']:8d}  {share:5.1f}"
        )
        return share

    share = row("all", results)
    for package in sorted({one.file.rpartition("/")[0] for one in results}):
        row(package, [one for one in results if one.file.rpartition("/")[0] == package])
    for operator in sorted({one.operator.partition("_")[0] for one in results}):
        row(operator, [one for one in results if one.operator.partition("_")[0] == operator])
    survivors = [one for one in results if one.status == "survived"]
    explained = sum((one.file, one.was, one.now) in reasons for one in survivors)
    lines.append(f"survivors: {len(survivors)}, with a reason {explained}")
    for one in survivors:
        why = reasons.get((one.file, one.was, one.now), "no reason yet")
        lines += [
            f"{one.file}:{one.line} {one.operator} ({one.ran} tests)",
            f"  - {one.was}",
            f"  + {one.now}",
            f"  {why}",
        ]
    return "\n".join(lines), share


def say(text: str) -> None:
    """Progress."""
    print(text, file=sys.stderr, flush=True)


def _mark(*paths: Path) -> str:
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in paths)).hexdigest()[:12]


def main() -> int:
    """Sample, run, tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutants", type=int, default=240)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="files whose path holds this")
    parser.add_argument(
        "--tests", nargs="+", default=POOL, help="files of tests, and of code with doctests, as patterns"
    )
    parser.add_argument("--jobs", type=int, default=2, help="children at a time")
    parser.add_argument("--tree", type=Path, default=ROOT, help="the tree to copy")
    parser.add_argument(
        "--work", type=Path, default=ROOT / "results" / "mutation", help="recordings and results, for going on"
    )
    parser.add_argument("--again", action="store_true", help="run known survivors again (tests have changed)")
    given = parser.parse_args()
    work = given.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="mutation-") as folder:
        trees = [copied(given.tree, Path(folder).resolve() / f"tree{number}") for number in range(given.jobs)]
        plain = copied(given.tree, Path(folder).resolve() / "plain")
        files = [
            str(path.relative_to(plain))
            for package in ("pure", "write")
            for path in sorted((plain / "arandu_lab" / package).rglob("*.py"))
            if given.only in str(path)
        ]
        everything, left_out = enumerated(plain, files)
        mutants = sampled(everything, plain, left_out, count=given.mutants, seed=given.seed)
        say(f"{len(mutants)} of {len(everything)} mutants; code {digest(plain, 'arandu_lab')}")
        kept = work / f"{digest(plain, 'arandu_lab')}-seed{given.seed}.jsonl"
        known = {}
        for line in kept.read_text(encoding="utf-8").splitlines() if kept.exists() else ():
            one = Result(**json.loads(line))
            known[one.id] = one
        ids = {one.id for one in mutants}
        known = {id: one for id, one in known.items() if id in ids and not (given.again and one.status == "survived")}

        def keep(one: Result) -> None:
            with kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(one), ensure_ascii=False) + "\n")

        recording = read_recordings(recorded(work, trees, given.tests), plain)
        for test in recording.failed:
            say(f"fails on the code as it is, and cannot kill: {test}")
        results = judged(mutants, plain, recording, work, trees, known, keep)
    text, share = report(results, given.seed, left_out, len(everything))
    print(text)
    return 0 if share >= PASS else 1


if __name__ == "__main__":
    sys.exit(measured(main))

"""A study on the command line: what its file says, what it would cost, the study, its report and picture."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import arandu_lab
from arandu_lab.bench.place import place_of
from arandu_lab.bench.studies.costs import Bill
from arandu_lab.bench.studies.decay import decay_cost, decay_done
from arandu_lab.bench.studies.dedup import dedup_cost, dedup_done
from arandu_lab.bench.studies.extraction import extraction_cost, extraction_done
from arandu_lab.bench.studies.plan import StudyPlan, loaded, read_study
from arandu_lab.bench.studies.plans import DecayPlan, DedupPlan, ExtractionPlan, RerankerPlan
from arandu_lab.bench.studies.reranker import reranker_cost, reranker_done
from arandu_lab.bench.studies.study import Study
from arandu_lab.errors import AranduError, BackendError, ConfigError, DatasetError


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A study by name: its plan, what it costs, and how it is done."""

    plan: type[StudyPlan]
    cost: Callable[..., Bill]
    done: Callable[..., Study]


KINDS: Mapping[str, Kind] = {
    "extraction": Kind(plan=ExtractionPlan, cost=extraction_cost, done=extraction_done),
    "reranker": Kind(plan=RerankerPlan, cost=reranker_cost, done=reranker_done),
    "dedup": Kind(plan=DedupPlan, cost=dedup_cost, done=dedup_done),
    "decay": Kind(plan=DecayPlan, cost=decay_cost, done=decay_done),
}
STOPPED = 130


def command(name: str, about: str, argv: Sequence[str] | None = None) -> int:
    """Do what a command line asks of a study; its exit code: 0, 2 (yours), 3 (data), 4 (a backend) or 130 (Ctrl-C).

    The estimate goes to stderr before anything is asked, the report to stdout.
    """
    options = _parser(about).parse_args(argv)
    kind = KINDS[name]
    given = {
        key: getattr(options, key) for key in ("model", "cap", "data", "jobs") if getattr(options, key) is not None
    }
    if options.sets:
        given["datasets"] = options.sets
    try:
        options.results = place_of(options.results, "--results")
        plan = read_study(options.config or default_config(name), kind.plan, quick=options.quick, **given)
        datasets = loaded(plan)
        bill = kind.cost(plan, datasets, results=options.results)
        if options.estimate:
            print(bill)
            return 0
        print(f"{bill}\n", file=sys.stderr)
        study = kind.done(plan, datasets, results=options.results)
        folder = study.keep(options.results / "studies")
    except AranduError as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return _code(error)
    except KeyboardInterrupt:
        print("stopped; what was finished is kept, the same command goes on from there", file=sys.stderr)
        return STOPPED
    print(study.text())
    print(f"Report and picture: {folder}", file=sys.stderr)
    return 0


def default_config(name: str) -> Path:
    """The file of a study where none is given: under ``configs`` where it is run, or beside the package in its repository.

    Raises:
        ConfigError: neither is there, as where the package is installed without its repository.
    """
    file = Path("configs") / f"study_{name}.toml"
    places = [file, Path(arandu_lab.__file__).parents[1] / file]
    if (found := next((one for one in places if one.is_file()), None)) is None:
        raise ConfigError(
            f"{file} is wanted and lies neither here ({Path.cwd()}) nor beside the package; give --config FILE, such as"
            f" a copy of {file.name} from the repository"
        )
    return found


def _parser(about: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", type=Path, help="its file; configs/study_NAME.toml by default, found from anywhere")
    parser.add_argument("--estimate", action="store_true", help="say what it would cost, and do nothing")
    parser.add_argument("--cap", help='the most to pay: "2.50 USD" or "200k tokens"')
    parser.add_argument("--model", help="a litellm model string; offline/rules by default")
    parser.add_argument("--quick", action="store_true", help="the small size of the file's [quick] table")
    parser.add_argument("--sets", nargs="+", help="other datasets than the file's, by name or path")
    parser.add_argument("--data", help="a folder to look for datasets in")
    parser.add_argument("--jobs", type=int, help="worker processes")
    parser.add_argument("--results", type=Path, default=Path("results"), help="where everything is kept")
    return parser


def _code(error: AranduError) -> int:
    codes = {ConfigError: 2, DatasetError: 3, BackendError: 4}
    return next((code for kind, code in codes.items() if isinstance(error, kind)), 1)

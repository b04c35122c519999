"""What all tests share: one hypothesis profile, and where the development data lie."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# Deadlines are for quiet machines; a run is the same every time, and a failure prints how to repeat it.
settings.register_profile(
    "lab",
    max_examples=int(os.environ.get("ARANDU_LAB_EXAMPLES", "30")),  # more on demand
    deadline=None,
    derandomize=True,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("lab")

TOGETHER = (
    "tests/bench/answering/",
    "tests/bench/experiment/",
    "tests/bench/scorecard/test_report.py",
    "tests/bench/sweeps/test_reading.py",
    "tests/bench/sweeps/test_sweep_cluster.py",
    "tests/bench/thresholds/test_report.py",
    "tests/embed/test_contract.py",
    "tests/store/test_searching.py",
)
"""Files whose tests share what takes long to make: each goes to one worker as a whole, all other tests one by one."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Who gets which test. (xdist's own groups are lost with this pytest.)"""
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.split("::", 1)[0]
            return file if file.startswith(TOGETHER) else nodeid

    return Scheduling(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Slow tests wait until they are asked for."""
    if not os.environ.get("ARANDU_LAB_SLOW"):
        for item in items:
            if item.get_closest_marker("slow"):
                item.add_marker(pytest.mark.skip(reason="slow: set ARANDU_LAB_SLOW=1"))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of development data: beside the repository, or where ``ARANDU_LAB_SHARED`` says; else a skip."""
    named = os.environ.get("ARANDU_LAB_SHARED")
    for place in [Path(named)] if named else [Path(__file__).parents[2] / "shared" / "datasets"]:
        if place.is_dir():
            return place
    pytest.skip("the development data are not beside the repository; set ARANDU_LAB_SHARED")

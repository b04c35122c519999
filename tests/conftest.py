"""What all tests share: one hypothesis profile, and where the development data lie."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Deadlines are for quiet machines; a run is the same every time, and a failure prints how to repeat it.
settings.register_profile(
    "lab", deadline=None, derandomize=True, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("lab")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of development data: beside the repository, or where ``ARANDU_LAB_SHARED`` says; else a skip."""
    named = os.environ.get("ARANDU_LAB_SHARED")
    for place in [Path(named)] if named else [Path(__file__).parents[2] / "shared" / "datasets"]:
        if place.is_dir():
            return place
    pytest.skip("the development data are not beside the repository; set ARANDU_LAB_SHARED")

"""Every stage of the jobs: importing this makes them known by name, to pickles, files and ``eval(repr(job))``."""

from __future__ import annotations

from arandu_lab.jobs.preset import jobs

jobs()

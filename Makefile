# Two verbs do everything on a fresh machine: `make run` (the main job) and `make test` (all checks).
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt
# uv resolves and unpacks many times as fast as pip; it reads the same pins
UV     := $(BIN)/uv pip install --quiet --python $(BIN)/python --constraint constraints.txt

# what is imported is compiled once, and not by each of the many processes that tests start
export PYTHONDONTWRITEBYTECODE =

.PHONY: run test lint types check docs clean

run: $(VENV)/.base
	$(BIN)/arandu-lab run configs/quickstart.toml

test: $(VENV)/.dev
	$(MAKE) --jobs 2 lint types check

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

check: $(VENV)/.dev
	$(BIN)/pytest --numprocesses 2 --durations 40
	$(BIN)/pytest -o addopts= --numprocesses 2 --nbmake --nbmake-timeout=300 notebooks

$(VENV)/.base: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) uv
	$(UV) --editable .
	touch $@

# torch first, alone and by pip: so this pin is the CPU build
$(VENV)/.dev: $(VENV)/.base
	$(PIP) torch==2.13.0
	$(UV) --editable '.[dev,st]'
	touch $@

clean:
	rm -rf $(VENV) $(filter-out results/baselines/,$(wildcard results/*/)) .pytest_cache .mypy_cache .ruff_cache .hypothesis

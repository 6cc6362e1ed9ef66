# A Linux machine with Python 3.11+ and make is enough: every target sets up what it needs first.
# Nothing outside this folder is changed, except that a missing python3-venv or Chromium is installed with apt-get where
# that is allowed without asking.

PYTHON ?= python3
WORKERS ?= 3
PYTEST_ARGS ?=

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
UV := $(BIN)/uv
COMPILE := $(UV) pip compile pyproject.toml --extra otel --universal --python-version 3.11 --generate-hashes \
	--no-annotate --no-header --quiet

unexport PYTHONDONTWRITEBYTECODE  # else every process of every run compiles everything again

.DEFAULT_GOAL := help
.PHONY: help setup demo gallery test lint format slow chaos bench browser lock upgrade

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile

setup: $(READY) ## make .venv from the hashed lock; does nothing when it is up to date

demo: setup ## run the whole product on this machine, no account needed; PORT=
	@$(BIN)/sayso demo $(if $(PORT),--port $(PORT))

gallery: setup browser ## answer every format on every surface in a real browser: a page of pictures, a table in the README
	@$(BIN)/python -m tests.gallery

test: lint browser ## lint and all tests but the slow ones
	$(BIN)/python -m pytest -n $(WORKERS) --maxprocesses 4 --dist worksteal $(PYTEST_ARGS)

lint: setup ## ruff, mypy, the import contracts, and dependencies nobody uses or declared
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/deptry .

format: setup ## let ruff lay out the code and fix what it safely can
	$(BIN)/ruff check --fix-only --quiet
	$(BIN)/ruff format

slow: setup browser ## the tests that take longer than the default run may, and every property with many examples
	$(BIN)/python -m pytest -m slow --timeout 900 $(PYTEST_ARGS)
	SAYSO_TEST_EXAMPLES=500 $(BIN)/python -m pytest tests/rules tests/blocks --timeout 900 $(PYTEST_ARGS)

chaos: setup ## three replicas on PostgreSQL killed at random among failing chats; SEED= SECONDS= CARDS= ORDERS= PEOPLE=
	$(BIN)/python -m tests.chaos $(if $(SEED),--seed $(SEED)) $(if $(SECONDS),--seconds $(SECONDS)) \
		$(if $(CARDS),--cards $(CARDS)) $(if $(ORDERS),--orders $(ORDERS)) $(if $(PEOPLE),--people $(PEOPLE))

bench: setup ## the benchmarks; they print ratios
	$(BIN)/python -m tests.benchmarks
	$(BIN)/python -m tests.benchmarks.timing
	$(BIN)/python -m tests.benchmarks.keeping

browser: setup
	@$(BIN)/python tests/browser/chromium.py

lock: setup ## write the locks again after pyproject.toml changed, keeping the pins that still fit
	$(COMPILE) --group dev --output-file requirements.lock
	$(COMPILE) --constraint requirements.lock --output-file docs/runtime.lock

upgrade: setup ## write the locks again with the newest versions that fit
	$(COMPILE) --group dev --upgrade --output-file requirements.lock
	$(COMPILE) --constraint requirements.lock --output-file docs/runtime.lock

$(READY): requirements.lock pyproject.toml .ci/setup
	@PYTHON='$(PYTHON)' .ci/setup
	@touch $@

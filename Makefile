# The commands of this project. Each makes the virtual environment .venv itself when it is missing or out of date.

PYTHON ?= python3
VENV := .venv
IN_VENV := $(VENV)/bin/python
BENCH_VENV := .venv-bench
# The marks say which requirements .venv holds, and for which Python; a newer system Python starts afresh.
VERSION := $(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)
RUN_MARK := $(VENV)/holds-run-$(VERSION)
TEST_MARK := $(VENV)/holds-test-$(VERSION)
BENCH_MARK := $(BENCH_VENV)/holds-bench-$(VERSION)

export PIP_DISABLE_PIP_VERSION_CHECK = 1

.DEFAULT_GOAL := help
.PHONY: help run model model-minilm test check fix bench bench-model screenshots clean

help:
	@echo "make run          start the app and open it in the browser"
	@echo "make model        fetch SmolLM2, a small real model (93 MB), into models/"
	@echo "make model-minilm fetch MiniLM, a model that reads both ways (84 MB), into models/"
	@echo "make test         run all tests; the ones of the pages in a real Chromium"
	@echo "make check        look at format, lint and types; changes nothing"
	@echo "make fix          repair format and lint where a tool can"
	@echo "make bench        measure the app in a real Chromium, beside its budgets"
	@echo "make bench-model  measure SmolLM2 in NumPy beside transformers; installs torch into .venv-bench"
	@echo "make screenshots  take a picture of every page, into screenshots/"
	@echo "make clean        remove .venv, .venv-bench and what the tools remember"

run: $(RUN_MARK)
	@$(IN_VENV) -m streamlit run app.py

model: $(RUN_MARK)
	@$(IN_VENV) -m attention_core.models.fetch smollm2

model-minilm: $(RUN_MARK)
	@$(IN_VENV) -m attention_core.models.fetch minilm

test: $(TEST_MARK)
	@$(IN_VENV) -m pytest --numprocesses auto --maxprocesses 4 --dist worksteal

check: $(TEST_MARK)
	@failed=0; \
	$(IN_VENV) -m ruff format --check . || failed=1; \
	$(IN_VENV) -m ruff check . || failed=1; \
	$(IN_VENV) -m mypy || failed=1; \
	exit $$failed

fix: $(TEST_MARK)
	@$(IN_VENV) -m ruff check --fix .
	@$(IN_VENV) -m ruff format .

bench: $(TEST_MARK)
	@$(IN_VENV) -m tests.bench

bench-model: $(BENCH_MARK)
	@$(BENCH_VENV)/bin/python -m tests.bench_model

screenshots: $(TEST_MARK)
	@$(IN_VENV) -m tests.browser.screenshots

clean:
	rm -rf $(VENV) $(BENCH_VENV) screenshots .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(RUN_MARK): requirements.txt
	$(call install,requirements.txt,--quiet)
	@touch $@

$(TEST_MARK): requirements.txt requirements-dev.txt
	$(call install,requirements-dev.txt,--quiet)
	@touch $@ $(RUN_MARK)

$(BENCH_MARK): requirements.txt requirements-bench.txt
	$(call install,requirements-bench.txt,--progress-bar on)
	@touch $@

define install
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
  echo "This project needs Python 3.11 or newer, but '$(PYTHON)' is $$($(PYTHON) --version 2>&1). \
Name another one like this: make run PYTHON=python3.12" >&2; exit 1; }
@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
  echo "Python's venv module is missing. On Debian or Ubuntu install it with: apt install python3-venv" >&2; exit 1; }
@echo "Installing $(1) into $(@D) ..."
@ls $(@D)/holds-*-$(VERSION) >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(@D)
@$(@D)/bin/python -m pip install $(2) -r $(1)
endef

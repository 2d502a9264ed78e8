# Two commands: `make audit` and `make test`. SPARK=4.0 takes the Spark 4 line. `make help` lists the rest.
SPARK ?= 3.5
PYTHON ?= python3
UV_VERSION := 0.13.9

ifeq ($(SPARK),3.5)
VENV := .venv
LOCK := requirements.lock
PYTHONS := 3.11 3.12
else ifeq ($(SPARK),4.0)
VENV := .venv-spark4
LOCK := requirements-spark4.lock
PYTHONS := 3.11 3.12 3.13
else
$(error SPARK=$(SPARK) is not supported: use 3.5 or 4.0)
endif

BIN := $(VENV)/bin
READY := $(VENV)/.ready
# Two processes with a session each; the tests of a file stay together, because they share what they made.
TWICE := --numprocesses 2 --dist loadfile
export PYTHONWARNINGS ?=
SHELL := /bin/bash

.PHONY: help setup audit test test-slow test-spark4 known-answers calibration bench bench-paper check format lint types imports lock lock-check dist clean

help: ## list the commands
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

setup: $(READY) ## make the environment from the lock file and fetch Sedona's jars

$(READY): $(LOCK) pyproject.toml
	@version=$$($(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null || echo none); \
	case " $(PYTHONS) " in *" $$version "*) ;; \
	*) echo "movfair_spark on Spark $(SPARK) needs Python $(PYTHONS); $(PYTHON) is $$version. Try: make PYTHON=python3.11 $(MAKECMDGOALS)" >&2; exit 2;; esac
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check "uv==$(UV_VERSION)"
	@$(BIN)/uv pip sync --quiet --require-hashes --compile-bytecode --python $(BIN)/python $(LOCK)
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e .
	@$(BIN)/python -m compileall -q movfair_spark tests benchmarks
	@$(BIN)/python -m movfair_spark.session.jars >/dev/null
	@$(BIN)/python -m movfair_spark.session.archive >/dev/null 2>&1 || echo "no archive of Java classes: sessions start slower"
	@touch $@

audit: $(READY) ## simulate a small city with planted unfairness and audit it
	@$(BIN)/movfair audit --config conf/city.yaml --output build/city

test: $(READY) ## run the tests (at most 15 minutes on 2 cores)
	@$(BIN)/python -m pytest $(TWICE)

test-slow: $(READY) ## clusters, kills, calibration
	@$(BIN)/python -m pytest -m slow

test-spark4: ## the tests that need Spark, on the Spark 4 line
	@$(MAKE) --no-print-directory SPARK=4.0 test-spark

test-spark: $(READY)
	@$(BIN)/python -m pytest $(TWICE) -m "spark and not slow"

known-answers: $(READY) ## every known answer beside ours; also build/known_answers.json
	@$(BIN)/python -m tests.known_answers

calibration: $(READY) ## the README's table of type-I errors
	@$(BIN)/python -m benchmarks.calibration

bench: $(READY) ## speed as ratios; also build/bench.json
	@$(BIN)/python -m benchmarks

PERCENT ?= 1 10 100
bench-paper: $(READY) ## 720 million fixes from simulation to verdict; PERCENT="1 10" for parts of it
	@$(BIN)/python -m benchmarks.paper $(PERCENT)

check: format lint types imports lock-check ## format, lint, types, layers, lock files

format: $(READY)
	@$(BIN)/ruff format --check --quiet . && echo "format ok"

lint: $(READY)
	@$(BIN)/ruff check --quiet . && $(BIN)/python -m tests.checks && echo "lint ok"

types: $(READY)
	@$(BIN)/mypy --no-error-summary && echo "types ok"

imports: $(READY)
	@$(BIN)/lint-imports --no-cache >build/imports.txt 2>&1 || (cat build/imports.txt; exit 1) && echo "layers ok"

lock: ## renew both lock files
	@for line in 3.5 4.0; do \
	  file=requirements.lock; [ $$line = 4.0 ] && file=requirements-spark4.lock; \
	  $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
	    --extra local --extra dev -c constraints/spark-$$line.txt pyproject.toml -o $$file || exit 1; done

lock-check: $(READY)
	@mkdir -p build; for line in 3.5 4.0; do \
	  file=requirements.lock; [ $$line = 4.0 ] && file=requirements-spark4.lock; cp $$file build/$$file; \
	  $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
	    --extra local --extra dev -c constraints/spark-$$line.txt pyproject.toml -o build/$$file || exit 1; \
	  cmp -s $$file build/$$file || { echo "$$file is not current: run make lock" >&2; exit 1; }; done; echo "lock files ok"

dist: $(READY) ## dist/: the wheel and the zip for --py-files
	@$(BIN)/python scripts/make_zip.py

clean: ## remove environments and build products
	@rm -rf .venv .venv-spark4 build dist

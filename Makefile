# Two commands need nothing but Python >= 3.11 and make: `make demo` and `make test`.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: demo test check lint types floors style bench clean

demo: .venv/.demo
	$(BIN)/autograder grade tests/sample_class --out .demo/results --again

test: .venv/.test
	$(BIN)/python -m pytest -n 2 --dist loadfile

# All that CI runs, the tests last.
check: .venv/.test style types floors exercises test

style: .venv/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/.test
	$(BIN)/mypy

floors: .venv/.test
	$(BIN)/lint-imports

.PHONY: exercises
exercises: .venv/.test
	$(BIN)/autograder lint

bench: .venv/.test
	$(BIN)/python tests/bench/run.py

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed; say which with: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv .venv

.venv/.demo: .venv/bin/python pyproject.toml constraints.txt
	$(PIP) --constraint constraints.txt --editable .
	@touch $@

.venv/.test: .venv/bin/python pyproject.toml constraints.txt
	$(PIP) --constraint constraints.txt --editable '.[dev]'
	@touch $@ .venv/.demo

clean:
	rm -rf .venv .demo build *.egg-info

# Files that are made from the exercises and kept under version control for readers and editors.
.PHONY: written
written: .venv/.test
	$(BIN)/autograder schema > exercises/exercise.schema.json
	$(BIN)/autograder start exercises/qkv --force
	rm -f exercises/qkv/attention.py.bak

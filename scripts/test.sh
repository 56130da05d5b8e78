#!/bin/sh
# Run all checks, then the tests; arguments go to pytest: `scripts/test.sh -k overlap`.
set -eu
cd "$(dirname "$0")/.."
scripts/setup.sh dev

PATH="$PWD/.venv/bin:$PATH"
export PATH
ruff format --check
ruff check
mypy
interrogate --quiet presidio_cdip
pytest "$@"

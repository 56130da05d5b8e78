#!/bin/sh
# Run all checks, then the tests in two processes; arguments go to pytest: `scripts/test.sh -k overlap`.
# `scripts/test.sh --fast` leaves out the tests marked slow.
set -eu
cd "$(dirname "$0")/.."
scripts/setup.sh dev

if [ "${1-}" = --fast ]; then
    shift
    set -- -m "not slow" "$@"
fi

PATH="$PWD/.venv/bin:$PATH"
export PATH
ruff format --check
ruff check
mypy
interrogate --quiet presidio_cdip
pytest -n 2 --dist worksteal "$@"

#!/bin/sh
# Run all checks beside the tests, in two processes; arguments go to pytest: `scripts/test.sh -k overlap`.
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
# Without kept bytecode, each of the two processes and each child compiles all modules again.
unset PYTHONDONTWRITEBYTECODE
ruff format --check
ruff check
interrogate --quiet presidio_cdip

# mypy takes a minute where it has no cache, and keeps one processor busy: it runs beside the tests.
said=$(mktemp)
trap 'kill "$types" 2>/dev/null || :; rm -f "$said"' EXIT
trap 'exit 130' INT TERM
mypy >"$said" 2>&1 &
types=$!
failed=0
pytest -n 2 --dist worksteal "$@" || failed=$?
wait "$types" || failed=1
cat "$said"
exit "$failed"

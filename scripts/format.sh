#!/bin/sh
# Mends the layout of the code, and what the linter can mend by itself.
set -eu
cd "$(dirname "$0")/.."
scripts/setup.sh dev

.venv/bin/ruff format
.venv/bin/ruff check --fix

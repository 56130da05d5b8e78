#!/bin/sh
# Format the code, and fix lint that can be fixed automatically.
set -eu
cd "$(dirname "$0")/.."
scripts/setup.sh dev

.venv/bin/ruff format
.venv/bin/ruff check --fix

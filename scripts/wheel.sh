#!/bin/sh
# Builds the sdist and the wheel into dist/, and runs the suite against what users will install.
set -eu
cd "$(dirname "$0")/.."
scripts/setup.sh dev

rm -rf dist
.venv/bin/python -m hatchling build
.venv/bin/python -m pytest tests/test_wheel.py

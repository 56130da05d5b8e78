#!/bin/sh
# Build the sdist and the wheel in dist/, and run the tests against the installed wheel.
set -eu
cd "$(dirname "$0")/.."
scripts/setup.sh dev

rm -rf dist
.venv/bin/python -m hatchling build
.venv/bin/python -m pytest tests/test_wheel.py

#!/bin/sh
# From a clone to the first result: what stands in a typed personnel page, and the page without it.
set -eu
cd "$(dirname "$0")/.."
scripts/setup.sh

page=examples/personnel_page.png
redacted=examples/personnel_page.redacted.png

# Exit code 1 says that something was found, which is no failure here.
cdip() {
    .venv/bin/presidio-cdip "$@" || { code=$?; [ "$code" -eq 1 ] || exit "$code"; }
}

rm -f "$redacted"
cdip analyze --explain "$page"
cdip redact "$page" -o "$redacted"
[ -s "$redacted" ]
printf '\nBefore: %s\nAfter:  %s\n' "$PWD/$page" "$PWD/$redacted"

#!/bin/sh
# Show a first result from a clone: find and replace the personal data on a typed page.
set -eu
cd "$(dirname "$0")/.."
scripts/setup.sh

page=examples/personnel_page.png
redacted=examples/personnel_page.redacted.png

# Exit code 1 means that personal data was found; it is not an error here.
cdip() {
    .venv/bin/presidio-cdip "$@" || { code=$?; [ "$code" -eq 1 ] || exit "$code"; }
}

rm -f "$redacted"
cdip analyze --explain "$page"
cdip redact "$page" -o "$redacted"
[ -s "$redacted" ]
printf '\nBefore: %s\nAfter:  %s\n' "$PWD/$page" "$PWD/$redacted"

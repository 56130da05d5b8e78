#!/bin/sh
# Install the package with its extras for images, documents and the service in .venv; `scripts/setup.sh dev` adds the test tools.
# If nothing has changed, this is quick and needs no network.
# Exits with 4 and instructions if a system package is missing that needs your permission.
set -eu
cd -P "$(dirname "$0")/.."

# System packages: Python with venv (a package of its own on Debian), Tesseract with
# English, and what OpenCV loads.
python=python3
for_apt() { packages "$python $python-venv" "tesseract-ocr libgl1 libglib2.0-0"; }
for_dnf() { packages python3.12 "tesseract-langpack-eng mesa-libGL glib2"; }
for_brew() { packages python@3.13 tesseract; }
packages() { if has_venv; then echo "$2"; else echo "$1 $2"; fi; }

# need WHAT TEST: check TEST; if it fails, install system packages and check again, or stop.
need() {
    "$2" || { install && "$2"; } || stop "$1"
}

# Install the packages with the system's package manager, if it needs no password.
# shellcheck disable=SC2046  # lists of packages
install() {
    if has apt-get && as_root true 2>/dev/null; then
        install_with_apt $(for_apt)
    elif has dnf && as_root true 2>/dev/null; then
        as_root dnf install -y -q $(for_dnf) >&2
    elif has brew; then
        brew install -q $(for_brew) >&2
    else
        return 1
    fi
}

install_with_apt() {
    as_root apt-get update -qq >&2 || :
    as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "$@" >&2
}

# Install a browser for the tests of the review page, where that needs nobody's permission, as in
# CI: only root does it. Without one these tests are skipped.
install_browser() {
    if has chromium || has google-chrome || [ -n "${CHROMIUM-}" ]; then return; fi
    if ! has apt-get || [ "$(id -u)" -ne 0 ] || ! install_with_apt chromium; then
        echo "No Chromium: the tests of the review page will be skipped." >&2
    fi
}

# stop WHAT: print the missing package and the command that installs it, and exit.
stop() {
    echo "$1: missing. Install it, then run this again:" >&2
    printf '  %s\n' \
        "sudo apt-get install -y $(for_apt)" \
        "sudo dnf install -y $(for_dnf)" \
        "brew install $(for_brew)" >&2
    exit 4
}

has() { command -v "$1" >/dev/null 2>&1; }
as_root() { if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -n "$@"; fi; }

has_venv() { "$python" -c 'import ensurepip, venv' 2>/dev/null; }
has_opencv() { .venv/bin/python -c 'import cv2' 2>/dev/null; }
has_tesseract() { tesseract --list-langs 2>/dev/null | grep -qx eng; }

find_python() {
    for python in python3 python3.14 python3.13 python3.12 python3.11; do
        "$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' \
            2>/dev/null && return
    done
    if has python3; then python=python3.11; else python=python3; fi # too old, or none
    stop "Python 3.11 to 3.14"
}

make_venv() {
    find_python
    need "Python's venv module" has_venv
    "$python" -m venv --clear .venv
}

install_package() {
    echo "Installing into .venv; the first time this takes some minutes." >&2
    if [ "$1" = dev ]; then
        # `pip install --group dev` would need pip 25.1.
        .venv/bin/python -c 'import tomllib
with open("pyproject.toml", "rb") as file:
    print(*tomllib.load(file)["dependency-groups"]["dev"], sep="\n")' >.venv/dev.txt
        set -- -r .venv/dev.txt
    else
        set --
    fi
    .venv/bin/python -m pip install -q --disable-pip-version-check -e '.[image,documents,service]' "$@"
    need "A library that OpenCV loads" has_opencv
}

# Let `git diff` name the document of each hunk in training/corpus/: .gitattributes has the paths.
name_documents() {
    if [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$PWD" ]; then
        git config diff.corpus.xfuncname '^%%% (.*)$'
    fi
}

for_whom=${1:-user}
if [ "$for_whom" = dev ]; then name_documents; fi
stamp="$PWD $(cksum <pyproject.toml)"
if ! .venv/bin/python -c '' 2>/dev/null ||
    ! grep -qxsF "$stamp" ".venv/ready-$for_whom" .venv/ready-dev; then
    # Create .venv again if it was moved or its Python is gone; otherwise update it.
    .venv/bin/pip --version 2>/dev/null | grep -qF " from $PWD/.venv/" || make_venv
    install_package "$for_whom"
    if [ "$for_whom" = dev ]; then install_browser; fi
    echo "$stamp" >".venv/ready-$for_whom"
fi
need "Tesseract with English" has_tesseract

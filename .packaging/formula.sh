#!/usr/bin/env bash
# Writes the formula of a release to standard output: formula.sh VERSION HOMEPAGE SOURCES
#
# HOMEPAGE is the address of the project, SOURCES the archive of the sources that the release has.
set -euo pipefail
sum=$(sha256sum "$3" | cut -d' ' -f1)
sed "s|@VERSION@|$1|g; s|@HOMEPAGE@|$2|g; s|@SHA256@|$sum|g" "$(dirname "$0")/tilewright.rb" | sed 1d

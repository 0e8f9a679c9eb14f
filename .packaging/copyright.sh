#!/usr/bin/env bash
# Writes who holds which rights in a package, in Debian's machine-readable form, to standard output:
# copyright.sh PACKAGE. Its parts stand in .packaging/copyright; of the licenses, those that the parts name are taken.
set -euo pipefail
cd "$(dirname "$0")/copyright"

case $1 in
    tilewright) parts='tilewright swift argument-parser' ;;
    tilewright-serve) parts='tilewright swift argument-parser nio' ;;
    tilewright-render) parts='tilewright render swift' ;;
    *) echo "no package '$1'" >&2; exit 64 ;;
esac
# Paragraphs end at empty lines; a license of the last file is left out if nothing names it.
# shellcheck disable=SC2086 # the names of parts are words
cat $parts
# shellcheck disable=SC2086
awk 'FNR == 1 {file++}
    file <= parts {if (sub(/^License: /, "")) named[$0]; next}
    {line = $0}
    sub(/^License: /, "", line) && line != $0 {on = line in named}
    on' parts="$(wc -w <<< "$parts")" $parts licenses

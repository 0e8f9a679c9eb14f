#!/usr/bin/env bash
# Lays out what is passed on, as packages and archives have it: stage.sh PROGRAMS FOLDER PREFIX [VARIABLE=VALUE...]
#
# It is 'make install' into FOLDER, then what only passing on needs: the programs lose their symbols, and what else
# says how they were built and not what they do. So the program of a package and that of an archive are the same bytes.
set -euo pipefail
umask 022
programs=$(realpath "$1")
folder=$(realpath -m "$2")
prefix=$3
shift 3
cd "$(dirname "$0")/.."

make --no-print-directory -s install PROGRAMS="$programs" PREFIX="$prefix" DESTDIR="$folder" "$@"
# What a build leaves of the folder that it ran in goes: hashes of modules, for the next build there, and an ID of what
# was linked, symbols included.
find "$folder$prefix/bin" -type f -exec strip --remove-section=.comment --remove-section=.note \
    --remove-section=.swift_modhash {} +
find "$folder$prefix/bin" -type f -exec .packaging/build_id.py {} +
# It is sourced and never run.
sed -i '1{/^#!/d}' "$folder$prefix/share/bash-completion/completions/tilewright"
# A program that was not built has no page.
for companion in tilewright-serve tilewright-render; do
    test -e "$folder$prefix/bin/$companion" || rm -f "$folder$prefix/share/man/man1/$companion.1"
done

#!/usr/bin/env bash
# Lays out what is passed on, as packages and archives have it: stage.sh PROGRAMS FOLDER PREFIX [VARIABLE=VALUE...]
#
# It is 'make install' into FOLDER, then what only passing on needs: the programs lose their symbols, and what else
# says how and where they were built and not what they do. So the program of a package and that of an archive are the
# same bytes, and those of two builds are, too.
set -euo pipefail
umask 022
programs=$(realpath "$1")
folder=$(realpath -m "$2")
prefix=$3
shift 3
cd "$(dirname "$0")/.."

make --no-print-directory -s install PROGRAMS="$programs" PREFIX="$prefix" DESTDIR="$folder" "$@"
find "$folder$prefix/bin" -type f -exec strip --remove-section=.comment --remove-section=.note {} + \
    -exec .packaging/forget_folder.py {} +
# It is sourced and never run.
sed -i '1{/^#!/d}' "$folder$prefix/share/bash-completion/completions/tilewright"
# A program that was not built has no page.
for companion in tilewright-serve tilewright-render; do
    test -e "$folder$prefix/bin/$companion" || rm -f "$folder$prefix/share/man/man1/$companion.1"
done

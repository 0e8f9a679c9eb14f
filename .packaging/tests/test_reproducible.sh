#!/usr/bin/env bash
# Builds the commit once more in another folder, and compares what is passed on byte by byte:
# test_reproducible.sh PROGRAMS [FOLDER]
#
# PROGRAMS is what was built of this commit. FOLDER, which may have such a build of another commit, is left there;
# without it, a temporary one is made. Both builds take the same dependencies, and the toolchain and the C libraries
# of this machine.
set -euo pipefail

programs=$(realpath "$1")
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
other=$(realpath -m "${2:-$work/another-folder}")

test -z "$(git status --porcelain --untracked-files=no)" || {
    echo 'there are changes that are not committed: the other build would not have them' >&2; exit 1; }
test -d "$other" || git clone -q . "$other"
git -C "$other" fetch -q "$PWD" HEAD
git -C "$other" checkout -q --detach FETCH_HEAD
test ! -e Package.resolved || cp Package.resolved "$other"
make --no-print-directory -s -C "$other" packed-companions > "$work/log" 2>&1 || { tail -20 "$work/log" >&2; exit 1; }

.packaging/stage.sh "$programs" "$work/one" /usr
"$other/.packaging/stage.sh" "$other/.build/release" "$work/other" /usr
diff -r "$work/one" "$work/other"
(cd "$work/one/usr/bin" && sha256sum -- *)
echo "the same bytes: of $programs, and of a build in $other"

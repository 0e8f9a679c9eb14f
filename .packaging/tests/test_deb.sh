#!/usr/bin/env bash
# Installs the packages in a bare Debian without a toolchain, and uses them there: test_deb.sh PACKAGES PROGRAMS
#
# PACKAGES is the folder of the .deb files, PROGRAMS that of the programs they were made of, which do the same outside
# of that Debian: the tiles must be the same bytes.
set -euo pipefail

packages=$(realpath "$1")
programs=$(realpath "$2")
cd "$(dirname "$0")/../.."
. .packaging/tests/root.sh

lintian=(lintian --no-cfg --fail-on 'error,warning')
test "$(id -u)" != 0 || lintian+=(--allow-root)
if command -v lintian >/dev/null; then
    echo '== lintian'
    "${lintian[@]}" "$packages"/*.deb
    echo 'lintian has no error and no warning'
else
    echo 'left out: lintian is not installed'
fi
need_root

work=$(mktemp -d)
root=$work/root
trap 'rm -rf --one-file-system "$work"' EXIT
make_root "$root"

mkdir "$root/test"
cp "$packages"/*.deb .packaging/tests/{inside.sh,sheet.pdf,photo.avif,photo.heic} "$root/test"
cp -r Examples "$root/test"
make -s -C "$root/test/Examples" clean
cp -r "$root/test" "$work/outside"

echo '== inside'
in_root "$root" /bin/bash /test/inside.sh

echo '== outside, for comparison'
(
    cd "$work/outside"
    export PATH=$programs:$PATH
    bash ./inside.sh draw "$programs"
) > "$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
for made in tiles drawn photo Examples/tiles Examples/view.png; do
    test -e "$work/outside/$made" || { echo "nothing made $made" >&2; exit 1; }
    # The state of a run says when it was.
    diff -r --exclude .tilewright "$root/test/$made" "$work/outside/$made"
    echo "same bytes: $made, $(find "$work/outside/$made" -type f | wc -l) files"
done

#!/usr/bin/env bash
# Installs the packages in a bare Debian without a toolchain, and uses them there: test_deb.sh PACKAGES PROGRAMS
#
# PACKAGES is the folder of the .deb files, PROGRAMS that of the programs they were made of, which do the same outside
# of that Debian: the tiles must be the same bytes. The root comes of debootstrap, from MIRROR, or from where apt gets
# packages here, and is gone afterwards. Mounts are seen by the test's own processes alone, and end with them.
set -euo pipefail

packages=$(realpath "$1")
programs=$(realpath "$2")
cd "$(dirname "$0")/../.."
suite=${SUITE:-bookworm}

leave_out() { echo "left out: $1"; exit 0; }

lintian=(lintian --no-cfg --fail-on 'error,warning')
test "$(id -u)" != 0 || lintian+=(--allow-root)
if command -v lintian >/dev/null; then
    echo "== lintian"
    "${lintian[@]}" "$packages"/*.deb
else
    echo 'left out: lintian is not installed'
fi
test "$(id -u)" = 0 || leave_out 'the test in a bare Debian needs root'
command -v debootstrap >/dev/null || leave_out 'the test in a bare Debian needs debootstrap'
unshare --mount --pid --fork true 2>/dev/null || leave_out 'no mount may be made here: the test in a bare Debian'

work=$(mktemp -d)
root=$work/root
trap 'rm -rf --one-file-system "$work"' EXIT

# Where apt of this system gets the suite from: the first address that it read.
if test -z "${MIRROR:-}"; then
    MIRROR=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 2>/dev/null \
        | awk -v suite="$suite" '$2 == suite {print $1; exit}')
    : "${MIRROR:=http://deb.debian.org/debian}"
fi
echo "== a bare $suite"
debootstrap --variant=minbase "$suite" "$root" "$MIRROR" > "$work/log" 2>&1 || { tail -20 "$work/log" >&2; exit 1; }
# How apt here reaches its hosts, a proxy for example, holds in the root too.
for file in resolv.conf hosts; do
    test ! -e "/etc/$file" || cp -L "/etc/$file" "$root/etc/$file"
done
apt-config dump | grep -E '^Acquire::https?::' > "$root/etc/apt/apt.conf.d/90host" || true
# Pages of manuals and texts of licenses stay away from slim images; here they are looked at.
rm -f "$root"/etc/dpkg/dpkg.cfg.d/*docker*

mkdir "$root/test"
cp "$packages"/*.deb .packaging/tests/inside.sh .packaging/tests/sheet.pdf .packaging/tests/photo.avif \
    "$root/test"
cp -r Examples "$root/test"
make -s -C "$root/test/Examples" clean
cp -r "$root/test" "$work/outside"

echo '== inside'
unshare --mount --pid --fork --kill-child bash -c '
    mount -t proc proc "$1/proc" && exec chroot "$1" /bin/bash /test/inside.sh' - "$root"

echo '== outside, for comparison'
(
    cd "$work/outside"
    export PATH=$programs:$PATH
    bash ./inside.sh draw "$programs"
) > "$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
for made in tiles drawn Examples/tiles Examples/view.png; do
    test -e "$work/outside/$made" || { echo "nothing made $made" >&2; exit 1; }
    # The state of a run says when it was.
    diff -r --exclude .tilewright "$root/test/$made" "$work/outside/$made"
    echo "same bytes: $made, $(find "$work/outside/$made" -type f | wc -l) files"
done

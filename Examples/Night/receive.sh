#!/bin/sh
# Brings an archive on a device, or on its gateway, to the newest version that ship.sh has published.
#
#   ./receive.sh tiles.mbtiles https://example.org/tiles      (or file:///mnt/stick/tiles)
#
# It fetches a patch if there is one for this version, otherwise the whole archive: the first time, after too many
# nights, or if somebody else has changed the file. The archive is the old or the new one at each moment, whatever is cut
# off: the network, this script, the power. The same command goes on, and fetches only what is missing.
#
# Needs curl, sha256sum, flock, the same version of tilewright as the server, and room for two more archives.
set -eu
: "${2:?is missing: receive.sh ARCHIVE ADDRESS}"
archive=$1 base=${2%/}

exec 9> "$archive.lock"
flock -n 9 || { echo "receive.sh: another run receives $archive" >&2; exit 75; }
# On the same file system as the archive, so that a rename replaces it in one step.
work=$archive.received
mkdir -p "$work"

# The version as in ship.sh: only what is in the file says it. None, if the file is missing or damaged (65). A full disk is
# no reason to fetch everything.
version() {
    [ -e "$archive" ] || return 0
    rm -f "$work/content.pmtiles"
    tilewright convert -q "$archive" "$work/content.pmtiles" || case $? in 65) return 0 ;; *) return 74 ;; esac
    sha256sum < "$work/content.pmtiles" | cut -c 1-16
    rm "$work/content.pmtiles"
}

is_whole() { [ -e "$work/$1" ] && [ "$(sha256sum < "$work/$1" | cut -c 1-64)" = "$2" ]; }

# Fetches FILE with the hash SHA256, and continues where an earlier run was cut off.
fetch() {
    is_whole "$1" "$2" && return
    status=0
    curl -fsS --retry 3 -C - -o "$work/$1" "$base/$1" || status=$?
    is_whole "$1" "$2" && return
    # A file that is too short is continued the next time. Any other is not ours, or cannot be continued.
    case $status in 0 | 22 | 33 | 36) rm -f "$work/$1" ;; esac
    echo "receive.sh: $base/$1 did not arrive; try again" >&2
    exit 1
}

curl -fsS --retry 3 -o "$work/list" "$base/list"
# Names are used as files here: what is not made by ship.sh is refused.
if ! grep -q '^whole ' "$work/list" ||
    grep -qvE '^(whole|patch) [0-9a-f]{16} (whole|patch)-[0-9a-f-]+\.[a-z]+ [0-9]+ [0-9a-f]{64}$' "$work/list"; then
    echo "receive.sh: $base/list is not from ship.sh" >&2
    exit 65
fi
read -r _ newest whole _ whole_hash < "$work/list"
[ "${whole##*.}" = "${archive##*.}" ] || { echo "receive.sh: the name must end in .${whole##*.}: $archive" >&2; exit 64; }

have=$(version)
if [ "$have" != "$newest" ]; then
    found=$(sed -n "s/^patch ${have:-none} //p" "$work/list")
    if [ -n "$found" ]; then
        patch=${found%% *}
        fetch "$patch" "${found##* }"
        # MBTiles change in one transaction, while others read them. 65: it does not fit after all.
        tilewright patch -q --fsync "$archive" "$work/$patch" || [ $? -eq 65 ]
        have=$(version)
    fi
fi
if [ "$have" != "$newest" ]; then
    fetch "$whole" "$whole_hash"
    sync "$work/$whole"
    # SQLite would apply the journal of the old file to the new one.
    rm -f "$archive-journal"
    mv "$work/$whole" "$archive"
fi
rm -r "$work"

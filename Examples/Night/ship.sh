#!/bin/sh
# Publishes an archive for devices, with patches from its earlier versions: who has one of these fetches only what differs.
#
#   ./ship.sh tiles.mbtiles /srv/www/tiles        after each build (or with .pmtiles)
#   KEEP=14 ./ship.sh …                           devices may be 14 versions behind (default: 7)
#
# receive.sh reads the folder. 'list' is written last, in one step: a run that is killed has published nothing, and the
# same command goes on. Its lines are:
#
#   whole VERSION FILE BYTES SHA256     the newest version
#   patch VERSION FILE BYTES SHA256     the way from VERSION to the newest, if it is smaller
#
# A file never changes under its name, so caches may keep all but 'list'.
#
# Devices without tilewright: a patch is also one for martin ('mbtiles apply-patch tiles.mbtiles FILE'), if tiles.mbtiles
# is flat ('mbtiles copy --mbtiles-type flat'). Needs sha256sum and flock.
set -eu
: "${2:?is missing: ship.sh ARCHIVE FOLDER}"
archive=$1 folder=$2 ending=${1##*.} keep=${KEEP:-7}
case $ending in mbtiles | pmtiles) ;; *) echo "ship.sh: not an archive: $archive" >&2; exit 64 ;; esac

mkdir -p "$folder"
exec 9> "$folder/.lock"
flock -n 9 || { echo "ship.sh: another run publishes in $folder" >&2; exit 75; }
work=$folder/.work
rm -rf "$work" && mkdir "$work"

# A version is the hash of all tiles and labels. PMTiles of the same content have the same bytes; an MBTiles file also
# depends on its past. (The digest in the metadata is that of the tiles alone.)
tilewright convert -q "$archive" "$work/content.pmtiles"
version=$(sha256sum < "$work/content.pmtiles" | cut -c 1-16)
whole=whole-$version.$ending

line() {
    echo "$1 $2 $3 $(wc -c < "$folder/$3" | tr -d ' ') $(sha256sum < "$folder/$3" | cut -c 1-64)" >> "$work/list"
}

if [ ! -e "$folder/$whole" ]; then
    tilewright convert -q "$archive" "$work/$whole"
    mv "$work/$whole" "$folder/$whole"
elif grep -qs "^whole $version " "$folder/list"; then
    rm -r "$work"
    exit 0
fi
# The newest by time, even if the plan is again as it was some nights ago.
touch "$folder/$whole"
line whole "$version" "$whole"

number=0
# shellcheck disable=SC2012 # The names are ours.
for old in $(cd "$folder" && ls -t whole-*."$ending"); do
    [ "$old" != "$whole" ] || continue
    number=$((number + 1))
    # Too old, and removed below.
    [ $number -le "$keep" ] || { rm "$folder/$old"; continue; }
    from=${old#whole-} from=${from%.*}
    patch=patch-$from-$version.mbtiles
    if [ ! -e "$folder/$patch" ]; then
        tilewright diff -q "$folder/$old" "$folder/$whole" -o "$work/$patch"
        mv "$work/$patch" "$folder/$patch"
    fi
    [ "$(wc -c < "$folder/$patch")" -ge "$(wc -c < "$folder/$whole")" ] || line patch "$from" "$patch"
done

# Everything is there. A device that still follows the old list finds a patch missing, and comes again.
sync
mv "$work/list" "$folder/list"
for patch in "$folder"/patch-*; do
    grep -qF " ${patch##*/} " "$folder/list" || rm -f "$patch"
done
rm -r "$work"

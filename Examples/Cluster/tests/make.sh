#!/usr/bin/env bash
# Runs make/Makefile, stops it halfway, runs it again, and compares the output with that of one machine.
#
#   tests/make.sh FOLDER SOURCE [options of build]      'tilewright' is the one on the PATH
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(realpath -m "$1")
source=$2
shift 2
rm -rf "$folder"
mkdir -p "$folder"
tilewright "$source" "$@" -o "$folder/one/tiles.pmtiles"

recipe=$(realpath "$here/../make/Makefile")
run() {
    make --no-print-directory -f "$recipe" "$@"
}
arguments=(SOURCES="$source" OPTIONS="$*" SHARDS=6 JOB="$folder/job" OUTPUT="$folder/many/tiles.pmtiles")
run "${arguments[@]}" "$folder/job/shards/1.shard" "$folder/job/shards/4.shard"
run -j3 "${arguments[@]}" | tee "$folder/log"
# Two shards already exist, so four are made.
test "$(grep -c 'tilewright shard' "$folder/log")" -eq 4
test "$(run -j3 "${arguments[@]}" | grep -c tilewright)" -eq 0
cmp "$folder/one/tiles.pmtiles" "$folder/many/tiles.pmtiles"
echo 'make: the same bytes'

#!/bin/sh
# The command of a container: 'worker.sh shard' or 'worker.sh merge'. submit.sh sets STORE to the job's location.
set -eu
# EDIT: a folder with room for a shard and for what is read of the sources; to merge, for all shards and the archive.
work=$(mktemp -d "${SCRATCH:-/tmp}/tiles.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
copy() { aws s3 cp --only-show-errors "$@"; }

case $1 in
    shard)
        copy "$STORE/job/job.json" job/job.json
        # A shard that an earlier attempt has uploaded is not made again.
        number=$AWS_BATCH_JOB_ARRAY_INDEX
        shard=job/shards/$number.shard
        copy "$STORE/$shard" "$shard" 2> /dev/null || true
        # Sources are addresses. Of a tiled TIFF, only the blocks of this shard are read. tilewright uses the job's role.
        # --jobs: a container sees all CPUs of its machine, not only the VCPU of its job.
        tilewright shard job auto --jobs 4 --memory 2G --tmpdir .
        copy "$shard" "$STORE/$shard"
        ;;
    merge)
        copy --recursive "$STORE/job" job
        tilewright merge job -o tiles.pmtiles --jobs 4 --memory 4G --tmpdir .
        copy tiles.pmtiles "$STORE/tiles.pmtiles"
        # For single tiles: tilewright publish tiles.pmtiles "$STORE/tiles"
        ;;
esac

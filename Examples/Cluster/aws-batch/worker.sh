#!/bin/sh
# What a container does: 'worker.sh shard' or 'worker.sh merge'. submit.sh says in STORE where the job lies.
set -eu
# EDIT: where there is room for all sources and a shard; to merge, for all shards and the archive.
work=$(mktemp -d "${SCRATCH:-/tmp}/tiles.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work"
copy() { aws s3 cp --only-show-errors "$@"; }

# Sources have the names that they had for 'split': below sources/, seen from the folder of work. If they are large,
# do not copy them to each worker: mount them there (EFS, FSx, or Mountpoint for S3).
copy --recursive "$STORE/sources" sources
case $1 in
    shard)
        copy "$STORE/job/job.json" job/job.json
        # A shard that an earlier attempt has uploaded is not made again.
        number=$AWS_BATCH_JOB_ARRAY_INDEX
        shard=job/shards/$number.shard
        copy "$STORE/$shard" "$shard" 2> /dev/null || true
        # --jobs: a container sees all processors of its machine, and not the VCPU of its job.
        tilewright shard job auto --jobs 4 --memory 2G --tmpdir .
        copy "$shard" "$STORE/$shard"
        ;;
    merge)
        copy --recursive "$STORE/job" job
        tilewright merge job -o tiles.pmtiles --jobs 4 --memory 4G --tmpdir .
        copy tiles.pmtiles "$STORE/tiles.pmtiles"
        ;;
esac

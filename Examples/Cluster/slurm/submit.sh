#!/usr/bin/env bash
# Splits a job, makes its shards as a Slurm array, and merges them when all are finished.
#
#   slurm/submit.sh JOB OUTPUT SHARDS SOURCE... [options of 'tilewright split']
#   slurm/submit.sh /shared/job /shared/planet.pmtiles 500 scenes/*.tif --format webp
#
# If a shard fails, run the same command again: 'split' writes the same job, and shards that exist are not made again.
# Edit shards.sbatch and merge.sbatch: account, partition, time, memory.
#
#   MERGE='--name Planet'   options of 'tilewright merge'
#   AT_ONCE=100             the most tasks that run at a time, so that the file system keeps up
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 4 ] || { sed -n '2,12p' "$0" >&2; exit 64; }
job=$(realpath -m "$1") output=$(realpath -m "$2") shards=$3
shift 3

tilewright split "$@" --shards "$shards" -o "$job"
mkdir -p "$job/logs"

# An array has at most MaxArraySize tasks (default: 1001), so a larger job is several arrays. A task adds FIRST to its
# own number.
most=$(scontrol show config | sed -n 's/^MaxArraySize *= *//p')
arrays=
for ((first = 0; first < shards; first += most)); do
    last=$((shards - first < most ? shards - first - 1 : most - 1))
    arrays+=:$(sbatch --parsable --export="ALL,FIRST=$first" --array="0-$last${AT_ONCE:+%$AT_ONCE}" \
        --output="$job/logs/%A_%a.log" "$here/shards.sbatch" "$job")
done

# 'afterok' waits until every task of the arrays has ended with status 0. If one has not, this job is cancelled.
merge=$(sbatch --parsable --dependency="afterok$arrays" --kill-on-invalid-dep=yes \
    --output="$job/logs/merge.log" "$here/merge.sbatch" "$job" "$output")
echo "shards: ${arrays#:}, merge: $merge, logs: $job/logs"

#!/usr/bin/env bash
# Splits a job, makes its shards with GNU parallel, on this machine or others over ssh, and merges them.
#
#   parallel/run.sh JOB OUTPUT SHARDS SOURCE... [options of 'tilewright split']
#   MACHINES=parallel/machines parallel/run.sh /shared/job /shared/planet.pmtiles 500 scenes/*.tif
#
#   MACHINES=FILE       a line for each machine, in the format of --sshloginfile (default: only this machine)
#   JOBS=N              shards at a time on each machine (default: one for each core)
#   MERGE='--name X'    options of 'tilewright merge'
#
# If a shard fails, run the same command again: shards that exist are not made again.
#
# All machines must see JOB and the sources under the same names, such as on NFS, and must have the same version of
# tilewright on the PATH of ssh commands. To check: ssh MACHINE tilewright --version
set -euo pipefail
[ $# -ge 4 ] || { sed -n '2,14p' "$0" >&2; exit 64; }
job=$(realpath -m "$1") output=$(realpath -m "$2") shards=$3
shift 3

tilewright split "$@" --shards "$shards" -o "$job"

# The log says which machine made each shard, and in what time. --resume-failed skips shards that succeeded according
# to the log, so each job has its own log.
log=$job/parallel-$(cksum < "$job/job.json" | cut -d ' ' -f 1).log
options=(--jobs "${JOBS:-100%}" --joblog "$log" --resume-failed
    # A shard is tried four times, on other machines if possible: if a machine fails, no shard is lost.
    --retries 4
    # If a tenth of the shards fail, the cause affects all of them, such as a wrong version of the program.
    --halt soon,fail=10%)
if [ -n "${MACHINES:-}" ]; then
    # --workdir: on each machine, relative names of sources start at this folder. --filter-hosts skips machines that
    # do not respond. --sshdelay: a server refuses many logins at once.
    options+=(--sshloginfile "$MACHINES" --workdir "$PWD" --filter-hosts --sshdelay 0.1)
fi
if [ -t 2 ]; then options+=(--bar); fi

# One core per shard takes the least CPU time. If memory is short, use a smaller JOBS, and more cores here.
seq 0 $((shards - 1)) | parallel "${options[@]}" \
    tilewright shard "$(printf %q "$job")" {} --jobs 1 --memory 1G --tmpdir "${TMPDIR:-/tmp}"

# shellcheck disable=SC2086
tilewright merge "$job" -o "$output" ${MERGE:-} || {
    status=$?
    # A finished shard is now missing or damaged. Without the log, the next run checks all shards.
    rm -f "$log"
    exit "$status"
}

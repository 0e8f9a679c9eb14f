#!/usr/bin/env bash
# Splits a job, makes its shards with GNU parallel, here or on machines that ssh reaches, and merges them.
#
#   parallel/run.sh JOB OUTPUT SHARDS SOURCE... [options of 'tilewright split']
#   MACHINES=parallel/machines parallel/run.sh /shared/job /shared/planet.pmtiles 500 scenes/*.tif
#
#   MACHINES=FILE       a line for each machine, as --sshloginfile takes it; without it, this machine alone
#   JOBS=N              shards at a time on each machine (default: one for each core)
#   MERGE='--name X'    options of 'tilewright merge'
#
# If something failed, run the same command again: what is there is not made again.
#
# All machines must see JOB and the sources under the same names, as on NFS, and find the same tilewright on the PATH
# that a command of ssh gets. Try it: ssh MACHINE tilewright --version
set -euo pipefail
[ $# -ge 4 ] || { sed -n '2,14p' "$0" >&2; exit 64; }
job=$(realpath -m "$1") output=$(realpath -m "$2") shards=$3
shift 3

tilewright split "$@" --shards "$shards" -o "$job"

# What was done where, and how long it took. --resume-failed leaves out what succeeded. It believes its log, so each
# job has its own.
log=$job/parallel-$(cksum < "$job/job.json" | cut -d ' ' -f 1).log
options=(--jobs "${JOBS:-100%}" --joblog "$log" --resume-failed
    # A shard is tried four times, on other machines if there are any: one that went away loses none.
    --retries 4
    # If a tenth has failed, something is wrong that is wrong everywhere, such as the version of the program.
    --halt soon,fail=10%)
if [ -n "${MACHINES:-}" ]; then
    # --workdir: relative names of sources count from this folder on each machine. --filter-hosts leaves out those
    # that do not answer. --sshdelay: a server refuses many logins at once.
    options+=(--sshloginfile "$MACHINES" --workdir "$PWD" --filter-hosts --sshdelay 0.1)
fi
if [ -t 2 ]; then options+=(--bar); fi

# One core for each shard is the least work in all. If memory is short, take a smaller JOBS, and more cores here.
seq 0 $((shards - 1)) | parallel "${options[@]}" \
    tilewright shard "$(printf %q "$job")" {} --jobs 1 --memory 1G --tmpdir "${TMPDIR:-/tmp}"

# shellcheck disable=SC2086
tilewright merge "$job" -o "$output" ${MERGE:-} || {
    status=$?
    # A shard that was made is missing or damaged now: the next run looks at all.
    rm -f "$log"
    exit "$status"
}

#!/usr/bin/env bash
# Runs slurm/submit.sh on a Slurm of this machine, disturbs it, and compares the archive with that of one machine.
#
#   tests/slurm.sh FOLDER SOURCE [options of build]      'tilewright' is the one on the PATH
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(realpath -m "$1")
shift
rm -rf "$folder"
mkdir -p "$folder"
tilewright "$@" -o "$folder/one/tiles.pmtiles"

# Five tasks in an array at most, so that eight shards are two arrays.
MOST=5 "$here/slurm_here.sh" start "$folder/slurm"
trap '"$here/slurm_here.sh" stop "$folder/slurm"' EXIT
export SLURM_CONF=$folder/slurm/slurm.conf
job=$folder/job
"$here/../slurm/submit.sh" "$job" "$folder/many/tiles.pmtiles" 8 "$@" | tee "$folder/said"
array=$(sed -nE 's/^shards: ([0-9]+).*/\1/p' "$folder/said")
merge=$(sed -nE 's/.*merge: ([0-9]+).*/\1/p' "$folder/said")

# While both are at work, the program of task 2 is killed, and task 3 is stopped and requeued.
until [ "$(squeue -h -r -t R -j "${array}_2,${array}_3" 2> /dev/null | wc -l)" -eq 2 ] &&
    [ -n "$(find "$job/shards" -name '2.shard.*')" ] && [ -n "$(find "$job/shards" -name '3.shard.*')" ]; do
    [ ! -e "$job/shards/3.shard" ] || { echo 'the tasks were too fast to be disturbed' >&2; exit 1; }
    sleep 0.02
done
for process in /proc/[0-9]*; do
    if [ "$(cat "$process/comm" 2> /dev/null)" = tilewright ] && grep -qzxF "$job" "$process/cmdline" &&
        grep -qzx TILEWRIGHT_SHARD=2 "$process/environ"; then
        kill -KILL "${process#/proc/}"
    fi
done
scontrol requeue "${array}_3"
echo "killed task ${array}_2, requeued task ${array}_3"
# Meanwhile this machine makes shards 6 and 7, which two tasks make, too.
tilewright shard "$job" 6 & tilewright shard "$job" 7 & wait

# Slurm waits for two minutes before it starts a requeued task again: this test does not.
for _ in $(seq 60); do
    if [ -z "$(squeue -h -j "$merge" -t PD,R,CG 2> /dev/null)" ]; then break; fi
    for task in $(squeue -h -r -t PD -o '%i %r' -n tiles | sed -n 's/ BeginTime$//p'); do
        scontrol update "JobId=$task" StartTime=now 2> /dev/null || true
    done
    sleep 3
done
tail -n 20 "$job"/logs/*.log
grep -q 'status 137: once more' "$job/logs/${array}_2.log"
cmp "$folder/one/tiles.pmtiles" "$folder/many/tiles.pmtiles"
test -z "$(find "$job/shards" ! -name '*.shard' -type f)"
echo 'Slurm: the same bytes'

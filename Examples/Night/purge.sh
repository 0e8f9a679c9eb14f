#!/bin/sh
# Purges from caches what the runs with '--pending pending' have changed. What fails is tried again the next time.
#
#   PURGE='curl -fsS --max-time 20 -o /dev/null -X PURGE' ./purge.sh [PENDING [QUEUE]]
#
# PURGE is a command; it gets one address, and succeeds only if the cache has forgotten it. The exit status is 1 if
# addresses are left in QUEUE. Kill this at any moment, or start it while tiles are built or another purge runs: an
# address is at worst purged twice. Needs flock (util-linux). PENDING and QUEUE must be on the same file system.
set -uf
: "${PURGE:?is not set: the command that purges one address}"
pending=${1:-pending} queue=${2:-purge-queue}

# The system drops the lock when the process ends, however it ends.
exec 9> "$queue.lock"
flock -n 9 || { echo 'purge.sh: another purge is running' >&2; exit 75; }

# Takes what has succeeded out of the queue. (grep ends with 1 if nothing is left.)
settle() {
    [ -e "$queue.done" ] || return 0
    grep -vxFf "$queue.done" "$queue" > "$queue.new" || [ $? -eq 1 ] || exit 74
    mv "$queue.new" "$queue" && rm "$queue.done" || exit 74
}

# Puts what was taken into the queue: "changed https://…" becomes "https://…". Each address once, in the order of the
# list: tiles, then documents.
merge() {
    [ -e "$queue.taken" ] || return 0
    sed 's/^[a-z]* //' "$queue.taken" > "$queue.news" && awk '!seen[$0]++' "$queue" "$queue.news" > "$queue.new" &&
        mv "$queue.new" "$queue" && rm "$queue.taken" "$queue.news" || exit 74
}

touch "$queue" || exit 73
# First of all, what a killed run has purged: an address that is pending again must stay in the queue.
settle
# What a killed run has taken.
merge
# A rename takes all lines away at once; the next build begins a new file.
[ ! -e "$pending" ] || mv "$pending" "$queue.taken" || exit 74
merge

failures=0
while IFS= read -r address; do
    # PURGE is a command with options: its words are split.
    # shellcheck disable=SC2086
    if $PURGE "$address" < /dev/null 9>&-; then
        echo "$address" >> "$queue.done" || exit 74
        failures=0
    else
        failures=$((failures + 1))
        # The cache does not answer: do not try thousands of addresses.
        [ $failures -lt 20 ] || break
    fi
done < "$queue"
settle

[ ! -s "$queue" ] || { echo "purge.sh: $(grep -c '' "$queue") addresses are left for the next time" >&2; exit 1; }

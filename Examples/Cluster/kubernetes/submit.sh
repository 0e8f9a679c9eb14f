#!/usr/bin/env bash
# Splits a job, uploads its plan, makes the shards in a cluster, and merges them there. The sources stay in their bucket:
# each pod reads what it needs.
#
#   STORE=store:BUCKET/planet kubernetes/submit.sh s3://BUCKET/scene.tif... [options of 'tilewright split']
#
# This machine needs tilewright (the image's version), kubectl, rclone, and in its environment the variables of the
# Secret in shards.yaml. If a job fails, run the same command again: shards that are in the store are not made again.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { sed -n '2,8p' "$0" >&2; exit 64; }
shards=$(sed -nE 's/^ *completions: *([0-9]+).*/\1/p' "$here/shards.yaml")

tilewright split "$@" --shards "$shards" -o job
rclone copyto job/job.json "$STORE/job/job.json"

# Creates a Job from a file, and waits until it has succeeded or failed. A Job's template cannot be changed, so a Job
# of an earlier run is deleted first.
run() {
    kubectl delete job "$1" --ignore-not-found
    kubectl apply -f "$2"
    local condition
    while :; do
        condition=$(kubectl get job "$1" -o 'jsonpath={.status.conditions[?(@.status=="True")].type}')
        case " $condition " in
            *' Complete '*) return ;;
            *' Failed '*) kubectl describe job "$1" >&2; return 1 ;;
        esac
        sleep "${PAUSE:-10}"
    done
}
run tiles-shards "$here/shards.yaml"
run tiles-merge "$here/merge.yaml"
echo "$STORE/tiles.pmtiles"

#!/usr/bin/env bash
# Splits a job, and submits an array job for its shards and a job that merges them. All of them read the sources from
# the bucket; nothing is copied.
#
#   STORE=s3://BUCKET/planet QUEUE=QUEUE aws-batch/submit.sh 200 s3://BUCKET/scene.tif... [options of 'tilewright split']
#
# For many sources, give @LIST, a file with an address per line:
#   aws s3 ls s3://BUCKET/scenes/ | sed -n 's|.* \([^ ]*\.tif\)$|s3://BUCKET/scenes/\1|p' > LIST
#
# EDIT in shards.json and merge.json: image (see Dockerfile), role (which may read the sources, and read and write STORE),
# VCPU and memory. AWS may take back a Spot machine: then a job is tried again. Exit statuses 64 to 66 are errors that
# you must fix.
#
# If a job fails, run the same command again: shards that are in the bucket are not made again.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 2 ] || { sed -n '2,14p' "$0" >&2; exit 64; }
shards=$1
shift
# The limits of an array job.
[ "$shards" -ge 2 ] && [ "$shards" -le 10000 ] || { echo 'an array job has from 2 to 10000 children' >&2; exit 64; }

tilewright split "$@" --shards "$shards" -o job
aws s3 cp --only-show-errors job/job.json "$STORE/job/job.json"

# Registers a job definition, submits a job with it, and prints the job's ID.
submit() {
    local definition
    definition=$(aws batch register-job-definition --cli-input-json "file://$here/$1.json" \
        --query jobDefinitionArn --output text)
    aws batch submit-job --job-name "tiles-$1" --job-queue "$QUEUE" --job-definition "$definition" \
        --container-overrides "environment=[{name=STORE,value=$STORE}]" "${@:2}" --query jobId --output text
}
array=$(submit shards --array-properties "size=$shards")
# A job that depends on an array job begins when all children have succeeded.
merge=$(submit merge --depends-on "jobId=$array")
echo "shards: $array, merge: $merge, output: $STORE/tiles.pmtiles"

#!/usr/bin/env bash
# Splits a job, uploads it with its sources, and submits an array job for its shards and a job that merges them.
#
#   cd FOLDER               a folder in which the sources lie below sources/
#   STORE=s3://BUCKET/planet QUEUE=QUEUE aws-batch/submit.sh 200 sources/*.tif [options of 'tilewright split']
#
# EDIT in shards.json and merge.json: the image (see Dockerfile), the role, which may read and write STORE, the
# processors and the memory. Attempts are for machines that are taken back, as Spot does; 64, 65 and 66 need a person.
#
# If something failed, run the same command again: shards in the bucket are not made again.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 2 ] || { sed -n '2,10p' "$0" >&2; exit 64; }
shards=$1
shift
# What an array job may have.
[ "$shards" -ge 2 ] && [ "$shards" -le 10000 ] || { echo 'an array job has from 2 to 10000 children' >&2; exit 64; }

tilewright split "$@" --shards "$shards" -o job
aws s3 cp --only-show-errors --recursive sources "$STORE/sources"
aws s3 cp --only-show-errors job/job.json "$STORE/job/job.json"

# Registers a definition, and submits a job of it; prints the job's number.
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

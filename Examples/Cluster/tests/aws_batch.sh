#!/usr/bin/env bash
# Runs aws-batch/submit.sh with moto instead of AWS. Moto's S3 keeps the files. Its Batch accepts definitions and
# jobs, but does not run them: this script runs the command of the containers, aws-batch/worker.sh.
#
#   tests/aws_batch.sh FOLDER SOURCE [options of build]   'tilewright', 'aws' and 'moto_server' are those on the PATH
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(realpath -m "$1")
source=$2
shift 2
rm -rf "$folder"
mkdir -p "$folder/mine" "$folder/scratch"
# shellcheck source=Examples/Cluster/tests/store.sh
. "$here/store.sh" "$folder"
python3 - "$AWS_ENDPOINT_URL" <<'END'
import sys, urllib.request
urllib.request.urlopen(sys.argv[1] + "/moto-api/config", b'{"batch": {"use_docker": false}}')
END
role=$(aws iam create-role --role-name service --assume-role-policy-document '{}' --query Role.Arn --output text)
aws batch create-compute-environment --compute-environment-name here --type UNMANAGED --service-role "$role" > /dev/null
aws batch create-job-queue --job-queue-name here --priority 1 --state ENABLED \
    --compute-environment-order order=1,computeEnvironment=here > /dev/null

for file in "${source%.*}".*; do aws s3 cp --only-show-errors "$file" s3://test/sources/; done
address=s3://test/sources/$(basename "$source")
tilewright "$address" "$@" -o "$folder/one/tiles.pmtiles"

export STORE=s3://test/planet QUEUE=here SCRATCH=$folder/scratch
(cd "$folder/mine" && "$here/../aws-batch/submit.sh" 5 "$address" "$@" | tee "$folder/log")
array=$(sed -nE 's/^shards: ([^,]+).*/\1/p' "$folder/log")
aws batch describe-jobs --jobs "$array" --query 'jobs[0].[jobName, arrayProperties.size]' --output text

# Container 1 is killed while it works. Container 2 does its work twice, as after a failed upload.
AWS_BATCH_JOB_ARRAY_INDEX=1 timeout --signal=KILL 1 "$here/../aws-batch/worker.sh" shard || true
for index in 0 1 2 2 3 4; do AWS_BATCH_JOB_ARRAY_INDEX=$index "$here/../aws-batch/worker.sh" shard; done
"$here/../aws-batch/worker.sh" merge
aws s3 cp --only-show-errors "$STORE/tiles.pmtiles" "$folder/many/tiles.pmtiles"
cmp "$folder/one/tiles.pmtiles" "$folder/many/tiles.pmtiles"
echo 'AWS Batch, without AWS: the same bytes'

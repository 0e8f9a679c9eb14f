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
mkdir -p "$folder/mine/sources" "$folder/scratch"
tilewright "$source" "$@" -o "$folder/one/tiles.pmtiles"

port=$((30000 + $$ % 10000))
moto_server -H 127.0.0.1 -p "$port" > "$folder/moto.log" 2>&1 &
server=$!
trap 'kill "$server"' EXIT
export AWS_ENDPOINT_URL=http://127.0.0.1:$port AWS_DEFAULT_REGION=eu-central-1 AWS_PAGER=
export AWS_ACCESS_KEY_ID=none AWS_SECRET_ACCESS_KEY=none AWS_CONFIG_FILE=/dev/null AWS_SHARED_CREDENTIALS_FILE=/dev/null
for _ in $(seq 100); do
    if aws s3 mb s3://test > /dev/null 2>&1; then break; fi
    sleep 0.2
done
python3 - "$AWS_ENDPOINT_URL" <<'EOF'
import sys, urllib.request
urllib.request.urlopen(sys.argv[1] + "/moto-api/config", b'{"batch": {"use_docker": false}}')
EOF
role=$(aws iam create-role --role-name service --assume-role-policy-document '{}' --query Role.Arn --output text)
aws batch create-compute-environment --compute-environment-name here --type UNMANAGED --service-role "$role" > /dev/null
aws batch create-job-queue --job-queue-name here --priority 1 --state ENABLED \
    --compute-environment-order order=1,computeEnvironment=here > /dev/null

export STORE=s3://test/planet QUEUE=here SCRATCH=$folder/scratch
cp "${source%.*}".* "$folder/mine/sources"
(cd "$folder/mine" && "$here/../aws-batch/submit.sh" 5 "sources/$(basename "$source")" "$@" | tee "$folder/log")
array=$(sed -nE 's/^shards: ([^,]+).*/\1/p' "$folder/log")
aws batch describe-jobs --jobs "$array" --query 'jobs[0].[jobName, arrayProperties.size]' --output text

# Container 1 is killed while it works. Container 2 does its work twice, as after a failed upload.
AWS_BATCH_JOB_ARRAY_INDEX=1 timeout --signal=KILL 1 "$here/../aws-batch/worker.sh" shard || true
for index in 0 1 2 2 3 4; do AWS_BATCH_JOB_ARRAY_INDEX=$index "$here/../aws-batch/worker.sh" shard; done
"$here/../aws-batch/worker.sh" merge
aws s3 cp --only-show-errors "$STORE/tiles.pmtiles" "$folder/many/tiles.pmtiles"
cmp "$folder/one/tiles.pmtiles" "$folder/many/tiles.pmtiles"
echo 'AWS Batch, without AWS: the same bytes'

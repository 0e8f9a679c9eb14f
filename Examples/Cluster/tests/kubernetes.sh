#!/usr/bin/env bash
# Checks the manifests, and runs kubernetes/submit.sh with tests/kubernetes.py instead of a cluster, and moto's S3 as the
# store.
#
#   tests/kubernetes.sh FOLDER SOURCE [options of build]   'tilewright', 'rclone', 'aws' and 'moto_server' are those on
#                                                          the PATH; PYTHON has the modules
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(realpath -m "$1")
source=$2
shift 2
rm -rf "$folder"
mkdir -p "$folder/bin" "$folder/cluster" "$folder/mine"
# shellcheck source=Examples/Cluster/tests/store.sh
. "$here/store.sh" "$folder"
for file in "${source%.*}".*; do aws s3 cp --only-show-errors "$file" s3://test/sources/; done
address=s3://test/sources/$(basename "$source")
tilewright "$address" "$@" -o "$folder/one/tiles.pmtiles"

# Fewer shards than in the example.
cp -r "$here/../kubernetes" "$folder/recipe"
sed -i -E 's/(completions:) [0-9]+/\1 6/' "$folder/recipe/shards.yaml"

printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "${PYTHON:-python3}" "$here/kubernetes.py" > "$folder/bin/kubectl"
chmod +x "$folder/bin/kubectl"
export PATH=$folder/bin:$PATH CLUSTER=$folder/cluster PAUSE=0.1 STORE=store:test/planet RCLONE_LOG_LEVEL=ERROR
export RCLONE_CONFIG_STORE_TYPE=s3 RCLONE_CONFIG_STORE_PROVIDER=Other RCLONE_CONFIG_STORE_REGION=$AWS_REGION
export RCLONE_CONFIG_STORE_ENV_AUTH=true RCLONE_CONFIG_STORE_ENDPOINT=$AWS_ENDPOINT_URL
export RCLONE_CONFIG_STORE_FORCE_PATH_STYLE=true
python3 - > "$folder/cluster/secret.json" <<'END'
import json, os, sys
json.dump({name: value for name, value in os.environ.items() if name.startswith(("AWS_", "RCLONE_", "STORE"))},
          sys.stdout)
END

cd "$folder/mine"
"$folder/recipe/submit.sh" "$address" "$@" | tee "$folder/log"
grep -q 'status 137' "$folder/log"
aws s3 cp --only-show-errors s3://test/planet/tiles.pmtiles "$folder/many/tiles.pmtiles"
cmp "$folder/one/tiles.pmtiles" "$folder/many/tiles.pmtiles"
"$folder/recipe/submit.sh" "$address" "$@" 2>&1 | tee "$folder/log"
test "$(grep -c 'already exists' "$folder/log")" -eq 6
aws s3 cp --only-show-errors s3://test/planet/tiles.pmtiles "$folder/again/tiles.pmtiles"
cmp "$folder/one/tiles.pmtiles" "$folder/again/tiles.pmtiles"
echo 'Kubernetes, without a cluster: the same bytes'

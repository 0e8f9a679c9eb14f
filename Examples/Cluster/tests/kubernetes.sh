#!/usr/bin/env bash
# Checks the manifests, and runs kubernetes/submit.sh with tests/kubernetes.py instead of a cluster. The store is a
# folder.
#
#   tests/kubernetes.sh FOLDER SOURCE [options of build]      'tilewright' is the one on the PATH; PYTHON has the
#                                                             modules
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(realpath -m "$1")
source=$2
shift 2
rm -rf "$folder"
mkdir -p "$folder/bin" "$folder/cluster" "$folder/store" "$folder/mine/sources"
tilewright "$source" "$@" -o "$folder/one/tiles.pmtiles"

# Fewer shards than in the example.
cp -r "$here/../kubernetes" "$folder/recipe"
sed -i -E 's/(completions:) [0-9]+/\1 6/' "$folder/recipe/shards.yaml"

printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "${PYTHON:-python3}" "$here/kubernetes.py" > "$folder/bin/kubectl"
chmod +x "$folder/bin/kubectl"
export RCLONE_LOG_LEVEL=ERROR
export PATH=$folder/bin:$PATH CLUSTER=$folder/cluster PAUSE=0.1
export STORE=store:planet RCLONE_CONFIG_STORE_TYPE=alias RCLONE_CONFIG_STORE_REMOTE=$folder/store
cat > "$folder/cluster/secret.json" <<EOF
{"STORE": "$STORE", "RCLONE_CONFIG_STORE_TYPE": "alias", "RCLONE_CONFIG_STORE_REMOTE": "$folder/store",
 "RCLONE_LOG_LEVEL": "ERROR"}
EOF

name=$(basename "$source")
cp "${source%.*}".* "$folder/mine/sources"
cd "$folder/mine"
"$folder/recipe/submit.sh" "sources/$name" "$@" | tee "$folder/log"
grep -q 'status 137' "$folder/log"
cmp "$folder/one/tiles.pmtiles" "$folder/store/planet/tiles.pmtiles"
"$folder/recipe/submit.sh" "sources/$name" "$@" 2>&1 | tee "$folder/log"
test "$(grep -c 'is there already' "$folder/log")" -eq 6
cmp "$folder/one/tiles.pmtiles" "$folder/store/planet/tiles.pmtiles"
echo 'Kubernetes, without a cluster: the same bytes'

#!/usr/bin/env bash
# Writes what the changelog says of a version to standard output, and fails if it says nothing: notes.sh 0.2.0
set -euo pipefail
cd "$(dirname "$0")/.."
awk -v head="## [$1]" '/^(## |\[.*\]: )/{on = index($0, head) == 1; next} on {print} on && /[^[:space:]]/{some = 1}
    END {exit !some}' .github/CHANGELOG.md

#!/usr/bin/env bash
# Says the version of the packages that this commit makes:
#
#   0.2.0                          the commit has the tag v0.2.0, or there is no git here
#   0.2.0~git20261123.1226.e506b04 the changelog has no section of 0.2.0 yet: sorts before 0.2.0
#   0.2.0+git20261123.1226.e506b04 it has one: sorts after 0.2.0
#
# 0.2.0 is what the program calls itself (Version.current); date and time are the commit's, in UTC. A folder with
# changes that are not committed adds '.changed'. No history is needed, so that a shallow clone says the same.
set -euo pipefail
cd "$(dirname "$0")/.."

number=$(sed -nE 's/.*static let current = "([^"]+)".*/\1/p' Sources/TilewrightKit/Version.swift)
test -n "$number"
if ! git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    echo "$number"
    exit
fi
changed=
test -z "$(git status --porcelain --untracked-files=no)" || changed=.changed
if test -z "$changed" && git tag --points-at HEAD | grep -qxF "v$number"; then
    echo "$number"
    exit
fi
sign='~'
! grep -qF "## [$number]" .github/CHANGELOG.md || sign=+
commit=$(TZ=UTC git log -1 --date=format-local:%Y%m%d.%H%M --format=%cd.%h --abbrev=7)
echo "$number${sign}git$commit$changed"

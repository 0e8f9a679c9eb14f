#!/usr/bin/env bash
# Fails unless all that says a version says the same one: check_version.sh PROGRAMS [TAG]
#
# The sources, each program of PROGRAMS, the changelog, and what is packed already in .build/deb and .build/dist. With a
# TAG, such as v0.2.0, it is that of a release: then the changelog must have a section of it, with something in it.
set -euo pipefail

programs=$(realpath "$1")
tag=${2:-}
cd "$(dirname "$0")/.."
failed=0
wrong() { echo "$1" >&2; failed=1; }

number=$(sed -nE 's/.*static let current = "([^"]+)".*/\1/p' Sources/TilewrightKit/Version.swift)
packed=$(.packaging/version.sh)
for program in tilewright tilewright-serve; do
    test -e "$programs/$program" || continue
    said=$("$programs/$program" --version)
    test "$said" = "$number" || wrong "$program says it is $said, the sources say $number"
done

changelog=.github/CHANGELOG.md
# The sections of versions, the newest first.
mapfile -t sections < <(sed -nE 's/^## \[([0-9][^]]*)\] - [0-9]{4}-[0-9]{2}-[0-9]{2}$/\1/p' $changelog)
for section in "${sections[@]}"; do
    grep -qE "^\[$section\]: " $changelog || wrong "the changelog has no address of $section"
done
newest=$(printf '%s\n' "$number" "${sections[@]}" | sort -rV | head -1)
test "$newest" = "$number" || wrong "the changelog has $newest, the sources say $number"
if test -n "$tag"; then
    test "$tag" = "v$number" || wrong "the tag is $tag, the sources say $number"
    test "$packed" = "$number" || wrong "packages would be of $packed: the tag is not on this commit, or something changed"
    test "${sections[0]}" = "$number" || wrong "the changelog's newest section is of ${sections[0]}, not of $number"
    .packaging/notes.sh "$number" > /dev/null || wrong "the changelog has nothing of $number"
fi

for package in .build/deb/*.deb; do
    test -e "$package" || continue
    said=$(dpkg-deb -f "$package" Version)
    test "$said" = "$packed-1" || wrong "$package is of $said, not of $packed-1"
done
for sbom in .build/dist/*.spdx.json; do
    test -e "$sbom" || continue
    grep -qF "\"versionInfo\": \"$packed\"" "$sbom" || wrong "$sbom is not of $packed"
done
test $failed = 0 || exit 1
echo "version $packed"

#!/usr/bin/env bash
# Packs programs that are built into an archive, beside what a release needs besides: make_dist.sh PROGRAMS OUTPUT
#
#   tilewright-VERSION-SYSTEM-PROCESSOR.tar.gz    programs, man pages, completions, schemas, licenses, sums
#   tilewright-VERSION-SYSTEM-PROCESSOR.spdx.json what is in these programs; it is in the archive, too
#   tilewright-VERSION-source.tar.gz              the commit, and which dependencies were taken
#   SHA256SUMS                                    of these three
#
# PROGRAMS is a folder with tilewright and, if they were built, its companions. The same programs and the same commit
# give the same bytes: names are sorted, owners are 0, times are those of SOURCE_DATE_EPOCH, or of the commit.
set -euo pipefail
umask 022
export LC_ALL=C.UTF-8

programs=$(realpath "$1")
mkdir -p "$2"
output=$(realpath "$2")
cd "$(dirname "$0")/.."

version=$(.packaging/version.sh)
: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct)}"
export SOURCE_DATE_EPOCH
# The C libraries are the system's: of which system it was, the name says.
# shellcheck source=/dev/null
system=$(. /etc/os-release && echo "$ID$VERSION_ID")
# A version of a commit has a '~' or a '+', which addresses of files do not take as they are.
file=tilewright-${version//[~+]/-}
name=$file-$system-$(uname -m)
work=$output/work
rm -rf "$work" "$output"/tilewright-* "$output/SHA256SUMS"
mkdir -p "$work/$name"

.packaging/stage.sh "$programs" "$work/$name" ''
cp README.md LICENSE .github/CHANGELOG.md "$work/$name"
built=()
for program in tilewright tilewright-serve tilewright-render; do
    test ! -e "$programs/$program" || built+=("$program")
done
# What holds for the code of others that is linked into the programs.
mkdir "$work/$name/licenses"
for program in "${built[@]}"; do .packaging/copyright.sh "$program" > "$work/$name/licenses/$program.txt"; done
# Debian's packages name these texts; elsewhere they may not be there.
grep -oh '/usr/share/common-licenses/[A-Za-z0-9.-]*[0-9]' "$work/$name/licenses"/*.txt | sort -u \
    | xargs cp -L -t "$work/$name/licenses"
.packaging/sbom.py "$programs" "$work/$name/bin" "$version" > "$output/$name.spdx.json"
cp "$output/$name.spdx.json" "$work/$name/sbom.spdx.json"
(cd "$work/$name" && find . -type f -printf '%P\0' | sort -z | xargs -0 sha256sum) > "$work/sums"
mv "$work/sums" "$work/$name/SHA256SUMS"

# archive FOLDER NAME: ustar is a form that has no fields for what differs from run to run.
archive() {
    tar -C "$1" --create --format=ustar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 \
        --numeric-owner --mode=u=rwX,go=rX "$2" | gzip -9n
}

archive "$work" "$name" > "$output/$name.tar.gz"
# Of a commit, or of what is about to be one; then the dependencies, which git does not keep.
source=$file-source
mkdir "$work/$source"
git archive "$(git stash create | grep . || echo HEAD)" | tar -x -C "$work/$source"
test ! -e Package.resolved || cp Package.resolved "$work/$source"
archive "$work" "$source" > "$output/$source.tar.gz"
rm -rf "$work"
(cd "$output" && sha256sum -- tilewright-* > SHA256SUMS && cat SHA256SUMS && ls -l -- tilewright-*)

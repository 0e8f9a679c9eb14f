#!/usr/bin/env bash
# Unpacks the archive in a bare Debian, installs what the article Install says it needs, and uses it:
# test_dist.sh ARCHIVES
set -euo pipefail

archive=$(realpath "$1"/tilewright-*-debian*.tar.gz)
cd "$(dirname "$0")/../.."
. .packaging/tests/root.sh
need_root

work=$(mktemp -d)
root=$work/root
trap 'rm -rf --one-file-system "$work"' EXIT

# What stands after 'apt install' in the article's section of the archive, of all lines.
needed=$(sed -n '/^## The archive/,/^## /p' Sources/TilewrightKit/TilewrightKit.docc/Users/Install.md \
    | sed -e ':a' -e '/\\$/{N; s/\\\n//; ba' -e '}' | sed -n 's/^    apt install //p' | xargs)
test -n "$needed"
make_root "$root"
mkdir "$root/test"
cp "$archive" Examples/second.png .packaging/tests/{photo.heic,sheet.pdf} "$root/test"

cat > "$root/test/run.sh" <<'EOF'
set -euo pipefail
cd /test
fail() { echo "$1" >&2; exit 1; }
install() { apt-get install -q -y --no-install-recommends "$@" > log 2>&1 || { tail log >&2; exit 1; }; }
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
apt-get update -q > log 2>&1 || { tail log >&2; exit 1; }

tar -xzf tilewright-*.tar.gz
rm tilewright-*.tar.gz
cd tilewright-*
sha256sum -c --quiet SHA256SUMS
bin=$PWD/bin
cd ..

# All but what is loaded late: the program starts, and names what is missing.
late='libgeotiff5 libheif1 libproj25'
# shellcheck disable=SC2086 # names of packages are words
install $(tr ' ' '\n' <<< "$*" | grep -vxF "$(tr ' ' '\n' <<< "$late")")
# poppler brings PROJ's neighbours, but not PROJ.
for package in $late; do
    ! dpkg -s "$package" > /dev/null 2>&1 || echo "left out: $package is here already"
done
"$bin/tilewright" info second.png --bounds 1.729,48.216,1.731,48.218 | head -1
! "$bin/tilewright" info second.png --bounds 500000,5340000,500100,5340100 --crs EPSG:25832 > /dev/null 2> error \
    || fail 'there is a UTM without PROJ'
grep -q libproj25 error || fail "no word of libproj25: $(cat error)"

install "$@"
! ldd "$bin"/* | grep 'not found' || fail 'the article does not name all packages'
"$bin/tilewright" info second.png --bounds 500000,5340000,500100,5340100 --crs EPSG:25832 | head -1
"$bin/tilewright" build second.png -o tiles --bounds 1.729,48.216,1.731,48.218
"$bin/tilewright" verify tiles
"$bin/tilewright" info photo.heic --bounds 11,48,11.001,48.001 | head -1
test ! -x "$bin/tilewright-render" || "$bin/tilewright" build sheet.pdf -o drawn --anchor 0,0,11.5744,48.1402 \
    --scale 1:100 --zoom 20-22
test ! -x "$bin/tilewright-serve" || "$bin/tilewright" serve --help | head -1
EOF
# shellcheck disable=SC2086 # names of packages are words
in_root "$root" /bin/bash /test/run.sh $needed

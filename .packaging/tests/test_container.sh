#!/usr/bin/env bash
# Runs what the last stage of .packaging/Containerfile says in a bare Debian, and uses the program there as its user:
# test_container.sh PACKAGES
#
# It is no builder of images: it knows the instructions that this stage has, and stops at any other. A bare Debian of
# debootstrap stands for the image of Debian; what such images keep away from a disk, it keeps away, too.
set -euo pipefail

packages=$(realpath "$1")
cd "$(dirname "$0")/../.."
. .packaging/tests/root.sh
need_root

work=$(mktemp -d)
root=$work/root
trap 'rm -rf --one-file-system "$work"' EXIT
make_root "$root"
# As in the image: no pages of manuals, no documents but those of rights.
printf '%s\n' 'path-exclude /usr/share/doc/*' 'path-include /usr/share/doc/*/copyright' \
    'path-exclude /usr/share/man/*' 'path-exclude /usr/share/locale/*' > "$root/etc/dpkg/dpkg.cfg.d/slim"
echo 'Dir::Cache::pkgcache ""; Dir::Cache::srcpkgcache "";' > "$root/etc/apt/apt.conf.d/slim"
before=$(du -sm "$root" | cut -f1)
mkdir "$root/packages"
cp "$packages"/*.deb "$root/packages"

echo '== Containerfile'
user=0:0 folder=/ entry=()
# The instructions after the last FROM, one on a line.
while read -r instruction rest; do
    case $instruction in
        RUN)
            # What is mounted for the instruction lies there already.
            rest=$(sed -E 's/--mount=[^ ]+ //g' <<< "$rest")
            in_root "$root" /bin/sh -ec "export DEBIAN_FRONTEND=noninteractive; $rest" > "$work/log" 2>&1 || {
                tail -20 "$work/log" >&2; exit 1; } ;;
        USER) user=$rest ;;
        WORKDIR) folder=$rest ;;
        ENTRYPOINT) mapfile -t entry < <(python3 -c 'import json, sys; print(*json.loads(sys.argv[1]), sep="\n")' "$rest") ;;
        CMD | EXPOSE) ;;
        *) echo "the test does not know '$instruction'" >&2; exit 1 ;;
    esac
done < <(awk '/^FROM /{text = ""; next} /^#/{next} {sub(/\\$/, "") ? text = text $0 : text = text $0 "\n"}
    END {printf "%s", text}' .packaging/Containerfile | grep .)
rm -rf "$root/packages"

# contained ARGUMENT... is what 'docker run' does.
contained() {
    in_root "$root" /bin/sh -c "cd $folder && exec setpriv --reuid ${user%:*} --regid ${user#*:} --clear-groups \
        --no-new-privs \"\$@\"" - "${entry[@]}" "$@"
}

echo "== as ${user}"
echo "version $(contained --version)"
cp Examples/second.png .packaging/tests/{sheet.pdf,photo.avif,photo.heic} "$root$folder"
contained build second.png -o tiles --transform similarity \
    --gcp 50,50,1.729584,48.217320 --gcp 1700,50,1.730433,48.217147 \
    --gcp 2050,1300,1.730416,48.216680 --gcp 50,1300,1.729387,48.216890
contained verify tiles
contained info photo.heic --bounds 11,48,11.001,48.001 | head -1
contained info photo.avif --bounds 11,48,11.001,48.001 | head -1
if test -x "$root/usr/bin/tilewright-render"; then
    contained build sheet.pdf -o drawn --anchor 0,0,11.5744,48.1402 --scale 1:100 --zoom 20-22
fi
test "$(stat -c %u:%g "$root$folder/tiles/tilejson.json")" = "$user" || { echo "not of $user" >&2; exit 1; }
# Nothing of the build stays, and the user may write nowhere but in the folder and where all may.
left=$(find "$root" -xdev \( -name '*.deb' -o -path "$root/var/lib/apt/lists/*_Packages*" \) -type f)
test -z "$left" || { echo "left in the image: $left" >&2; exit 1; }
echo "added to the image of Debian: $(($(du -sm "$root" --exclude "$root$folder" | cut -f1) - before)) MB"

#!/usr/bin/env bash
# Packs programs that are built into Debian packages: make_deb.sh PROGRAMS OUTPUT
#
# PROGRAMS is a folder with tilewright and, if they were built, its companions; a companion that is not there gets
# no package. Debian's tools want a folder debian/, which is made in OUTPUT/work, and left there. The same programs and
# the same commit give the same bytes: times are those of SOURCE_DATE_EPOCH, or of the commit.
set -euo pipefail
umask 022
export LC_ALL=C.UTF-8

programs=$(realpath "$1")
mkdir -p "$2"
output=$(realpath "$2")
cd "$(dirname "$0")/.."

version=$(.packaging/version.sh)
: "${SOURCE_DATE_EPOCH:=$(git log -1 --format=%ct)}"
: "${MAINTAINER:=$(git log -1 --format='%cn <%ce>')}"
export SOURCE_DATE_EPOCH
work=$output/work
rm -rf "$work" "$output"/*.deb
mkdir -p "$work/debian"

# What make installs, in one tree; zsh of Debian looks elsewhere than zsh of others.
all=$work/all
.packaging/stage.sh "$programs" "$all" /usr ZSH_COMPLETIONS="$all/usr/share/zsh/vendor-completions"
find "$all/usr/share/man" -type f -exec gzip -9n {} +

# Not by sed, to which some letters of a name would mean something.
MAINTAINER=$MAINTAINER awk '/^#/ { next }
    { at = index($0, "@MAINTAINER@") }
    at { $0 = substr($0, 1, at - 1) ENVIRON["MAINTAINER"] substr($0, at + 12) }
    { print }' .packaging/control > "$work/debian/control"
python3 .packaging/changelog.py "$version" "$MAINTAINER" > "$work/debian/changelog"

# Of the libraries that the program loads by itself: the package that has the soname here, in this version or later.
loaded() {
    local soname file package list=
    for soname in "$@"; do
        grep -qrF "\"$soname\"" Sources/SystemLibraries Sources/CTransfer || {
            echo "no loader of $soname is in Sources/SystemLibraries or Sources/CTransfer" >&2; return 1; }
        file=$(ldconfig -p | awk -v name="$soname" '$1 == name {print $NF; exit}')
        test -n "$file" || { echo "$soname is not installed here" >&2; return 1; }
        # dpkg knows a file by where its package put it, be it below /lib or below /usr/lib.
        package=$(dpkg-query -S "$file" "/usr$file" "${file#/usr}" 2>/dev/null | head -1 | sed 's/:.*//') || true
        test -n "$package" || { echo "no package has $soname" >&2; return 1; }
        list+=${list:+, }$(dpkg-query -W -f '${Package} (>= ${source:Upstream-Version})\n' "$package" | head -1)
    done
    echo "$list"
}

# pack PACKAGE FILE... moves these files out of the tree of all.
pack() {
    local package=$1 root=$work/debian/$1 file
    shift
    for file in "$@"; do
        mkdir -p "$root/$(dirname "$file")"
        mv "$all/$file" "$root/$file"
    done
    local notes=$root/usr/share/doc/$package
    mkdir -p "$notes" "$root/DEBIAN"
    gzip -9n < "$work/debian/changelog" > "$notes/changelog.Debian.gz"
    .packaging/copyright.sh "$package" > "$notes/copyright"
    (
        cd "$work"
        find "debian/$package/usr/bin" -type f -print0 | sort -z | xargs -0 dpkg-shlibdeps \
            -Tdebian/"$package".substvars
        if test "$package" = tilewright; then
            cat "$work/loaded" >> "debian/$package.substvars"
        fi
        (cd "debian/$package" && find usr -type f -print0 | sort -z | xargs -0 md5sum) \
            > "debian/$package/DEBIAN/md5sums"
        dpkg-gencontrol -p"$package" -v"$version-1" -Tdebian/"$package".substvars -Pdebian/"$package" \
            -fdebian/files
        chmod -R u=rwX,go=rX "debian/$package"
        find "debian/$package" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
        # One thread: how xz cuts its blocks must not depend on the cores of this machine.
        dpkg-deb --root-owner-group -Zxz --threads-max=1 --build "debian/$package" "$output"
    )
}

# Assigned first: a failure within another command's words would pass.
# PROJ depends on this flavour of libcurl, too.
places=$(loaded libproj.so.25 libgeotiff.so.5 libcurl-gnutls.so.4)
photographs=$(loaded libheif.so.1)
printf '%s\n' "tilewright:Loaded=$places" "tilewright:LoadedForPhotographs=$photographs" > "$work/loaded"

manual=usr/share/man/man1
for companion in tilewright-serve tilewright-render; do
    if test -e "$all/usr/bin/$companion"; then
        pack "$companion" "usr/bin/$companion" "$manual/$companion.1.gz"
    else
        echo "left out: $companion is not in $programs" >&2
    fi
done
mapfile -t rest < <(cd "$all" && find . -type f | sed 's|^\./||' | sort)
pack tilewright "${rest[@]}"
(cd "$output" && ls -l -- *.deb)

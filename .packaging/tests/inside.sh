#!/usr/bin/env bash
# What test_deb.sh runs in the bare root. 'inside.sh draw FOLDER' only makes the tiles that are compared, with the
# programs of FOLDER.
set -euo pipefail
cd "$(dirname "$0")"

fail() { echo "$1" >&2; exit 1; }

# draw FOLDER: the first plan of the README, the example, a photograph through libheif, which is loaded for it, and a page
# of a PDF if there is a renderer.
draw() {
    "$1/tilewright" build Examples/second.png -o tiles --transform similarity \
        --gcp 50,50,1.729584,48.217320 --gcp 1700,50,1.730433,48.217147 \
        --gcp 2050,1300,1.730416,48.216680 --gcp 50,1300,1.729387,48.216890
    make -s -C Examples TILEWRIGHT="$1/tilewright"
    "$1/tilewright" build photo.heic -o photo --bounds 11,48,11.0001,48.0001
    if test -x "$1/tilewright-render"; then
        "$1/tilewright" build sheet.pdf -o drawn --anchor 0,0,11.5744,48.1402 --scale 1:100 --zoom 20-22
    else
        mkdir -p drawn
    fi
}

if test "${1:-}" = draw; then
    draw "$2"
    exit
fi

export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
apt-get update -q > log 2>&1 || { tail log >&2; exit 1; }
# Nothing is installed but what the packages depend on: what works now works with the least. The program comes first,
# without its companions.
apt-get install -q -y --no-install-recommends ./tilewright_*.deb > log 2>&1 || { tail -20 log >&2; exit 1; }
sed -n 's/After this operation, \(.*\) of additional.*/installed: tilewright and what it depends on, \1/p' log
# What is missing is named.
! tilewright info photo.heic 2> error || fail 'a HEIC is read without libheif'
grep -q libheif1 error || fail "no word of libheif1: $(cat error)"
! tilewright info sheet.pdf 2> error || fail 'a PDF is drawn without a renderer'
grep -q tilewright-render error || fail "no word of tilewright-render: $(cat error)"
! tilewright serve Examples 2> error || fail 'there is a server without its package'
grep -q tilewright-serve error || fail "no word of tilewright-serve: $(cat error)"

apt-get install -q -y --no-install-recommends ./*.deb > log 2>&1 || { tail -20 log >&2; exit 1; }
dpkg -l 'tilewright*' | tail -n +6
apt-get install -q -y --no-install-recommends libheif1 libjs-leaflet > log 2>&1
for photo in photo.heic photo.avif; do tilewright info $photo --bounds 11,48,11.001,48.001 | head -1; done
for package in $(dpkg-query -W -f '${Package}\n' 'tilewright*'); do dpkg --verify "$package"; done
if ldd /usr/bin/tilewright* | grep 'not found'; then fail 'a library is missing'; fi
apt-get install -q -y --no-install-recommends make man-db bash-completion zsh fish curl > log 2>&1 || {
    tail log >&2; exit 1; }

echo "tilewright $(tilewright --version)"
draw /usr/bin
tilewright verify tiles
tilewright verify Examples/tiles

# Every page, as man shows it.
for page in tilewright $(dpkg -L tilewright tilewright-serve tilewright-render 2>/dev/null \
        | sed -nE 's|.*/man1/(.*)\.1\.gz|\1|p' | sort); do
    MANWIDTH=80 man --warnings "$page" > text 2> warnings || fail "man $page failed"
    test ! -s warnings || { cat warnings >&2; fail "man $page warns"; }
    grep -q '^DESCRIPTION' text || fail "man $page has no description"
done
man tilewright | head -5
man -f tilewright | head -3

# offered LINE...: what bash offers at the end of the line, by the function that bash-completion loads when it is
# first needed.
offered() {
    bash -c '
        source /usr/share/bash-completion/bash_completion
        _completion_loader tilewright || test $? = 124
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE} COMP_TYPE=9
        function=$(complete -p tilewright | sed -nE "s/.* -F ([^ ]+) .*/\1/p")
        $function tilewright "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        echo "${COMPREPLY[*]}"' - "$@"
}

# completes OFFERED LINE...
completes() {
    local expected=$1 said
    shift
    said=$(offered "$@")
    test "$said" = "$expected" || fail "bash offers '$said' after '$*'"
    said=$(fish -c "complete -C '$*'" | cut -f1 | paste -sd' ')
    test "$said" = "$expected" || fail "fish offers '$said' after '$*'"
}

completes place tilewright pl
completes verify tilewright ve
completes --transform tilewright build --transf
completes 'similarity' tilewright build --transform simi
# What is mistyped is answered by what was meant.
! tilewright plcae Examples/second.png 2> error || fail "there is a command 'plcae'"
grep -q place error || fail "no word of 'place': $(cat error)"
zsh -c 'autoload -U compinit && compinit -D && [[ $_comps[tilewright] = _tilewright ]] && autoload +X _tilewright' \
    || fail 'zsh has no completion'
echo 'bash, fish and zsh complete'

grep -qF 'schema"' /usr/share/tilewright/building.schema.json || fail 'the schema is not there'
for package in $(dpkg-query -W -f '${Package}\n' 'tilewright*'); do
    grep -q '^Format: https://www.debian.org' "/usr/share/doc/$package/copyright"
    zcat "/usr/share/doc/$package/changelog.Debian.gz" | grep -q '^tilewright ('
done

if command -v tilewright-serve >/dev/null; then
    tilewright serve tiles --listen 127.0.0.1:0 2> serve.log &
    server=$!
    for _ in $(seq 50); do
        address=$(sed -nE 's|.*listening on (http://[^ ]+).*|\1|p' serve.log)
        test -z "$address" || break
        sleep 0.1
    done
    tile=$(cd tiles && find . -path './[0-9]*.png' | sort | tail -1 | cut -c3-)
    curl -sf "$address/tiles/$tile" | cmp - "tiles/$tile" || fail "the server's tile differs"
    curl -sf "$address/tiles.json" | grep -q tilejson || fail 'the server has no TileJSON'
    kill $server
    wait $server 2>/dev/null || true
    echo "served: $tile"
else
    echo 'left out: there is no package tilewright-serve'
fi
if command -v tilewright-render >/dev/null; then
    tilewright-render --version | head -1
    tilewright-render --check
    tilewright verify drawn
else
    echo 'left out: there is no package tilewright-render'
fi

apt-get purge -q -y 'tilewright*' > log 2>&1
left=$(find /usr /etc /var/lib -name '*tilewright*' ! -path '/var/lib/apt/*' ! -path '/var/lib/dpkg/*')
test -z "$left" || fail "purge left $left"
echo 'purged, nothing is left'

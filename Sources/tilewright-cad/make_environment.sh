#!/usr/bin/env bash
# Makes a Python environment with tilewright-cad and what it needs from PyPI: make_environment.sh FOLDER [--linked]
#
# FOLDER/bin/tilewright-cad can be called through a symbolic link. The folder cannot be moved, since it contains its
# own path. With --linked, Python imports the sources themselves, so that a change has an effect at once.
set -euo pipefail
umask 022
sources=$(cd "$(dirname "$0")" && pwd -P)
mkdir -p "$1"
folder=$(cd "$1" && pwd -P)
work=$folder/work
confinement=$sources/../CConfinement

# attempt WHAT COMMAND...: prints nothing, or one line that says why it failed.
attempt() {
    local what=$1 reason
    shift
    "$@" > "$work/log" 2>&1 && return
    reason=$(grep -m 1 -oE '(ERROR|fatal error): .*' "$work/log" || tail -1 "$work/log")
    echo "cannot make tilewright-cad: $what: $reason" >&2
    exit 1
}

install_package() {
    local pip=("$folder/bin/python" -m pip install -q --disable-pip-version-check --retries 1)
    # Without the network, the build tools of the system may suffice.
    "${pip[@]}" "$work/package" || "${pip[@]}" --no-build-isolation "$work/package"
}

rm -rf "$work"
mkdir -p "$work/package"
trap 'rm -rf "$work"' EXIT

options=
# What the system has need not be downloaded.
if python3 -I -c 'import ezdxf, PIL; assert ezdxf.version[:2] >= (1, 3)' 2>/dev/null; then
    options=--system-site-packages
fi
attempt 'python3 -m venv (in Debian: python3-venv)' python3 -m venv $options "$folder"
attempt 'the C compiler' "${CC:-cc}" -shared -fPIC -pthread -O2 "-I$confinement/include" "$confinement/confinement.c" \
    -o "$folder/lib/libtilewright-confinement.so"
# A copy, since setuptools writes next to the sources.
cp -R "$sources/tilewright_cad" "$work/package"
version=$(sed -nE 's/.*static let current = "([^"]+)".*/\1/p' "$sources/../TilewrightKit/Version.swift")
sed "s/^version = .*/version = \"$version\"/" "$sources/pyproject.toml" > "$work/package/pyproject.toml"
attempt 'ezdxf and pillow from PyPI' install_package

modules=$("$folder/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
rm -f "$modules/tilewright_cad.pth"
if test "${2:-}" = --linked; then
    rm -r "$modules/tilewright_cad"
    echo "$sources" > "$modules/tilewright_cad.pth"
fi

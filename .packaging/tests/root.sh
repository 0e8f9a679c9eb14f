# shellcheck shell=bash
# What the tests in a bare Debian share; they source it. Their root comes of debootstrap: from MIRROR, or from where apt
# gets packages here. It is kept as an archive in .build/roots for a week, and is brought up to date when it is used.
# Mounts are seen by the test's own processes alone, and end with them.

suite=${SUITE:-bookworm}
roots=$PWD/.build/roots

# What is left out is no failure, but where nobody reads it.
leave_out() {
    echo "left out: $1"
    test -z "${CI:-}"
    exit
}

# What the tests need of this machine; where it is not there, that is said, and is no failure.
need_root() {
    test "$(id -u)" = 0 || leave_out 'the test in a bare Debian needs root'
    command -v debootstrap >/dev/null || leave_out 'the test in a bare Debian needs debootstrap'
    unshare --mount --pid --fork true 2>/dev/null || leave_out 'the test in a bare Debian mounts: it may not here'
}

# make_root FOLDER
make_root() {
    local kept file
    kept=$roots/$suite-$(dpkg --print-architecture).tar
    # Where apt of this system gets the suite from: the first address that it read.
    if test -z "${MIRROR:-}"; then
        # shellcheck disable=SC2016 # apt-get replaces them
        MIRROR=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 2>/dev/null \
            | awk -v suite="$suite" '$2 == suite {print $1; exit}')
        : "${MIRROR:=http://deb.debian.org/debian}"
    fi
    if test -z "$(find "$kept" -mtime -7 2>/dev/null)"; then
        echo "== a bare $suite"
        if ! debootstrap --variant=minbase "$suite" "$1" "$MIRROR" > "$1.log" 2>&1; then
            # Without a network there is no Debian to install in; anything else is a failure.
            grep -q 'Failed getting release file' "$1.log" && leave_out "no Debian can be had from $MIRROR"
            tail -20 "$1.log" >&2
            exit 1
        fi
        rm -f "$1"/var/cache/apt/archives/*.deb
        mkdir -p "$roots"
        tar -C "$1" --numeric-owner -cf "$kept.partial" .
        mv "$kept.partial" "$kept"
    else
        echo "== a bare $suite of $(date -r "$kept" +%F)"
        mkdir "$1"
        tar -C "$1" --numeric-owner -xpf "$kept"
    fi
    # How apt here reaches its hosts, a proxy for example, holds in the root too.
    for file in resolv.conf hosts; do
        test ! -e "/etc/$file" || cp -L "/etc/$file" "$1/etc/$file"
    done
    apt-config dump | grep -E '^Acquire::https?::' > "$1/etc/apt/apt.conf.d/90host" || true
}

# in_root FOLDER COMMAND... runs a command there, with /proc and nothing else of this machine's.
in_root() {
    # shellcheck disable=SC2016 # the inner shell replaces them
    unshare --mount --pid --fork --kill-child bash -c \
        'mount -t proc proc "$1/proc" && exec chroot "$@"' - "$@"
}

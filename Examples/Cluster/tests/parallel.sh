#!/usr/bin/env bash
# Runs parallel/run.sh on this machine, then over ssh with two machines, both of which are this one, and compares.
#
#   tests/parallel.sh FOLDER SOURCE [options of build]      'tilewright' is the one on the PATH
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(realpath -m "$1")
shift
rm -rf "$folder"
mkdir -p "$folder"
tilewright "$@" -o "$folder/one/tiles.pmtiles"
check() {
    cmp "$folder/one/tiles.pmtiles" "$folder/$1/tiles.pmtiles"
    echo "$2: the same bytes"
}

"$here/../parallel/run.sh" "$folder/job" "$folder/here/tiles.pmtiles" 7 "$@"
check here 'parallel on this machine'

# One shard is lost, another is truncated. The first run finds both when it merges, the second makes them again.
rm "$folder/job/shards/2.shard"
truncate -s -1 "$folder/job/shards/5.shard"
status=0
"$here/../parallel/run.sh" "$folder/job" "$folder/again/tiles.pmtiles" 7 "$@" || status=$?
test "$status" -eq 65
"$here/../parallel/run.sh" "$folder/job" "$folder/again/tiles.pmtiles" 7 "$@"
check again 'parallel, two shards made again'

# An ssh server only for this user, with new keys, in a folder that is removed with it.
own=$(mktemp -d)
server=$(command -v sshd /usr/sbin/sshd | head -n 1)
[ "$(id -u)" -ne 0 ] || mkdir -p /run/sshd
ssh-keygen -q -t ed25519 -N '' -f "$own/host_key"
ssh-keygen -q -t ed25519 -N '' -f "$own/key"
port=$((20000 + $$ % 10000))
cat > "$own/sshd_config" <<EOF
ListenAddress 127.0.0.1
Port $port
HostKey $own/host_key
AuthorizedKeysFile $own/key.pub
PidFile $own/sshd.pid
PermitRootLogin prohibit-password
PasswordAuthentication no
StrictModes no
SetEnv PATH=$PATH
EOF
"$server" -f "$own/sshd_config" -E "$own/sshd.log"
trap 'kill "$(cat "$own/sshd.pid")"; rm -rf "$own"' EXIT
cat > "$own/ssh_config" <<EOF
Host one two
    HostName 127.0.0.1
    Port $port
    IdentityFile $own/key
    IdentitiesOnly yes
    StrictHostKeyChecking no
    UserKnownHostsFile $own/known_hosts
    LogLevel ERROR
Host gone
    HostName 127.0.0.1
    Port 1
EOF
ssh="ssh -F $own/ssh_config"
# Each line has the number of cores. The third machine does not respond.
printf '%s\n' "1/$ssh one" "1/$ssh two" "1/$ssh gone" > "$own/machines"
MACHINES=$own/machines "$here/../parallel/run.sh" "$folder/ssh" "$folder/ssh/tiles.pmtiles" 7 "$@"
cut -f 2,7 "$folder"/ssh/parallel-*.log
for machine in one two; do cut -f 2 "$folder"/ssh/parallel-*.log | grep -q " $machine\$"; done
check ssh 'parallel over ssh'

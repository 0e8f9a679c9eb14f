#!/usr/bin/env bash
# A Slurm of this machine only, for tests: a controller, and one node that claims to have 16 CPUs.
#
#   tests/slurm_here.sh start FOLDER      then export SLURM_CONF=FOLDER/slurm.conf
#   tests/slurm_here.sh stop FOLDER
#
# All files are in FOLDER, even the key: a Slurm that is installed on this machine is not changed.
set -euo pipefail
folder=$(realpath -m "$2")
conf=$folder/slurm.conf
export SLURM_CONF=$conf

start() {
    if [ "$(id -u)" -ne 0 ]; then
        echo 'skipped: a Slurm node starts tasks as any user, so root must start it' >&2
        exit 77
    fi
    mkdir -p "$folder/state" "$folder/spool"
    chmod 755 "$folder"
    # munged requires a key and folders to which no other user may write.
    (umask 077 && head -c 1024 /dev/urandom > "$folder/munge.key")
    munged --force --key-file="$folder/munge.key" --socket="$folder/munge.socket" \
        --pid-file="$folder/munged.pid" --log-file="$folder/munged.log" --seed-file="$folder/munge.seed"
    local host memory
    host=$(hostname -s)
    memory=$(awk '/^MemTotal/ {print int($2 / 1024)}' /proc/meminfo)
    # Without cgroups and systemd, Slurm runs in a container. 'config_overrides' accepts 16 CPUs that do not exist, so
    # that a small machine runs several tasks of the array at once.
    cat > "$conf" <<EOF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=26817
SlurmdPort=26818
SlurmUser=root
SlurmdUser=root
AuthInfo=socket=$folder/munge.socket
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SlurmdParameters=config_overrides
MaxArraySize=${MOST:-1001}
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,batch_sched_delay=0
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
NodeName=$host NodeAddr=127.0.0.1 CPUs=16 RealMemory=$((memory > 65536 ? memory : 65536)) State=UNKNOWN
PartitionName=main Nodes=$host Default=YES OverSubscribe=NO State=UP
EOF
    slurmctld -c
    slurmd
    for _ in $(seq 60); do
        case $(sinfo -h -o %t 2> /dev/null) in idle) return ;; esac
        sleep 0.5
    done
    echo 'the node did not start:' >&2
    tail -n 8 "$folder"/*.log >&2
    exit 1
}

stop() {
    for name in slurmd slurmctld munged; do
        local id
        id=$(cat "$folder/$name.pid" 2> /dev/null) || continue
        kill "$id" 2> /dev/null || true
        for _ in $(seq 100); do
            if ! kill -0 "$id" 2> /dev/null; then break; fi
            sleep 0.1
        done
    done
}

"$1"

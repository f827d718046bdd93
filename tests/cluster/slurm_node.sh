# A Slurm of one node in a folder of its own: slurmctld, slurmd and munged, with their own key, ports and sockets. A test sources this file.
# start_slurm FOLDER sets SLURM_CONF and PATH for sbatch and similar commands; stop_slurm stops everything.

slurm_pids=()

# skip REASON: the exit code that ctest takes as skipped.
skip() {
  echo "skipped: $*"
  exit 77
}

free_port() {
  local port
  for port in $(shuf -i 20000-60000 -n 50); do
    if ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
      echo "$port"
      return
    fi
  done
  return 1
}

# wait_for SECONDS COMMAND...: until the command is true, or a daemon has ended.
wait_for() {
  local end=$((SECONDS + $1)) pid
  shift
  until "$@" >/dev/null 2>&1; do
    ((SECONDS < end)) || return 1
    for pid in "${slurm_pids[@]}"; do kill -0 "$pid" 2>/dev/null || return 1; done
    sleep 0.2
  done
}

stop_slurm() {
  local pid
  ((${#slurm_pids[@]})) || return 0
  scancel --user=root >/dev/null 2>&1 || true
  for pid in "${slurm_pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  for pid in "${slurm_pids[@]}"; do wait "$pid" 2>/dev/null || true; done
  slurm_pids=()
}

start_slurm() {
  local folder=$1 tool host
  for tool in slurmctld slurmd munged mungekey sbatch; do
    PATH=$PATH:/usr/sbin command -v "$tool" >/dev/null || skip "$tool is not installed (./wharf test installs slurm-wlm and munge)"
  done
  ((EUID == 0)) || skip "slurmd starts jobs as root alone"
  PATH=$PATH:/usr/sbin
  host=$(hostname -s)
  mkdir -p "$folder"/{state,spool,munge}
  chmod 700 "$folder/munge"
  mungekey --create --keyfile="$folder/munge/key"
  munged --foreground --force --socket="$folder/munge/socket" --key-file="$folder/munge/key" --pid-file="$folder/munge/pid" \
    --log-file="$folder/munge/log" --seed-file="$folder/munge/seed" --num-threads=2 >"$folder/munged.log" 2>&1 &
  slurm_pids+=($!)
  wait_for 20 test -S "$folder/munge/socket" || skip "munged does not start: $(tail -n 3 "$folder/munged.log" "$folder/munge/log" 2>&1)"
  cat >"$folder/slurm.conf" <<CONF
ClusterName=wharf
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
CredType=cred/munge
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=sched_min_interval=0,batch_sched_delay=0,bf_interval=1
ReturnToService=2
KillWait=5
MinJobAge=300
SlurmdTimeout=0
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 RealMemory=100 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
  # Given explicitly, because slurmd looks for a plugin even if none is used.
  echo "CgroupPlugin=cgroup/v1" >"$folder/cgroup.conf"
  export SLURM_CONF=$folder/slurm.conf
  slurmctld -D -i >"$folder/slurmctld.out" 2>&1 &
  slurm_pids+=($!)
  slurmd -D >"$folder/slurmd.out" 2>&1 &
  slurm_pids+=($!)
  wait_for 60 node_is_up || skip "Slurm does not start here: $(sinfo 2>&1 | tail -n 2) $(tail -n 5 "$folder/slurmctld.log" "$folder/slurmd.log" "$folder"/*.out 2>&1)"
}

node_is_up() { [[ $(sinfo --noheader --format=%t) == idle ]]; }

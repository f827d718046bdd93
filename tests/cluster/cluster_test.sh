#!/usr/bin/env bash
# Runs the output of `wharf sweep --emit` for real: a task is killed at random, the join reports the missing runs, and the same command
# completes the sweep without repeating a finished run. Names have unusual characters. Skipped (77) without the tool.
# cluster_test.sh slurm|parallel|make PROGRAM WORKING_FOLDER
set -euo pipefail
form=$1 program=$2 work=$3
source "$(dirname -- "${BASH_SOURCE[0]}")/slurm_node.sh"

fail() { printf 'failed: %s\n' "$*" >&2; exit 1; }

command -v "$form" >/dev/null || [[ $form == slurm ]] || skip "$form is not installed (./wharf test installs it)"
rm -rf -- "$work"
mkdir -p "$work/a folder, 'odd' \$HOME #1 %a"
if [[ $form == slurm ]]; then
  slurm=$(mktemp -d)  # a socket's path must be short
  trap 'stop_slurm; rm -rf -- "$slurm"' EXIT
  start_slurm "$slurm"
fi
cd "$work/a folder, 'odd' \$HOME #1 %a"
out="out \"it's\" \$x #2 %a,b"
printf 'extends: private\nl1: {ways: 8}\n' >'my machine.yaml'
cat >"my 'sweep'.yaml" <<'SPEC'
configs: ['./my machine.yaml']
stimuli: [atax@tiny, gemm@tiny]
vary: {l1.capacity_kib: [16, 32, 64, 128]}
metrics: [cycles, l1.miss_rate]
SPEC
runs=8

# The whole sweep in one process is the expected result of the parts.
"$program" sweep "my 'sweep'.yaml" --out whole --quiet >whole.txt || fail "the sweep itself fails: $(cat whole.txt)"
"$program" sweep "my 'sweep'.yaml" --emit "$form" --tasks 3 --out "$out" >emitted.txt || fail "nothing is written: $(cat emitted.txt)"
! grep -rF --exclude=runs.sqlite -e "$work" -e "$(hostname)" "$out" || fail "a file names a folder or the name of this machine"

# start: runs everything; its output goes to started.txt, its exit code to status.
start() {
  status=0
  case $form in
    slurm)
      sh "$out/submit.sh" >started.txt 2>&1 || fail "not submitted: $(cat started.txt)"
      ;;
    parallel) sh "$out/run.sh" --retries 1 >started.txt 2>&1 || status=$? ;;
    make) make -C "$out" -j2 >started.txt 2>&1 || status=$? ;;
  esac
}
finish() {
  [[ $form == slurm ]] || return 0
  wait_for 240 no_job || fail "the jobs do not end: $(squeue)"
  local merge
  merge=$(sed -n 's/.*job //p' started.txt)
  status=$(scontrol show job "$merge" | sed -n 's/.*ExitCode=\([0-9]*\):.*/\1/p')
  cat "$out/log/merge_$merge.txt" >>started.txt
}
no_job() { [[ -z $(squeue --noheader) ]]; }

# Tasks that are running now: in this folder, with a part.
tasks() {
  local process
  for process in /proc/[0-9]*; do
    [[ $process/cwd -ef . ]] || continue
    if tr '\0' ' ' <"$process/cmdline" | grep -q -- '^[^ ]*wharf sweep .*--shard '; then echo "${process#/proc/}"; fi
  done 2>/dev/null
}
# When a task has produced a result, kills one of the running tasks a moment later.
kill_one() {
  local end=$((SECONDS + 120)) pids
  until [[ -n $(find "$out/parts" -name result.json -print -quit 2>/dev/null) ]]; do
    ((SECONDS < end)) || return 0
    sleep 0.02
  done
  sleep "0.$((RANDOM % 4))"
  until [[ -e killed ]]; do
    ((SECONDS < end)) && [[ ! -e ended ]] || return 0
    mapfile -t pids < <(tasks)
    ((${#pids[@]})) && kill -KILL "${pids[RANDOM % ${#pids[@]}]}" 2>/dev/null && touch killed
  done
}
finished() {
  find "$out/parts" -name result.json -exec grep -l '"partial": false' {} + | sort | while read -r file; do stat -c '%n %y %i' "$file"; done
}

kill_one &
killer=$!
start
finish
touch ended
wait "$killer"
[[ -e killed ]] || fail "no task could be killed: $(cat started.txt)"
if ((status == 0)); then
  cmp "$out/sweep.csv" whole/sweep.csv || fail "the joining calls whole what is not"
else
  [[ $status == 1 || ($form == make && $status == 2) ]] || fail "exit code $status: $(cat started.txt)"
  grep -q "^missing: [0-9]* of $runs runs, in parts [0-9,]* of 3" started.txt || fail "the missing runs are not reported: $(cat started.txt)"
  [[ $form == make ]] || grep -q "repeats the rest" started.txt || fail "how to repeat is not said: $(cat started.txt)"
  grep -q ',missing,' "$out/sweep.csv" || fail "the summary does not mark what is missing"
fi

before=$(finished)
start
finish
((status == 0)) || fail "the same command again does not complete it, $status: $(cat started.txt)"
cmp "$out/sweep.csv" whole/sweep.csv || fail "the parts come to something else than the whole"
after=$(finished)
[[ $(wc -l <<<"$after") == "$runs" ]] || fail "there are not $runs results but: $after"
[[ -z $(comm -23 <(echo "$before") <(echo "$after")) ]] || fail "a finished run was run again: $before / $after"
"$program" sweep "my 'sweep'.yaml" --out "$out" >again.txt 2>&1 || fail "$(cat again.txt)"
grep -q "^0 runs.*$runs are finished already" again.txt || fail "the joined records are not those of the sweep: $(cat again.txt)"

# With a new division there is nothing left to run: the joined records count.
"$program" sweep "my 'sweep'.yaml" --emit "$form" --tasks 5 --out "$out" >emitted.txt
grep -q "^$runs runs, 0 of them without a record; 5 tasks" emitted.txt || fail "finished runs are planned: $(cat emitted.txt)"
start
finish
((status == 0)) || fail "the new parts fail: $(cat started.txt)"
[[ $(finished) == "$after" ]] || fail "other parts have made a finished run again: $(finished)"
echo "$form: $(wc -l <<<"$before") of $runs runs had finished when a task was killed"

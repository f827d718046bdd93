#!/usr/bin/env bash
# Checks whether a change leaves every result unchanged: hashes of stats.csv for every configuration at @tiny, for twelve runs at @std and
# for the reference traces, recorded before the change and compared after it.
#   tests/same_results.sh record FILE [PROGRAM]    writes a line `hash configuration input` for each run
#   tests/same_results.sh compare FILE [PROGRAM]   runs them again; prints what differs, and fails if anything does
# PROGRAM is build/release/wharf by default. Takes about a minute on two cores.
set -euo pipefail

usage() {
  sed -n '4,6s/^# *//p' "$0" >&2
  exit 2
}
[[ $# -ge 2 && ($1 == record || $1 == compare) ]] || usage
mode=$1 file=$2
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
program=$(readlink -f -- "${3:-$root/build/release/wharf}") || { echo "no program ${3:-build/release/wharf}; build it with ./wharf setup" >&2; exit 2; }
[[ $mode == record || -r $file ]] || { echo "cannot read $file; write it with: $0 record $file" >&2; exit 2; }

runs() {
  local config input
  while read -r config _; do
    for input in vectoradd@tiny gemm@tiny bfs@tiny; do printf '%s %s\n' "$config" "$input"; done
  done < <("$program" list configs)
  cat <<'LIST'
shared_l1/baseline backprop@std
shared_l1/dyn_eb hotspot3d@std
shared_l1/shared_plus_plus cfd@std
remote_sharing/ip_15_2_02 bfs@std
remote_sharing/ccn_ring lps@std
dc_l1/sh40_c10_boost spmv@std:rows=1024,launches=60
dc_l1/pr40 3dconv@std
ata/ata hotspot@std
ciao/ciao_c kmeans@std
ciao/ccws 2dconv@ciao
loscache/adaptive nw@loscache
morpheus/all histo@std
LIST
  for input in "$root"/tests/data/accelsim/traces/*/; do printf 'gpus/volta_qv100 %s\n' "${input%/}"; done
}

# Prints one line of the record. A failing run is recorded with its message.
hash_of() {
  local config=$1 input=$2 option=--stimulus dir
  dir=$(mktemp -d)
  [[ $input != /* ]] || option=--trace
  if "$program" run "$config" "$option" "$input" --quiet --out "$dir" >"$dir/said" 2>&1; then
    sha256sum <"$dir/stats.csv"
  else
    sed "s|$dir||g" "$dir/said" | sha256sum
  fi | sed "s|-\$|$config ${input#"$root"/}|"
  rm -rf -- "$dir"
}
export -f hash_of
export program root

record() {
  cd -- "$root"
  runs | xargs -P "$(nproc)" -L 1 bash -c 'hash_of "$0" "$1"' | sort -k 2
}

if [[ $mode == record ]]; then
  record >"$file.part"
  mv -- "$file.part" "$file"
  echo "$(wc -l <"$file") runs recorded in $file"
else
  now=$(mktemp)
  trap 'rm -f -- "$now"' EXIT
  record >"$now"
  if diff "$file" "$now"; then
    echo "all $(wc -l <"$file") runs as recorded"
  else
    echo "results differ from $file" >&2
    exit 1
  fi
fi

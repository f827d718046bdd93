#!/usr/bin/env bash
# The packages, configurations and targets that ./wharf needs for a command, with stand-ins for apt, CMake, ninja and the program.
# wrapper_test.sh CASE WRAPPER WORKING_FOLDER
set -euo pipefail
case=$1 wrapper=$2 work=$3
program="g++ cmake ninja-build pkg-config libsystemc-dev libyaml-cpp-dev libboost-program-options-dev libboost-context-dev"
program+=" nlohmann-json3-dev libfmt-dev libsqlite3-dev zlib1g-dev liblzma-dev libzstd-dev"
virtual="libunicorn-dev gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf"

fail() { printf 'failed: %s\n' "$*" >&2; exit 1; }
# same WHAT EXPECTED ACTUAL
same() { [[ $2 == "$3" ]] || fail "$1: expected '$2', found '$3'"; }

# A clone, and a PATH with only the stand-ins and the tools that a shell script needs.
rm -rf -- "$work"
mkdir -p "$work"/bin "$work"/clone/{model,policies,stimuli,platforms,.git/logs}
cd "$work"
cp -- "$wrapper" clone/wharf
touch clone/CMakeLists.txt clone/CMakePresets.json clone/.git/logs/HEAD installed
for tool in bash env grep sed find touch mkdir rm cat cp chmod dirname readlink flock nproc tee; do ln -s "$(command -v "$tool")" bin/; done
export WORK=$work
stand_in() { { echo '#!/usr/bin/env bash'; cat; } >"bin/$1"; chmod +x "bin/$1"; }
stand_in sudo <<<'exec "$@"'
stand_in dpkg-query <<<'grep -qxF -- "${@: -1}" "$WORK/installed" && echo installed || echo not-installed'
# Installs packages by name. Fails if the file `offline` exists.
stand_in apt-get <<'E2'
[[ $1 == install ]] || exit 0
[[ ! -f $WORK/offline ]] || exit 100
shift
for word in "$@"; do [[ $word == -* ]] || echo "$word" | tee -a "$WORK/installed" >>"$WORK/added"; done
E2
# Keeps its options in the cache, and prints the contents of the file `without`.
stand_in cmake <<'E2'
echo "${@:3}" >>"$WORK/configured"
dir=build/$2
cache=$dir/CMakeCache.txt
[[ -f $cache ]] || echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" >"$cache"
for setting in "${@:3}"; do
  setting=${setting#-D}
  sed -i "/^${setting%=*}:/d" "$cache"
  echo "${setting%=*}:BOOL=${setting#*=}" >>"$cache"
done
touch "$dir/build.ninja"
[[ ! -f $WORK/without ]] || cat "$WORK/without"
E2
stand_in ninja <<'E2'
echo "${@:3}" >>"$WORK/built"
printf '#!/usr/bin/env bash\necho "ran $* with $GLIBC_TUNABLES"\n' >"$2/wharf"
chmod +x "$2/wharf"
E2
stand_in ctest <<<'echo "100% tests passed"'

# wharf ARGUMENT...: runs the wrapper; sets $status, and sets $output to everything that it printed.
wharf() {
  status=0
  output=$(PATH=$work/bin WHARF_PYTHON='' clone/wharf "$@" 2>&1) || status=$?
}
# lines_of FILE: prints its lines in one line, sorted, and empties it.
lines_of() {
  [[ ! -f $1 ]] || { sort "$1" | paste -sd ' '; rm -- "$1"; }
}
# expect STATUS ADDED_PACKAGES OPTIONS TARGETS: checks the last call.
expect() {
  same "exit code" "$1" "$status"
  same "installed" "$(printf '%s\n' $2 | sort | paste -sd ' ')" "$(lines_of added)"
  same "configured" "$(printf '%s\n' $3 | sort | paste -sd ' ')" "$( { [[ ! -f configured ]] || tr ' ' '\n' <configured; } | sort | paste -sd ' ')"
  same "built" "$4" "$(lines_of built)"
  rm -f configured
}
says() { [[ $output == *"$1"* ]] || fail "'$1' is not said: $output"; }
silent_about() { [[ $output != *"$1"* ]] || fail "'$1' is said: $output"; }

none="-DWHARF_RTL=OFF -DWHARF_VIRTUAL=OFF -DWHARF_CHARTS=OFF -DBUILD_TESTING=OFF"
case $case in
  lean)
    wharf run private
    expect 0 "$program" "$none" wharf
    says "ran run private with glibc.malloc.hugetlb=1"
    GLIBC_TUNABLES=glibc.malloc.check=0 wharf run private
    says "ran run private with glibc.malloc.check=0"
    expect 0 "" "" ""
    ;;
  once)
    wharf vp --config ata
    expect 0 "$program $virtual" "${none/VIRTUAL=OFF/VIRTUAL=ON}" wharf
    wharf vp --config ata
    expect 0 "" "" ""
    wharf bench
    expect 0 verilator "-DWHARF_RTL=ON -DWHARF_VIRTUAL=ON" wharf
    wharf vp
    expect 0 "" "" ""
    wharf compare
    expect 0 "nodejs npm" -DWHARF_CHARTS=ON wharf
    wharf cuda prog.cu -- in.cu
    expect 0 clang "" ""
    wharf sweep s.yaml --agent optuna
    expect 0 "python3 python3-optuna python3-nlopt" "" ""
    ;;
  help)
    wharf vp --help
    expect 0 "$program" "$none" wharf
    ;;
  charts)
    export WHARF_NO_INSTALL=1
    printf '%s\n' $program >installed
    echo "-- without charts: npm is missing" >without
    wharf compare
    expect 0 "" "${none/CHARTS=OFF/CHARTS=ON}" wharf
    says "apt-get install -y --no-install-recommends nodejs npm"
    says "building without charts: npm is missing"
    says "ran compare"
    wharf compare
    expect 0 "" "" ""
    silent_about npm
    wharf setup charts
    expect 2 "" "" ""
    # npm is installed, but its registry is out of reach at first.
    unset WHARF_NO_INSTALL
    echo "-- without charts: npm cannot fetch them" >without
    wharf setup charts
    expect 1 "nodejs npm" -DWHARF_CHARTS=ON wharf
    says "npm cannot fetch them"
    rm without
    wharf setup charts
    expect 0 "" -DWHARF_CHARTS=ON wharf
    ;;
  offline)
    printf '%s\n' $program >installed
    touch offline
    wharf compare
    expect 0 "" "${none/CHARTS=OFF/CHARTS=ON}" wharf
    says "ran compare"
    wharf vp
    expect 2 "" "" ""
    ;;
  refused)
    export WHARF_NO_INSTALL=1
    wharf run private
    expect 2 "" "" ""
    says "apt-get install -y --no-install-recommends $program"
    printf '%s\n' $program >installed
    wharf vp
    expect 2 "" "" ""
    says "apt-get install -y --no-install-recommends $virtual"
    wharf run private
    expect 0 "" "$none" wharf
    wharf setup nothing
    expect 2 "" "" ""
    says "there is no part 'nothing'; there are rtl virtual charts cuda agents tests"
    ;;
  setup)
    wharf setup rtl
    expect 0 "$program verilator" "${none/RTL=OFF/RTL=ON}" wharf
    wharf setup
    for package in $virtual nodejs npm clang python3-pytest catch2 chromium; do
      grep -qx -- "$package" added || fail "$package is not installed"
    done
    rm added
    expect 0 "" "${none//OFF/ON}" all
    wharf test -R one
    expect 0 "" "" all
    ;;
  kept)
    # A developer's own configuration with every part.
    printf '%s\n' $program >installed
    mkdir -p clone/build/release
    (cd clone && PATH=$work/bin cmake --preset release ${none//OFF/ON})
    rm configured
    wharf vp
    expect 0 "" "" wharf
    wharf compare
    expect 0 "" "" ""
    ;;
  *) fail "there is no case $case" ;;
esac

#!/usr/bin/env bash
# Completion and the manual page in bash, zsh and man: the words that Tab offers, also when typed on a terminal.
# completion_test.sh bash|zsh|man PROGRAM WORKING_FOLDER; exits with 77 if the tool is missing.
set -euo pipefail
tool=$1 program=$2 work=$3
folder=$(dirname -- "$program")

fail() { printf 'failed: %s\n' "$*" >&2; exit 1; }
skip() { echo "skipped: $*"; exit 77; }
command -v "$tool" >/dev/null || skip "$tool is not installed (./wharf test installs it)"
command -v script >/dev/null || skip "script is not installed"
rm -rf -- "$work"
mkdir -p "$work/afolder"
cd "$work"
touch afile.yaml

# type_in COMMAND TEXT: the output of a terminal in which TEXT is typed into COMMAND.
type_in() { (sleep 1; printf '%s' "$2"; sleep 2; printf '\nexit\n'; sleep 1) | PATH=$folder:$PATH TERM=dumb timeout 60 script -qec "$1" /dev/null; }

# expect LINE WORD...: Tab after LINE must offer these words and no others; a word "+x" must be among others.
expect() {
  local line=$1 offered word
  shift
  offered=$(offer "$line" | sort)
  if [[ ${1-} == +* ]]; then
    for word in "$@"; do grep -qxF -- "${word#+}" <<<"$offered" || fail "$line: ${word#+} is not offered: $offered"; done
  else
    [[ $offered == "$(printf '%s\n' "$@" | sort)" ]] || fail "$line: offered is: $offered"
  fi
}

check_words() {
  expect 'wharf com' compare completion
  expect 'wharf list ' configs metrics policies stimuli suites sweeps
  expect 'wharf help swe' sweep
  expect 'wharf trace in' info
  expect 'wharf sweep --emit ' slurm parallel make
  expect 'wharf sweep afi' afile.yaml
  expect 'wharf sweep --out af' afolder
  expect 'wharf run --sti' --stimulus
  expect 'wharf run --quiet --ver' --verify
  expect 'wharf run --stimulus gemm@t' gemm@tiny
  expect 'wharf run private_s' private_single_l1
  expect 'wharf compare --suite qui' quick
  expect 'wharf run --set ' +l1.ways= +sm.warp_scheduler=gto +l2.sectored=true
  expect 'wharf run --seed ' ''
  expect 'wharf nothing ' ''
  expect 'wharf describe l1.mshr_e' l1.mshr_entries
  # Every declared option is offered, in every command.
  local command
  for command in $("$program" help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
    mapfile -t options < <("$program" help "$command" | grep -oE '^  (-h \[ )?--[a-z-]+' | grep -oE -- '--[a-z-]+')
    ((${#options[@]})) || fail "$command has no options"
    expect "wharf $command --" "${options[@]}"
  done
}

case $tool in
  bash)
    eval "$("$program" completion bash)"
    PATH=$folder:$PATH
    offer() {
      local COMP_LINE=$1 COMP_POINT=${#1}
      local -a COMPREPLY
      _wharf
      printf '%s\n' "${COMPREPLY[@]}"
    }
    check_words
    # Readline has already split at = and :, and inserts only the rest.
    expect 'wharf run --set=l1.way' l1.ways=
    expect 'wharf run --set sm.warp_scheduler=gt' gto
    expect 'wharf compare --stimuli gemm@std,atax@t' gemm@std,atax@tiny
    "$program" completion bash >completion.bash
    shown=$(type_in 'bash --norc --noprofile -i' $'source completion.bash\nwharf swe\t--help | head -n 1\n')
    ;;
  zsh)
    "$program" completion zsh >_wharf
    cat >offer.zsh <<'ZSH'
autoload -U compinit && compinit -u -D
compdef() { }
source ./_wharf
compset() { }
compadd() { local list=${@[-1]}; print -rl -- ${(P)list} }
_files() { [[ ${1-} == -/ ]] && print -rl -- *(/) || print -rl -- * }
words=(${(s: :)1}); [[ $1 == *' ' ]] && words+=('')
CURRENT=$#words
_wharf
ZSH
    # zsh itself keeps the words that begin with the typed one.
    offer() { PATH=$folder:$PATH zsh -f offer.zsh "$1" | awk -v word="${1##*[ =]}" 'index($0, word) == 1' | sed "/^$/d"; }
    check_words
    shown=$(type_in 'zsh -f -i' $'autoload -U compinit; compinit -u -D; eval "$(wharf completion zsh)"\nwharf swe\t--help | head -n 1\n')
    ;;
  man)
    "$program" man >wharf.1
    command -v groff >/dev/null || skip "groff is not installed (./wharf test installs groff-base)"
    man -l --warnings wharf.1 >/dev/null 2>man.log </dev/null || fail "man cannot read it: $(cat man.log)"
    warnings=$(groff -man -Tutf8 -ww -z wharf.1 2>&1)
    [[ -z $warnings ]] || fail "groff warns: $warnings"
    groff -man -Tutf8 -rLL=120n -P-cbou wharf.1 >page
    for word in 'NAME' 'EXIT STATUS' 'wharf sweep SWEEP \[options\]' '--emit slurm|parallel|make' 'wharf completion bash|zsh'; do
      grep -q -- "$word" page || fail "the page lacks $word: $(cat page)"
    done
    for command in $("$program" help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
      grep -q "^   *wharf $command" page || fail "the page lacks the command $command"
      for option in $("$program" help "$command" | grep -oE '^  --[a-z-]+'); do
        grep -q -- "^ *$option\b" page || fail "the page lacks $command $option"
      done
    done
    exit 0
    ;;
esac
grep -q 'usage: wharf sweep SWEEP' <<<"$shown" || fail "Tab on a terminal does not complete sweep: $shown"

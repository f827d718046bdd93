#!/usr/bin/env bash
# The top level contains only what README.md names. For example, a results folder committed by mistake is found. Without git: skipped (77).
# top_level.sh SOURCE_FOLDER
set -euo pipefail
git -C "$1" rev-parse --is-inside-work-tree >/dev/null 2>&1 || { echo "skipped: $1 is not a clone"; exit 77; }

# Prints the paths on standard input that do not belong at the top level. Dotfiles are always allowed.
strangers() {
  cut -d/ -f1 | sort -u | grep -vE '^(\..*|CMakeLists\.txt|CMakePresets\.json|LICENSE|README\.md|docs|model|platforms|policies|stimuli|tests|wharf)$' || true
}

[[ $(printf '%s\n' .ci/run model/a.h wharf results/run/result.json modelled/a.h | strangers) == $'modelled\nresults' ]] ||
  { echo "files that do not belong at the top level are not found" >&2; exit 1; }
found=$(git -C "$1" ls-files | strangers)
[[ -z $found ]] || { echo "do not belong at the top level: $found" >&2; exit 1; }

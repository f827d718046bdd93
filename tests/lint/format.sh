#!/usr/bin/env bash
# Headers and sources must be formatted by clang-format 14 with .clang-format. Without that version: skipped (77).
# format.sh SOURCE_FOLDER
set -euo pipefail
cd "$1"
format=$(command -v clang-format-14) || { echo "skipped: clang-format-14 is not installed"; exit 77; }
ugly=$(mktemp) && trap 'rm -f -- "$ugly"' EXIT
printf 'int  f( );\n' >"$ugly"
! "$format" --dry-run -Werror "$ugly" 2>/dev/null || { echo "an unformatted file passes" >&2; exit 1; }
find model policies stimuli platforms tests \( -name '*.h' -o -name '*.cpp' \) ! -path 'tests/data/*' -print0 | xargs -0 -P2 -n50 "$format" --dry-run -Werror

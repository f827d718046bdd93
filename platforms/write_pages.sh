#!/bin/sh
# The manual page and the completion files of a program: write_pages.sh PROGRAM FOLDER
set -eu
mkdir -p "$2"
"$1" man >"$2/wharf.1"
"$1" completion bash >"$2/wharf.bash"
"$1" completion zsh >"$2/_wharf"

#!/usr/bin/env bash
# Runs the daemon commands of the README as they are written there.
# Usage: readme_commands.sh SIMPLERD SIMPLERCTL SOURCE_DIR
set -euo pipefail
simplerd=$1 simplerctl=$2 source=$3

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The first block of shell commands below the heading.
sed -n '/^## The daemon/,/^## /p' "$source/README.md" |
  sed -n '/^```sh/,/^```/p' | sed '/^```$/q' | sed '/^```/d' >"$work/commands.sh"
[[ $(wc -l <"$work/commands.sh") -ge 5 ]] || { echo "the README shows no daemon commands" >&2; exit 1; }

# As a reader would run them: programs on the PATH, the repository as the current directory, but
# with files of their own.
ln -s "$source/tests" "$work/tests"
export PATH=$(dirname "$simplerd"):$(dirname "$simplerctl"):$PATH HOME=$work TMPDIR=$work
cd "$work"
bash -euo pipefail -x commands.sh

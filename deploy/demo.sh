#!/usr/bin/env bash
# Installs packages, builds simplerctl and shows what it says about a recorded run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

capture=tests/data/captures/paged_attention_CaseVarSeq4_L4
output=build/demo
simplerctl=build/release/client/simplerctl/simplerctl

bash deploy/install_packages.sh
echo "building simplerctl in build/release"
cmake --preset release >/dev/null
cmake --build --preset release --target simplerctl -- --quiet

mkdir -p "$output"
"$simplerctl" report "$capture" -o "$output/report.txt"
"$simplerctl" critical-path "$capture" -o "$output/critical_path.md"

echo
echo "The verdict on $capture:"
echo
head -n 3 "$output/report.txt"
echo
"$simplerctl" trace "$capture" --overhead -o "$output/trace.pftrace"
echo
echo "Where to look:"
echo "  $output/report.txt         the numbers behind the verdict"
echo "  $output/critical_path.md   what held the run up, task by task"
echo "  $output/trace.pftrace      drop it on https://ui.perfetto.dev"
echo "  $simplerctl --help"

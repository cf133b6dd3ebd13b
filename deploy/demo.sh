#!/usr/bin/env bash
# Installs packages, builds, starts a daemon on a private socket, hands it a recorded run, asks it
# what limited the run, fetches the trace and stops the daemon.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

capture=tests/data/captures/paged_attention_CaseVarSeq4_L4
output=build/demo
simplerd=build/release/daemon/server/simplerd
simplerctl=build/release/client/simplerctl/simplerctl

bash deploy/install_packages.sh
echo "building simplerd and simplerctl in build/release"
cmake --preset release >/dev/null
cmake --build --preset release --target simplerd simplerctl -- --quiet

mkdir -p "$output"
private=$(mktemp -d)
export SIMPLERCTL_SOCKET=$private/simplerd.sock
"$simplerd" --socket "$SIMPLERCTL_SOCKET" --log-file "$output/simplerd.log" &
daemon=$!
stop() {
  kill "$daemon" 2>/dev/null || true
  wait "$daemon" 2>/dev/null || true
  rm -rf "$private"
}
trap stop EXIT
"$simplerctl" status --wait 60 >/dev/null

id=$("$simplerctl" import "$capture" --name paged_attention)
"$simplerctl" report "$id" -o "$output/report.txt"
"$simplerctl" critical-path "$id" -o "$output/critical_path.md"

echo
echo "The daemon holds:"
"$simplerctl" list
echo
echo "Its verdict on $id:"
echo
head -n 3 "$output/report.txt"
echo
"$simplerctl" trace "$id" --overhead -o "$output/trace.pftrace"
stop
trap - EXIT
echo
echo "The daemon has stopped. Where to look:"
echo "  $output/report.txt         the numbers behind the verdict"
echo "  $output/critical_path.md   what held the run up, task by task"
echo "  $output/trace.pftrace      drop it on https://ui.perfetto.dev"
echo "  $output/simplerd.log       what the daemon did"
echo "  $simplerctl --help"

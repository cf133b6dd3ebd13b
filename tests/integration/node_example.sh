#!/usr/bin/env bash
# Runs the Node example against a real daemon and compares what it saved with simplerctl's answers.
# Usage: node_example.sh SIMPLERD SIMPLERCTL SOURCE_DIR
set -euo pipefail
simplerd=$1 simplerctl=$2 source=$3
example=$source/client/examples/node
capture=$source/tests/data/captures/spmd_multiblock_mix_L4

work=$(mktemp -d)
export SIMPLERCTL_SOCKET=$work/simplerd.sock
"$simplerd" --socket "$SIMPLERCTL_SOCKET" --log-file "$work/simplerd.log" &
daemon=$!
trap 'kill $daemon; wait $daemon || true; rm -rf "$work"' EXIT
"$simplerctl" status --wait 60 >/dev/null

fail() {
  echo "node_example: $1" >&2
  cat "$work"/*.txt "$work/simplerd.log" >&2
  exit 1
}

# The registry may be slow to answer; what is installed already is used as it is.
installed() { (cd "$example" && npm ls --silent >/dev/null 2>&1); }
for _ in 1 2 3; do
  installed && break
  (cd "$example" && npm ci --no-audit --no-fund --silent) && break
done
installed || fail "cannot install the packages that the example needs"

id=$("$simplerctl" import "$capture" --name from_node)
node "$example/profiler_client.mjs" --address "unix:$SIMPLERCTL_SOCKET" --trace "$work/node.pftrace" \
  >"$work/node.txt" || fail "the example failed"
"$simplerctl" trace "$capture" -o "$work/expected.pftrace" >/dev/null 2>&1
"$simplerctl" report "$capture" >"$work/report.txt"

grep -q "^$id .*from_node" "$work/node.txt" || fail "the capture is not in the list"
grep -qF "$(head -n 1 "$work/report.txt")" "$work/node.txt" || fail "the verdict is another one"
cmp "$work/expected.pftrace" "$work/node.pftrace" || fail "the trace is another one"
echo "the example listed the capture, printed its verdict and saved its trace"

#!/usr/bin/env bash
# Installs packages, builds everything and runs all tests. The last line is ctest's summary.
# Usage: test.sh [PRESET]: release (the default), asan or tsan.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset=${1:-release}

bash deploy/install_packages.sh
cmake --preset "$preset" >/dev/null
echo "building in build/$preset"
cmake --build --preset "$preset" -- --quiet

log=build/$preset/ctest.log
status=0
ctest --preset "$preset" --parallel "$(nproc)" --quiet --output-log "$log" || status=$?
if [[ $status -ne 0 ]]; then
  cat "$log"
fi
grep -E '[0-9]+% tests passed' "$log" || echo "ctest wrote no summary; see $log"
exit "$status"

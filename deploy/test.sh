#!/usr/bin/env bash
# Installs packages, builds everything and runs all tests. The last line is ctest's summary.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

bash deploy/install_packages.sh
cmake --preset release >/dev/null
echo "building in build/release"
cmake --build --preset release -- --quiet

log=build/release/ctest.log
status=0
ctest --preset release --parallel "$(nproc)" --quiet --output-log "$log" || status=$?
if [[ $status -ne 0 ]]; then
  cat "$log"
fi
grep -E '[0-9]+% tests passed' "$log" || echo "ctest wrote no summary; see $log"
exit "$status"

#!/usr/bin/env bash
# Installs what building and testing needs on Debian 12. Does nothing, and needs no privileges,
# when everything is present.
set -euo pipefail

packages=(
  build-essential
  ccache
  cmake
  libabsl-dev
  libbenchmark-dev
  libboost1.81-dev
  libcli11-dev
  libfmt-dev
  libgmock-dev
  libgrpc++-dev
  libgtest-dev
  libprotobuf-dev
  libsimdjson-dev
  libspdlog-dev
  libzstd-dev
  ninja-build
  openssl
  pkg-config
  protobuf-compiler
  protobuf-compiler-grpc
)

# The example client needs Node; one from another source than Debian will do.
command -v npm >/dev/null || packages+=(nodejs npm)

is_installed() {
  [[ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" == installed ]]
}

missing=()
for package in "${packages[@]}"; do
  is_installed "$package" || missing+=("$package")
done
if [[ ${#missing[@]} -eq 0 ]]; then
  echo "packages: all ${#packages[@]} installed"
  exit 0
fi

as_root=()
if [[ $EUID -ne 0 ]]; then
  if ! command -v sudo >/dev/null; then
    echo "install_packages.sh: run as root, or install: ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi

echo "packages: installing ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null

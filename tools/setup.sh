# SPDX-License-Identifier: Apache-2.0
# Sourced by the tools: installs what is missing, configures and builds. Everything that it says
# goes to standard error, so that a tool's own output stays clean.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# What the build runs, and what it compiles and links with.
build_tools=(g++ cmake ninja-build git)
libraries=(libcaf-dev libboost-dev libfmt-dev librandom123-dev
  libtomlplusplus-dev libcli11-dev nlohmann-json3-dev zlib1g-dev
  libeigen3-dev libsleef-dev libsvm-dev coinor-libclp-dev libmuparser-dev
  prometheus-cpp-dev libcurl4-openssl-dev libssl-dev libsqlite3-dev libjs-chart.js catch2
  python3-dev pybind11-dev python3-numpy)
packages=("${build_tools[@]}" "${libraries[@]}" librsvg2-bin)

# test_packages [small|large]: what some tests use; without them these tests are skipped.
test_packages() {
  awk -F, -v size="${1:-}" 'NR > 1 && (size == "" || $4 == size) { print $3 }' "$root/tests/optional.csv" | sort -u
}

# What tools/arm64 needs.
arm64_packages=(g++-aarch64-linux-gnu qemu-user-static)

# What tools/fuzz needs.
fuzz_packages=(clang libclang-rt-14-dev)

# What tools/mutate needs.
mutation_packages=(python3-clang-14 libclang1-14)

# What tools/soak draws with.
soak_packages=(python3-matplotlib)

say() { printf '%s\n' "$*" >&2; }

# The version that the build has.
version() { sed -nE 's/^project\(posse VERSION ([0-9.]+).*/\1/p' "$root/CMakeLists.txt"; }

# install_missing_packages PACKAGE…
install_missing_packages() {
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed ||
      missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      say "posse needs these Debian packages: ${missing[*]}"
      say "install them as root: apt-get install ${missing[*]}"
      exit 1
    fi
    as_root=(sudo)
  fi
  say "posse: installing ${missing[*]}"
  "${as_root[@]}" bash "$root/tools/install_packages" "${missing[@]}" >&2
}

# ninja_with_progress DIRECTORY [TARGET…]: on a terminal ninja's own display; elsewhere a line now and
# then, and everything that the compiler said if it fails.
ninja_with_progress() {
  local directory=$1 log ninja_pid last="" now seconds=0
  shift
  if [ -t 2 ]; then
    ninja -C "$directory" "$@" >&2
    return
  fi
  log=$(mktemp)
  ninja -C "$directory" "$@" >"$log" 2>&1 &
  ninja_pid=$!
  while kill -0 "$ninja_pid" 2>/dev/null; do
    sleep 1
    seconds=$((seconds + 1))
    [ $((seconds % 20)) -eq 0 ] || continue
    now=$(grep -oE '^\[[0-9]+/[0-9]+\]' "$log" | tail -n 1 | tr -d '[]')
    [ -n "$now" ] && [ "$now" != "$last" ] && say "posse: built ${now%/*} of ${now#*/} after $seconds s"
    last=$now
  done
  if ! wait "$ninja_pid"; then
    cat "$log" >&2
    rm -f "$log"
    exit 1
  fi
  rm -f "$log"
}

# build PRESET [TARGET…]: quick when nothing has changed.
build() {
  local preset=$1 directory="$root/build/$1"
  shift
  install_missing_packages "${packages[@]}"
  if [ ! -f "$directory/build.ninja" ]; then
    say "posse: configuring build/$preset"
    (cd "$root" && cmake --preset "$preset" >/dev/null) >&2
  fi
  if ! ninja -C "$directory" -n "${@:-all}" 2>/dev/null | grep -q 'no work to do'; then
    say "posse: building with $(nproc) cores"
    ninja_with_progress "$directory" "${@:-all}"
  fi
}

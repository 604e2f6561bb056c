#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs Posse from a build folder into a folder of its own, and builds and runs docs/examples against
# the installation alone: install_and_use.sh SOURCE BUILD
set -euo pipefail
source=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The C program's.
for program in make pkg-config; do
  if [[ ",${POSSE_TESTS_WITHOUT:-}," == *",$program,"* ]] || ! command -v "$program" >/dev/null; then
    package=$(awk -F, -v name="$program" '$1 == name { print $3 }' "$source/tests/optional.csv")
    echo "skipped: $program isn't installed: apt-get install $package"
    exit 77  # SKIP_RETURN_CODE
  fi
done
step() { printf '== %s\n' "$1"; }

step "install"
cmake --install "$build" --prefix "$work/posse" >/dev/null
cp -r "$source/docs/examples" "$work/examples"
cd "$work"
posse=$work/posse/bin/posse
libraries=$(dirname "$(find posse -name libposse.so.0)")
# Nothing of the source tree or the build folder is compiled in.
if grep -rlaE "$source/(src|actors|scenarios|build)" posse/bin "$libraries"/libposse.so* | grep .; then
  echo "a path of the source tree is compiled in" >&2
  exit 1
fi
test -s posse/share/man/man1/posse-run.1.gz
test -s posse/share/bash-completion/completions/posse
# What tests Posse itself isn't installed.
test "$(ls posse/bin)" = posse

step "the program and its scenarios"
"$posse" run posse/share/posse/scenarios/quickstart.toml --repeat 1 --quiet
(cd / && "$posse" reproduce) | grep -q parallel-rounds
# libcurl comes with a module that is beside the library.
status=0
"$posse" run posse/share/posse/scenarios/quickstart.toml --repeat 1 --quiet --push http://127.0.0.1:1 \
  2>refused || status=$?
test $status -eq 11 && grep -q 'Connection refused' refused

if [ -d "$build/python" ]; then
  step "the Python package, which finds the library below any prefix"
  (cd / && env -u LD_LIBRARY_PATH PYTHONPATH="$work/posse/lib/python3/dist-packages" \
    PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -c '
import posse
assert posse.__file__.startswith("'"$work"'"), posse.__file__
assert posse.run(posse.shipped_scenarios() / "quickstart.toml", {"repeat": 1}, progress=None).exit_code == 0')
fi

step "plug-ins, built by CMake"
cmake -S examples/plugin -B plugin -DCMAKE_PREFIX_PATH="$work/posse" >/dev/null
cmake --build plugin >/dev/null
run=("$posse" --plugin plugin/libshrinking_box.so)
"${run[@]}" describe shrinking-box | grep -q pulls
"${run[@]}" run examples/plugin/shrinking_box.toml --out runs --metrics=127.0.0.1:0 \
  --serve=127.0.0.1:0 >printed 2>messages
grep -q 'page: http' messages
grep -q 'shrinking-box_\|shrinking-box' printed
# The same bits on every kernel and again.
fingerprint() { sed -n 's/^fingerprint //p' "$1"; }
for kernel in serial window; do
  "${run[@]}" run examples/plugin/shrinking_box.toml --kernel $kernel --threads 3 >again 2>/dev/null
  test "$(fingerprint again)" = "$(fingerprint printed)"
done
"${run[@]}" replay runs/shrinking-box/latest --quiet
"${run[@]}" fates examples/plugin/shrinking_box.toml --random 3 >fates
grep -q '^6 networks for 2 algorithms, no violation$' fates
# What Python's event_ucb.py has recorded is, bit for bit, what its twin in C++ does.
if [ -d "$build/python" ]; then
  PYTHONPATH=$build/python:$work/examples/python PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 -c '
import event_ucb
event_ucb.scenario.run().write("recorded")'
  "$posse" --plugin plugin/libevent_ucb.so replay recorded/scenario/latest >replayed
  test "$(grep -c '^  event-ucb.*: equal' replayed)" -eq 5
fi
# Without the plug-in its scenario is refused.
status=0
"$posse" check examples/plugin/shrinking_box.toml 2>refused || status=$?
test $status -eq 3 && grep -q shrinking-box refused
# A plug-in for another version is refused by name.
sed 's/POSSE_CXX_0\.[0-9]*\.[0-9]*/POSSE_CXX_9.9.9/g' plugin/libshrinking_box.so >other.so
status=0
"$posse" --plugin ./other.so list algorithms >/dev/null 2>refused || status=$?
test $status -eq 2 && grep -q 'another version' refused

step "a C program, built with pkg-config"
export PKG_CONFIG_PATH=$work/$libraries/pkgconfig
make -s -C examples/c
LD_LIBRARY_PATH=$work/$libraries examples/c/ask_and_tell posse/share/posse/scenarios/quickstart.toml
step "done"

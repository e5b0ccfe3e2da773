# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Sourced by the scripts beside it: where things are, and how to say what goes on. The knobs are environment variables:
#   SINTER_BUILD   build folder        (default: build)
#   SINTER_VENV    Python environment  (default: .venv; made by scripts/setup)
#   SINTER_PYTHON  a Python that already has the packages of scripts/requirements-*.txt; then no environment is made
#   SINTER_JOBS    parallel jobs       (default: one per core)
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${SINTER_BUILD:-$root/build}
venv=${SINTER_VENV:-$root/.venv}
python=${SINTER_PYTHON:-$venv/bin/python}
jobs=${SINTER_JOBS:-$(nproc)}

say() { printf '%s: %s\n' "$(basename "$0")" "$*"; }
fail() { printf '%s: error: %s\n' "$(basename "$0")" "$*" >&2; exit 1; }

# timed WHAT COMMAND...: announces, runs, says how long it took.
timed() {
  local what=$1 start=$SECONDS
  shift
  say "$what"
  "$@"
  say "$what: done in $((SECONDS - start)) s"
}

# configure [-D...]: makes the build folder, or changes the options of one that is there.
configure() {
  if [ -f "$build/build.ninja" ] && [ $# -eq 0 ]; then return; fi
  local onnx
  onnx=$("$python" -c 'import onnx, os; print(os.path.dirname(onnx.__file__))') || fail "$python has no onnx package"
  timed "configuring in $build" \
    cmake -S "$root" -B "$build" -G Ninja -DSINTER_PYTHON="$python" -DSINTER_ONNX_DIR="$onnx" "${@:--DSINTER_BUILD_TESTS=OFF}" >/dev/null
}

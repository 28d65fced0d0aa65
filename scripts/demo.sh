#!/usr/bin/env bash
# Renders the demo into the folder given (default out/demo).
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
demo=(demo --panorama -o "${1:-out/demo}")
# CI has the program that the tests run; elsewhere the frames should be fast.
if [[ -n ${CI:-} ]]; then
  cargo test --no-run --locked --workspace
  exec "${CARGO_TARGET_DIR:-target}/debug/ninefold" "${demo[@]}"
fi
exec cargo run --locked --release -p ninefold -- "${demo[@]}"

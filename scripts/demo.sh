#!/usr/bin/env bash
# Renders the demo into the folder given (default out/demo).
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
# CI has the development build from the tests already; elsewhere the frames should be fast.
profile=release
if [[ -n ${CI:-} ]]; then profile=dev; fi
exec cargo run --locked --profile "$profile" -p ninefold -- demo --panorama -o "${1:-out/demo}"

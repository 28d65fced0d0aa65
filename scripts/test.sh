#!/usr/bin/env bash
# The whole test suite, once.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
exec cargo test --workspace --locked --no-fail-fast "$@"

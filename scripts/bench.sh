#!/usr/bin/env bash
# Every bench of the workspace; each prints its ratio to a baseline of the same run.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh
exec cargo bench --workspace --locked --bench '*' "$@"

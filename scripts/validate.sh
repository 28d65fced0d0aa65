#!/usr/bin/env bash
# The tests of the crates that reach a GPU, under the Vulkan validation layers. Any message from
# the layers fails, and so does a run in which no test opened an adapter.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/env.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The layers write to standard output unless told otherwise, where they would mix with the answers
# of commands under test; given a log file, each process truncates it. A pipe has neither flaw, and
# holding it open here keeps its reader alive from one process to the next.
mkfifo "$work/messages"
cat "$work/messages" >"$work/log" &
reader=$!
exec 9>"$work/messages"

cat >"$work/vk_layer_settings.txt" <<SETTINGS
khronos_validation.debug_action = VK_DBG_LAYER_ACTION_LOG_MSG
khronos_validation.report_flags = error,warn,perf,info
khronos_validation.log_filename = $work/messages
SETTINGS
export VK_LAYER_SETTINGS_PATH=$work/vk_layer_settings.txt
export VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation

cargo test --no-run --locked --workspace
host=$(rustc -vV | sed -n 's/^host: //p')
host=${host^^}
# The name of a variable that cargo reads; it would split a whole path at its blanks.
declare -x "CARGO_TARGET_${host//-/_}_RUNNER=scripts/gpu-test-runner.sh"
# One test at a time: the layers of Debian 12 look their devices up in a table without a lock
# (KhronosGroup/Vulkan-ValidationLayers, issue 4391), and a device that another test makes at that
# moment is entered into it. That crashed now and then.
status=0
cargo test --locked --no-fail-fast --workspace "$@" -- --nocapture \
  --test-threads=1 9>&- >"$work/output" 2>&1 || status=$?
exec 9>&-
wait "$reader"

if ((status != 0)); then
  cat "$work/output" >&2
  echo 'validation: tests failed under the validation layers' >&2
else
  grep -E '^ +Running |^test result' "$work/output"
fi
# A layer that disregards the settings writes to the output; look there too.
# One kind is no fault: D3D9 pairs vertex shaders, pixel shaders and render targets freely, so that
# an output may have no reader, which Vulkan allows.
grep -haE 'Validation (Error|Warning|Performance)' "$work/log" "$work/output" |
  grep -v 'OutputNotConsumed' >"$work/found" || true
if [[ -s $work/found ]]; then
  echo "validation: $(wc -l <"$work/found") messages from the layers; each kind, its count and one of it:" >&2
  awk -F'[][]' '{ count[$2]++; text[$2] = $0 } END { for (id in count) print count[id], text[id] }' \
    "$work/found" | cut -c1-2000 >&2
  status=1
fi
# Each instance that the layers watch is announced once.
watched=$(grep -hac 'Validation Layer Active' "$work/log" || true)
if ((watched == 0)); then
  echo 'validation: the layers were not loaded' >&2
  status=1
fi
adapters=$(grep -haoiE 'adapter: .*' "$work/output" | sort | uniq -c | sort -rn || true)
if [[ -z $adapters ]]; then
  echo 'validation: no test opened an adapter' >&2
  status=1
fi
if ((status == 0)); then
  printf 'validation: clean, %s instances watched. Adapters that tests opened:\n%s\n' "$watched" "$adapters"
fi
exit "$status"

# Sourced by the other scripts: the environment that GPU programs run in.

# A machine with a GPU keeps its own driver, except in CI, where every run must see the same one.
# Without a GPU the loader is pointed at lavapipe alone, so that no other driver's probing is heard.
use_gpu_or_lavapipe() {
  if [[ -z ${CI:-} ]] && compgen -G '/dev/dri/renderD*' >/dev/null; then return; fi
  if [[ -z ${CI:-} && -e /dev/nvidiactl ]]; then return; fi
  use_lavapipe
}

# The manifest's name differs between distributions: lvp_icd.x86_64.json, lvp_icd.json.
use_lavapipe() {
  local manifest
  for manifest in {/usr/share,/usr/local/share,/etc}/vulkan/icd.d/*lvp_icd*.json; do
    [[ -e $manifest && $manifest != *i686* ]] || continue
    # The first name is for loaders before 1.3.207.
    export VK_ICD_FILENAMES=$manifest VK_DRIVER_FILES=$manifest
    break
  done
}

if [[ -z ${VK_ICD_FILENAMES:-}${VK_DRIVER_FILES:-} ]]; then
  use_gpu_or_lavapipe
fi
# Mesa complains without one; any folder does for a program that opens no window.
export XDG_RUNTIME_DIR=${XDG_RUNTIME_DIR:-${TMPDIR:-/tmp}}

# Tests that need a GPU, the compilers of the target languages, or the shared captures and shader corpus where that folder stands beside
# the checkout, fail instead of skipping.
export NINEFOLD_REQUIRE_GPU=1
export NINEFOLD_REQUIRE_TOOLS=1
if [[ -d ../shared/traces && -d ../shared/corpus ]]; then
  export NINEFOLD_REQUIRE_SHARED=1
fi

# So do tests that run 32-bit code on the processor, in CI: elsewhere the kernel may have none.
if [[ -n ${CI:-} && $(uname -sm) == 'Linux x86_64' ]]; then
  export NINEFOLD_REQUIRE_IA32=1
fi

# Tests find no pipelines of earlier runs; those that want some name a folder of their own.
export NINEFOLD_PIPELINE_CACHE=0
# Pictures are compared with what programs ask for.
export NINEFOLD_NO_ANISO=1

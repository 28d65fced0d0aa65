#!/usr/bin/env bash
# Type-checks the workspace for systems that are not at hand: macOS, visionOS and Windows, and the
# crates without a GPU for WebAssembly. Debian's rustc-web brings the compiler, the source of its
# standard library and what they need; the packages are unpacked below target/, not installed.
# Arguments choose targets; without any, all of them are checked.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$PWD/target/check-targets
tools=$folder/toolchain
say() { printf 'check-targets: %s\n' "$*"; }

if ! command -v apt-get >/dev/null || ! command -v dpkg >/dev/null; then
  say 'skipped: it takes the packages of Debian (apt-get, dpkg)'
  exit 0
fi

# The libraries of rustc-web that a system may lack; their names carry versions.
packages() {
  apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks \
    --no-replaces --no-enhances rustc-web |
    grep -E '^(rustc-web|libstd-rust-web-dev|libstd-rust-web-[0-9.]+|libllvm[0-9]+|libz3-4|libedit2|libbsd0|libmd0|libxml2|libicu[0-9]+)$' |
    sort -u
  echo rust-web-src
}

if [[ ! -x $tools/usr/bin/rustc ]]; then
  say 'downloading rustc-web, 190 MB'
  mkdir -p "$folder/packages"
  mapfile -t wanted < <(packages)
  (cd "$folder/packages" && apt-get download -qq "${wanted[@]}" 2>"$folder/apt.log") ||
    { cat "$folder/apt.log" >&2; say 'apt-get update may help' >&2; exit 1; }
  rm -rf "$tools.new"
  for package in "$folder"/packages/*.deb; do
    dpkg -x "$package" "$tools.new"
  done
  rm -rf "$folder/packages" "$tools"
  mv "$tools.new" "$tools"
fi

# Features of cargo and rustc that build the standard library are there for their own release only
# unless they are told otherwise.
export RUSTC=$tools/usr/bin/rustc RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=$folder/build
export LD_LIBRARY_PATH=$tools/usr/lib/x86_64-linux-gnu
say "$("$RUSTC" --version)"

check() {
  local target=$1
  shift
  say "$target: $*"
  cargo check --locked -Zbuild-std=core,alloc,std,panic_abort --target "$target" "$@"
}

targets=("$@")
if ((${#targets[@]} == 0)); then
  targets=(aarch64-apple-darwin aarch64-apple-visionos x86_64-pc-windows-msvc wasm32-unknown-unknown)
fi
for target in "${targets[@]}"; do
  case $target in
    # winit has no visionOS, so the command has none either.
    *-visionos) check "$target" --workspace --exclude ninefold ;;
    wasm32-*) check "$target" -p ninefold-bytecode -p ninefold-shader -p ninefold-exec -p ninefold-guest ;;
    *) check "$target" --workspace ;;
  esac
done
say "clean: ${targets[*]}"

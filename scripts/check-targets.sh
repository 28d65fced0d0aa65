#!/usr/bin/env bash
# Type-checks the workspace for systems that are not at hand: macOS, visionOS and Windows, and the
# crates without a GPU for WebAssembly. Debian's rustc-web brings the compiler, the source of its
# standard library and what they need; the packages are unpacked below target/, not installed, and
# kept there with what was built. Arguments choose targets; without any, all of them are checked.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$PWD/target/check-targets
tools=$folder/toolchain
say() { printf 'check-targets: %s\n' "$*"; }

# Nothing is skipped: what cannot be checked has not passed.
fail() { say "$*" >&2; exit 1; }

# What rustc-web needs and a system may lack; the names carry versions.
packages() {
  apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks \
    --no-replaces --no-enhances rustc-web |
    grep -E '^(libstd-rust-web-dev|libstd-rust-web-[0-9.]+|libllvm[0-9]+|libz3-4|libedit2|libbsd0|libmd0|libxml2|libicu[0-9]+)$' |
    sort -u
  echo rust-web-src
}

download() {
  rm -rf "$folder/packages"
  mkdir -p "$folder/packages"
  local wanted
  mapfile -t wanted < <(packages)
  (cd "$folder/packages" && apt-get download -qq rustc-web "${wanted[@]}") >"$folder/apt.log" 2>&1
}

if [[ ! -x $tools/usr/bin/rustc ]]; then
  for tool in apt-get apt-cache dpkg; do
    command -v "$tool" >/dev/null || fail "no $tool here: the compiler comes out of Debian's packages"
  done
  say 'downloading rustc-web, 190 MB'
  # The package lists of a fresh machine are empty or old.
  if ! download; then
    as_root=()
    ((EUID == 0)) || as_root=(sudo)
    "${as_root[@]}" apt-get update -qq || fail 'apt-get update failed'
    download || { cat "$folder/apt.log" >&2; fail 'the packages of rustc-web could not be downloaded'; }
  fi
  rm -rf "$tools.new"
  for package in "$folder"/packages/*.deb; do
    dpkg -x "$package" "$tools.new"
  done
  [[ -x $tools.new/usr/bin/rustc ]] || fail 'there is no compiler in the packages'
  rm -rf "$folder/packages" "$tools"
  mv "$tools.new" "$tools"
fi

# Features of cargo and rustc that build the standard library are there for their own release only
# unless they are told otherwise.
export RUSTC=$tools/usr/bin/rustc RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=$folder/build
libraries=("$tools"/usr/lib/*-linux-gnu)
export LD_LIBRARY_PATH=${libraries[0]}
version=$("$RUSTC" --version) || fail 'the compiler does not start here'
say "$version"

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

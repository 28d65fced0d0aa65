#!/usr/bin/env bash
# Type-checks the workspace for systems that are not at hand: macOS, visionOS and Windows, and the
# crates without a GPU for WebAssembly. That takes the source of Rust's standard library. A toolchain
# that has it (`rustup component add rust-src`) is used; otherwise Debian's rustc-web brings a
# compiler, its source and what they need: the packages are unpacked below target/, not installed,
# and kept there with what was built. Arguments choose targets; without any, all are checked.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$PWD/target/check-targets
tools=$folder/toolchain
least=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
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

# Whether Rust $1 is too old for the workspace.
too_old() {
  [[ $1 != "$least" && $(printf '%s\n' "$1" "$least" | sort -V | head -n 1) == "$1" ]]
}

# Downloads the packages, unless those that the lists know are too old.
download() {
  local candidate
  candidate=$(apt-cache policy rustc-web | sed -n 's/^ *Candidate: *\([0-9.]*[0-9]\).*/\1/p')
  if [[ -z $candidate ]] || too_old "$candidate"; then
    mkdir -p "$folder"
    echo "rustc-web ${candidate:-is not} among apt's packages, $least or newer is needed" >"$folder/apt.log"
    return 1
  fi
  rm -rf "$folder/packages"
  mkdir -p "$folder/packages"
  local wanted
  mapfile -t wanted < <(packages)
  (cd "$folder/packages" && apt-get download -qq rustc-web "${wanted[@]}") >"$folder/apt.log" 2>&1
}

# Debian's compiler, below target/.
unpack_compiler() {
  for tool in apt-get apt-cache dpkg; do
    command -v "$tool" >/dev/null || fail "no $tool here: the compiler comes out of Debian's packages"
  done
  say 'downloading rustc-web, 190 MB'
  # The package lists of a fresh machine are empty or old.
  if ! download; then
    as_root=()
    ((EUID == 0)) || as_root=(sudo)
    "${as_root[@]}" apt-get update -qq || fail 'apt-get update failed'
    if ! download; then
      cat "$folder/apt.log" >&2
      fail 'no compiler with the source of its standard library: rustup component add rust-src brings it, too'
    fi
  fi
  rm -rf "$tools.new"
  for package in "$folder"/packages/*.deb; do
    dpkg -x "$package" "$tools.new"
  done
  [[ -x $tools.new/usr/bin/rustc ]] || fail 'there is no compiler in the packages'
  rm -rf "$folder/packages" "$tools"
  mv "$tools.new" "$tools"
}

# The libraries of an unpacked compiler are below target/ as well.
unpacked() {
  local libraries=("$tools"/usr/lib/*-linux-gnu)
  LD_LIBRARY_PATH=${libraries[0]} "$@"
}

# Features of cargo and rustc that build the standard library are there for their own release only
# unless they are told otherwise.
export RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=$folder/build
if [[ ! -d $(rustc --print sysroot)/lib/rustlib/src/rust/library ]]; then
  export RUSTC=$tools/usr/bin/rustc
  kept=$(unpacked "$RUSTC" --version 2>/dev/null | cut -d ' ' -f 2) || kept=
  if [[ -z $kept ]] || too_old "$kept"; then
    unpack_compiler
  fi
  libraries=("$tools"/usr/lib/*-linux-gnu)
  export LD_LIBRARY_PATH=${libraries[0]}
fi
version=$("${RUSTC:-rustc}" --version) || fail 'the compiler does not start here'
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

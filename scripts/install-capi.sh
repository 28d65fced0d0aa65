#!/usr/bin/env bash
# install-capi.sh PREFIX: installs the C API's header, libraries and pkg-config file below $DESTDIR/PREFIX. Without
# LIBRARIES, a folder that has them, they are built first.
set -euo pipefail
prefix=${1:?'usage: scripts/install-capi.sh PREFIX'}
libraries=${LIBRARIES:-}
[[ -z $libraries ]] || libraries=$(cd "$libraries" && pwd)
[[ $prefix == /* ]] || { echo "install-capi: $prefix is no absolute path" >&2; exit 2; }
cd "$(dirname "$0")/.."
if [[ -z $libraries ]]; then
  cargo build --release --locked -p ninefold-capi
  libraries=${CARGO_TARGET_DIR:-target}/release
fi
to=${DESTDIR:-}$prefix
shared=(libninefold.so)
[[ -e $libraries/libninefold.so ]] || shared=(libninefold.dylib)
install -d "$to/include" "$to/lib/pkgconfig"
install -m 644 crates/capi/include/ninefold.h "$to/include/"
install -m 755 "$libraries/${shared[0]}" "$to/lib/"
install -m 644 "$libraries/libninefold.a" "$to/lib/"
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -1)
sed -e "s|@prefix@|$prefix|" -e "s|@version@|$version|" crates/capi/ninefold.pc.in >"$to/lib/pkgconfig/ninefold.pc"
printf 'install-capi: ninefold.h, libninefold and ninefold.pc are in %s\n' "$to"

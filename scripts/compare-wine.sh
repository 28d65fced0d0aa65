#!/usr/bin/env bash
# Builds the C and C++ programs of the COM ABI for Windows and runs them under wine: each checks
# itself, so that wined3d, which shares nothing with this project, must agree with the values that
# our tests expect. Needs mingw-w64's compilers, wine, and an X server or Xvfb (Debian: wine64,
# gcc-mingw-w64-x86-64, g++-mingw-w64-x86-64, xvfb). Not part of CI.
set -euo pipefail
cd "$(dirname "$0")/../crates/com/tests/c"

# arguments.c and nulls.c ask what this library alone promises.
programs=(lighting.c multitexture.c pipeline.c shaders.c render_target.c state_blocks.c volume_cube.cpp
  references.c process_vertices.c lifetimes.c threads.c
  inputs.c targets.c textures.c mixing.c points.c program_depth.c program_edges.c multisample.c depth.c depth_bias.c
  cubes.c dynamic.c pacing.c
  device_state.c reset.c swapchains.c queries.c ex.c caps.c
  formats.c locks.c creation.c forgiving.c transfers.c resources.c levels.c fixed_edges.c fixed_rules.c driver_features.c coverage.c)

first() {
  local name
  for name in "$@"; do
    command -v "$name" && return
  done
  return 1
}
prefix=x86_64-w64-mingw32
gcc=$(first $prefix-gcc $prefix-gcc-posix $prefix-gcc-win32) || gcc=
gxx=$(first $prefix-g++ $prefix-g++-posix $prefix-g++-win32) || gxx=
wine=$(first wine64 wine /usr/lib/wine/wine64) || wine=
for tool in gcc gxx wine; do
  if [[ -z ${!tool} ]]; then
    echo "compare-wine: skipped, no ${tool/gxx/g++} for x86-64 Windows programs here"
    exit 0
  fi
done

work=$(mktemp -d)
server=
trap '[[ -z $server ]] || kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT
export WINEPREFIX=${WINEPREFIX:-$work/prefix} WINEDEBUG=${WINEDEBUG:--all}
# A program that crashes shall end, not wait for a debugger.
export WINEDLLOVERRIDES="winedbg.exe=d;mscoree=d;mshtml=d"
if [[ -z ${DISPLAY:-} ]]; then
  if ! command -v Xvfb >/dev/null; then
    echo 'compare-wine: skipped, no X server and no Xvfb here'
    exit 0
  fi
  # Xvfb picks a free display and says which.
  Xvfb -displayfd 3 -screen 0 1280x1024x24 +extension GLX 3>"$work/display" >/dev/null 2>&1 &
  server=$!
  for _ in {1..100}; do
    [[ -s $work/display ]] && break
    sleep 0.1
  done
  DISPLAY=:$(<"$work/display")
  export DISPLAY
fi

status=0
for source in "${programs[@]}"; do
  program=$work/${source%.*}.exe
  if [[ $source == *.cpp ]]; then
    compiler=("$gxx" -std=gnu++17)
  else
    compiler=("$gcc" -std=gnu11)
  fi
  "${compiler[@]}" -O1 -w -D_USE_MATH_DEFINES "$source" -o "$program" -static \
    -isystem /usr/share/mingw-w64/include -ld3d9 -ldxguid -luuid -lpthread
  timeout -k 5 300 "$wine" "$program" 2>/dev/null || {
    echo "compare-wine: $source disagrees" >&2
    status=1
  }
done
exit "$status"

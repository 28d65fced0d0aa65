#!/usr/bin/env bash
# Installs what the tests and the demo need from the system and this machine lacks: apt packages
# only, and only the missing ones. Rust is checked, never installed.
set -euo pipefail

say() { printf 'setup: %s\n' "$*"; }

if ! command -v cargo >/dev/null; then
  say 'cargo is missing. Install Rust 1.95 or newer from https://rustup.rs and run this again.' >&2
  exit 1
fi

missing=()
# need PACKAGE WHY PROBE...: the package is missing when the probe fails.
need() {
  local package=$1 why=$2
  shift 2
  if ! "$@" >/dev/null 2>&1; then
    missing+=("$package")
    say "missing: $package ($why)"
  fi
}
library() { PATH=$PATH:/sbin:/usr/sbin ldconfig -p | grep -F "$1"; }
# A loader manifest whose name holds $2 in one of the folders the Vulkan loader reads.
manifest() {
  local folder
  for folder in /usr/share/vulkan /usr/local/share/vulkan /etc/vulkan; do
    compgen -G "$folder/$1/*$2*.json" && return
  done
  return 1
}

need gcc 'the linker Rust calls' command -v cc
need libvulkan1 'the Vulkan loader' library libvulkan.so.1
need mesa-vulkan-drivers 'lavapipe, Vulkan on the CPU: the driver tests use where there is no GPU' manifest icd.d lvp_icd
need vulkan-validationlayers 'the Vulkan validation layers: GPU tests run under them too' manifest explicit_layer.d alidation
need spirv-tools 'spirv-val, which checks the SPIR-V we write' command -v spirv-val
need glslang-tools 'glslangValidator, which checks the GLSL and HLSL we write' command -v glslangValidator
need clang 'clang++, which compiles the MSL we write as C++ and runs it; clang, which must accept the headers of the COM ABI' command -v clang++
need apitrace 'apitrace dump, which checks the captures we record' command -v apitrace
need mingw-w64-common 'd3d9.h, which the C programs of the COM ABI are compiled against' test -f /usr/share/mingw-w64/include/d3d9.h
need xvfb 'Xvfb, the X server that tests of windows look at' command -v Xvfb
need libx11-xcb1 'Xlib, which windows of replay --window are made with' library libX11-xcb.so.1
need libxcursor1 'cursors, which winit loads with it' library libXcursor.so.1
need libxi6 'input, which winit loads with it' library libXi.so.6
need libxkbcommon-x11-0 'keyboards, which winit loads with it' library libxkbcommon-x11.so.0
need libsdl2-2.0-0 'SDL 2, whose windows a test presents to' library libSDL2-2.0.so.0
need g++ 'compiles the C++ programs of the COM ABI and the C API' command -v g++
need pkg-config 'finds the C API where a test installs it' command -v pkg-config

if ((${#missing[@]} == 0)); then
  exit 0
fi
if ! command -v apt-get >/dev/null; then
  say 'this machine has no apt-get. Install what the packages above hold by its own means and run this again.' >&2
  exit 1
fi

as_root=()
if ((EUID != 0)); then
  if ! command -v sudo >/dev/null; then
    say "neither root nor sudo here. As root: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
say "installing from apt: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
install=("${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}")
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# The package lists of a fresh machine are empty or old: refresh them when the install fails.
if ! "${install[@]}" >"$log" 2>&1; then
  "${as_root[@]}" apt-get update -qq
  if ! "${install[@]}" >"$log" 2>&1; then
    cat "$log" >&2
    say 'apt-get could not install them' >&2
    exit 1
  fi
fi
say 'done'

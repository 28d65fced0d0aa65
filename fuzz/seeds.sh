#!/usr/bin/env bash
# Fills fuzz/corpus, where cargo-fuzz keeps what it found, with streams and texts to begin with: the
# text cases, the guest's routines, a small executable, and the real shaders of ../shared/corpus where
# that is.
set -euo pipefail
cd "$(dirname "$0")/.."

# seed TARGET NAME: standard input becomes a file.
seed() {
  mkdir -p "fuzz/corpus/$1"
  cat >"fuzz/corpus/$1/$2"
}
zeros() { head -c "$1" /dev/zero; }
# Numbers as words of four bytes.
words() {
  local n
  for n; do
    printf '%b' "$(printf '\\x%02x' $((n & 255)) $((n >> 8 & 255)) $((n >> 16 & 255)) $((n >> 24 & 255)))"
  done
}
# A PE32 with one section of 64 bytes.
executable() {
  printf MZ; zeros 58; words 64
  printf 'PE\0\0'; words 0x1014C 0 0 0 0x10200E0
  words 0x10B 64 0 0 0x1000 0x1000 0x2000 0x400000 0x1000 0x200 4 0 4 0 0x3000 0x200 0 3
  words 0x100000 0x1000 0x100000 0x1000 0 16; zeros 128
  printf '.text\0\0\0'; words 64 0x1000 64 0x180 0 0 0 0x60000020; zeros 96
}
executable | seed guest_program small

while read -r case; do
  seed asm "$(tr / _ <<<"${case#tests/cases/}")" <"$case"
done < <(find tests/cases -name '*.asm')

n=0
for routine in crates/guest/reference/*.bin; do
  for _ in 1 2 3 4; do
    n=$((n + 1))
    # Registers and control, then code.
    { head -c 64 /dev/urandom; cat "$routine"; } | seed guest_code "routine$n"
  done
done

[[ -d ../shared/corpus ]] || exit 0
while read -r shader; do
  n=$((n + 1))
  seed decode "$n" <"$shader"
  { zeros 48; cat "$shader"; } | seed translate "$n"
  case $shader in
    *.ps_2_0.bin)
      size=$(stat -c %s "$shader")
      { printf HVSHD001; words 1 0 "$size" "$size"; cat "$shader" "$shader"; } | seed pack "$n"
      ;;
    *.vs_*)
      { zeros 1; cat "$shader"; } | seed radial_fog "$n"
      { head -c 384 /dev/urandom; cat "$shader"; } | seed process_vertices "$n"
      ;;
  esac
done < <(find ../shared/corpus -name '*.bin' -size -16k | sort)

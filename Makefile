# `make demo` and `make test` are all a fresh clone needs; both run `make setup` first, which
# installs only what is missing and says what and why. The work itself is in scripts/.

SHELL := /bin/bash
OUT ?= out/demo
PREFIX ?= /usr/local

.PHONY: help demo test validate lint doc bench check-targets install-capi setup

help:
	@printf '%s\n' \
	  'make demo      render our own scene, capture it, replay the capture: $(OUT)/report.html' \
	  'make test      the whole test suite, then the GPU tests again under Vulkan validation' \
	  'make bench     the benches, each against a baseline measured in the same run' \
	  'make lint      formatting and clippy, warnings are errors' \
	  'make doc       the API documentation, warnings are errors' \
	  'make check-targets  type-check for macOS, visionOS, Windows and WebAssembly (Debian: 190 MB of downloads)' \
	  'make install-capi  libninefold for C below PREFIX, by default /usr/local' \
	  'make setup     install the system packages that are missing (the other targets do it too)'

setup:
	@scripts/setup.sh

check-targets:
	@scripts/check-targets.sh

demo: setup
	@scripts/demo.sh "$(OUT)"

test: setup
	@scripts/test.sh
	@scripts/validate.sh

# The second half of `make test` alone.
validate: setup
	@scripts/validate.sh

lint:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings

doc:
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked

install-capi:
	@scripts/install-capi.sh "$(PREFIX)"

bench: setup
	@scripts/bench.sh

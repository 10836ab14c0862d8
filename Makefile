# Short commands; the build itself is CMake's. `make help` lists them.
PREFIX ?= /usr/local
DESTDIR ?=
ARGS ?=
SECONDS ?= 60
# what the fuzzers' random numbers begin with; 0 = the time
SEED ?= 0

.DEFAULT_GOAL := help
# setup comes before build, also under make -j
.NOTPARALLEL:
.PHONY: help setup build demo meshes test test-quick validate bench format sanitize fuzz install

help: ## this list
	@grep -hE '^[a-z-]+:.*##' Makefile | sed -E 's/:.*## /\t/' | expand -t 14

setup: ## install what is missing (asks first, unless CI is set or YES=1)
	@tools/setup.sh

build: ## libthaw, the command and the tests, into build/release
	@cmake --preset release
	@cmake --build --preset release

demo: setup build ## simulate a drop into a tank, with pictures and a movie in out/demo
	@tools/demo.sh build/release/thaw out/demo $(ARGS)

meshes: setup build ## the meshes that scenes use, into scenes/meshes
	@tools/meshes.sh build/release/thaw scenes/meshes

test: setup ## every test, with warnings as errors, and each fuzzer for some seconds
	@cmake --preset ci && cmake --build --preset ci
	@ctest --preset ci
	@$(MAKE) --no-print-directory fuzz SECONDS=5 SEED=1

test-quick: setup ## the tests that take under a minute together
	@cmake --preset ci && cmake --build --preset ci
	@ctest --preset ci -L quick

validate: setup build ## the physics at full size, written to docs/validation.md
	@tools/validate.sh build/release docs/validation.md

bench: setup build ## time the step
	@tools/bench.sh build/release $(ARGS)

format: ## clang-format every source file in place
	@tools/format.sh

sanitize: setup ## the quick tests with clang, and under address, undefined and thread sanitizers
	@tools/sanitize.sh

fuzz: setup ## feed each reader random bytes for SECONDS (default 60)
	@cmake --preset fuzz -DTHAW_FUZZ_SECONDS=$(SECONDS) -DTHAW_FUZZ_SEED=$(SEED) && cmake --build --preset fuzz -t fuzzers
	@ctest --preset fuzz -L fuzz

install: build ## install to PREFIX (default /usr/local), below DESTDIR when given
	@DESTDIR="$(DESTDIR)" cmake --install build/release --prefix "$(PREFIX)"

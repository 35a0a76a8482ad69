# What a person or CI runs. `make run` needs nothing but Rust, a C compiler and Node; the tests also
# need Postgres, Redis and Chromium, which are found, started or installed.

# `make run WEB=off`: without the web interface, and so without Node.
WEB ?= on
features = $(if $(filter on,$(WEB)),--features web)

.PHONY: run test lint fmt bench drill real-model help

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

run: ## build and start Neta on this machine, with its data in ./data
	@scripts/toolchain.sh
	@$(if $(features),scripts/web.sh)
	cargo run --locked --release $(features) --bin neta -- up --data ./data

test: ## format, lints, every test
	@scripts/toolchain.sh test
	@scripts/services.sh scripts/test.sh

lint: ## format and lints only
	@scripts/toolchain.sh test
	@scripts/web.sh
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets --features web -- -D warnings
	cd web && npm run --silent check

fmt: ## format the code
	cargo fmt --all

bench: ## figures, as ratios to the bare floors of this machine
	@scripts/toolchain.sh
	cargo build --locked --release --bin neta
	cargo build --locked --release --example bench
	@ulimit -n "$$(ulimit -Hn)" && scripts/services.sh "$${CARGO_TARGET_DIR:-target}/release/examples/bench"

drill: ## the fault tests in their long form
	@scripts/toolchain.sh
	@NETA_DRILL=long scripts/services.sh scripts/drill.sh

real-model: ## one conversation with a real model on each dialect; see the script for its variables
	@scripts/toolchain.sh
	@scripts/real-model.sh

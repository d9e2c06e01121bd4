# What can be done here; `make help` lists it.
.DEFAULT_GOAL := help
.PHONY: help build run test bench lint generate fuzz clean modules current conform
.NOTPARALLEL:

# Results name the commit. Outside git the binary says what Go knows.
commit := $(shell git rev-parse HEAD 2>/dev/null)
dirty := $(if $(commit),$(shell git status --porcelain | head -n 1))
ldflags := -X rpcbench/internal/cli.commit=$(commit)$(if $(dirty),+dirty)

# The race detector needs a C compiler.
cgo := $(shell test "$$(go env CGO_ENABLED)" = 1 && command -v "$$(go env CC)")
race := $(if $(cgo),-race)

golangci := golangci-lint run --allow-parallel-runners ./...
# What keeps time to the millisecond runs by itself and without the race detector, whose slowness it would measure; and
# short, as `make conform` then goes through all stacks.
timed := rpcbench/internal/conform

fuzztime := 30s
patience := $(if $(shell command -v timeout),timeout 120)

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build bin/rpcbench
	go build -ldflags '$(ldflags)' -o bin/rpcbench ./cmd/rpcbench

run: build ## measure every stack on this machine, in about a minute
	bin/rpcbench run quick

test: modules current lint ## run all tests: generated code, lint, Go tests, conformance
	$(if $(race),,@echo 'No C compiler, so no race detector: apt-get install gcc adds it.')
	go test $(race) $$(go list ./... | grep -vxF '$(timed)')
	go test -short -p 1 $(timed)
	$(MAKE) --no-print-directory conform

conform: build ## hold the binary's worker to the conformance suite
	bin/rpcbench conform

bench: ## hold the instrument to its own bars: half an hour on an idle machine
	go run ./bench

lint: ## vet and lint; keeps the import map of the rooms
	go tool -modfile=tools/lint/go.mod $(golangci)
	go -C tools tool -modfile=lint/go.mod $(golangci)

generate: ## write the Go code of the schemas in proto/
	go -C tools run ./generate ..

current: ## check that the generated code is what the schemas make
	go -C tools run ./generate -check ..

fuzz: ## try each fuzz target for fuzztime=30s
	@tests=$$(go test -list '^Fuzz' ./...) && echo "$$tests" | \
	awk '/^Fuzz/ { names[n++] = $$1 } /^ok/ { for (i = 0; i < n; i++) print $$2, names[i]; n = 0 }' | \
	while read -r package target; do \
		echo "$$package $$target"; \
		go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(fuzztime) "$$package" </dev/null || exit 1; \
	done

# A registry that fails, or is silent for two minutes, is asked again, three times in all.
modules: ## download what the build, the tests and the tools need
	@for folder in . tools tools/lint; do \
		echo "go -C $$folder mod download"; \
		for pause in 2 10 end; do \
			$(patience) go -C $$folder mod download && break; \
			test $$pause != end || exit 1; \
			sleep $$pause; \
		done; \
	done

clean: ## remove what was built
	rm -rf bin

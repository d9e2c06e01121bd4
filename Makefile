# What can be done here; `make help` lists it.
.DEFAULT_GOAL := help
.PHONY: help build run test test-go test-endtoend test-java test-cpp test-dist quick-test check bench bench-peers lint generate fuzz clean current
.PHONY: test-suites test-servers servers cpp plain gcc-grpc conform conform-java conform-cpp conform-timing dist portable modules tool-modules suite-modules emulator sshd jdk java microbench
.PHONY: proxies audit checksums install uninstall test-kubernetes android android-api test-android web web-modules web-current chromium test-web
.NOTPARALLEL:

# Results name the commit. Outside git the binary says what Go knows.
commit := $(shell git rev-parse HEAD 2>/dev/null)
dirty := $(if $(commit),$(shell git status --porcelain | head -n 1))
date := $(shell TZ=UTC git log -1 --format=%cd --date=format-local:%Y-%m-%dT%H:%M:%SZ 2>/dev/null)
ldflags := -X rpcbench/internal/cli.commit=$(commit)$(if $(dirty),+dirty) -X rpcbench/internal/cli.date=$(date)$(if $(layout), -randlayout=$(layout))
version := $(shell sed -n 's/^const version = "\(.*\)"/\1/p' internal/cli/version.go)

# What is compiled does not depend on where it is, so that Go's cache serves every clone.
export GOFLAGS := -trimpath $(filter-out -trimpath,$(GOFLAGS))

# Binaries are static, those of make dist too. So all but what the race detector is in is compiled once.
static := CGO_ENABLED=0

# The race detector needs a C compiler.
cgo := $(shell test "$$(go env CGO_ENABLED)" = 1 && command -v "$$(go env CC)")
race := $(if $(cgo),-race)

processors := $(shell nproc 2>/dev/null || echo 2)
golangci := golangci-lint run --allow-parallel-runners ./...
# Vet is a linter among those of make check, which looks at the tests too.
# Only a hang reaches the limit, however busy the machine is.
testflags := -vet=off -timeout 1h
gotest := $(static) go test $(testflags)
racetest := $(if $(race),GORACE=atexit_sleep_ms=0 CGO_ENABLED=1 go test -race $(testflags),$(gotest))

# The race detector would make the others slower, for nothing: packages in which nothing runs beside anything, and the
# program as a whole, whose packages have their own tests with it, the workers' processes too.
packages = $(filter-out $(apart),$(shell go list ./...))
concurrent = $(patsubst %,rpcbench/%,$(shell grep -rlE --include='*.go' '^\s*go |\bchan\b|"(sync|sync/atomic|testing/synctest)"' \
	bench cmd internal worker | xargs -n 1 dirname | sort -u))
whole := rpcbench/internal/cli rpcbench/internal/test/doctest rpcbench/internal/test/examples rpcbench/internal/check/conform
single := rpcbench/internal/check/truth rpcbench/internal/report
raced = $(filter-out $(whole) $(single),$(filter $(concurrent),$(packages)))

# It counts what is allocated, the race detector's too.
memory := TestRepliesOfAnyLengthTakeBoundedMemory
counted = $(patsubst %/large_test.go,./%,$(wildcard internal/stack/*/large_test.go))

# What runs the binary for small boards says why where it can't; and its binary comes from make, which no test's cache
# knows of.
boards := rpcbench/internal/test/dist

# Suites of others, and what runs them, are a module of its own: its dependencies are not rpcbench's.
suites := internal/test/suites

# The pages of reports in a browser, whose tests no test's cache knows of.
browser := rpcbench/internal/test/browser

# The Android app, which make builds.
app := rpcbench/internal/test/android

# Whole programs and whole workers, over and over; those of the JVM too, where they are built.
endtoend := rpcbench/internal/test/endtoend

apart := $(boards) $(browser) $(app) $(endtoend)

# make dist builds for these: armv6 is the first Raspberry Pi and the Zero, armv7 other boards of 32 bits.
platforms := linux-amd64 linux-arm64 linux-armv6 linux-armv7 darwin-amd64 darwin-arm64 windows-amd64
dist := dist
binaries := $(foreach p,$(platforms),$(dist)/rpcbench-$p$(if $(filter windows-%,$p),.exe))
packaging := go -C tools/dist run . -version $(version) -date '$(date)'
# $(call cross,linux-armv6) builds for it. Without cgo a binary is static.
system = $(word $1,$(subst -, ,$2))
cross = CGO_ENABLED=0 GOOS=$(call system,1,$1) GOARCH=$(patsubst armv%,arm GOARM=%,$(call system,2,$1)) go build -trimpath

fuzztime := 30s
patience := $(if $(shell command -v timeout),timeout 120)

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build bin/rpcbench
	$(static) go build -ldflags '$(ldflags)' -o bin/rpcbench ./cmd/rpcbench

run: build ## measure every stack on this machine, in about a minute
	bin/rpcbench run quick

# Three run at a time, in this order: tests wait for calls to end, and two leave a third of two processors idle. After the colon
# is the part that builds what this one needs, or the same.
parts := test-java test-go conform test-cpp test-web test-app:test-java test-endtoend:test-java conform-cpp:test-cpp \
	test-servers:test-java test-suites:test-java conform-java:test-java test-dist
jobs := 3

test: modules emulator sshd proxies jdk build ## run all tests, three parts at a time (jobs=1: one); a part by itself: make test-java, test-go, …
	$(if $(race),,@echo 'No C compiler, so no race detector: apt-get install gcc adds it.')
	@jobs=$(jobs) tools/parts.sh $(parts)
	@echo 'Kubernetes was tested with a fake API server; make test-kubernetes tests it on real nodes.'

# What test-servers runs, once the servers are built.
elsewhere := ^TestServersInOtherLanguages

test-go: build ## run Go's tests, but for those of whole workers
	@failed=0; \
	echo '$(words $(raced)) packages with the race detector'; $(racetest) $(raced) || failed=1; \
	echo 'the others'; $(gotest) -skip '$(elsewhere)' $(filter-out $(raced),$(packages)) || failed=1; \
	echo 'memory'; $(gotest) -run '^$(memory)$$' $(counted) || failed=1; \
	exit $$failed

test-endtoend: build ## run the tests of whole workers, those of the JVM too if make test-java has built them
	$(racetest) $(endtoend)

test-java: jdk build ## run Java's tests, and build the workers of the JVM stacks
	$(call with_jdk,$(call packaged,))

# Its build is big enough to be made once: conform-cpp finds it built.
test-cpp: cpp build ## run the tests of the worker in C++
	@$(call with_cpp,nice -n 5 cmake --build $(cpp) --parallel $(processors) --target tests >/dev/null && \
		$(cpp)/tests --gtest_brief=1 && $(gotest) -count 1 -run '^TestCpp' $(endtoend))

# Node is asked for by what needs it; where there is none, the committed assets are used as they are.
test-web: web-modules chromium ## open the pages of reports in a browser; see CONTRIBUTING.md
	@if $(has_node) && test -d web/node_modules && $(has_chromium); then \
		set -x; $(gotest) -count 1 $(browser); \
	else \
		echo 'No node with its packages, or no Chromium, so pages are not opened: apt-get install $(node_packages) chromium adds them.'; \
	fi

test-dist: tool-modules ## test the output of make dist: binaries for small boards, packages, images, signed checksums
	$(static) go -C tools test $(testflags) ./...
	$(gotest) -v -count 1 $(boards)

# What runs others' programs and ours says so each time, as no test's cache knows of them. Theirs wait for replies by clocks of
# their own, five seconds in grpc-java's, so processors are counted, whatever GOMAXPROCS says.
test-suites: build ## run other projects' suites: Connect's conformance, gRPC's interoperability, h2spec
	@if $(MAKE) --no-print-directory suite-modules; then \
		set -x; $(static) go -C $(suites) test $(testflags) -count 1 -p $(processors) -parallel $(processors) ./...; \
	else \
		echo 'The modules of $(suites) could not be downloaded, so the suites of others are not run.'; \
	fi

# What is built of the examples is measured once. No test's cache knows of it.
test-servers: servers ## measure the example servers in other languages, if their toolchains are installed
	$(gotest) -v -count 1 -run '$(elsewhere)' ./internal/test/examples

# The packages of Debian; Cargo, whose Rust is too old there, is used where it is. Those of Apache start no server.
servers_packages := cmake g++ libgrpc++-dev libprotobuf-dev protobuf-compiler protobuf-compiler-grpc pkg-config python3-venv \
	apache2-bin libapache2-mod-wsgi-py3
servers: jdk ## build the example servers whose toolchains are installed, into their folders
	@{ pkg-config --exists grpc++ protobuf && command -v grpc_cpp_plugin && command -v cmake && \
		python3 -c 'import ensurepip, venv' && test -f /usr/lib/apache2/modules/mod_wsgi.so || $(call installed,$(servers_packages)); } >/dev/null || \
	echo 'No gRPC for C++, Python with venv or Apache with WSGI, so their examples are left out: apt-get install $(servers_packages) adds it.'
	nice -n 5 examples/servers/build.sh

# No test's cache knows of what it runs. Outside this folder it changes nothing.
kubernetes := bin/kubernetes
node := linux-$(shell go env GOARCH)
test-kubernetes: modules ## build a Kubernetes and run workers as Pods on it; as root on Debian, with apt-get
	tools/kubernetes.sh $(abspath $(kubernetes))
	$(MAKE) --no-print-directory dist dist=$(kubernetes)/dist platforms=$(node)
	cp $(kubernetes)/dist/rpcbench-$(node) $(kubernetes)/rpcbench
	cp $(kubernetes)/dist/rpcbench-$(version)-$(node).oci.tar $(kubernetes)/rpcbench.oci.tar
	RPCBENCH_TEST_KUBERNETES=$(abspath $(kubernetes)) RPCBENCH_TEST_KUBERNETES_VERSION=$(version) \
		$(gotest) -v -count 1 ./internal/test/cluster

quick-test: build ## run the quick Go tests, in about a minute
	@$(gotest) -short $(filter-out $(whole),$(packages))

check: modules tool-modules suite-modules current web-current lint portable android-api ## check that generated code is current, vet, lint, compile for other systems and Android

conform: build ## run the conformance suite against the binary's worker
	bin/rpcbench conform --timing no

conform-java: java build ## run the conformance suite against the workers of the JVM stacks
	@$(call with_jdk,failed=0; for worker in bin/java/*/worker; do \
		$(call runs,$$worker) || continue; ($(call conformed,$$worker)) || failed=1; \
	done; exit $$failed)

conform-cpp: cpp build ## run the conformance suite against the worker of the C++ stacks
	@$(call with_cpp,set -x; bin/rpcbench conform --timing no -- bin/cpp/worker)

conform-timing: java cpp build ## measure when workers do things, on an idle machine: rates, freezes, deadlines, ends
	@late=0; for worker in 'bin/rpcbench worker' $$(ls bin/java/*/worker bin/cpp/worker 2>/dev/null); do \
		$(call runs,$$worker) || continue; \
		echo "== $$worker"; bin/rpcbench conform --timing only -- $$worker || late=$$?; \
	done; exit $$late

dist: $(binaries) ## build binaries, archives, packages and images in dist/, with checksums; minisign_key=FILE signs them
	$(packaging) $(abspath $(dist)) $(notdir $^)
	$(if $(minisign_key),go -C tools run ./sign $(abspath $(minisign_key)) $(abspath $(dist))/SHA256SUMS)

# DESTDIR is a folder to pack from, for those who make packages.
prefix := /usr/local
install: build ## install rpcbench, its manual pages and completions below prefix=/usr/local
	install -d "$(DESTDIR)$(prefix)/bin"
	install -m 755 bin/rpcbench "$(DESTDIR)$(prefix)/bin/rpcbench"
	$(packaging) -documents "$$(cd "$(DESTDIR)$(prefix)" && pwd)"

uninstall: ## remove what make install has installed
	cd "$(DESTDIR)$(prefix)" && rm -f bin/rpcbench share/man/man1/rpcbench.1.gz share/man/man1/rpcbench-*.1.gz \
		share/bash-completion/completions/rpcbench share/zsh/site-functions/_rpcbench share/fish/vendor_completions.d/rpcbench.fish
	rm -rf "$(DESTDIR)$(prefix)/share/doc/rpcbench"

.PHONY: $(binaries)
$(binaries): $(dist)/rpcbench-%:
	$(call cross,$(basename $*)) -ldflags '$(ldflags)' -o $@ ./cmd/rpcbench

# Between them they have every file.
portable: ## check that it compiles for other systems and for 32 bits
	go -C tools run ./portable .. linux-arm darwin-arm64 windows-amd64

# The rest of Java needs none of it: it runs where a JDK does.
android-api: jdk ## check that the Java code of the Android app uses only classes of Android 8.0
	$(call with_jdk,$(verified) && $(maven) -pl worker-core -pl ../android process-classes && $(verified))

# Debian has Android's build tools, and D8 is in Maven Central.
android_packages := aapt android-framework-res zipalign apksigner dexdump unzip
has_android_tools := command -v aapt2 && command -v zipalign && command -v apksigner
android: java ## build the Android app, bin/android/rpcbench.apk
	@{ { $(has_android_tools); } || $(call installed,$(android_packages)); } >/dev/null || \
	echo 'No build tools of Android, so the app is not built: apt-get install $(android_packages) adds them.'
	@$(call with_jdk,if { $(has_android_tools); } >/dev/null; then set -x; android/apk.sh bin/android/rpcbench.apk $(version); fi)

# No test's cache knows of it. The whole suite against the app's worker takes minutes, so make test has only test-app.
test-android: android build ## build the Android app, and test it and its worker
	$(gotest) -v -count 1 $(app)

test-app: build ## run a scenario on the Android app's worker on a JVM, which make test-java has built
	$(gotest) -v -count 1 -run '^TestTheComputerRunsScenariosInTheApp$$' $(app)

bench: web-modules chromium plain ## check rpcbench's own costs against bounds: two hours on an idle machine
	go run ./bench

# Go builds fortio and k6. oha is measured where it is installed.
peers_packages := nghttp2-client nginx-light wrk
bench-peers: ## compare our clients with h2load, ghz, wrk, fortio, k6 and oha, in an hour or two on an idle machine
	@{ command -v h2load && command -v nginx && command -v wrk || $(call installed,$(peers_packages)); } >/dev/null || \
	echo 'No h2load, nginx or wrk: apt-get install $(peers_packages) adds them.'
	go run ./bench -run '^(peers|web)$$'

lint: ## vet and lint, including the import map of the packages
	go tool -modfile=tools/lint/go.mod $(golangci)
	go -C tools tool -modfile=lint/go.mod $(golangci)
	go -C tools/dist tool -modfile=../lint/go.mod $(golangci)
	go -C $(suites) tool -modfile=../../../tools/lint/go.mod $(golangci)

# Both ask databases on the network. What they can't reach is said, and is no finding.
audit: ## look for known vulnerabilities in dependencies, Go and Java
	tools/audit.sh

generate: ## generate the Go code of the schemas in proto/
	go -C tools run ./generate ..

# Modules that use rpcbench's need what it needs.
# go build leaves its binary in the folder of its sources, and a commit of all takes it along, for good.
largest := 1000000
current: ## check that generated code is current, modules are tidy, and no binary is committed
	@git ls-tree -r -l HEAD 2>/dev/null | awk '$$4 > $(largest) \
		{ print $$5 " has " $$4 " bytes: binaries are built, not kept"; large = 1 } END { exit large }'
	go -C tools run ./generate -check ..
	@for folder in $(suites) tools/dist examples/own-stack; do \
		echo "go -C $$folder list"; go -C $$folder list -deps ./... >/dev/null || exit 1; \
	done

# esbuild makes the same bytes on every machine.
web: web-modules ## build the script and the style of pages from web/, which Go embeds
	cd web && npm run --silent build

web-current: web-modules ## check that the committed script and styles of pages match web/
	@if $(has_node) && test -d web/node_modules; then \
		cd web && npm run --silent check; \
	else \
		echo 'No node with its packages, so the assets of pages are not compared with their sources.'; \
	fi

fuzz: ## run each fuzz target for fuzztime=30s
	@tests=$$(go test -list '^Fuzz' ./...) && echo "$$tests" | \
	awk '/^Fuzz/ { names[n++] = $$1 } /^ok/ { for (i = 0; i < n; i++) print $$2, names[i]; n = 0 }' | \
	while read -r package target; do \
		echo "$$package $$target"; \
		go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(fuzztime) "$$package" </dev/null || exit 1; \
	done

# A registry that fails, or is silent for two minutes, is asked again, three times in all.
modules: folders := .
tool-modules: folders := tools tools/dist tools/lint
suite-modules: folders := $(suites)
modules tool-modules suite-modules:
	@for folder in $(folders); do \
		echo "go -C $$folder mod download"; \
		for pause in 2 10 end; do \
			$(patience) go -C $$folder mod download && break; \
			test $$pause != end || exit 1; \
			sleep $$pause; \
		done; \
	done

# $(call installed,PACKAGES) installs them, as root on Debian, and fails elsewhere. One installation waits for another, and not
# for the servers that it starts. The packages that qemu-user recommends would change how the whole machine starts programs.
apt := DEBIAN_FRONTEND=noninteractive flock --close Makefile apt-get -qq -o Acquire::Retries=3 -o Acquire::http::Timeout=30 -o DPkg::Lock::Timeout=60
install = $(apt) install -y --no-install-recommends $1
installed = { test "$$(id -u)" = 0 && command -v apt-get && { $(call install,$1) || { $(apt) update && $(call install,$1); }; }; }

# esbuild and playwright-core want node 20.
has_node := node -e 'process.exit(+(process.versions.node.split(".")[0] < 20))' 2>/dev/null
has_chromium := command -v $${CHROMIUM:-chromium} >/dev/null
node_packages := nodejs npm

# npm asks a registry again by itself; one that is silent is left after two minutes, and asked again, three times in all.
web-modules: ## download the packages of web/, in the versions of its lock file
	@{ $(has_node) && command -v npm || $(call installed,$(node_packages)); } >/dev/null; \
	if $(has_node) && ! cmp -s web/package-lock.json web/node_modules/.package-lock.of; then \
		for pause in 2 10 end; do \
			(cd web && $(patience) npm ci --ignore-scripts --no-progress --loglevel=error) && \
				cp web/package-lock.json web/node_modules/.package-lock.of && break; \
			test $$pause != end || exit 1; \
			sleep $$pause; \
		done; \
	fi

chromium: ## install Chromium, for the tests of pages, as root on Debian
	@{ $(has_chromium) || $(call installed,chromium); } >/dev/null || echo 'No Chromium: apt-get install chromium adds it.'

emulator: ## install qemu-user, for the test of the arm binary, as root on Debian
	@{ command -v qemu-arm || command -v qemu-arm-static || $(call installed,qemu-user); } >/dev/null || \
	echo 'No qemu-arm, so the arm binary is not run: apt-get install qemu-user adds it.'

# Where systemd runs, the package would start a server that all can reach.
sshd: ## install OpenSSH's server, for the tests of workers on other hosts, as root on Debian without systemd
	@{ test -x /usr/sbin/sshd || { test ! -d /run/systemd/system && $(call installed,openssh-server openssh-client iproute2); }; } >/dev/null || \
	echo 'No sshd, so workers on other hosts are not tested: apt-get install openssh-server adds it.'

# As with sshd.
proxies: ## install nginx and HAProxy, for the tests of proxies, as root on Debian without systemd
	@{ { command -v nginx && command -v haproxy; } || { test ! -d /run/systemd/system && $(call installed,nginx-light haproxy); }; } >/dev/null || \
	echo 'No nginx and HAProxy, so they are not tested as proxies: apt-get install nginx-light haproxy adds them.'

jdk_packages := openjdk-17-jdk-headless maven
jdk: ## install a JDK and Maven, for the JVM stacks, as root on Debian
	@{ { command -v javac && command -v mvn; } || $(call installed,$(jdk_packages)); } >/dev/null || \
	echo 'No JDK and Maven, so the JVM stacks are neither built nor tested: apt-get install $(jdk_packages) adds them.'

# $(call packaged,OPTIONS) builds the workers, without jars of earlier builds, and notes since when they are as the sources
# are: what test-java has built conform-java need not build again.
built := bin/java/.built
packaged = mkdir -p bin/java && rm -rf bin/java/*/lib android/target/lib && touch $(built).begun && $(verified) && $(maven) package $1 && $(verified) && mv $(built).begun $(built)
changed = test ! -f $(built) || test -n "$$(find java/pom.xml java/.mvn java/*/pom.xml java/*/src android/pom.xml android/src proto Makefile -newer $(built) | head -n 1)"

# For JVMs that live for seconds, half of which the optimizing compiler would take.
brief := -XX:TieredStopAtLevel=1
# Maven's word for a registry that is slow once; no progress bars, a module for each processor, and those that don't need
# one that failed go on.
maven = MAVEN_OPTS="$(brief) $$MAVEN_OPTS" mvn -q -B -ntp -T 1C -fae -Dmaven.wagon.http.retryHandler.count=3 \
	-f java/pom.xml -Dmaven.repo.local=$(m2)
with_jdk = if command -v javac >/dev/null && command -v mvn >/dev/null; then $1; fi

# Where Maven keeps what it has downloaded, which is held to the checksums in java/.mvn.
m2 := $(HOME)/.m2/repository
verified = tools/jars.sh check $(m2)

# $(call runs,WORKER) says why where there is no JDK that is new enough for it: then its launcher ends with 3.
runs = { why=$$($1 -version 2>&1 >/dev/null </dev/null); test $$? != 3 || { echo "$$why"; false; }; }

# $(call conformed,WORKER) holds a worker to the suite. Cases that judge no process share two, and the others start it some
# dozen times: the classes that it loads for that are kept in an archive of the JVM's. Without one it starts as ever. The
# numbers that JDK 25 gives to classes differ from start to start, and those from elsewhere than jars need them.
conformed = rm -f $1.*.classes $1.jsa; \
	bin/rpcbench conform --case 'end of input' -- $1 $(brief) -XX:DumpLoadedClassList=$1.%p.classes >/dev/null; \
	sed -e '/source:/d' -e 's/ id: [0-9]*$$//' $1.*.classes | sort -u >$1.classes; \
	rm -f $1.*.classes; \
	$1 -Xshare:dump -XX:SharedClassListFile=$1.classes -XX:SharedArchiveFile=$1.jsa >/dev/null 2>&1; \
	set -x; bin/rpcbench conform --timing no --share -- $1 $(brief) -XX:SharedArchiveFile=$1.jsa

java: jdk ## build the workers of the JVM stacks into bin/java
	$(call with_jdk,if $(changed); then $(call packaged,-DskipTests); fi)

# GoogleTest is for the tests alone.
cpp_packages := cmake g++ libgrpc++-dev libgtest-dev libprotobuf-dev pkg-config protobuf-compiler protobuf-compiler-grpc zlib1g-dev
has_cpp = { pkg-config --exists grpc++ protobuf zlib && command -v cmake && command -v protoc && command -v grpc_cpp_plugin && \
	test -d /usr/include/gtest; } >/dev/null 2>&1
with_cpp = if $(has_cpp); then $1; fi
gcc-grpc: ## install gRPC's C++ library with CMake, for the C++ stacks, as root on Debian
	@{ $(has_cpp) || $(call installed,$(cpp_packages)); } >/dev/null || \
	echo 'No gRPC for C++, so the C++ stacks are neither built nor tested: apt-get install $(cpp_packages) adds it.'

# The worker's manifest goes beside it.
cpp := bin/cpp/build
cpp: gcc-grpc ## build the worker of the C++ stacks into bin/cpp
	@$(call with_cpp,cmake -S cpp -B $(cpp) >/dev/null && nice -n 5 cmake --build $(cpp) --parallel $(processors) --target worker && \
		install $(cpp)/worker bin/cpp/worker && install -m 644 cpp/worker.yaml bin/cpp/)

# What bench compares the C++ stacks with.
plain: cpp ## build the plain programs that bench compares the C++ stacks with
	@$(call with_cpp,cmake --build $(cpp) --target plain)

# A test is run for what only tests need. The lines of other systems' protoc stay as they are.
checksums: m2 := $(abspath bin/m2)
checksums: jdk ## record the checksums of everything that Maven downloads, after changing a dependency
	rm -rf $(m2)
	$(call with_jdk,$(maven) package -Dtest=LauncherTest -Dsurefire.failIfNoSpecifiedTests=false \
		-Daether.artifactResolver.postProcessor.trustedChecksums=false && \
		tools/jars.sh record $(m2))

microbench: java ## time the parts of an RPC in grpc-java, by JMH, into microbench.json
	$(call with_jdk,bin/java/microbench/microbench -rf json -rff microbench.json && bin/rpcbench report microbench.json)

clean: ## remove what was built
	rm -rf bin dist

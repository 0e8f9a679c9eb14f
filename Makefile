# What one does with this project; `make` alone lists it. Every rule does its own set-up.

SWIFT ?= swift
# Of `make build`.
CONFIGURATION ?= debug
PREFIX ?= /usr/local
DESTDIR ?=
# What else a build of a release is told: --disable-sandbox, where another sandbox holds.
SWIFT_FLAGS ?=
# Of `make bench`: a command before which newer neighbours run, such as a chroot; how often all take
# turns; what else compare.py is told.
PEERS ?=
ROUNDS ?= 3
ARGS ?=
# Of `make test-hostile`: folders of files.
FILES ?=

SYSTEM := $(shell uname -s)
# A target that imports what the manifest does not list is an error.
CHECKS := --explicit-target-dependency-import-check error
# Apple's systems bring the Swift runtime along; elsewhere it goes into the program.
# No library stands beside it: none is looked for there.
RELEASE := -c release --disable-local-rpath $(SWIFT_FLAGS) $(if $(filter Darwin,$(SYSTEM)),,--static-swift-stdlib)
PROGRAM := .build/release/tilewright

# Debug builds of SwiftPM compile C with -O0, and render some three times slower so. This compiler
# lets -O2 follow. As flags (-Xcc), the same would reach Swift's compiler too, and everything would be
# built anew after a plain `swift build`; so, only the C files are.
DEBUG_CC := .build/optimising-clang
DEBUG := env CC=$(CURDIR)/$(DEBUG_CC) $(SWIFT)

$(DEBUG_CC):
	@mkdir -p $(@D)
	@printf '#!/bin/sh\nexec clang "$$@" -O2\n' > $@ && chmod +x $@

.DEFAULT_GOAL := help
.PHONY: help
help: ## lists these rules
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 26

# Set-up. Debian's names; the toolchain itself needs the second line to run and to link.
MODULES := libpng libjpeg libtiff-4 libwebp libheif libdeflate libisal lcms2 proj libxxhash libzstd \
    expat sqlite3 yaml-0.1
APT_PACKAGES := libpng-dev libjpeg62-turbo-dev libtiff-dev libwebp-dev libheif-dev libdeflate-dev \
    libisal-dev liblcms2-dev libproj-dev libxxhash-dev libzstd-dev libgeotiff-dev libexpat1-dev \
    libsqlite3-dev libyaml-dev pkg-config git ca-certificates g++ libcurl4 libncurses6 libxml2 tzdata
BREW_PACKAGES := libpng jpeg-turbo libtiff webp libheif libdeflate isa-l little-cms2 proj xxhash zstd \
    libgeotiff expat sqlite libyaml pkg-config
AS_ROOT := $(if $(filter-out 0,$(shell id -u)),sudo )env DEBIAN_FRONTEND=noninteractive
# Debian's libgeotiff brings no module.
HAS_GEOTIFF := { pkg-config --exists libgeotiff || test -e /usr/include/geotiff/geotiff.h; }
READY = pkg-config --exists $(MODULES) && $(HAS_GEOTIFF) && command -v git && command -v g++ && \
    $(SWIFT) package --version

.PHONY: deps
deps: ## installs the C libraries and what else a bare machine with a Swift toolchain lacks
	@if { $(READY); } >/dev/null 2>&1; then exit 0; \
	elif ! command -v $(SWIFT) >/dev/null; then \
	    echo 'there is no Swift toolchain here: see https://www.swift.org/install' >&2; exit 1; \
	elif command -v apt-get >/dev/null; then \
	    $(AS_ROOT) apt-get update -q && \
	    $(AS_ROOT) apt-get install -q -y --no-install-recommends $(APT_PACKAGES); \
	elif command -v brew >/dev/null; then brew install $(BREW_PACKAGES); \
	else \
	    echo 'install these for development, then try again: $(MODULES) libgeotiff' >&2; exit 1; \
	fi

# Of the renderer of documents alone.
RENDER_MODULES := poppler-glib librsvg-2.0 fontconfig libqpdf
RENDER_APT_PACKAGES := libpoppler-glib-dev librsvg2-dev libfontconfig-dev libqpdf-dev
RENDER_BREW_PACKAGES := poppler librsvg fontconfig qpdf
HAS_RENDER_MODULES := pkg-config --exists $(RENDER_MODULES) 2>/dev/null
# Whether there is one in this build: the manifest asks the environment.
RENDERER = TILEWRIGHT_RENDER=$(shell $(HAS_RENDER_MODULES) && echo 1)

# Programs that tests compare with, and what brings them on Debian: other systems skip those tests,
# and say so.
TEST_PROGRAMS := avifdec avifenc cc cs2cs cwebp djpeg dwebp gdal2tiles.py gdal_translate geod heif-convert heif-enc projinfo \
    identify jpegtran node pngcheck python3 sqlite3 webpmux zsh
# The same of the renderer's tests, which run if its libraries are there.
RENDER_TEST_PROGRAMS := pdfinfo pdftocairo rsvg-convert qpdf gzip fc-match
RENDER_TEST_PACKAGES := poppler-utils librsvg2-bin qpdf gzip fontconfig fonts-dejavu-core
TEST_MODULES := numpy, osgeo.gdal, PIL, jsonschema
TEST_PACKAGES := gcc imagemagick nodejs proj-bin webp libheif-examples libavif-bin gdal-bin pngcheck python3 \
    libjpeg-turbo-progs sqlite3 python3-numpy python3-gdal python3-pil python3-jsonschema zsh
# The same of `make test-all`, and modules that Debian has no packages for.
LONG_TEST_PROGRAMS := chromium aarch64-linux-gnu-gcc qemu-aarch64 nginx rsync curl gs img2pdf qpdf fish
LONG_TEST_PACKAGES := chromium libjs-leaflet gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user \
    python3-venv curl nginx-light rsync ghostscript img2pdf qpdf python3-cairo python3-reportlab fish
LONG_TEST_MODULES := maplibre mapproxy pmtiles
PYTHON_ENVIRONMENT := .build/python
# The one of the PATH, or the system's own, for which Debian has modules.
PYTHON = $(or $(shell for python in python3 /usr/bin/python3; do \
    $$python -c 'import numpy, PIL' 2>/dev/null && echo $$python && break; done),python3)

.PHONY: test-deps test-all-deps
test-deps: deps ## installs the programs that tests compare with, and the renderer's libraries (Debian)
	@if (for program in $(TEST_PROGRAMS) $(RENDER_TEST_PROGRAMS); do command -v $$program || exit 1; done; \
	    $(HAS_RENDER_MODULES) || exit 1; \
	    python3 -c 'import $(TEST_MODULES)' || /usr/bin/python3 -c 'import $(TEST_MODULES)' \
	) >/dev/null 2>&1; then exit 0; \
	elif command -v apt-get >/dev/null; then \
	    $(AS_ROOT) apt-get update -q && \
	    $(AS_ROOT) apt-get install -q -y --no-install-recommends $(TEST_PACKAGES) $(RENDER_APT_PACKAGES) \
	        $(RENDER_TEST_PACKAGES); \
	else echo 'tests are skipped that compare with: $(TEST_PROGRAMS) $(RENDER_TEST_PROGRAMS)'; fi

test-all-deps: test-deps ## installs what long tests need besides (Debian, PyPI)
	@if (for program in $(LONG_TEST_PROGRAMS); do command -v $$program || exit 1; done; \
	    test -e /usr/share/javascript/leaflet/leaflet.js && \
	    test -e /usr/aarch64-linux-gnu/include/stdint.h) >/dev/null 2>&1; then :; \
	elif command -v apt-get >/dev/null; then \
	    $(AS_ROOT) apt-get update -q && \
	    $(AS_ROOT) apt-get install -q -y --no-install-recommends $(LONG_TEST_PACKAGES); \
	else echo 'tests are skipped that need: $(LONG_TEST_PROGRAMS)'; fi
	@test -e $(PYTHON_ENVIRONMENT)/done || { \
	    python3 -m venv $(PYTHON_ENVIRONMENT) && \
	    $(PYTHON_ENVIRONMENT)/bin/pip install -q $(LONG_TEST_MODULES) && \
	    touch $(PYTHON_ENVIRONMENT)/done; }

# Build and test

.PHONY: build release test test-all test-long test-cluster test-sanitize test-threads test-faults test-requests test-received test-hostile \
    test-neon bench-deps benchmarks bench bench-chart bench-serve bench-encoders bench-kernels bench-instructions same-bytes
build: deps $(DEBUG_CC) ## builds everything (CONFIGURATION=debug)
	$(if $(filter debug,$(CONFIGURATION)),$(DEBUG),$(SWIFT)) build -c $(CONFIGURATION) $(CHECKS)

# C code of other packages names its files in assertions. They are named from the folder of the project, so that the
# programs are the same bytes wherever that lies. It is the compiler that SwiftPM takes by itself, the toolchain's.
RELEASE_CC := .build/release-clang
BUILD_RELEASE := $(if $(filter Darwin,$(SYSTEM)),,env CC=$(CURDIR)/$(RELEASE_CC)) $(SWIFT) build $(RELEASE)

.PHONY: release-clang
release-clang: deps
	@mkdir -p $(dir $(RELEASE_CC))
	@toolchain=`$(SWIFT) -print-target-info | sed -nE 's|.*"runtimeResourcePath": "(.*)/lib/swift".*|\1|p'`; \
	test -x "$$toolchain/bin/clang" || { echo 'the Swift toolchain has no clang' >&2; exit 1; }; \
	printf '#!/bin/sh\nexec "%s" "$$@" "-ffile-prefix-map=%s=."\n' "$$toolchain/bin/clang" '$(CURDIR)' \
	    > $(RELEASE_CC) && chmod +x $(RELEASE_CC)

release: $(if $(filter Darwin,$(SYSTEM)),deps,release-clang) ## builds the program that is installed: .build/release/tilewright
	$(BUILD_RELEASE) --product tilewright

# Programs beside the program, for what a batch tool should not carry. The manifest has the renderer only if the
# environment says so: its libraries are under the GPL, and nothing else needs them.
COMPANIONS := tilewright-serve tilewright-render

.PHONY: companions companions-deps
companions-deps: deps ## installs what the renderer of documents needs: poppler, librsvg, fontconfig, qpdf
	@if $(HAS_RENDER_MODULES); then exit 0; \
	elif command -v apt-get >/dev/null; then \
	    $(AS_ROOT) apt-get update -q && \
	    $(AS_ROOT) apt-get install -q -y --no-install-recommends $(RENDER_APT_PACKAGES); \
	elif command -v brew >/dev/null; then brew install $(RENDER_BREW_PACKAGES); \
	else \
	    echo 'install these for development, then try again: $(RENDER_MODULES)' >&2; exit 1; \
	fi

companions: release companions-deps ## builds the programs beside the program: tilewright-serve, tilewright-render
	for name in $(COMPANIONS); do \
	    TILEWRIGHT_RENDER=1 $(BUILD_RELEASE) --product $$name || exit 1; done

# Optimised, since the tests render pictures of a real size: that costs little more to build, and
# saves most of the time of the tests. Overflow and preconditions are checked all the same.
OPTIMISED := --disable-xctest -c release -Xswiftc -enable-testing $(CHECKS)

test: test-deps ## runs the tests of a change, in some minutes (ARGS='--filter TilingTests')
	$(RENDERER) $(SWIFT) test $(OPTIMISED) --scratch-path .build/tests $(ARGS)

test-long: test-all-deps ## runs all tests, long ones too: whole tables, browsers, many kills
	TILEWRIGHT_TESTS=all $(RENDERER) $(SWIFT) test $(OPTIMISED) --scratch-path .build/tests $(ARGS)

# In this order: what takes the least comes first.
TEST_ALL := test-long test-cluster test-neon test-requests test-received test-sanitize test-threads test-faults $(if $(FILES),test-hostile)

test-cluster: release ## runs the recipes of Examples/Cluster: Slurm, GNU parallel, Kubernetes, AWS Batch, make
	$(MAKE) --no-print-directory -C Examples/Cluster check

test-all: ## runs everything that tests, one rule after the other: hours (FILES='FOLDERS')
	@echo 'test-all runs: $(TEST_ALL)$(if $(FILES),,; not test-hostile, which needs FILES)'
	@failed=; for rule in $(TEST_ALL); do \
	    echo "== make $$rule"; \
	    TILEWRIGHT_TESTS=all $(MAKE) --no-print-directory $$rule || failed="$$failed $$rule"; \
	done; test -z "$$failed" || { echo "failed:$$failed" >&2; exit 1; }

# The whole suite against a build with a sanitizer: first its name, then flags, its options, and what
# is loaded first. TILEWRIGHT_TESTS=all adds the long tests. Reports go
# to files, for a test may not look at how a program ended that it has started; 99 is no status of
# ours.
SANITIZERS := $(CURDIR)/Tests/Sanitizers
define test_sanitized
	@rm -rf .build/$(1)-reports && mkdir -p .build/$(1)-reports
	@reports=$(CURDIR)/.build/$(1)-reports; \
	export ASAN_OPTIONS=exitcode=99:log_path=$$reports/report:$(3); \
	export UBSAN_OPTIONS=exitcode=99:log_path=$$reports/report:print_stacktrace=1; \
	export TSAN_OPTIONS=exitcode=99:log_path=$$reports/report:$(3); \
	export LSAN_OPTIONS=suppressions=$(SANITIZERS)/leaks.supp:print_suppressions=0:exitcode=99; \
	export LD_PRELOAD=$(4); \
	$(SWIFT) test $(OPTIMISED) --scratch-path .build/$(1) $(2) $(ARGS) && status=0 || status=1; \
	cat $$reports/* 2>/dev/null && status=1; exit $$status
endef

# swiftc knows no undefined-behaviour sanitizer, but the C code is compiled by clang, and the runtime
# of the address sanitizer reports for both.
test-sanitize: test-deps ## runs the tests under the address sanitizer, C also for undefined behaviour
	$(call test_sanitized,sanitize,--sanitize=address -Xcc -fsanitize=undefined \
	    -Xcc -fno-sanitize-recover=undefined)

# Swift's Mutex is in a library of its own only where Apple's systems do not have their locks.
test-threads: test-deps ## runs the tests under the thread sanitizer
	@mkdir -p .build
	clang -Wall -Wextra -Werror -O1 -D_GNU_SOURCE -shared -fPIC $(SANITIZERS)/see_locks.c -ldl \
	    -o .build/see_locks.so
	$(call test_sanitized,thread,--sanitize=thread,suppressions=$(SANITIZERS)/races.supp,$(if \
	    $(filter Linux,$(SYSTEM)),$(CURDIR)/.build/see_locks.so))

# ARGS='--only kills --seed 7' runs a part, or repeats what chance chose.
test-faults: test-deps release ## kills the program, starves it, fails its system calls, damages its inputs
	@mkdir -p .build/faults
	$(CC) -Wall -Wextra -Werror -O1 -shared -fPIC Tests/Faults/fail_call.c -ldl \
	    -o .build/faults/fail_call.so
	$(PYTHON) Tests/Faults/faults.py $(PROGRAM) --shim .build/faults/fail_call.so $(ARGS)

# SwiftPM instruments Swift code only; this compiler does so for C. Each process writes its counts into a
# file of its own, the programs that tests start among them. What a test kills writes none, or half a file,
# with which SwiftPM could not merge the others.
COVERAGE := .build/coverage
COVERAGE_CC := .build/instrumenting-clang
COVERED = $(COVERAGE)/release
COUNTS := $(COVERAGE)/counts
COVERED_TESTS = $(COVERED)/tilewrightPackageTests.xctest$(if $(filter \
    Darwin,$(SYSTEM)),/Contents/MacOS/tilewrightPackageTests)
# The toolchain's own: others do not read its counts.
LLVM = $(shell $(SWIFT) -print-target-info \
    | sed -nE 's|.*"runtimeResourcePath": "(.*)/lib/swift".*|\1/bin|p')
COVERING = CC=$(CURDIR)/$(COVERAGE_CC) $(SWIFT)
# Shares of all lines and of all regions that the tests must reach, in percent.
LEAST_COVERAGE := 98.5 96

.PHONY: coverage
coverage: test-all-deps ## reports which lines and regions of Sources all tests reach (ARGS='--filter NAME')
	@mkdir -p .build && rm -rf $(COUNTS)
	@printf '#!/bin/sh\nexec clang "$$@" -fprofile-instr-generate -fcoverage-mapping\n' > $(COVERAGE_CC)
	@chmod +x $(COVERAGE_CC)
	$(COVERING) build --build-tests $(OPTIMISED) --enable-code-coverage --scratch-path $(COVERAGE)
	TILEWRIGHT_TESTS=all LLVM_PROFILE_FILE='$(CURDIR)/$(COUNTS)/%m.%p.profraw' \
	    $(COVERING) test --skip-build $(OPTIMISED) --scratch-path $(COVERAGE) $(ARGS)
	@find $(COUNTS) -name '*.profraw' > $(COUNTS)/list
	$(LLVM)/llvm-profdata merge -sparse -failure-mode=all -f $(COUNTS)/list -o $(COUNTS)/all.profdata
	$(LLVM)/llvm-cov export -instr-profile $(COUNTS)/all.profdata $(COVERED_TESTS) \
	    -object $(COVERED)/tilewright > $(COUNTS)/export.json
	python3 Tests/Coverage/report.py $(COUNTS)/export.json --missed $(COVERAGE)/missed.txt \
	    $(if $(ARGS),,--least $(LEAST_COVERAGE))

# ARGS='--only hosts --seed 7' sends a part, or repeats what chance chose.
test-requests: companions ## sends the server requests that were made to break it
	$(PYTHON) Tests/Faults/hostile_requests.py .build/release/tilewright-serve $(ARGS)

# ARGS='--seed 7 --only 12' repeats what chance chose.
test-received: companions ## plays that folders come from somebody who means harm
	$(PYTHON) Tests/Faults/received.py $(PROGRAM) $(ARGS)

# The suites of libpng and libtiff, as Debian distributes them, have hundreds; the article Testing says how to
# get them.
test-hostile: release ## feeds it files that were made to break readers (FILES='FOLDERS')
	@test -n '$(FILES)' || { echo "say FILES='FOLDERS'; see the article Testing" >&2; exit 1; }
	$(PYTHON) Tests/Faults/hostile.py $(PROGRAM) $(FILES) $(ARGS)

# Of Debian's gcc-aarch64-linux-gnu, libc6-dev-arm64-cross and qemu-user.
ARM := aarch64-linux-gnu
EMULATOR := qemu-aarch64

test-neon: ## compares the kernels for arm64 with the portable ones in an emulator
	@if ! { command -v clang && command -v $(ARM)-gcc && command -v $(EMULATOR); } >/dev/null; \
	then \
	    echo 'left out: it needs clang, $(ARM)-gcc and $(EMULATOR)'; \
	else \
	    mkdir -p .build && clang --target=$(ARM) -static -fuse-ld=lld -O2 \
	        -Wall -Wextra -Werror -ISources/CKernels/include Sources/CKernels/*.c \
	        Tests/KernelLevels/compare.c -o .build/compare-neon && \
	    $(EMULATOR) .build/compare-neon; \
	fi

# Of `make fuzz`: which harnesses of Tests/Fuzzing, and for how long each. Those in C read images;
# parsers.swift lists its own.
FUZZ_READERS := $(basename $(notdir $(wildcard Tests/Fuzzing/*.c)))
FUZZ_PARSERS := $(shell sed -nE 's/^    "([a-z]+)": .*/\1/p' Tests/Fuzzing/parsers.swift)
FUZZ ?= $(FUZZ_READERS) $(FUZZ_PARSERS)
SECONDS ?= 60
FUZZED := .build/fuzz
# A single allocation of more is a finding too; a crash of Swift is reported without its debugger.
FUZZ_LIMITS := -timeout=20 -malloc_limit_mb=512 -rss_limit_mb=2048

.PHONY: fuzz
fuzz: $(FUZZ:%=$(FUZZED)/%) ## feeds damaged files to all that reads them (FUZZ='png kml' SECONDS=60; clang)
	python3 Tests/Fuzzing/make_seeds.py $(FUZZED)/seeds
	@for name in $(FUZZ); do \
	    mkdir -p $(FUZZED)/$$name.corpus && words=Tests/Fuzzing/$$name.dict && \
	    SWIFT_BACKTRACE=enable=no $(FUZZED)/$$name -max_total_time=$(SECONDS) $(FUZZ_LIMITS) \
	        `test ! -e $$words || echo -dict=$$words` \
	        -artifact_prefix=$(FUZZED)/$$name- -print_final_stats=1 \
	        $(FUZZED)/$$name.corpus $(FUZZED)/seeds/$$name || exit 1; \
	done

FUZZ_LIBRARIES := libpng libjpeg libtiff-4 libwebp libheif libdeflate libisal lcms2
CODEC_FILES := $(shell find Sources/CCodec -name '*.[ch]' -o -name '*.cpp')

$(FUZZ_READERS:%=$(FUZZED)/%): $(FUZZED)/%: Tests/Fuzzing/%.c Tests/Fuzzing/fuzzing.h \
        $(CODEC_FILES) | deps
	@mkdir -p $(FUZZED)
	clang -g -O1 -D_GNU_SOURCE -fsanitize=fuzzer,address,undefined \
	    -fno-sanitize-recover=undefined \
	    -ISources/CCodec/include `pkg-config --cflags $(FUZZ_LIBRARIES)` \
	    $(filter %.c %.cpp,$(CODEC_FILES)) $< `pkg-config --libs $(FUZZ_LIBRARIES)` -lstdc++ -lm -o $@

# All parsers are one program, which takes the one that it is called by.
$(FUZZ_PARSERS:%=$(FUZZED)/%): $(FUZZED)/parsers
	ln -f $< $@

FUZZ_MODULES := Diagnostics YAML Files Tiling RenderProtocol Georeferencing Raster Palettes Tilesets Camera Publishing \
    Verification Shards WebRequests
FUZZ_LOADERS := CPROJLoader CGeoTIFFLoader
FUZZ_OBJECTS := $(patsubst %,$(FUZZED)/modules/%.o,$(FUZZ_MODULES) $(FUZZ_LOADERS))
FUZZ_SWIFT := swiftc -g -O -wmo -swift-version 6 -enable-testing -parse-as-library -package-name tilewright \
    -sanitize=fuzzer,address $(patsubst %,-enable-upcoming-feature %,InternalImportsByDefault \
    ExistentialAny MemberImportVisibility NonisolatedNonsendingByDefault) \
    -I $(FUZZED)/modules $(patsubst %,-I Sources/SystemLibraries/%,CPROJ CGeoTIFF CExpat CDeflate CSQLite CXXHash CYAML \
    CZstandard)

$(FUZZED)/parsers: Tests/Fuzzing/parsers.swift \
        $(shell find $(FUZZ_MODULES:%=Sources/%) $(FUZZ_LOADERS:%=Sources/SystemLibraries/%) -type f) | deps
	@mkdir -p $(FUZZED)/modules/Publishing
	# What SwiftPM makes of Templates, which no parser needs.
	{ echo 'enum PackageResources {'; \
	grep -oh 'PackageResources\.[a-z_]*' `find Sources/Publishing -name '*.swift'` | sort -u \
	    | sed -E 's/.*\.(.*)/    static let \1: [UInt8] = []/'; \
	echo '}'; } > $(FUZZED)/modules/Publishing/resources.swift
	for name in $(FUZZ_MODULES); do \
	    $(FUZZ_SWIFT) -module-name $$name \
	        `find Sources/$$name -name '*.swift' ! -path '*/Templates/*'` \
	        `ls $(FUZZED)/modules/$$name/*.swift 2>/dev/null` -emit-module \
	        -emit-module-path $(FUZZED)/modules/$$name.swiftmodule \
	        -c -o $(FUZZED)/modules/$$name.o || exit 1; \
	done
	for name in $(FUZZ_LOADERS); do \
	    clang -g -O1 -ISources/SystemLibraries/$$name/include -c Sources/SystemLibraries/$$name/loader.c \
	        -o $(FUZZED)/modules/$$name.o || exit 1; \
	done
	$(FUZZ_SWIFT) -use-ld=lld -module-name Parsers $< $(FUZZ_OBJECTS) \
	    `pkg-config --libs expat libdeflate libxxhash sqlite3 yaml-0.1 libzstd` -ldl -o $@

BENCH_PACKAGES := python3 python3-numpy python3-pil gdal-bin python3-gdal libvips-tools nginx-light wrk optipng \
    zopfli pngquant webp libjpeg-turbo-progs
BENCHMARKS := .build/release/tilewright-benchmarks

bench-deps: deps ## installs the neighbours to measure against, and what draws the inputs (Debian)
	$(AS_ROOT) apt-get update -q && \
	$(AS_ROOT) apt-get install -q -y --no-install-recommends $(BENCH_PACKAGES)

benchmarks: release
	$(BUILD_RELEASE) --product tilewright-benchmarks

bench: benchmarks ## measures beside the neighbours (PEERS='chroot DIR' ROUNDS=3 ARGS='--only plan')
	$(PYTHON) Tests/Benchmarks/compare.py --peers '$(PEERS)' --rounds $(ROUNDS) $(ARGS) \
	    $(PROGRAM) $(BENCHMARKS)

bench-chart: ## draws the results that make bench has kept, without measuring (ARGS=FOLDER)
	python3 Tests/Benchmarks/history.py $(ARGS)

bench-serve: companions ## measures the server beside nginx (ROUNDS=3)
	$(PYTHON) Tests/Benchmarks/serve.py --rounds $(ROUNDS) --limits $(ARGS) .build/release/tilewright-serve

bench-encoders: benchmarks ## measures encoders beside those of others: time against bytes (ARGS='--only plan')
	$(PYTHON) Tests/Benchmarks/encoders.py $(ARGS) $(PROGRAM) $(BENCHMARKS)

bench-kernels: benchmarks ## measures the kernels of the C core beside memcpy
	$(BENCHMARKS) kernels

# Of `make bench-instructions`: UPDATE=1 writes the limits anew.
UPDATE ?=
COUNT_PACKAGES := valgrind binutils python3
CAN_COUNT = { command -v valgrind && command -v strip && command -v python3; } >/dev/null

bench-instructions: benchmarks ## counts instructions, and compares them with limits (UPDATE=1)
	@$(CAN_COUNT) || ! command -v apt-get >/dev/null || { \
	    $(AS_ROOT) apt-get update -q && \
	    $(AS_ROOT) apt-get install -q -y --no-install-recommends $(COUNT_PACKAGES); }
	@if $(CAN_COUNT); then \
	    python3 Tests/Benchmarks/instructions.py $(if $(UPDATE),--update) $(PROGRAM) $(BENCHMARKS); \
	else echo 'left out: it needs $(COUNT_PACKAGES)'; fi

# Of `make same-bytes`: another build of the program; a folder of real images, if there is one.
OTHER ?=
DATA ?=

same-bytes: release ## compares the tiles of two builds byte by byte (OTHER=PROGRAM DATA=FOLDER)
	@test -n '$(OTHER)' || { echo "say OTHER=PROGRAM, another build of it" >&2; exit 1; }
	$(PYTHON) Tests/Benchmarks/same_bytes.py '$(OTHER)' $(PROGRAM) $(if $(DATA),--data '$(DATA)') $(ARGS)

# Style

# The headers of Clients are Objective-C.
C_FILES = $(shell find Sources Tests \( -name '*.[ch]' -o -name '*.cpp' \) ! -path '*/Clients/*')
# Every version of clang-format lays out a little differently; this one is Debian 12's.
CLANG_FORMAT_VERSION := 14.0.6
CLANG_FORMAT = $(shell for name in clang-format-14 clang-format; do \
    if $$name --version 2>/dev/null | grep -qF ' $(CLANG_FORMAT_VERSION)'; then echo $$name; break; fi; done)
SHELL_SCRIPTS = .ci/run $(shell find Examples Tests .packaging -name '*.sh')
PYTHON_SCRIPTS = $(shell find Examples Tests .documentation .packaging -name '*.py')

# Instructions that round a product and a sum at once. No C file may get one of the compiler, whatever
# the processor that it compiles for: they give other bits.
CONTRACTED := [[:space:]]v?fn?m(add|sub|la|ls)
ROUNDING := clang -O2 $(if $(filter x86_64,$(shell uname -m)),-mfma) -S -o - -D_GNU_SOURCE \
    -ISources/CKernels/include -ISources/CCodec/include

.PHONY: rounding-check
rounding-check: deps
	@flags=`pkg-config --cflags $(FUZZ_LIBRARIES)`; \
	for file in `find Sources/CKernels Sources/CCodec -name '*.c'`; do \
	    code=`$(ROUNDING) $$flags $$file` || exit 1; \
	    if printf '%s' "$$code" | grep -qE '$(CONTRACTED)'; then \
	        echo "$$file contracts products and sums: see Sources/CKernels/rounding.h" >&2; exit 1; \
	    fi; \
	done

.PHONY: lint-deps lint
lint-deps: ## installs what lint needs beside the toolchain
	@if test -n '$(CLANG_FORMAT)' && command -v python3 >/dev/null; then :; \
	elif command -v apt-get >/dev/null; then \
	    $(AS_ROOT) apt-get update -q && \
	    $(AS_ROOT) apt-get install -q -y --no-install-recommends clang-format-14 python3; \
	elif command -v pipx >/dev/null; then pipx install clang-format==$(CLANG_FORMAT_VERSION); \
	else echo 'install clang-format $(CLANG_FORMAT_VERSION) and python3, then try again' >&2; exit 1; fi

lint: deps rounding-check ## checks the format of the Swift and C code, the syntax of the scripts, and the documents
	$(SWIFT) format lint --strict --recursive Sources Tests Package.swift
	@if test -n '$(CLANG_FORMAT)'; then \
	    '$(CLANG_FORMAT)' --style=file --dry-run -Werror $(C_FILES); \
	else \
	    echo 'left out the format of C: make lint-deps installs clang-format $(CLANG_FORMAT_VERSION)' >&2; \
	    test -z "$$CI"; \
	fi
	@for script in $(SHELL_SCRIPTS); do bash -n "$$script" || exit 1; done
	@! command -v shellcheck >/dev/null || shellcheck --severity=warning --exclude=SC2054 $(SHELL_SCRIPTS)
	@! command -v ruby >/dev/null || ruby -c .packaging/tilewright.rb >/dev/null
	@if command -v python3 >/dev/null; then \
	    python3 -c 'import ast, sys; [ast.parse(open(f, "rb").read(), f) for f in sys.argv[1:]]' \
	        $(PYTHON_SCRIPTS) && \
	    python3 .documentation/check_links.py && \
	    python3 .documentation/check_names.py && \
	    python3 Tests/Benchmarks/test_history.py -q && \
	    python3 .packaging/check.py 'tilewright $(COMPANIONS)' '$(BREW_PACKAGES) $(RENDER_BREW_PACKAGES)' && \
	    $(MAKE) --no-print-directory reference-check man-check; \
	else echo 'python3 is not here: left out $(PYTHON_SCRIPTS) and the documents'; fi

# Documents, of which the program that is installed says what its options are.

OPTIONS_PAGE := Sources/TilewrightKit/TilewrightKit.docc/Users/Options.md
MAN_PAGES := .documentation/man

.PHONY: reference reference-check man-check
reference: release ## writes the page of options and the man pages anew, from the declarations
	python3 .documentation/reference.py $(PROGRAM)

reference-check: release
	@rm -rf .build/reference
	python3 .documentation/reference.py $(PROGRAM) .build/reference
	@for page in $(OPTIONS_PAGE) $(MAN_PAGES); do diff -ru $$page .build/reference/$$page || { \
	    echo "$$page is not what the options say: run 'make reference'" >&2; exit 1; }; done

# What reads man pages says what is wrong with one; man is silent if all is well, mandoc too.
ALL_MAN_PAGES = $(wildcard $(MAN_PAGES)/*.1) $(RENDER_PAGE)
man-check:
	@if command -v mandoc >/dev/null; then mandoc -T lint -W warning $(ALL_MAN_PAGES); \
	elif command -v man >/dev/null && command -v groff >/dev/null; then \
	    for page in $(ALL_MAN_PAGES); do \
	        said=`LC_ALL=C.UTF-8 MANROFFSEQ= MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z $$page 2>&1 >/dev/null`; \
	        test -z "$$said" || { echo "$$page: $$said" >&2; exit 1; }; \
	    done; \
	else echo 'left out the man pages: neither mandoc nor man and groff are here' >&2; fi

# What DocC is told: the library's public symbols, as the release build left them.
SYMBOLS := .build/symbols
C_TARGETS := CKernels CCodec CPROJLoader CGeoTIFFLoader CHEIFLoader
TARGET = $(shell $(SWIFT) -print-target-info | sed -nE 's/^ *"unversionedTriple": "(.*)",/\1/p')

.PHONY: docs
docs: release ## writes the articles and the library's symbols as web pages: .build/site
	@rm -rf $(SYMBOLS) && mkdir -p $(SYMBOLS)
	$(SWIFT) symbolgraph-extract -module-name TilewrightKit -target $(TARGET) \
	    -minimum-access-level public -output-dir $(SYMBOLS) -I .build/release/Modules \
	    $(patsubst %/module.modulemap,-I %,$(wildcard Sources/SystemLibraries/*/module.modulemap)) \
	    $(C_TARGETS:%=-Xcc -fmodule-map-file=.build/release/%.build/module.modulemap)
	python3 .documentation/site.py $(SYMBOLS) .build/site

# Use

.PHONY: example install uninstall clean
example: release ## builds the tiles of the example building: Examples/tiles
	$(MAKE) -C Examples TILEWRIGHT=$(CURDIR)/$(PROGRAM)

BIN := $(DESTDIR)$(PREFIX)/bin
BASH_COMPLETIONS := $(DESTDIR)$(PREFIX)/share/bash-completion/completions
ZSH_COMPLETIONS := $(DESTDIR)$(PREFIX)/share/zsh/site-functions
FISH_COMPLETIONS := $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
MAN := $(DESTDIR)$(PREFIX)/share/man/man1
SHARE := $(DESTDIR)$(PREFIX)/share/tilewright
SCHEMAS := Sources/TilewrightKit/Manifests/building.schema.json Sources/tilewright/Reports/progress.schema.json

# Programs that were built before, elsewhere perhaps, are installed or packed as they are: PROGRAMS=FOLDER.
PROGRAMS ?= .build/release
IS_BUILT_HERE := $(filter .build/release,$(PROGRAMS))
# The page of the program that a user does not call.
RENDER_PAGE := .packaging/tilewright-render.1

install: $(if $(IS_BUILT_HERE),release) ## installs the program, completions, man pages and schemas (PREFIX=/usr/local DESTDIR=)
	install -d $(BIN) $(BASH_COMPLETIONS) $(ZSH_COMPLETIONS) $(FISH_COMPLETIONS) $(MAN) $(SHARE)
	install -s -m 755 $(PROGRAMS)/tilewright $(BIN)/tilewright
	for name in $(COMPANIONS); do test ! -e $(PROGRAMS)/$$name || \
	    install -s -m 755 $(PROGRAMS)/$$name $(BIN)/$$name || exit 1; done
	install -m 644 $(MAN_PAGES)/*.1 $(MAN)
	test ! -e $(PROGRAMS)/tilewright-render || install -m 644 $(RENDER_PAGE) $(MAN)
	install -m 644 $(SCHEMAS) $(SHARE)
	$(PROGRAMS)/tilewright --generate-completion-script bash > $(BASH_COMPLETIONS)/tilewright
	$(PROGRAMS)/tilewright --generate-completion-script zsh > $(ZSH_COMPLETIONS)/_tilewright
	$(PROGRAMS)/tilewright --generate-completion-script fish > $(FISH_COMPLETIONS)/tilewright.fish

INSTALLED_PAGES := $(notdir $(wildcard $(MAN_PAGES)/*.1) $(RENDER_PAGE))
uninstall: ## removes what install installed
	rm -f $(BIN)/tilewright $(COMPANIONS:%=$(BIN)/%) $(BASH_COMPLETIONS)/tilewright $(ZSH_COMPLETIONS)/_tilewright \
	    $(FISH_COMPLETIONS)/tilewright.fish $(patsubst %,$(SHARE)/%,$(notdir $(SCHEMAS))) $(INSTALLED_PAGES:%=$(MAN)/%)
	rmdir $(SHARE) 2>/dev/null || true

# Packages and archives, of what is built; .packaging has what they are made of.

DEB_PACKAGES := dpkg-dev xz-utils gzip binutils python3 git
TEST_DEB_PACKAGES := debootstrap util-linux lintian
# Where the tests in a bare Debian get it from; without it, from where apt of this system does.
MIRROR ?=

# Of `make version-check`: the tag of a release.
TAG ?=

.PHONY: version-check deb-deps test-deb-deps deb dist test-deb test-dist test-container test-reproducible
deb-deps: ## installs what deb and dist need beside the toolchain (Debian)
	@if (for program in dpkg-gencontrol dpkg-shlibdeps xz gzip strip python3 git; do \
	    command -v $$program || exit 1; done) >/dev/null 2>&1; then exit 0; \
	elif command -v apt-get >/dev/null; then \
	    $(AS_ROOT) apt-get update -q && \
	    $(AS_ROOT) apt-get install -q -y --no-install-recommends $(DEB_PACKAGES); \
	else echo 'Debian packages are made on Debian, or on a system like it' >&2; exit 1; fi

deb: $(if $(IS_BUILT_HERE),companions) deb-deps ## packs Debian packages of what is built: .build/deb (PROGRAMS=FOLDER)
	.packaging/make_deb.sh $(PROGRAMS) .build/deb

dist: $(if $(IS_BUILT_HERE),companions) deb-deps ## packs an archive of what is built, its sources, and what is in it: .build/dist (PROGRAMS=FOLDER)
	.packaging/make_dist.sh $(PROGRAMS) .build/dist

version-check: ## fails unless sources, programs, changelog and packages say one version (TAG=v0.2.0)
	.packaging/check_version.sh $(PROGRAMS) $(TAG)

# They need root and the network; without, they say so, and are no failure.
test-deb-deps:
	@if command -v debootstrap >/dev/null && command -v lintian >/dev/null; then :; \
	elif command -v apt-get >/dev/null; then \
	    $(AS_ROOT) apt-get update -q && \
	    $(AS_ROOT) apt-get install -q -y --no-install-recommends $(TEST_DEB_PACKAGES); fi

test-deb: deb test-deb-deps ## installs the packages in a bare Debian, and uses them there (root, network; MIRROR=URL)
	MIRROR='$(MIRROR)' .packaging/tests/test_deb.sh .build/deb $(PROGRAMS)

test-dist: dist test-deb-deps ## unpacks the archive in a bare Debian, and uses it there (root, network)
	MIRROR='$(MIRROR)' .packaging/tests/test_dist.sh .build/dist

test-container: deb test-deb-deps ## does in a bare Debian what the container's last stage says (root, network)
	MIRROR='$(MIRROR)' .packaging/tests/test_container.sh .build/deb

# Where the second build stays, to be quicker the next time: OTHER=FOLDER.
test-reproducible: $(if $(IS_BUILT_HERE),companions) deb-deps ## builds it in another folder, too, and compares the bytes
	.packaging/tests/test_reproducible.sh $(PROGRAMS) $(OTHER)

clean: ## removes everything that was built, the example's tiles too
	rm -rf .build
	$(MAKE) -C Examples clean

# Targets that test.

# Folders of files for `make test-hostile`.
FILES ?=

# Programs that tests run, mostly to compare results, and the packages of these programs in Debian. On other
# systems, tests that lack a program are skipped and reported.
TEST_PROGRAMS := avifdec avifenc cc cs2cs curl cwebp djpeg dwebp gdal2tiles.py gdal_translate geod \
    heif-convert heif-enc projinfo identify jpegtran jq node openssl pngcheck python3 sqlite3 webpmux zsh
# Programs and packages for the renderer's tests, which run if its libraries are installed.
RENDER_TEST_PROGRAMS := pdfinfo pdftocairo rsvg-convert qpdf gzip fc-match
RENDER_TEST_PACKAGES := poppler-utils librsvg2-bin qpdf gzip fontconfig fonts-dejavu-core
TEST_MODULES := numpy, osgeo.gdal, PIL, jsonschema, yaml, botocore
TEST_PACKAGES := gcc imagemagick nodejs proj-bin webp libheif-examples libavif-bin gdal-bin pngcheck python3 \
    libjpeg-turbo-progs sqlite3 python3-numpy python3-gdal python3-pil python3-jsonschema python3-yaml \
    python3-botocore curl openssl jq zsh
# Programs and packages for `make test-all`, and Python modules for which Debian has no packages.
LONG_TEST_PROGRAMS := chromium java aarch64-linux-gnu-gcc qemu-aarch64 nginx rsync gs img2pdf qpdf fish
LONG_TEST_PACKAGES := chromium gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user \
    default-jdk-headless libandroid-json-org-java libxerial-sqlite-jdbc-java libxerial-sqlite-jdbc-jni \
    python3-venv nginx-light rsync ghostscript img2pdf qpdf python3-cairo python3-reportlab fish
LONG_TEST_MODULES := maplibre mapproxy pmtiles kotlin-jupyter-kernel 'moto[s3,server]'
PYTHON_ENVIRONMENT := .build/python
# The Python in PATH if it has numpy and PIL, or else the system's Python, for which Debian has packages of modules.
PYTHON = $(or $(shell for python in python3 /usr/bin/python3; do \
    $$python -c 'import numpy, PIL' 2>/dev/null && echo $$python && break; done),python3)

.PHONY: test-deps test-all-deps
test-deps: deps ## installs the programs that the tests compare with, and the renderer's libraries (Debian)
	@if (for program in $(TEST_PROGRAMS) $(RENDER_TEST_PROGRAMS); do command -v $$program || exit 1; done; \
	    $(HAS_RENDER_MODULES) && $(HAS_LEAFLET) || exit 1; \
	    python3 -c 'import $(TEST_MODULES)' || /usr/bin/python3 -c 'import $(TEST_MODULES)' \
	) >/dev/null 2>&1; then exit 0; \
	elif command -v apt-get >/dev/null; then \
	    $(AS_ROOT) apt-get update -q && \
	    $(AS_ROOT) apt-get install -q -y --no-install-recommends $(TEST_PACKAGES) $(RENDER_APT_PACKAGES) \
	        $(RENDER_TEST_PACKAGES) $(PAGE_APT_PACKAGES); \
	else echo 'tests that need these programs are skipped: $(TEST_PROGRAMS) $(RENDER_TEST_PROGRAMS)'; fi

test-all-deps: test-deps ## installs the programs and modules that long tests also need (Debian, PyPI)
	@if (for program in $(LONG_TEST_PROGRAMS); do command -v $$program || exit 1; done; \
	    test -e /usr/aarch64-linux-gnu/include/stdint.h) >/dev/null 2>&1; then :; \
	elif command -v apt-get >/dev/null; then \
	    $(AS_ROOT) apt-get update -q && \
	    $(AS_ROOT) apt-get install -q -y --no-install-recommends $(LONG_TEST_PACKAGES); \
	else echo 'tests that need these programs are skipped: $(LONG_TEST_PROGRAMS)'; fi
	@test -e $(PYTHON_ENVIRONMENT)/done || { \
	    python3 -m venv $(PYTHON_ENVIRONMENT) && \
	    $(PYTHON_ENVIRONMENT)/bin/pip install -q $(LONG_TEST_MODULES) && \
	    touch $(PYTHON_ENVIRONMENT)/done; }

RUN_TESTS := --disable-xctest $(DEBUG)

.PHONY: test test-long test-all test-cluster test-sanitize test-threads test-faults test-requests test-received \
    test-drawings test-hostile test-neon
# WITH=companions also builds the server and the renderer, and runs their tests.
test: test-deps $(DEBUG_SWIFTC) ## runs the short tests, in a few minutes (ARGS='--filter TilingTests', WITH=companions)
	$(if $(filter companions,$(WITH)),$(SERVER) $(RENDERER)) $(DEBUG_SWIFT) test $(RUN_TESTS) $(ARGS)

test-long: test-all-deps cad-debug ## runs all tests, including the long ones: whole tables, browsers, many kills
	TILEWRIGHT_TESTS=all $(SERVER) $(RENDERER) $(DEBUG_SWIFT) test $(RUN_TESTS) $(ARGS)

# The targets that `make test-all` runs, in this order.
TEST_ALL := test-long test-cluster test-neon test-requests test-received test-drawings test-sanitize test-threads test-faults $(if $(FILES),test-hostile)

test-cluster: release ## tests the recipes of Examples/Cluster: Slurm, GNU parallel, Kubernetes, AWS Batch, make
	$(MAKE) --no-print-directory -C Examples/Cluster check

test-all: ## runs all test targets except those of packages, one after another, for hours (FILES='FOLDERS')
	@echo 'test-all runs: $(TEST_ALL)$(if $(FILES),, (without test-hostile, which needs FILES))'
	@failed=; for rule in $(TEST_ALL); do \
	    echo "== make $$rule"; \
	    TILEWRIGHT_TESTS=all $(MAKE) --no-print-directory $$rule || failed="$$failed $$rule"; \
	done; test -z "$$failed" || { echo "failed:$$failed" >&2; exit 1; }

# Runs the short tests in a build with a sanitizer; with TILEWRIGHT_TESTS=all, all tests. Arguments: name, flags,
# options, library to load first. Reports are written to files, since a test may ignore the exit status of a program
# that it started. The program itself never exits with 99.
SANITIZERS := $(CURDIR)/Tests/Sanitizers
define test_sanitized
	@rm -rf .build/$(1)-reports && mkdir -p .build/$(1)-reports
	@reports=$(CURDIR)/.build/$(1)-reports; \
	export ASAN_OPTIONS=exitcode=99:log_path=$$reports/report:$(3); \
	export UBSAN_OPTIONS=exitcode=99:log_path=$$reports/report:print_stacktrace=1; \
	export TSAN_OPTIONS=exitcode=99:log_path=$$reports/report:$(3); \
	export LSAN_OPTIONS=suppressions=$(SANITIZERS)/leaks.supp:print_suppressions=0:exitcode=99; \
	export LD_PRELOAD=$(4); \
	$(SERVER) $(DEBUG_SWIFT) test --disable-xctest --scratch-path .build/$(1) $(2) $(ARGS) && status=0 || status=1; \
	cat $$reports/* 2>/dev/null && status=1; exit $$status
endef

# swiftc has no undefined-behaviour sanitizer. The C code is compiled by clang, which has one; it reports through the
# runtime of the address sanitizer.
test-sanitize: test-deps $(DEBUG_SWIFTC) ## runs the tests under the address sanitizer, and the C code under the undefined-behaviour sanitizer
	$(call test_sanitized,sanitize,--sanitize=address -Xcc -fsanitize=undefined \
	    -Xcc -fno-sanitize-recover=undefined)

# On Linux, Swift's Mutex is in a library that the sanitizer does not see; see_locks.c shows it the locks.
test-threads: test-deps $(DEBUG_SWIFTC) ## runs the tests under the thread sanitizer
	@mkdir -p .build
	clang -Wall -Wextra -Werror -O1 -D_GNU_SOURCE -shared -fPIC $(SANITIZERS)/see_locks.c -ldl \
	    -o .build/see_locks.so
	$(call test_sanitized,thread,--sanitize=thread,suppressions=$(SANITIZERS)/races.supp,$(if \
	    $(filter Linux,$(SYSTEM)),$(CURDIR)/.build/see_locks.so))

# ARGS='--only kills' runs only some tests; ARGS='--seed 7' repeats a random run.
test-faults: test-deps release ## kills the program, starves it, fails its system calls, damages its inputs
	@mkdir -p .build/faults
	$(CC) -Wall -Wextra -Werror -O1 -shared -fPIC Tests/Faults/fail_call.c -ldl \
	    -o .build/faults/fail_call.so
	$(PYTHON) Tests/Faults/faults.py $(PROGRAM) --shim .build/faults/fail_call.so $(ARGS)

# SwiftPM instruments only Swift code; this compiler instruments C code. Every process adds its counts, even a program
# that a test starts: each program has eight files (%8m), so that few wait for each other. A killed program may leave an
# incomplete file; SwiftPM would fail to merge it, so llvm-profdata merges the files here and skips incomplete ones.
COVERAGE := .build/coverage
COVERAGE_CC := .build/instrumenting-clang
COVERED = $(COVERAGE)/debug
COUNTS := $(COVERAGE)/counts
COVERED_TESTS = $(COVERED)/tilewrightPackageTests.xctest$(if $(filter \
    Darwin,$(SYSTEM)),/Contents/MacOS/tilewrightPackageTests)
# The LLVM tools of the toolchain: other versions cannot read its counts.
LLVM = $(shell $(TOOLCHAIN))/bin
COVERING = $(SERVER) $(RENDERER) CC=$(CURDIR)/$(COVERAGE_CC) $(DEBUG_SWIFT)
# Percentages of all lines and of all regions that the tests must reach.
LEAST_COVERAGE := 98.5 96

.PHONY: coverage
coverage: test-all-deps cad-debug ## reports the lines and regions of Sources that all tests together reach (ARGS='--filter NAME')
	@mkdir -p .build && rm -rf $(COUNTS)
	@printf '#!/bin/sh\nexec clang "$$@" -fprofile-instr-generate -fcoverage-mapping\n' > $(COVERAGE_CC)
	@chmod +x $(COVERAGE_CC)
	$(COVERING) build --build-tests $(RUN_TESTS) --enable-code-coverage --scratch-path $(COVERAGE)
	@ln -sfn $(CURDIR)/.build/debug/tilewright-cad $(COVERED)/tilewright-cad
	TILEWRIGHT_TESTS=all LLVM_PROFILE_FILE='$(CURDIR)/$(COUNTS)/%8m.profraw' \
	    $(COVERING) test --skip-build $(RUN_TESTS) --scratch-path $(COVERAGE) $(ARGS)
	@find $(COUNTS) -name '*.profraw' > $(COUNTS)/list
	$(LLVM)/llvm-profdata merge -sparse -failure-mode=all -f $(COUNTS)/list -o $(COUNTS)/all.profdata
	$(LLVM)/llvm-cov export -instr-profile $(COUNTS)/all.profdata $(COVERED_TESTS) \
	    -object $(COVERED)/tilewright > $(COUNTS)/export.json
	python3 Tests/Coverage/report.py $(COUNTS)/export.json --missed $(COVERAGE)/missed.txt \
	    $(if $(ARGS),,--least $(LEAST_COVERAGE))

# ARGS='--only hosts' sends only some requests; ARGS='--seed 7' repeats a random run.
test-requests: packed-companions ## sends requests to the server that try to break it
	$(PYTHON) Tests/Faults/hostile_requests.py .build/release/tilewright-serve $(ARGS)

# ARGS='--seed 7 --only 12' repeats a random run.
test-received: packed-companions ## reads tilesets that an attacker prepared
	$(PYTHON) Tests/Faults/received.py $(PROGRAM) $(ARGS)

# ARGS='--seed 7 --only 12' repeats a random run.
test-drawings: packed-companions cad ## damages CAD drawings, and has them built
	.build/release/tilewright-cad-environment/bin/python Tests/EndToEndTests/Support/CAD/draw_plans.py .build/plans
	$(PYTHON) Tests/Faults/damaged_drawings.py $(PROGRAM) .build/plans $(ARGS)

# Debian's source packages of libpng and libtiff contain hundreds of hostile files: see the article Testing.
test-hostile: release ## makes the program read files that try to break readers (FILES='FOLDERS')
	@test -n '$(FILES)' || { echo "say FILES='FOLDERS'; see the article Testing" >&2; exit 1; }
	$(PYTHON) Tests/Faults/hostile.py $(PROGRAM) $(FILES) $(ARGS)

# From Debian's gcc-aarch64-linux-gnu, libc6-dev-arm64-cross and qemu-user.
ARM := aarch64-linux-gnu
EMULATOR := qemu-aarch64

test-neon: ## compares the arm64 kernels with the portable ones, in an emulator
	@if ! { command -v clang && command -v $(ARM)-gcc && command -v $(EMULATOR); } >/dev/null; \
	then \
	    echo 'test-neon is skipped: it needs clang, $(ARM)-gcc and $(EMULATOR)'; \
	else \
	    mkdir -p .build && clang --target=$(ARM) -static -fuse-ld=lld -O2 \
	        -Wall -Wextra -Werror -ISources/CKernels/include Sources/CKernels/*.c \
	        Tests/KernelLevels/compare.c -o .build/compare-neon && \
	    $(EMULATOR) .build/compare-neon; \
	fi


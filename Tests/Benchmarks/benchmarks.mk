# Targets that measure.

# For `make bench`: PEERS is a command, such as a chroot, that runs newer versions of the other programs. Each program
# is measured ROUNDS times, in turn.
PEERS ?=
ROUNDS ?= 3
BENCH_PACKAGES := python3 python3-numpy python3-pil gdal-bin python3-gdal libvips-tools nginx-light wrk optipng \
    zopfli pngquant webp libjpeg-turbo-progs
BENCHMARKS := .build/release/tilewright-benchmarks

.PHONY: bench-deps benchmarks bench bench-chart bench-serve bench-far bench-encoders bench-kernels bench-instructions same-bytes build-times
bench-deps: deps ## installs the programs to compare with, and those that draw the inputs (Debian)
	$(AS_ROOT) apt-get update -q && \
	$(AS_ROOT) apt-get install -q -y --no-install-recommends $(BENCH_PACKAGES)

benchmarks: release
	$(BUILD_RELEASE) --product tilewright-benchmarks

bench: benchmarks ## measures tilewright and comparable programs (PEERS='chroot DIR' ROUNDS=3 ARGS='--only plan')
	$(PYTHON) Tests/Benchmarks/compare.py --peers '$(PEERS)' --rounds $(ROUNDS) $(ARGS) \
	    $(PROGRAM) $(BENCHMARKS)

bench-chart: ## draws a chart of the results that make bench has saved (ARGS=FOLDER)
	python3 Tests/Benchmarks/history.py $(ARGS)

bench-serve: companions ## measures the server and nginx (ROUNDS=3)
	$(PYTHON) Tests/Benchmarks/serve.py --rounds $(ROUNDS) --limits $(ARGS) .build/release/tilewright-serve

bench-far: release ## measures builds from a web server, from a file, and GDAL's /vsicurl (ROUNDS=3)
	$(PYTHON) Tests/Benchmarks/far.py --rounds $(ROUNDS) $(ARGS) $(PROGRAM)

bench-encoders: benchmarks ## measures time and size of our encoders and others (ARGS='--only plan')
	$(PYTHON) Tests/Benchmarks/encoders.py $(ARGS) $(PROGRAM) $(BENCHMARKS)

bench-kernels: benchmarks ## measures the kernels of the C core, compared with memcpy
	$(BENCHMARKS) kernels

# For `make bench-instructions`: UPDATE=1 replaces the limits.
UPDATE ?=
COUNT_PACKAGES := valgrind binutils python3
CAN_COUNT = { command -v valgrind && command -v strip && command -v python3; } >/dev/null

bench-instructions: benchmarks ## counts instructions, and compares them with limits (UPDATE=1)
	@$(CAN_COUNT) || ! command -v apt-get >/dev/null || { \
	    $(AS_ROOT) apt-get update -q && \
	    $(AS_ROOT) apt-get install -q -y --no-install-recommends $(COUNT_PACKAGES); }
	@if $(CAN_COUNT); then \
	    python3 Tests/Benchmarks/instructions.py $(if $(UPDATE),--update) $(PROGRAM) $(BENCHMARKS); \
	else echo 'bench-instructions is skipped: it needs $(COUNT_PACKAGES)'; fi

# For `make same-bytes`: another build of the program, and optionally a folder of real images.
OTHER ?=
DATA ?=

same-bytes: release ## compares the tiles of two builds byte by byte (OTHER=PROGRAM DATA=FOLDER)
	@test -n '$(OTHER)' || { echo "give another build of the program: OTHER=PROGRAM" >&2; exit 1; }
	$(PYTHON) Tests/Benchmarks/same_bytes.py '$(OTHER)' $(PROGRAM) $(if $(DATA),--data '$(DATA)') $(ARGS)

build-times: test-deps $(DEBUG_SWIFTC) ## reports the CPU time of a clean build, for each module
	$(SERVER) $(RENDERER) SWIFT_EXEC=$(CURDIR)/$(DEBUG_SWIFTC) python3 Tests/Benchmarks/build_times.py .build/build-times --disable-xctest --build-tests $(DEBUG) $(ARGS)

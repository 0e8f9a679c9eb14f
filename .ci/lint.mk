# Targets that check the style.

# Without Clients, whose headers are Objective-C.
C_FILES = $(shell find Sources Tests \( -name '*.[ch]' -o -name '*.cpp' \) ! -path '*/Clients/*')
# Versions of clang-format lay code out differently. This is the version of Debian 12.
CLANG_FORMAT_VERSION := 14.0.6
CLANG_FORMAT = $(shell for name in clang-format-14 clang-format; do \
    if $$name --version 2>/dev/null | grep -qF ' $(CLANG_FORMAT_VERSION)'; then echo $$name; break; fi; done)
SHELL_SCRIPTS = .ci/run $(shell find Examples Sources Tests .packaging -name '*.sh')
PYTHON_SCRIPTS = $(shell find Examples Sources Tests .documentation .packaging -name '*.py')

# Fused multiply-add instructions, which round only once, yield different bits. The compiler must not use them in any C
# file, for any processor.
CONTRACTED := [[:space:]]v?fn?m(add|sub|la|ls)
ROUNDING := clang -O2 $(if $(filter x86_64,$(shell uname -m)),-mfma) -S -o - -D_GNU_SOURCE \
    -ISources/CKernels/include -ISources/CCodec/include

.PHONY: rounding-check
rounding-check: deps
	@flags=`pkg-config --cflags $(FUZZ_LIBRARIES)`; \
	for file in `find Sources/CKernels Sources/CCodec -name '*.c'`; do \
	    code=`$(ROUNDING) $$flags $$file` || exit 1; \
	    if printf '%s' "$$code" | grep -qE '$(CONTRACTED)'; then \
	        echo "$$file contracts products and sums: see Sources/CKernels/kernels.h" >&2; exit 1; \
	    fi; \
	done

# A library that the program links but never calls would be an unnecessary package to install.
.PHONY: libraries-check
libraries-check: build
	@command -v ldd >/dev/null || exit 0; \
	unused=`ldd -u .build/debug/tilewright | grep / | grep -v /swift/`; \
	test -z "$$unused" || { echo "tilewright links libraries that it does not call:" $$unused >&2; exit 1; }

.PHONY: lint-deps lint
lint-deps: ## installs clang-format and python3 for lint
	@if test -n '$(CLANG_FORMAT)' && command -v python3 >/dev/null; then :; \
	elif command -v apt-get >/dev/null; then \
	    $(AS_ROOT) apt-get update -q && \
	    $(AS_ROOT) apt-get install -q -y --no-install-recommends clang-format-14 python3; \
	elif command -v pipx >/dev/null; then pipx install clang-format==$(CLANG_FORMAT_VERSION); \
	else echo 'install clang-format $(CLANG_FORMAT_VERSION) and python3, then try again' >&2; exit 1; fi

lint: deps rounding-check libraries-check ## checks the format of the Swift and C code, the syntax of the scripts, and the documents
	$(SWIFT) format lint --strict --recursive Sources Tests Package.swift
	@if test -n '$(CLANG_FORMAT)'; then \
	    '$(CLANG_FORMAT)' --style=file --dry-run -Werror $(C_FILES); \
	else \
	    echo 'the format of C code is not checked: make lint-deps installs clang-format $(CLANG_FORMAT_VERSION)' >&2; \
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
	else echo 'not checked, since python3 is not installed: $(PYTHON_SCRIPTS) and the documents'; fi

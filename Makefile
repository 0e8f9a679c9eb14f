# Development tasks; `make` alone lists them. Most targets install the programs that they need, except clang and the
# programs for bench, lint and test-neon: bench-deps, lint-deps and test-all-deps install these programs. The targets of
# one topic are in a file in the folder of that topic; these files are included at the end.

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
# More arguments for a release build, such as --disable-sandbox inside another sandbox.
SWIFT_FLAGS ?=
# More arguments for the program or script that a target starts.
ARGS ?=
# `dwarf` for a debugger.
DEBUG_INFO ?= none

SYSTEM := $(shell uname -s)
# Prints the folder of the toolchain.
TOOLCHAIN = $(SWIFT) -print-target-info | sed -nE 's|.*"runtimeResourcePath": "(.*)/lib/swift".*|\1|p'
# An import of a module that the target does not list in Package.swift is an error.
CHECKS := --explicit-target-dependency-import-check error
# Apple's systems have the Swift runtime; elsewhere it is linked into the program.
RELEASE := -c release --disable-local-rpath $(SWIFT_FLAGS) $(if $(filter Darwin,$(SYSTEM)),,--static-swift-stdlib)
PROGRAM := .build/release/tilewright

# The example and the tests share one build. Without debug information, it takes a fifth less time.
DEBUG := -debug-info-format $(DEBUG_INFO) $(CHECKS)
# If DEBUG is defined, ArgumentParser checks all declarations in each run of a program, which takes half a second. This
# compiler does not define DEBUG, and it optimises ArgumentParser.
DEBUG_SWIFTC := .build/debug-toolchain/bin/swiftc
DEBUG_SWIFT := env SWIFT_EXEC=$(CURDIR)/$(DEBUG_SWIFTC) $(SWIFT)

$(DEBUG_SWIFTC): Makefile
	@mkdir -p $(@D)
	@ln -sfn `$(TOOLCHAIN)`/lib .build/debug-toolchain/lib
	@printf '%s\n' '#!/bin/sh' 'for a do shift; test "$$a" = -DDEBUG || set -- "$$@" "$$a"; done' \
	    'case "$$*" in *"-module-name ArgumentParser "*) set -- "$$@" -O;; esac' "exec '`$(TOOLCHAIN)`/bin/swiftc' \"\$$@\"" > $@ && chmod +x $@

.DEFAULT_GOAL := help
.PHONY: help
help: ## lists these targets
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 26

# Set-up. The package names are Debian's. libproj-dev prefers this flavour of libcurl's headers, too. The Swift toolchain
# needs g++ and the packages after it to run and to link.
MODULES := libpng libjpeg libtiff-4 libwebp libheif libdeflate lcms2 proj libxxhash libzstd libmd \
    expat sqlite3 yaml-0.1 libcurl
APT_PACKAGES := libpng-dev libjpeg62-turbo-dev libtiff-dev libwebp-dev libheif-dev libdeflate-dev \
    liblcms2-dev libproj-dev libxxhash-dev libzstd-dev libmd-dev libgeotiff-dev libexpat1-dev \
    libsqlite3-dev zlib1g-dev libyaml-dev libcurl4-gnutls-dev pkg-config git ca-certificates g++ libcurl4 \
    libncurses6 libxml2 tzdata
BREW_PACKAGES := libpng jpeg-turbo libtiff webp libheif libdeflate little-cms2 proj xxhash zstd libmd \
    libgeotiff expat sqlite libyaml pkg-config
AS_ROOT := $(if $(filter-out 0,$(shell id -u)),sudo )env DEBIAN_FRONTEND=noninteractive
# Debian's libgeotiff has no pkg-config file.
HAS_GEOTIFF := { pkg-config --exists libgeotiff || test -e /usr/include/geotiff/geotiff.h; }
READY = pkg-config --exists $(MODULES) && $(HAS_GEOTIFF) && command -v git && command -v g++ && \
    $(SWIFT) package --version

.PHONY: deps
deps: ## installs the C libraries and other packages that a build needs (not the Swift toolchain)
	@if { $(READY); } >/dev/null 2>&1; then exit 0; \
	elif ! command -v $(SWIFT) >/dev/null; then \
	    echo 'the Swift toolchain is not installed: see https://www.swift.org/install' >&2; exit 1; \
	elif command -v apt-get >/dev/null; then \
	    $(AS_ROOT) apt-get update -q && \
	    $(AS_ROOT) apt-get install -q -y --no-install-recommends $(APT_PACKAGES); \
	elif command -v brew >/dev/null; then brew install $(BREW_PACKAGES); \
	else \
	    echo 'install these libraries with their headers, then try again: $(MODULES) libgeotiff' >&2; exit 1; \
	fi

# Libraries that only the renderer of documents (tilewright-render) needs.
RENDER_MODULES := poppler-glib librsvg-2.0 fontconfig libqpdf
RENDER_APT_PACKAGES := libpoppler-glib-dev librsvg2-dev libfontconfig-dev libqpdf-dev
RENDER_BREW_PACKAGES := poppler librsvg fontconfig qpdf
HAS_RENDER_MODULES := pkg-config --exists $(RENDER_MODULES) 2>/dev/null
# For pages. Homebrew has no such package.
PAGE_APT_PACKAGES := libjs-leaflet
HAS_LEAFLET := test -e /usr/share/javascript/leaflet/leaflet.js
# For tilewright-cad, which is in Python.
CAD_APT_PACKAGES := python3 python3-venv
HAS_VENV := python3 -c 'import ensurepip, venv' 2>/dev/null
# These make Package.swift include the companions.
RENDERER = TILEWRIGHT_RENDER=$(shell $(HAS_RENDER_MODULES) && echo 1)
SERVER := TILEWRIGHT_SERVE=1

# Build

.PHONY: build release
build: deps $(DEBUG_SWIFTC) ## builds the program for development: .build/debug/tilewright (DEBUG_INFO=dwarf)
	$(DEBUG_SWIFT) build $(DEBUG) --product tilewright

# Assertions in the C code of other packages contain the paths of their files. This compiler, the toolchain's own, makes
# these paths relative to the project's folder, so that a build in any folder yields the same bytes.
RELEASE_CC := .build/release-clang
BUILD_RELEASE := $(if $(filter Darwin,$(SYSTEM)),,env CC=$(CURDIR)/$(RELEASE_CC)) $(SWIFT) build $(RELEASE)

.PHONY: release-clang
release-clang: deps
	@mkdir -p $(dir $(RELEASE_CC))
	@toolchain=`$(TOOLCHAIN)`; \
	test -x "$$toolchain/bin/clang" || { echo 'the Swift toolchain has no clang' >&2; exit 1; }; \
	printf '#!/bin/sh\nexec "%s" "$$@" "-ffile-prefix-map=%s=."\n' "$$toolchain/bin/clang" '$(CURDIR)' \
	    > $(RELEASE_CC) && chmod +x $(RELEASE_CC)

release: $(if $(filter Darwin,$(SYSTEM)),deps,release-clang) ## builds the program for installation: .build/release/tilewright
	$(BUILD_RELEASE) --product tilewright

# Programs for tasks that a batch tool should not include. Package.swift lists the renderer only if TILEWRIGHT_RENDER is
# set: poppler is under the GPL, and no other program needs the renderer's libraries.
COMPANIONS := tilewright-serve tilewright-render

.PHONY: companions packed-companions companions-deps
companions-deps: deps ## installs the libraries of tilewright-render (poppler, librsvg, fontconfig, qpdf), Leaflet and venv (Debian)
	@if command -v apt-get >/dev/null; then \
	    { $(HAS_RENDER_MODULES) && $(HAS_LEAFLET) && $(HAS_VENV); } || { $(AS_ROOT) apt-get update -q && \
	        $(AS_ROOT) apt-get install -q -y --no-install-recommends $(RENDER_APT_PACKAGES) $(PAGE_APT_PACKAGES) \
	        $(CAD_APT_PACKAGES); }; \
	elif $(HAS_RENDER_MODULES); then exit 0; \
	elif command -v brew >/dev/null; then brew install $(RENDER_BREW_PACKAGES); \
	else \
	    echo 'install these libraries with their headers, then try again: $(RENDER_MODULES)' >&2; exit 1; \
	fi

# The companions that packages contain.
packed-companions: release companions-deps
	for name in $(COMPANIONS); do \
	    $(SERVER) TILEWRIGHT_RENDER=1 $(BUILD_RELEASE) --product $$name || exit 1; done

companions: packed-companions ## builds the companion programs: tilewright-serve, tilewright-render, tilewright-cad
	@$(MAKE) -s $(CAD_RELEASE) || echo "tilewright-cad is not made; 'make cad' tries again"

# Use

.PHONY: example install uninstall clean
example: build ## builds the tiles of the example building: Examples/tiles
	$(MAKE) -C Examples TILEWRIGHT=$(CURDIR)/.build/debug/tilewright

BIN := $(DESTDIR)$(PREFIX)/bin
BASH_COMPLETIONS := $(DESTDIR)$(PREFIX)/share/bash-completion/completions
ZSH_COMPLETIONS := $(DESTDIR)$(PREFIX)/share/zsh/site-functions
FISH_COMPLETIONS := $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
MAN := $(DESTDIR)$(PREFIX)/share/man/man1
SHARE := $(DESTDIR)$(PREFIX)/share/tilewright
SCHEMAS := Sources/TilewrightKit/Manifests/building.schema.json \
    $(addprefix Sources/tilewright/Reports/,progress.schema.json report.schema.json)

# PROGRAMS=FOLDER installs or packs programs that were built elsewhere.
PROGRAMS ?= .build/release
IS_BUILT_HERE := $(filter .build/release,$(PROGRAMS))
# The man page of tilewright-render, which users do not call directly.
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
	@test ! -e $(PROGRAMS)/tilewright-cad || $(MAKE) --no-print-directory $(if $(DESTDIR),cad-stage,cad-install)

INSTALLED_PAGES = $(notdir $(wildcard $(MAN_PAGES)/*.1) $(RENDER_PAGE))
uninstall: ## removes the files that install installed
	rm -f $(BIN)/tilewright $(COMPANIONS:%=$(BIN)/%) $(BASH_COMPLETIONS)/tilewright $(ZSH_COMPLETIONS)/_tilewright \
	    $(FISH_COMPLETIONS)/tilewright.fish $(patsubst %,$(SHARE)/%,$(notdir $(SCHEMAS))) $(INSTALLED_PAGES:%=$(MAN)/%)
	rm -rf $(CAD_HOME) $(BIN)/tilewright-cad
	rmdir $(SHARE) $(dir $(CAD_HOME)) 2>/dev/null || true

clean: ## removes everything that was built, even the example's tiles
	rm -rf .build
	$(MAKE) -C Examples clean

include Sources/tilewright-cad/cad.mk Tests/tests.mk Tests/Fuzzing/fuzzing.mk Tests/Benchmarks/benchmarks.mk
include .documentation/documents.mk .ci/lint.mk .packaging/packaging.mk

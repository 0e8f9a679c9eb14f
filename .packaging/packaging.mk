# Targets for packages and archives.

DEB_PACKAGES := dpkg-dev xz-utils gzip binutils python3 git
TEST_DEB_PACKAGES := debootstrap util-linux lintian
# The Debian mirror for tests in a bare Debian; if empty, the mirror that this system's apt uses.
MIRROR ?=

# For `make version-check`: the tag of a release.
TAG ?=

.PHONY: version-check deb-deps test-deb-deps deb dist test-deb test-dist test-container test-reproducible
deb-deps: ## installs the programs that deb and dist need (Debian)
	@if (for program in dpkg-gencontrol dpkg-shlibdeps xz gzip strip python3 git; do \
	    command -v $$program || exit 1; done) >/dev/null 2>&1; then exit 0; \
	elif command -v apt-get >/dev/null; then \
	    $(AS_ROOT) apt-get update -q && \
	    $(AS_ROOT) apt-get install -q -y --no-install-recommends $(DEB_PACKAGES); \
	else echo 'Debian packages can only be built on Debian or a system derived from it' >&2; exit 1; fi

deb: $(if $(IS_BUILT_HERE),packed-companions) deb-deps ## makes Debian packages of the programs: .build/deb (PROGRAMS=FOLDER)
	.packaging/make_deb.sh $(PROGRAMS) .build/deb

dist: $(if $(IS_BUILT_HERE),packed-companions) deb-deps ## makes archives of the programs and of the sources, and an SBOM: .build/dist (PROGRAMS=FOLDER)
	.packaging/make_dist.sh $(PROGRAMS) .build/dist

version-check: ## checks that sources, programs, changelog and packages have the same version (TAG=v0.2.0)
	.packaging/check_version.sh $(PROGRAMS) $(TAG)

# test-deb, test-dist and test-container need root and the network; without them, they print that they are skipped.
test-deb-deps:
	@if command -v debootstrap >/dev/null && command -v lintian >/dev/null; then :; \
	elif command -v apt-get >/dev/null; then \
	    $(AS_ROOT) apt-get update -q && \
	    $(AS_ROOT) apt-get install -q -y --no-install-recommends $(TEST_DEB_PACKAGES); fi

test-deb: deb test-deb-deps ## installs the packages in a bare Debian, and runs the programs there (root, network; MIRROR=URL)
	MIRROR='$(MIRROR)' .packaging/tests/test_deb.sh .build/deb $(PROGRAMS)

test-dist: dist test-deb-deps ## unpacks the archive in a bare Debian, and runs the programs there (root, network)
	MIRROR='$(MIRROR)' .packaging/tests/test_dist.sh .build/dist

test-container: deb test-deb-deps ## runs the last stage of the Containerfile in a bare Debian (root, network)
	MIRROR='$(MIRROR)' .packaging/tests/test_container.sh .build/deb

# OTHER=FOLDER keeps the second build, so that the next run is faster.
test-reproducible: $(if $(IS_BUILT_HERE),packed-companions) deb-deps ## builds the programs again in another folder, and compares the bytes
	.packaging/tests/test_reproducible.sh $(PROGRAMS) $(OTHER)

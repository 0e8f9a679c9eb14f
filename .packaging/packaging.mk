# Rules for packages and archives.

DEB_PACKAGES := dpkg-dev xz-utils gzip binutils python3 git
TEST_DEB_PACKAGES := debootstrap util-linux lintian
# The mirror for tests in a bare Debian; without it, that of this system's apt.
MIRROR ?=

# For `make version-check`: the tag of a release.
TAG ?=

.PHONY: version-check deb-deps test-deb-deps deb dist test-deb test-dist test-container test-reproducible
deb-deps: ## installs what deb and dist need besides the toolchain (Debian)
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

# They need root and the network; without these they are skipped, and say so.
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

# OTHER=FOLDER keeps the second build, to be quicker the next time.
test-reproducible: $(if $(IS_BUILT_HERE),companions) deb-deps ## builds it in another folder, too, and compares the bytes
	.packaging/tests/test_reproducible.sh $(PROGRAMS) $(OTHER)

# Targets for the documents. The page of options and the man pages are generated from the program's declarations.

OPTIONS_PAGE := Sources/TilewrightKit/TilewrightKit.docc/Users/Options.md
MAN_PAGES := .documentation/man

.PHONY: reference reference-check man-check
reference: build ## generates the page of options and the man pages from the program's declarations
	python3 .documentation/reference.py .build/debug/tilewright

reference-check: build
	@rm -rf .build/reference
	python3 .documentation/reference.py .build/debug/tilewright .build/reference
	@for page in $(OPTIONS_PAGE) $(MAN_PAGES); do diff -ru $$page .build/reference/$$page || { \
	    echo "$$page differs from the program's options: run 'make reference'" >&2; exit 1; }; done

# mandoc and man print the errors in a page, and nothing if there are no errors.
ALL_MAN_PAGES = $(wildcard $(MAN_PAGES)/*.1) $(RENDER_PAGE)
man-check:
	@if command -v mandoc >/dev/null; then mandoc -T lint -W warning $(ALL_MAN_PAGES); \
	elif command -v man >/dev/null && command -v groff >/dev/null; then \
	    for page in $(ALL_MAN_PAGES); do \
	        said=`LC_ALL=C.UTF-8 MANROFFSEQ= MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z $$page 2>&1 >/dev/null`; \
	        test -z "$$said" || { echo "$$page: $$said" >&2; exit 1; }; \
	    done; \
	else echo 'man pages are not checked: install mandoc, or man and groff' >&2; fi

# The library's public symbols, from the release build.
SYMBOLS := .build/symbols
C_TARGETS := CKernels CCodec CLoader
TARGET = $(shell $(SWIFT) -print-target-info | sed -nE 's/^ *"unversionedTriple": "(.*)",/\1/p')

.PHONY: docs
docs: release ## writes web pages of the articles and the library's symbols: .build/site/pages (SITE_PATH=repository)
	@rm -rf $(SYMBOLS) && mkdir -p $(SYMBOLS)
	$(SWIFT) symbolgraph-extract -module-name TilewrightKit -target $(TARGET) \
	    -minimum-access-level public -output-dir $(SYMBOLS) -I .build/release/Modules \
	    $(patsubst %/module.modulemap,-I %,$(wildcard Sources/SystemLibraries/*/module.modulemap)) \
	    -Xcc -fmodule-map-file=Sources/Publishing/Embedded/include/module.modulemap \
	    $(C_TARGETS:%=-Xcc -fmodule-map-file=.build/release/%.build/module.modulemap)
	python3 .documentation/site.py $(SYMBOLS) .build/site $(SITE_PATH)

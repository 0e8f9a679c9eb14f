# Targets that fuzz.

# For `make fuzz`: the harnesses in Tests/Fuzzing to run, and seconds for each. The harnesses in C read images;
# parsers.swift lists the others.
FUZZ_READERS := $(basename $(notdir $(wildcard Tests/Fuzzing/*.c)))
FUZZ_PARSERS := $(shell sed -nE 's/^    "([a-z]+)": .*/\1/p' Tests/Fuzzing/parsers.swift)
FUZZ ?= $(FUZZ_READERS) $(FUZZ_PARSERS)
SECONDS ?= 60
FUZZED := .build/fuzz
# A single allocation above malloc_limit_mb counts as a finding. SWIFT_BACKTRACE, below, turns off Swift's own crash
# reports.
FUZZ_LIMITS := -timeout=20 -malloc_limit_mb=512 -rss_limit_mb=2048

.PHONY: fuzz
fuzz: $(FUZZ:%=$(FUZZED)/%) ## feeds damaged files to all decoders and parsers (FUZZ='png kml' SECONDS=60; needs clang)
	python3 Tests/Fuzzing/make_seeds.py $(FUZZED)/seeds
	@for name in $(FUZZ); do \
	    mkdir -p $(FUZZED)/$$name.corpus && words=Tests/Fuzzing/$$name.dict && \
	    SWIFT_BACKTRACE=enable=no $(FUZZED)/$$name -max_total_time=$(SECONDS) $(FUZZ_LIMITS) \
	        `test ! -e $$words || echo -dict=$$words` \
	        -artifact_prefix=$(FUZZED)/$$name- -print_final_stats=1 \
	        $(FUZZED)/$$name.corpus $(FUZZED)/seeds/$$name || exit 1; \
	done

FUZZ_LIBRARIES := libpng libjpeg libtiff-4 libwebp libheif libdeflate lcms2
CODEC_FILES := $(shell find Sources/CCodec -name '*.[ch]' -o -name '*.cpp')

$(FUZZ_READERS:%=$(FUZZED)/%): $(FUZZED)/%: Tests/Fuzzing/%.c Tests/Fuzzing/fuzzing.h \
        $(CODEC_FILES) | deps
	@mkdir -p $(FUZZED)
	clang -g -O1 -D_GNU_SOURCE -fsanitize=fuzzer,address,undefined \
	    -fno-sanitize-recover=undefined \
	    -ISources/CCodec/include `pkg-config --cflags $(FUZZ_LIBRARIES)` \
	    $(filter %.c %.cpp,$(CODEC_FILES)) $< `pkg-config --libs $(FUZZ_LIBRARIES)` -lstdc++ -lm -o $@

# All parsers are in one program. The name by which it is started selects the parser.
$(FUZZ_PARSERS:%=$(FUZZED)/%): $(FUZZED)/parsers
	ln -f $< $@

FUZZ_MODULES := Platform Tiling YAML RenderProtocol Georeferencing Raster Palettes Tilesets Publishing WebRequests
FUZZ_EMBEDDED := $(FUZZED)/modules/embedded.o
FUZZ_OBJECTS := $(patsubst %,$(FUZZED)/modules/%.o,$(FUZZ_MODULES) loader)
FUZZ_SWIFT := swiftc -g -O -wmo -swift-version 6 -enable-testing -parse-as-library -package-name tilewright \
    -sanitize=fuzzer,address $(patsubst %,-enable-upcoming-feature %,InternalImportsByDefault \
    ExistentialAny MemberImportVisibility NonisolatedNonsendingByDefault) \
    -I $(FUZZED)/modules $(patsubst %,-I Sources/SystemLibraries/%,CGeodesy CExpat CDeflate CStorage \
    CYAML) -I Sources/Publishing/Embedded/include

$(FUZZED)/parsers: Tests/Fuzzing/parsers.swift \
        $(shell find $(FUZZ_MODULES:%=Sources/%) Sources/SystemLibraries/CLoader -type f) | deps
	@mkdir -p $(FUZZED)/modules
	for name in $(FUZZ_MODULES); do \
	    $(FUZZ_SWIFT) -module-name $$name \
	        `find Sources/$$name -name '*.swift' ! -path '*/Templates/*'` -emit-module \
	        -emit-module-path $(FUZZED)/modules/$$name.swiftmodule \
	        -c -o $(FUZZED)/modules/$$name.o || exit 1; \
	done
	clang -g -O1 -c Sources/SystemLibraries/CLoader/loader.c -o $(FUZZED)/modules/loader.o
	clang -O1 -c Sources/Publishing/Embedded/embedded.c -ISources/Publishing/Embedded/include -o $(FUZZ_EMBEDDED)
	$(FUZZ_SWIFT) -use-ld=lld -module-name Parsers $< $(FUZZ_OBJECTS) $(FUZZ_EMBEDDED) \
	    `pkg-config --libs expat libdeflate libxxhash sqlite3 yaml-0.1 libzstd libmd` -ldl -o $@

# Targets for tilewright-cad, the companion in Python that draws CAD drawings. It needs no compiled program.

MAKE_ENVIRONMENT := Sources/tilewright-cad/make_environment.sh
CAD_RELEASE := .build/release/tilewright-cad-environment/done
CAD_DEBUG := .build/debug/tilewright-cad-environment/done
# An environment contains its own path, so it is made where it is used.
CAD_HOME := $(DESTDIR)$(PREFIX)/lib/tilewright/cad

.build/%/tilewright-cad-environment/done: Sources/tilewright-cad/pyproject.toml $(MAKE_ENVIRONMENT) \
    $(wildcard Sources/CConfinement/*.c Sources/CConfinement/include/*.h)
	@$(MAKE_ENVIRONMENT) $(@D) $(if $(filter debug,$*),--linked)
	@ln -sfn tilewright-cad-environment/bin/tilewright-cad .build/$*/tilewright-cad
	@touch $@

# The debug environment links to these files.
$(CAD_RELEASE): $(shell find Sources/tilewright-cad/tilewright_cad -name '*.py' -o -name '*.json') Sources/TilewrightKit/Version.swift

.PHONY: cad cad-debug cad-install cad-stage
cad: release ## makes tilewright-cad, for CAD drawings: .build/release/tilewright-cad (needs python3 with venv, PyPI)
	@$(MAKE) -s $(CAD_RELEASE)

cad-debug: build ## makes tilewright-cad for tests: .build/debug/tilewright-cad, which runs the sources
	@$(MAKE) -s $(CAD_DEBUG) || echo 'tests that need tilewright-cad are skipped'

cad-install:
	$(MAKE_ENVIRONMENT) $(CAD_HOME)
	ln -sfn $(CAD_HOME)/bin/tilewright-cad $(BIN)/tilewright-cad

cad-stage:
	@echo 'without tilewright-cad: its Python environment cannot be moved from $(DESTDIR)'

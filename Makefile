# Everything starts here, on a fresh Debian 12 or 13 or Raspberry Pi OS too: each target sets up
# what it needs first, which takes minutes once and no time after that.
#
#   make run      the touch app; without a display, a demonstration match in the terminal
#   make test     lint, types and tests: the gate, within ten minutes on two cores
#   make thorough  lint, types and every test, those too that cost over a second each
#   make lint     lint and types alone
#   make bench    speeds, beside the raw library or the operating system in the same run: one table
#   make soak     the long tests: thousands of examples, minutes each
#   make mutants  small faults put into copies of modules: do their own tests see them?
#   make photos   found / missed / wrong on ../shared/photos, group by group
#   make rig      a table in a virtual machine: started, played at, unplugged, cut off; as root, hours
#   make services  a club's record on a real PostgreSQL server, started for it and stopped after;
#                 pages in a real browser, topics on a real MQTT broker
#   make release  this tree as one file in dist/, for `companion update` at a table
#   make wheels   do all pinned versions still have wheels, on the Pi too?
#   make clean    forget the set-up and all caches

python := .venv/bin/python

# One more than the two cores that the gate counts on: some tests wait, for a clock or a process.
workers := 3

.PHONY: run test tests thorough lint ruff mypy pyright bench mutants photos rig soak services release wheels
.PHONY: clean set-up-run set-up-test set-up-services

run: set-up-run
	@.venv/bin/companion

# Types are checked while tests run: a core that a waiting test leaves has something to do.
test: ruff
	@$(MAKE) --no-print-directory --jobs 3 mypy pyright tests

tests: set-up-test
	@.ci/on-a-display $(python) -m pytest -n $(workers) --dist worksteal --ignore tests/benchmarks \
	  -m "not slow and not bench and not soak and not rig"

thorough: lint
	@.ci/on-a-display $(python) -m pytest -n $(workers) --dist worksteal

lint: ruff
	@$(MAKE) --no-print-directory --jobs 2 --output-sync mypy pyright

ruff: set-up-test
	@$(python) -m ruff check
	@$(python) -m ruff format --check

mypy: set-up-test
	@$(python) -m mypy

pyright: set-up-test
	@$(python) tests/unchecked.py

bench: set-up-test
	@.ci/on-a-display $(python) -m pytest -q -m "bench and not soak" tests/benchmarks

mutants: set-up-test
	@.ci/on-a-display $(python) tests/mutants.py

photos: set-up-test
	@$(python) -m pytest -q -s -m "soak or not bench" -k "photo or film or right_asked_and_wrong" tests/vision

soak: set-up-test
	@HYPOTHESIS_PROFILE=soak .ci/on-a-display $(python) -m pytest -m "(soak or not bench) and not rig" -n $(workers)

# A scenario alone: make rig only=cut
rig: set-up-test
	@RIG_CACHE=$${RIG_CACHE:-$${XDG_CACHE_HOME:-$$HOME/.cache}/companion-rig} \
	  $(python) -m pytest -m rig $(if $(only),-k "$(only)") tests/rig

services: set-up-services
	@$(python) -m pytest -q tests/companion/record/test_record_postgresql.py tests/ui/sharing

release: set-up-run
	@$(python) -m pip --quiet wheel --no-deps --no-build-isolation --wheel-dir dist . && ls dist

wheels: set-up-test
	@$(python) .ci/check_wheels.py

clean:
	@rm -rf .venv .mypy_cache .pyright_cache .pytest_cache .ruff_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

set-up-run set-up-test set-up-services: set-up-%:
	@.ci/set-up $*

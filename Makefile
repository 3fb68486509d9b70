# The targets that need more than `go build ./...` and `go test ./...`.

.PHONY: bench bench-all bench-store release-snapshot

# bench measures chant at 1,000 and 10,000 specs, and compares with the last stored result.
bench:
	go test -run '^$$' -bench . -timeout 30m ./e2e/bench

# bench-all measures at 100,000 specs, too, which takes much longer.
bench-all:
	CHANT_BENCH_SPECS=1000,10000,100000 go test -run '^$$' -bench . -timeout 120m ./e2e/bench

# bench-store stores the result in e2e/bench/results.json and BENCHMARKS.md.
bench-store:
	UPDATE=1 $(MAKE) bench-all

# release-snapshot builds what a release consists of into dist/, without publishing anything: see release/build.
release-snapshot:
	release/build

// Package bench measures chant as its users experience it, as whole processes and as a running MCP server, beside the
// command of git that comes nearest. Run it with `make bench`; BENCHMARKS.md is its result.
//
// # Rules
//
//   - A figure is the median of several runs of a freshly built chant. Each run of chant is followed by one of git, so
//     that both meet the same machine. The ratio of the two is what can be compared between machines.
//   - Projects are generated, and equal each time.
//   - Nothing here fails because of a time. TestHarness runs every measurement once on a small project.
//
// # Decisions
//
// 2026-11-23: figures are stored in results.json by request only (UPDATE=1). Rejected: storing them after each run,
// because a busy machine would then move what later runs are compared with.
package bench

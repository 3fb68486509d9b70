// Package telemetry exports what a node of a fleet does: metrics on a page for Prometheus, and traces by OTLP over HTTP to
// whatever collects them.
//
// # Rules
//
//   - Each node counts what it has done itself, so that sums over all nodes are right whoever leads. Only the gauges are
//     about the whole fleet, as the server of the queue reports it when the page is read.
//   - A trace is a run. Its ids are derived from the spec and the lease of its claim, which the worker and the leader both
//     know, so that nothing has to be sent along with the work.
//   - Names of specs, nodes, steps and statuses are exported, and never texts: those may have secrets.
//   - What cannot be exported is reported once, and disturbs nothing.
//
// # Decisions
//
// 2026-11-26: only the program chant-fleet imports this package, as with the server of a queue, because the libraries make a
// program larger and slower to start for everyone. Rejected: formats of our own, which are small and would have to follow
// two standards.
//
// 2026-11-26: the span of a run is exported by its worker when the run is over, and parts before that. A worker that is
// killed leaves parts without it. Rejected: a first span that has no end, which OTLP does not have.
package telemetry

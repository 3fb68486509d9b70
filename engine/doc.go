// Package engine is one opened project: its repository, store, settings, secrets, clock and randomness, and what all
// operations share: finding specs, the branch on which work lands, locks, errors and their codes.
//
// The operations are functions in the packages below it in the tree, each in a file of its name:
//
//	setup    Init, the files of agent CLIs, Demo, CheckConfig
//	author   Add, Update, Edit, Check, Archive, Derive, Split
//	linter   Lint
//	review   Approve, Reject
//	work     Work, Merge, Finalize, Pause, Reset, Cancel, Takeover, Cleanup
//	queue    WorkAll, WorkStart, Watch
//	verify   Verify, VerifyAll, Drift
//	gate     git hooks and CI
//	view     List, Show, Search, Status, Log, Diagnose, Deps, Export
//
// They use run (one attempt), advice (causes and next steps), usage (limits) and agent (providers and prompts), and all
// of these use this package. Below it are config, journal, criteria, checktree, documents, store
// and the pure packages: spec, next, lint, schedule, schema, split, prompt, price, shape, report, hooks, ci, agentfile.
// Imports point downward only; e2e/layers_test.go has the table.
//
// Nothing here prints, prompts, reads flags or exits.
//
// # The life of a spec
//
//	event     from                                              to
//	start     pending, paused, failed, needs_attention          in_progress
//	pause     in_progress                                       paused
//	complete  in_progress, paused, failed, needs_attention      completed
//	fail      in_progress, paused                               failed
//	flag      in_progress, paused, failed, completed            needs_attention
//	cancel    pending, in_progress, paused, failed,             cancelled
//	          needs_attention
//	reset     in_progress, paused, failed, needs_attention,     pending
//	          cancelled
//	replay    completed                                         in_progress
//
// # Rules
//
//   - Every operation gets a Project and an Input and returns a Result and an error; the only error type is *Error. A
//     failure leaves the repository as it was found, except that a run that began keeps its branch and worktree.
//   - An operation that changes a spec or its run takes the run's lock first. Taking the lock stops processes that a
//     killed chant left behind.
//   - insideRules alone decides what an agent may do inside a run. Processes that the agent starts belong to its run,
//     even if they change their environment, see RunAbove. They may add and edit specs; status changes,
//     hooks, approvals and rejections are for a person.
//   - Clock, randomness, environment and progress are passed in Options.
//
// # Decisions
//
// 2026-11-23: operations are functions on a Project, in packages by topic. Rejected: methods of one Engine in one flat
// package, which had grown to 361 methods in 166 files.
//
// 2026-11-20: the code that changes a status is in engine/store, below engine/run, which uses it too. Rejected: passing
// it down as a function.
//
// 2026-11-20: operations may use files directly (os) unless they are documents: settings, logs, folders to clean up.
// Only engine/store writes documents.
//
// 2026-11-20: a run is asked to stop by a file that names its process, which polls for it (stopping.go). Rejected: a
// signal, which stops every run of that process, and which Windows cannot send to a single process.
package engine

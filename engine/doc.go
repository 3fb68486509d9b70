// Package engine is one opened project: its repository, store, settings, secrets, clock and randomness, and what all
// operations share: finding specs, the branch on which work lands, locks, errors and their codes.
//
// The operations are functions in the domains above it, each in a file of its name:
//
//	setup    Init, the files of agent CLIs, Demo, CheckConfig
//	author   Add, Update, Edit, Check, Archive, Derive, Split; review: Approve, Reject; commands
//	work     Work, Merge, Finalize, Pause, Reset, Cancel, Takeover, Cleanup; queue: WorkAll, WorkStart, Watch; node
//	verify   Verify, VerifyAll, Drift; linter: Lint; gate: git hooks and CI
//	view     List, Show, Search, Status, Log, Diagnose, Deps, Export
//	task     tasks and sprints; feature: features of spec-kit and changes of OpenSpec
//	code     Index, Search, Docs, Research
//
// They use run (one attempt), prompt, fleet and search. Below this package are evidence, store, format and spec, of which
// the last two are pure. CONTRIBUTING.md has the map, and e2e/layers_test.go checks that imports point downward.
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

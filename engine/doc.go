// Package engine holds the operations: everything that can be done to a project,
// each verb in a file of its name. Doors (the command line, the MCP server) call these and add
// nothing. It never prints, prompts, reads flags or exits.
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
//
// # Laws
//
//   - Every operation takes an Input and gives a Result and an error; the only error
//     type is *Error. A failure leaves the repository as it was found, except that a
//     run that began keeps its branch and tree.
//   - Whoever changes a spec or its run holds the run's lock first, and by taking it
//     ends what a killed process has left alive.
//   - Listing, showing, searching and linting start no process. Diagnose and the list
//     of worktrees ask git; Verify runs what the criteria say.
//   - Clock, randomness, environment and progress come in through Options.
//
// # Rooms
//
// engine/spec has the pure laws, engine/store the `.chant` folder and the one road
// by which a status changes, engine/verify the criteria, engine/run one run's life,
// engine/agents what agent CLIs read from a repository. None of them knows a door,
// and none imports one above it.
//
// # Decisions
//
// 2026-11-20: the road by which a status changes stands in engine/store, below
// engine/run, which takes it too. Refused: handing it down as a function.
//
// 2026-11-20: operations may look at files (os) where no document is written:
// settings, logs, folders to clean up. Documents are written by engine/store alone.
//
// 2026-11-20: a completed run that has not landed is dropped by Reset and Cancel like
// any other; its work is kept by a ref. Refused: leaving git as the only way out.
package engine

// Package schedule decides what starts next when many specs are worked at once:
// in which order, how many side by side, on which agent, and whether and when a
// failed attempt is tried again. The same scheduler works a chain of specs, a few
// specs, or all that are ready; only its width differs.
//
// It does not use git, files, processes or a terminal. Before every start it asks
// the caller what is ready; a run is a function of the caller; clock, timers and
// randomness are parameters.
//
// # Rules
//
//   - A spec is started once. It is started again only if the end of its run asks
//     for that (Again, Later); at most three times if another process had it or its
//     crashed run was settled (Elsewhere, Settled); or if its caller lists it with
//     another Mark than before, or had not listed it in between. So N specs lead to N agent
//     starts unless the retry policy or a person demands more, and the loop ends.
//   - What is ready is read again after each end: a spec that became ready starts
//     as soon as there is room, without waiting for the other runs.
//   - Order: first what a person named, then by priority, depth in the graph and id.
//   - Two specs whose target files overlap do not run side by side, unless that is
//     allowed.
//   - A postponed agent gets nothing until its time; the others continue.
//   - A loop with nothing to do ends. With an idle time, it first waits that long
//     and looks again whenever it is woken, and once more before it ends.
//   - After Drain nothing more starts, and what runs continues to its end. When the
//     context ends, so does that of the runs. Either way Run returns after the last
//     end, and no goroutine outlives it.
//
// # Decisions
//
// 2026-11-22: a wait that a server asks for replaces the policy's first delay, even if it
// is shorter, and grows like that delay when the server asks again. Rejected: the longer of
// both, which delayed everything by a minute when five seconds were asked for; and the same
// short wait each time, which uses up all retries within seconds.
//
// 2026-11-20: a spec that has to wait for an agent or a file is skipped, and the next one
// in order starts. Rejected: holding the queue until the first can start, which leaves
// agents idle to keep an order on which nothing depends.
//
// 2026-11-20: priority 0 is the most urgent and a missing priority is medium, as in beads
// and lotar. Rejected: higher numbers first, which would reverse the order of their files.
//
// 2026-11-20: files overlap when one path could match both, and a path includes all paths
// below it; when in doubt they overlap. Rejected: looking up which files a glob matches
// today, because the files that matter do not exist yet.
package schedule

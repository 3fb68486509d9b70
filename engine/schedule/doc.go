// Package schedule decides what starts next when many specs are worked at once:
// in which order, how many side by side, on which agent, and whether and when a
// failed attempt is tried again. One scheduler serves a single file of specs (a
// chain), a few, or all that are ready; the width is a number.
//
// It knows no git, no files, no processes and no doors. What is ready is asked of
// the caller before every start, what a run does is the caller's function, and
// clock, timers and randomness are handed in.
//
// # Rules
//
//   - A spec is started once, and again only when its end asks for it (Again,
//     Later), when another process had it at that moment or a crash was put in order
//     (Elsewhere, Settled, three times at most), or, marked, when its mark has
//     changed or it was away. N specs are N agent starts unless the retry policy or
//     someone who mends them says otherwise, so the loop ends.
//   - What is ready is read anew after each end: a spec that became ready starts
//     in the place that fell free, without waiting for the others.
//   - Order: what a person named first, then priority, then depth in the graph,
//     then id.
//   - Two specs whose target files overlap do not run side by side, unless told to.
//   - An agent that was put off gets nothing until its time; others go on.
//   - With nothing to do a loop ends; told to be patient, it looks again whenever
//     it is woken, and once more before it ends.
//   - Drained, nothing starts and what runs ends by itself. When the context
//     ends, what runs is told so. Either way Run returns after the last end, and
//     no goroutine outlives it.
//
// # Decisions
//
// 2026-11-22: a wait that a server asks for takes the place of the policy's first delay,
// also where it is shorter, and grows like it when it is asked for again. Rejected: the
// longer of both, which delayed everything by a minute when five seconds were asked
// for; and the same short wait each time, which uses up all retries within seconds.
//
// 2026-11-20: a spec that has to wait for an agent or a file is passed over, and
// the next one in order starts. Rejected: holding the queue until the first can
// start, which leaves agents idle for the sake of an order no one depends on.
//
// 2026-11-20: priority 0 is the most urgent and nothing is medium, as in beads and
// lotar. Rejected: higher numbers first, which would turn their files around.
//
// 2026-11-20: files overlap when one path could match both, and a path holds all
// below it; when in doubt they overlap. Rejected: asking the tree which files a glob
// matches today, since the point is files that are yet to be written.
package schedule

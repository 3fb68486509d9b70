// Package tui shows a run in progress: its steps with their times, and the last lines of
// output below the current step. For many runs it shows a line each and counts those that
// have ended; the result of each is printed above the view, where it stays. If nothing
// runs, it shows what the remaining specs wait for.
//
// It never decides anything about the run, never writes to the project, never
// takes the whole screen, and never keeps more of the progress than it can show.
//
// # Rules
//
//   - Work runs in the caller's goroutine. The view, even with a slow or dead
//     terminal, never makes it fail, and reporting progress never waits
//     for a frame to be drawn.
//   - The terminal is put back before Watch returns or lets a panic through.
//   - A stop is requested once and then awaited: only the work knows when it has
//     ended.
//   - Text of agents and commands reaches the terminal as printable characters
//     alone, so that nothing in it can move the cursor or change a mode.
//
// # Decisions
//
//   - 2026-11-22: bubbletea 2.1.1, whose renderer (ultraviolet) no longer moves the cursor it
//     remembers into a frame that has become lower. With 2.0.9 it then erased from a row too
//     far down, and rows of the frame before stayed. Rejected: frames that never become lower,
//     with empty rows below, which leave those on the screen at the end.
//
//   - 2026-11-23: one model draws a scene, that of one run or of many. Rejected: a model for
//     each, since keys, sizes, ticks and the end are the same for both.
//
//   - 2026-11-20: events are folded into a small board when they arrive and the
//     view takes a copy ten times a second. Rejected: a queue of events to the
//     view, which either grows, blocks the run, or loses the step that mattered.
//
//   - 2026-11-20: nothing is drawn before the first event. Rejected: drawing at
//     once, since a run that is refused right away would put the terminal into
//     raw mode for nothing, and leave its answers to queries at the next prompt.
//
//   - 2026-11-20: a view that fails prints one line, and work continues.
//     Rejected: failing the run for it, or joining its error with work's, which
//     would report a run as failed that has landed.
//
//   - 2026-11-20: signals stay with the program that calls, whose context they
//     end. Rejected: a second signal handler here, which would end the view while
//     work is still stopping.
package tui

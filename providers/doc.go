// Package providers knows how to start, stream and stop each agent CLI. A
// Provider turns an Invocation into a Launch, Run makes a process of it, and
// the provider's Decoder turns its output into events and a Verdict. RunCommand
// runs single shell lines by the same rules.
//
// It never reads the environment of its own process, asks nobody, retries
// nothing, writes only below Invocation.StateDir, and does not know what a
// spec, a commit or a status is.
//
// # Laws
//
//   - Success is the word of the CLI's own last event where it has one, and the
//     exit code only where it has none. A run that met a limit never succeeded.
//   - No run blocks on input: stdin is the null device or a file.
//   - No run blocks on output: both pipes are read to their end, and nobody who
//     inherited one can hold it open for us.
//   - A run leaves nothing alive, however it ended: not the agent, not its
//     tools in sessions of their own, not a server in the background.
//   - Nothing is signalled that is not provably of the run: a process number
//     counts only together with its start.
//   - Only run.go executes programs.
//
// # Stopping
//
// Agents put their tools into sessions of their own, so a signal to the group
// misses them. Before the first signal a snapshot of the process table
// collects the family: descendants, members of groups and sessions led by one,
// and whoever carries the run's mark in the environment. The family gets
// SIGTERM, has the grace to end, and what is left or was born meanwhile gets
// SIGKILL until two snapshots in a row show nobody.
//
// Other systems are weaker. macOS: the process group alone is found, and a
// number used again within one boot is not told apart. Windows: descendants
// by parent number, ended at once, without a grace; sh comes from the PATH.
// Linux misses one case: a process that left its session, cleaned its
// environment and lost its parent between two looks.
//
// # Decisions
//
// 2026-11-20: marks in the environment and snapshots by parent find orphans;
// refused: PR_SET_CHILD_SUBREAPER, which makes this process the parent of
// strangers that it must reap, and is inherited by nothing that restarts.
//
// 2026-11-20: the agent gets a session, not only a group; refused: Setpgid,
// because a background group that reads the terminal is stopped, not refused.
//
// 2026-11-20: an agent gets the variables of a list of names, and those that its provider
// and the project name; refused: all but those that look secret, since it takes one odd
// name to give a secret away, where a variable that is missing is soon missed.
//
// 2026-11-20: variables of an enclosing agent are removed by a list of names;
// refused: the prefix CLAUDE_CODE_ with exceptions, because the CLI has
// hundreds of settings and a login among them, and gains more with each
// version. A marker missed is harmless where a lost login is not.
//
// 2026-11-20: a line of plain output may be 16 MiB; refused: bufio.Scanner,
// which ends the whole stream at its limit.
//
// 2026-11-20: output that stops in the middle of a line for two seconds, at what
// may be a question, is an event of its own; refused: a terminal of our own for the
// agent, which makes CLIs ask that otherwise would not.
//
// 2026-11-22: a CLI that reports that it asks again although the model's API has refused
// its key, its login or its model is stopped. A refused login counts from the second time
// on, since CLIs renew one that has expired. Refused: leaving it to the CLI, which may ask
// ten times, and a setting of each CLI for fewer retries, which would also cut those that
// help.
package providers

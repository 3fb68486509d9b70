// Package providers knows how to start, stream and stop each agent CLI. A
// Provider turns an Invocation into a Launch, Run makes a process of it, and
// the provider's Decoder turns its output into events and a Verdict. RunCommand
// runs single shell lines by the same rules.
//
// It never reads the environment of its own process, never asks a person, retries
// nothing, writes only below Invocation.StateDir, and does not know what a
// spec, a commit or a status is.
//
// # Rules
//
//   - The CLI's own last event decides about success, and the exit code only if
//     there is no such event. A run that reached a limit never succeeded.
//   - No run blocks on input: stdin is the null device or a file.
//   - No run blocks on output: both pipes are read to their end, and a process that
//     inherited one cannot keep us waiting.
//   - A run leaves no process alive, however it ended: not the agent, not its
//     tools in sessions of their own, not a server in the background.
//   - Only processes that provably belong to the run are signalled: a process number
//     counts only together with its start.
//   - Only run.go executes programs.
//
// # Stopping
//
// Agents put their tools into sessions of their own, so a signal to the group
// misses them. Before the first signal a snapshot of the process table
// collects the family: descendants, members of groups and sessions led by one,
// and processes with the run's mark in their environment. The family gets
// SIGTERM and a grace period to end; remaining and new processes get
// SIGKILL until two snapshots in a row are empty, or one if all of them are
// behind a wall that kills the rest. Environments are read only of processes
// that started after the first of the family.
//
// Other systems are weaker. macOS: only the process group is found, and a
// number used again within one boot is not distinguished. Windows: descendants
// by parent number, ended at once, without a grace; sh comes from the PATH.
// Linux misses one case: a process that left its session, cleaned its
// environment and lost its parent between two snapshots.
//
// # Decisions
//
// 2026-11-20: marks in the environment and snapshots by parent find orphans;
// rejected: PR_SET_CHILD_SUBREAPER, which makes this process the parent of
// strangers that it must reap, and is inherited by nothing that restarts.
//
// 2026-11-20: the agent gets a session, not only a group; rejected: Setpgid,
// because a background group that reads the terminal is stopped, not refused.
//
// 2026-11-20: an agent gets the variables of a list of names, and those that its provider
// and the project name; rejected: all but those that look secret, since one odd name
// leaks a secret, while a missing variable is soon noticed.
//
// 2026-11-20: variables of an enclosing agent are removed by a list of names;
// rejected: the prefix CLAUDE_CODE_ with exceptions, because the CLI has
// hundreds of settings and a login among them, and gains more with each
// version. A missed marker is harmless, a lost login is not.
//
// 2026-11-20: a line of plain output may be 16 MiB; rejected: bufio.Scanner,
// which ends the whole stream at its limit.
//
// 2026-11-20: output that stops in the middle of a line for two seconds, at what
// may be a question, is an event of its own; rejected: a terminal of our own for the
// agent, which makes CLIs ask questions that they would not ask otherwise.
//
// 2026-11-22: a CLI that reports a retry although the model's API has refused
// its key, its login or its model is stopped. A refused login counts from the second time
// on, since CLIs renew one that has expired. Rejected: leaving it to the CLI, which may retry
// ten times, and a setting of each CLI for fewer retries, which would also cut those that
// help.
//
// 2026-11-29: a CLI that reports retries for longer than Limits.Answer, without a text or a call of a
// tool between them, is stopped. Retries beside a tool at work do not count. opencode reports them only in
// its log, and qwen only in that of its clients, so both are turned on. Rejected: a limit of silence from
// the start, which would end local models that read a long prompt; and leaving it to the CLIs, of
// which some ask for minutes or for ever.
package providers

// Package view answers questions about specs: List, Show, Search, Status, Queue, Log, Diff, Diagnose, Deps, Export. It changes
// nothing.
//
// # Rules
//
//   - List, Show and Search start no process. Diagnose and Diff run git.
//
// # Decisions
//
// 2026-11-30: the queue before a target also lists completed branches that no process lands, as "stopped" and without a
// position: whoever asks what has not landed yet finds all of it in one place. Rejected: the word "complete", which is true of
// all in the queue; and a position, since they have no turn.
//
// 2026-11-23: a ranked search always corrects misspelt words and reads the last word as the beginning of one, in commands
// and in tools. Rejected: only at a terminal, because a tool would then not find what the same command finds; and no
// beginnings, because the search by substrings, which was the only one before, found them.
//
// 2026-11-23: the filter by status applies before the best matches are chosen, so that a limit never hides a spec that
// the filter allows; prompts and documentation have no status and are left out. Rejected: filtering the best matches.
//
// 2026-11-20: lists, findings and logs in replies are limited; what is left out is counted or can be read with a
// further call. Rejected: returning everything, which would exceed the context of an agent.
//
// 2026-11-20: findings and dependencies are limited to 100 both with --json and in tools, and the text for people has
// all. Rejected: a limit only in tools, whose results would then differ from those of commands.
package view

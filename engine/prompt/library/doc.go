// Package library has the commands of agents: those of climpt (.agent/<agent>), the prompts and templates of chant
// as commands, and a few commands that are part of the program (shipped).
//
// It finds, reads, describes and writes them. It starts no runs.
//
// # Rules
//
//   - A file whose text could be sent to a model is not read if it is a link that leads out of the project.
//
// # Decisions
//
// 2026-11-29: commands are ranked by engine/search/find with k1 = 1.2 and b = 0.4. Rejected: an index of its own for short texts
// (cosine, words side by side, synonyms from common documents; 1,025 lines), which was here until then: mean reciprocal
// ranks of the right commands of climpt, git and chant on TestLibrary_questions in cmd are 0.96, 0.90 and 0.92 by this one,
// 0.97, 0.91 and 0.92 by that, and 0.88, 0.81 and 0.78 by plain TF-IDF; on the half of git's questions that neither had seen,
// this one has 0.92 and that 0.91.
//
// 2026-11-28: the commands that climpt's documents list are part of the program, with texts of our own, so that a fresh
// project has them; a prompt or an entry of a registry replaces one. Rejected: writing them into
// .agent of each project, where nobody keeps them up to date; and making them prompts of chant, which are for working specs.
//
// 2026-11-23: a command that is the prompt of a spec, and uses nothing of the spec, is followed by the standard prompt.
// Rejected: the command alone, after which the agent knows neither the spec nor its worktree and criteria; and the
// standard prompt after every command, which repeats what a command has that was written for specs.
//
// 2026-11-23: {input_text} and the other names that every call may set do not count as uses of the spec. Rejected:
// counting them, because commands that were written without specs in mind have them too: their agents knew no criteria,
// and with a text from stdin not even the spec.
package library

// Package guard decides whether a run may land. Every landing passes Gate, whoever asks for it.
//
// It compares the branch with its start commit, with what chant has completed and with what was around the run when its
// agent began: hooks and settings of git, tools, journal, evidence, home.
//
// # Rules
//
//   - What the agent did to the criteria, to other specs or to settings is found by comparing and lands nowhere by itself.
//   - A run lands what people have approved: the text that it began with, the target's version, and where the project asks
//     for it the work. Its own ticks and prose void nothing; another commit does.
//   - What an agent does where no branch shows it is found by looking before and after, and counts until a person accepts it
//     or drops the run.
//   - A target that was rewound stops the landing: what was dropped from it stays dropped.
//
// # Decisions
//
// 2026-11-22: a branch that chant has not completed in this repository, or to which work was
// committed since, does not land before it was finalized. Rejected: landing whatever holds
// its criteria, for it is then unknown who has ticked the boxes.
//
// 2026-11-22: what a person or an agent may have done alike (a branch or a worktree removed,
// the journal written) is reported without naming who. Rejected: blaming the agent.
package guard

// Package planning makes plans: an agent reads the repository and drafts specs for an idea, each criterion of which runs before
// a person sees it, and a person decides what becomes of them.
//
// # Rules
//
//   - A plan is a document, `.chant/plans/<id>.md`, and its specs are files with ids of their own. Until it is accepted, all of them
//     are on a branch, which is named like those of runs with "-plan" behind their prefix; nothing of it can be worked.
//   - An agent's answer is data that fits AnswerSchema. What does not fit goes back to it once. What still does not is an error.
//   - Every command of a criterion runs on the target's tip, in a check tree behind the wall, where it must fail because the work
//     is missing, or hold if it is a guard. What it does else goes back to the agent with its output, up to `plan.rounds` times.
//   - What could not be run has no command in its spec once a draft is there to be decided about, whoever has written it: a person
//     ticks it. The plan still has the command and the reason.
//   - A draft whose branch a person has changed is accepted when its criteria have run again.
//   - Accepting writes all specs and the plan in one commit. What is in work or done is not changed by a plan, except that one which
//     begins with drift may reword or archive the completed specs that have drifted.
//   - An agent's questions have answers that it proposes, which count where nobody decides.
//
// # Decisions
//
// 2026-11-30: the draft is files of specs on a branch, not data in the plan. They are edited, run and read by what reads specs,
// and accepting copies them. Rejected: specs inside of the plan's document, a second form of each of them, which a person
// would edit without effect or which needs a parser of its own.
//
// 2026-11-30: the numbers of planned specs are taken when they are drafted, so that what a script has read stays true after the
// plan is accepted. Rejected: numbers within the plan, by which no dependency could be written into a file.
//
// 2026-11-30: a criterion that says what is missing is red although no spec names the file that it misses: agents leave files
// out of their lists. Rejected: calling it broken, which would take the command from criteria such as `grep -q word file`. It is
// broken if the base has the same path in another case or with another plural.
//
// 2026-12-01: how a command has failed is judged by what it says and by the simple commands of its line, which are split here.
// Rejected: mvdan.cc/sh, a parser of whole scripts, of which nothing else would be used.
package planning

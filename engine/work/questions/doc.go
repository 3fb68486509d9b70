// Package questions has the operations on questions of agents to people: ask, answer, the list of them, and what an agent
// receives.
//
// # Rules
//
//   - Asking stops nothing. The agent that asks continues with what does not depend on the answer.
//   - A question belongs to the spec in whose run it was asked; outside of runs to the branch of the worktree, or to the
//     worktree, and it may name the spec that is worked there. Its answer goes to the agents of the same place.
//   - An agent that asks the same again gets its open question back, or the answer, and asks nothing anew.
//   - Only people answer: inside a run it is refused, for the run's own spec and for others.
//   - An answer changes no status and starts nothing. Package queue works a spec again whose question was answered, where
//     a watch is to work specs.
package questions

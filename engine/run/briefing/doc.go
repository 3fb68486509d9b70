// Package briefing writes what an agent is given to read: the prompt with its values, the files of its context, what failed
// in earlier attempts, where branch and target conflict, and the form its output must have.
//
// # Decisions
//
// 2026-11-20: where git writes no markers, a conflict that the agent has left untouched,
// file and index, stands open. Rejected: taking it for resolved, which lands one side
// alone; and asking for a change, with which no one could keep a file as it is.
package briefing

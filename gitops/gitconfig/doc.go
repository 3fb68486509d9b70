// Package gitconfig reads and changes git's settings, and finds those that make git run a program
// or take one thing for another.
//
// It never changes settings outside of the repository.
//
// # Decisions
//
// 2026-11-29: the programs that git starts by itself in a person's checkout run through another program, which puts them into
// the sandbox (Apart). What they read is found as well (Leads), so that a change of it does not land; but a hook that runs all
// files of a folder, "go generate", or a filter in Python that imports from the folder in which it runs showed that no search
// finds all of it. Rejected: git itself in the sandbox, since it writes in the folder that has the hooks; running no hooks,
// which git-lfs and others need; and a list of programs that search.
package gitconfig

package gitops

import (
	"chant/gitops/layout"
)

// ValidBranch tells what is wrong with name as a branch name, or nil. The rules are those
// of "git check-ref-format --branch", without its shorthands; it starts no process.
func (r *Repo) ValidBranch(name string) error { return layout.ValidBranch(name) }

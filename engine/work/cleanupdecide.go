package work

import (
	"fmt"
	"strings"

	"chant/engine/evidence/sandbox"
	"chant/engine/run/tree"
	"chant/engine/spec"
)

// remains is what exists of one run.
type remains struct {
	id         string
	path       string     // of its tree, whether or not that exists
	entries    int        // in its folder, -1 without a folder
	registered bool       // git knows a worktree at path
	branch     string     // "" without a branch
	journal    bool       // records an attempt that has not been dropped
	ours       bool       // there is a sign that chant made it
	known      *spec.Spec // its spec, nil if there is none
	archived   bool
	wanted     bool // a person asked to keep its worktree after landing
}

// disposal is what Cleanup does about a part of a run.
type disposal struct {
	what string // worktree, registration, branch, journal or folder
	why  string
	drop bool   // the whole run is removed, and its work kept by a ref
	keep string // why it stays although it is left over
}

// decide returns what Cleanup does about a run that no process holds. It contains all
// rules of Cleanup: a run with a branch is left alone unless its spec has landed, is
// archived or is gone; a run without a branch is dropped; a folder in which git knows
// no worktree is kept unless it is empty.
func (r remains) decide() []disposal {
	switch {
	case strings.HasPrefix(r.id, sandbox.CheckTree):
		return r.decideCheck()
	case strings.HasPrefix(r.id, tree.Spare):
		return r.decideSpare()
	}
	if !r.ours {
		return nil
	}
	var out []disposal
	folder := r.entries >= 0
	switch why := r.whyOver(); {
	case r.branch != "" && why != "":
		out = append(out, disposal{what: "branch", why: why, drop: true})
	case r.branch != "" && r.registered && !folder:
		out = append(out, disposal{what: "registration", why: "its folder is gone"})
	// Work, merge or reset can take up such a run.
	case r.branch != "":
	case r.registered && folder:
		out = append(out, disposal{what: "worktree", why: "its branch is gone", drop: true})
	case r.registered:
		out = append(out, disposal{what: "registration", why: "its folder and its branch are gone", drop: true})
	case r.journal:
		out = append(out, disposal{what: "journal", why: "it records a run whose branch is gone", drop: true})
	}
	if folder && !r.registered {
		out = append(out, r.decideFolder())
	}
	return out
}

// whyOver returns why the run has nothing left to do, "" while it has.
func (r remains) whyOver() string {
	switch {
	case r.archived:
		return "its spec is archived"
	case r.known == nil:
		return "its spec is gone"
	case r.known.Status == spec.Completed && r.known.Landed:
		return "its spec has landed"
	}
	return ""
}

func (r remains) decideFolder() disposal {
	if r.entries == 0 {
		return disposal{what: "folder", why: "empty, and git knows no worktree here"}
	}
	holds := fmt.Sprintf("%d entries", r.entries)
	if r.entries == 1 {
		holds = "1 entry"
	}
	return disposal{what: "folder", why: "git knows no worktree here", keep: "kept: it holds " + holds + " that nothing else keeps"}
}

// decideCheck decides about a tree in which criteria ran: nothing in it belongs to a person.
func (r remains) decideCheck() []disposal {
	switch {
	case r.registered:
		return []disposal{{what: "worktree", why: "left by a check that was killed"}}
	case r.entries >= 0:
		return []disposal{{what: "folder", why: "left by a check that was killed"}}
	}
	return nil
}

// decideSpare decides about a tree that an earlier version has kept for a later run.
func (r remains) decideSpare() []disposal {
	switch folder := r.entries >= 0; {
	case r.registered && folder:
		return []disposal{{what: "worktree", why: "kept for later runs by an earlier version"}}
	case r.registered:
		return []disposal{{what: "registration", why: "its folder is gone"}}
	case folder:
		return []disposal{r.decideFolder()}
	}
	return nil
}

// asSpec returns the spec or, without one, as much of a spec as dropping a run needs.
func (r remains) asSpec() *spec.Spec {
	if r.known != nil {
		return r.known
	}
	return &spec.Spec{ID: r.id, Branch: r.branch}
}

package work

import (
	"fmt"
	"strings"

	"chant/engine/checktree"
	"chant/engine/run/tree"
	"chant/engine/spec"
)

// remains is what is there of one run, whether or not all of it should be.
type remains struct {
	id         string
	path       string     // of its tree, where that stands or should
	entries    int        // in its folder, -1 without one
	registered bool       // git knows a worktree at path
	branch     string     // "" without one
	journal    bool       // tells of an attempt that has not been dropped
	ours       bool       // something says that chant made it
	known      *spec.Spec // its spec, nil when no one has it
	archived   bool
	surplus    bool // a spare tree that the settings do not want
	wanted     bool // someone asked for its worktree to stay after landing
}

// disposal is what becomes of a part of a run.
type disposal struct {
	what string // worktree, registration, branch, journal or folder
	why  string
	drop bool   // the whole run goes, its work is kept
	keep string // why it stays although it is out of place
}

// judge decides what is to be done about a run that no one holds. It is the whole
// law of Cleanup: a run with a branch is left alone unless its spec has landed, was
// put away or is gone; without a branch what remains of it is put away; a folder
// that git does not know is kept unless it is empty.
func (r remains) judge() []disposal {
	switch {
	case strings.HasPrefix(r.id, checktree.CheckTree):
		return r.judgeCheck()
	case strings.HasPrefix(r.id, tree.SpareTree):
		return r.judgeSpare()
	}
	if !r.ours {
		return nil
	}
	var out []disposal
	folder := r.entries >= 0
	switch why := r.over(); {
	case r.branch != "" && why != "":
		out = append(out, disposal{what: "branch", why: why, drop: true})
	case r.branch != "" && r.registered && !folder:
		out = append(out, disposal{what: "registration", why: "its folder is gone"})
	case r.branch != "": // a run that work, merge or reset continues with
	case r.registered && folder:
		out = append(out, disposal{what: "worktree", why: "its branch is gone", drop: true})
	case r.registered:
		out = append(out, disposal{what: "registration", why: "its folder and its branch are gone", drop: true})
	case r.journal:
		out = append(out, disposal{what: "journal", why: "it records a run whose branch is gone", drop: true})
	}
	if folder && !r.registered {
		out = append(out, r.judgeFolder())
	}
	return out
}

// over says why the run has nothing left to do, "" while it has.
func (r remains) over() string {
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

func (r remains) judgeFolder() disposal {
	if r.entries == 0 {
		return disposal{what: "folder", why: "empty, and git knows no worktree here"}
	}
	holds := fmt.Sprintf("%d entries", r.entries)
	if r.entries == 1 {
		holds = "1 entry"
	}
	return disposal{what: "folder", why: "git knows no worktree here", keep: "kept: it holds " + holds + " that nothing else keeps"}
}

// judgeCheck is for trees in which criteria ran: nothing in them is anybody's.
func (r remains) judgeCheck() []disposal {
	switch {
	case r.registered:
		return []disposal{{what: "worktree", why: "left by a check that was killed"}}
	case r.entries >= 0:
		return []disposal{{what: "folder", why: "left by a check that was killed"}}
	}
	return nil
}

// judgeSpare is for trees kept for runs to come: nothing in them is anybody's either.
func (r remains) judgeSpare() []disposal {
	switch folder := r.entries >= 0; {
	case r.registered && !folder:
		return []disposal{{what: "registration", why: "its folder is gone"}}
	case folder && !r.registered:
		return []disposal{{what: "folder", why: "half of a spare worktree"}}
	case folder && r.surplus:
		return []disposal{{what: "worktree", why: "spare, and more than the settings want"}}
	}
	return nil
}

// asSpec is the spec, or as much of one as dropping a run needs.
func (r remains) asSpec() *spec.Spec {
	if r.known != nil {
		return r.known
	}
	return &spec.Spec{ID: r.id, Branch: r.branch}
}

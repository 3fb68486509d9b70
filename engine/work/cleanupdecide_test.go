package work

import (
	"strings"
	"testing"

	"chant/engine/evidence/sandbox"
	"chant/engine/run/tree"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// TestRemains_decide checks what is removed and what stays for combinations of what can be left of a run. A run with a
// branch is left alone while its spec is open; files that nothing else keeps are never removed.
func TestRemains_decide(t *testing.T) {
	t.Parallel()
	pending, landed := &spec.Spec{Status: spec.Pending}, &spec.Spec{Status: spec.Completed, Landed: true}
	waiting := &spec.Spec{Status: spec.Completed}
	none := remains{id: "a", ours: true, known: pending, entries: -1}
	with := func(r remains, change func(*remains)) remains { change(&r); return r }
	whole := with(none, func(r *remains) { r.branch, r.registered, r.entries, r.journal = "chant/a", true, 3, true })
	for name, c := range map[string]struct {
		r    remains
		want string // what: why, with "drop" and "keep" behind it
	}{
		"nothing":                             {none, ""},
		"a run at work":                       {whole, ""},
		"completed, not landed":               {with(whole, func(r *remains) { r.known = waiting }), ""},
		"landed":                              {with(whole, func(r *remains) { r.known = landed }), "branch: its spec has landed, drop"},
		"archived":                            {with(whole, func(r *remains) { r.archived = true }), "branch: its spec is archived, drop"},
		"its spec is gone":                    {with(whole, func(r *remains) { r.known = nil }), "branch: its spec is gone, drop"},
		"landed, but not ours":                {with(whole, func(r *remains) { r.known, r.ours = landed, false }), ""},
		"a branch alone":                      {with(none, func(r *remains) { r.branch = "chant/a" }), ""},
		"its folder is gone":                  {with(whole, func(r *remains) { r.entries = -1 }), "registration: its folder is gone"},
		"its branch is gone":                  {with(whole, func(r *remains) { r.branch = "" }), "worktree: its branch is gone, drop"},
		"folder and branch are gone":          {with(whole, func(r *remains) { r.branch, r.entries = "", -1 }), "registration: its folder and its branch are gone, drop"},
		"a journal alone":                     {with(none, func(r *remains) { r.journal = true }), "journal: it records a run whose branch is gone, drop"},
		"an empty folder":                     {with(none, func(r *remains) { r.entries = 0 }), "folder: empty, and git knows no worktree here"},
		"a folder with files":                 {with(none, func(r *remains) { r.entries = 2 }), "folder: git knows no worktree here, keep"},
		"a folder with files beside a branch": {with(none, func(r *remains) { r.branch, r.entries = "chant/a", 2 }), "folder: git knows no worktree here, keep"},
		"a journal and a folder":              {with(none, func(r *remains) { r.journal, r.entries = true, 0 }), "journal: it records a run whose branch is gone, drop; folder: empty, and git knows no worktree here"},
		"landed, git has forgotten its tree":  {with(whole, func(r *remains) { r.known, r.registered = landed, false }), "branch: its spec has landed, drop; folder: git knows no worktree here, keep"},
		"a person's own folder":               {remains{id: "mine", entries: 5}, ""},

		"a check's tree":             {remains{id: sandbox.CheckTree + "a", registered: true, entries: 3}, "worktree: left by a check that was killed"},
		"a check's folder":           {remains{id: sandbox.CheckTree + "a", entries: 0}, "folder: left by a check that was killed"},
		"nothing of a check":         {remains{id: sandbox.CheckTree + "a", entries: -1}, ""},
		"a spare tree":               {remains{id: tree.Spare + "1", registered: true, entries: 3}, "worktree: kept for later runs by an earlier version"},
		"half of a spare tree":       {remains{id: tree.Spare + "1", entries: 3}, "folder: git knows no worktree here, keep"},
		"a spare without its folder": {remains{id: tree.Spare + "1", registered: true, entries: -1}, "registration: its folder is gone"},
	} {
		var got []string
		for _, d := range c.r.decide() {
			text := d.what + ": " + d.why
			if d.drop {
				text += ", drop"
			}
			if d.keep != "" {
				text += ", keep"
			}
			got = append(got, text)
			assert.False(t, d.drop && d.keep != "", "%s: %+v is dropped and kept", name, d)
		}
		assert.Equal(t, c.want, strings.Join(got, "; "), "%s", name)
	}
	s := whole.asSpec()
	assert.True(t, s == pending, "%+v", s)
	s = (remains{id: "a", branch: "chant/a"}).asSpec()
	assert.Equal(t, "a", s.ID, "a spec that is gone")
	assert.Equal(t, "chant/a", s.Branch, "a spec that is gone")
}

// verdict returns a disposal in one line.
func (d disposal) verdict() string {
	switch {
	case d.keep != "":
		return d.what + " stays: " + d.keep
	case d.drop:
		return d.what + " dropped: " + d.why
	}
	return d.what + " removed: " + d.why
}

func verdicts(all []disposal) []string {
	out := []string{}
	for _, d := range all {
		out = append(out, d.verdict())
	}
	return out
}

// TestDecide_whatOthersMade: without a sign that chant made it, nothing is removed, in any combination.
func TestDecide_whatOthersMade(t *testing.T) {
	t.Parallel()
	for i := range 1 << 5 {
		has := func(bit int) bool { return i&(1<<bit) != 0 }
		r := remains{id: "2026-01-02-001-abc", entries: -1, registered: has(0), journal: has(1), archived: has(2)}
		if has(3) {
			r.entries = 2
		}
		if has(4) {
			r.branch = "chant/" + r.id
		}
		if got := r.decide(); len(got) > 0 {
			t.Errorf("%+v: %q", r, verdicts(got))
		}
	}
}

// TestDecide_losesNothing: what contains work is only dropped, which keeps the work by a ref, and never removed.
func TestDecide_losesNothing(t *testing.T) {
	t.Parallel()
	for _, status := range append(spec.Statuses(), "") {
		for i := range 1 << 5 {
			has := func(bit int) bool { return i&(1<<bit) != 0 }
			r := remains{id: "2026-01-02-001-abc", ours: true, entries: -1, registered: has(0), journal: has(1), archived: has(2)}
			if status != "" {
				r.known = &spec.Spec{ID: r.id, Status: status, Landed: status == spec.Completed && has(4)}
			}
			if has(3) {
				r.entries = 2
			}
			if has(4) {
				r.branch = "chant/" + r.id
			}
			for _, d := range r.decide() {
				removes := d.keep == "" && !d.drop
				if removes && (d.what == "branch" || d.what == "journal" || r.entries > 0) {
					t.Errorf("%+v: %s", r, d.verdict())
				}
				assert.False(t, d.what == "branch" && r.whyOver() == "", "%+v: the branch of a run that is not over is removed", r)
			}
		}
	}
}

// TestLockName: all trees of one check share a lock, which differs from that of the run.
func TestLockName(t *testing.T) {
	t.Parallel()
	const id = "2026-01-02-001-abc"
	check := sandbox.CheckTree + id
	for name, want := range map[string]string{
		id: id, tree.Spare + "1": tree.Spare + "1", "other": "other", check: check, check + sandbox.BesideMark + "2": check,
	} {
		assert.Equal(t, want, lockName(name), "%s", name)
	}
}

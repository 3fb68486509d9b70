package work

import (
	"testing"

	"chant/engine/checktree"
	"chant/engine/run/tree"
	"chant/engine/spec"
)

// verdict is a disposal in one line.
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

// TestJudge_whatOthersMade: without a sign that chant made it, nothing is touched, whatever there is.
func TestJudge_whatOthersMade(t *testing.T) {
	t.Parallel()
	for i := range 1 << 6 {
		has := func(bit int) bool { return i&(1<<bit) != 0 }
		r := remains{id: "2026-01-02-001-abc", entries: -1, registered: has(0), journal: has(1), archived: has(2), surplus: has(3)}
		if has(4) {
			r.entries = 2
		}
		if has(5) {
			r.branch = "chant/" + r.id
		}
		if got := r.judge(); len(got) > 0 {
			t.Errorf("%+v: %q", r, verdicts(got))
		}
	}
}

// TestJudge_losesNothing: only what is dropped, which keeps the work by a ref, may hold anything.
func TestJudge_losesNothing(t *testing.T) {
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
			for _, d := range r.judge() {
				removes := d.keep == "" && !d.drop
				if removes && (d.what == "branch" || d.what == "journal" || r.entries > 0) {
					t.Errorf("%+v: %s", r, d.verdict())
				}
				if d.what == "branch" && r.over() == "" {
					t.Errorf("%+v: the branch of a run that is not over goes", r)
				}
			}
		}
	}
}

// TestLockName: all trees of one check share a lock, which is not that of the run.
func TestLockName(t *testing.T) {
	t.Parallel()
	const id = "2026-01-02-001-abc"
	check := checktree.CheckTree + id
	for name, want := range map[string]string{
		id: id, tree.SpareTree + "1": tree.SpareTree + "1", "other": "other", check: check, check + checktree.BesideMark + "2": check,
	} {
		if got := lockName(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

package enginetest

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/spec"
	"chant/engine/work"

	"github.com/alecthomas/assert/v2"
)

// cell is one way in which the parts of a run can disagree.
type cell struct {
	folder, registered, branch, journal bool
	lock                                string // held, dead or none
	state                               string // of the spec
	id                                  string
}

func (c cell) String() string {
	return fmt.Sprintf("folder %t, registered %t, branch %t, journal %t, lock %s, spec %s", c.folder, c.registered, c.branch, c.journal, c.lock, c.state)
}

// cells lists all possible combinations; each change tries one of five, in which each two parts of a run agree and disagree.
func cells() []cell {
	var out []cell
	every, n := SizeOf(5, 1), 0
	both := []bool{false, true}
	for _, state := range []string{"pending", "in_progress", "landed", "unlanded", "failed", "gone"} {
		for _, lock := range []string{"held", "dead", "none"} {
			for _, folder := range both {
				for _, registered := range both {
					for _, branch := range both {
						for _, journal := range both {
							if state == "unlanded" && !branch {
								continue // nothing could land
							}
							if n++; n%every != 0 {
								continue
							}
							id := spec.ID{Date: "2026-01-02", Seq: len(out) + 1, Suffix: "abc"}.String()
							out = append(out, cell{folder, registered, branch, journal, lock, state, id})
						}
					}
				}
			}
		}
	}
	return out
}

// want is the expected state of a cell after the clean-up.
type want struct {
	folder, registered, branch, journal bool // journal: it still has an open attempt
	setAside                            bool
	kept                                bool // reported as kept
}

// expected is the oracle: what Cleanup guarantees for each cell.
func (c cell) expected() want {
	w := want{folder: c.folder, registered: c.registered, branch: c.branch, journal: c.journal}
	if c.lock == "held" {
		return w
	}
	known := c.journal || c.branch || c.registered || c.state != "gone"
	w.kept = c.folder && !c.registered
	switch {
	case c.branch && (c.state == "landed" || c.state == "gone"):
		w.branch, w.registered, w.journal = false, false, false
		w.folder = c.folder && !c.registered
	case c.branch:
		w.registered = c.registered && c.folder
	case known:
		w.registered, w.journal = false, false
		w.folder = c.folder && !c.registered
		w.setAside = c.folder && c.registered
	}
	return w
}

// TestCleanup_matrix creates every mismatch of folder, registration, branch, lock,
// journal and spec, cleans up once and checks each: what is removed, what
// stays, and that no work is lost (9A 1, 6, 7, 44; 9B 28, 30).
func TestCleanup_matrix(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
	for _, c := range m.cells {
		m.build(c)
	}
	before := m.picture()
	m.clean(work.CleanupInput{DryRun: true})
	assert.Equal(t, before, m.picture(), "a dry run changed something:")
	first := m.clean(work.CleanupInput{})
	reachable := m.reachable()
	trees := m.registered()
	for _, c := range m.cells {
		m.check(c, first, trees, reachable)
	}
	for _, a := range m.clean(work.CleanupInput{}).Actions {
		assert.HasPrefix(t, a.Error, "kept: ", "cleaning up again found %+v", a)
	}
}

// check compares a cell with the oracle.
func (m *matrix) check(c cell, r work.CleanupResult, trees, reachable map[string]bool) {
	m.t.Helper()
	w := c.expected()
	branch, err := m.p.Store.HasBranch(m.t.Context(), c.id)
	if err != nil {
		m.t.Fatal(err)
	}
	h, err := journal.ReadHistory(m.p.Store, c.id)
	if err != nil {
		m.t.Fatal(err)
	}
	aside := m.tree(c) + ".kept-1"
	said := slices.ContainsFunc(r.Actions, func(a work.CleanupAction) bool {
		return a.What == "folder" && a.Name == m.tree(c) && strings.HasPrefix(a.Error, "kept: ")
	})
	got := want{engine.Exists(m.tree(c)), trees[c.id], branch, h.Open() != nil || h.AgentBegan(), engine.Exists(aside), said}
	if got != w {
		m.t.Errorf("%s (%s): got %+v, want %+v", c.id, c, got, w)
	}
	if c.branch && !reachable[blob(c.id+" work\n")] {
		m.t.Errorf("%s (%s): its commit is lost", c.id, c)
	}
	onDisk := engine.Exists(filepath.Join(m.tree(c), "dirty.txt")) || engine.Exists(filepath.Join(aside, "dirty.txt"))
	if c.folder && !onDisk && !reachable[blob(c.dirty())] {
		m.t.Errorf("%s (%s): its uncommitted file is lost", c.id, c)
	}
}

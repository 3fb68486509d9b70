package work

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"chant/engine/checktree"
	"chant/engine/run/tree"
	"chant/engine/spec"
)

// TestRemains_judge: of every combination of what can be left of a run, what goes and what stays. A run with a branch is
// left alone while its spec has something to do; what nothing else keeps is never removed.
func TestRemains_judge(t *testing.T) {
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
		"somebody's own folder":               {remains{id: "mine", entries: 5}, ""},

		"a check's tree":             {remains{id: checktree.CheckTree + "a", registered: true, entries: 3}, "worktree: left by a check that was killed"},
		"a check's folder":           {remains{id: checktree.CheckTree + "a", entries: 0}, "folder: left by a check that was killed"},
		"nothing of a check":         {remains{id: checktree.CheckTree + "a", entries: -1}, ""},
		"a spare tree":               {remains{id: tree.SpareTree + "1", registered: true, entries: 3}, ""},
		"a spare tree too many":      {remains{id: tree.SpareTree + "1", registered: true, entries: 3, surplus: true}, "worktree: spare, and more than the settings want"},
		"half of a spare tree":       {remains{id: tree.SpareTree + "1", entries: 3}, "folder: half of a spare worktree"},
		"a spare without its folder": {remains{id: tree.SpareTree + "1", registered: true, entries: -1, surplus: true}, "registration: its folder is gone"},
	} {
		var got []string
		for _, d := range c.r.judge() {
			text := d.what + ": " + d.why
			if d.drop {
				text += ", drop"
			}
			if d.keep != "" {
				text += ", keep"
			}
			got = append(got, text)
			if d.drop && d.keep != "" {
				t.Errorf("%s: %+v goes and stays", name, d)
			}
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%s: %q, want %q", name, text, c.want)
		}
	}
	if s := whole.asSpec(); s != pending {
		t.Errorf("%+v", s)
	}
	if s := (remains{id: "a", branch: "chant/a"}).asSpec(); s.ID != "a" || s.Branch != "chant/a" {
		t.Errorf("a spec that is gone: %+v", s)
	}
}

// family is a driver with members in these states, as a graph.
func family(t *testing.T, driver string, members ...spec.Status) *spec.Graph {
	t.Helper()
	s, err := spec.Parse("d", "d.md", []byte("---\ntype: driver\n"+driver+"---\n# Driver\n"))
	if err != nil {
		t.Fatal(err)
	}
	all := []*spec.Spec{s}
	for i, status := range members {
		m, err := spec.Parse(fmt.Sprintf("d.%d", i+1), "m.md", []byte("---\nstatus: "+string(status)+"\n---\n# Member\n"))
		if err != nil {
			t.Fatal(err)
		}
		m.Landed = status == spec.Completed
		all = append(all, m)
	}
	return spec.NewGraph(all, nil)
}

// TestNotDone names the first member for which a driver waits.
func TestNotDone(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		members []spec.Status
		want    string
	}{
		"no members":        {nil, "it holds members and has none"},
		"all completed":     {[]spec.Status{spec.Completed, spec.Completed}, ""},
		"one was cancelled": {[]spec.Status{spec.Completed, spec.Cancelled}, ""},
		"one is open":       {[]spec.Status{spec.Completed, spec.Pending}, "its member d.2 is pending"},
		"the first of two":  {[]spec.Status{spec.Failed, spec.Pending}, "its member d.1 is failed"},
	} {
		if got := NotDone(family(t, "status: pending\n", c.members...), "d"); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestWorkable: a driver stands for those members that are worked and are not done, any other name for itself.
func TestWorkable(t *testing.T) {
	t.Parallel()
	g := family(t, "status: pending\n", spec.Completed, spec.Pending, spec.Cancelled, spec.Failed)
	for id, want := range map[string][]string{"d": {"d.2", "d.4"}, "d.1": {"d.1"}, "d.2": {"d.2"}, "unknown": {"unknown"}} {
		if got := Workable(g, id); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
	inner, err := spec.Parse("d.1", "x.md", []byte("---\ntype: driver\n---\n# Inner\n"))
	if err != nil {
		t.Fatal(err)
	}
	leaf := &spec.Spec{ID: "d.1.1", Status: spec.Pending}
	outer := spec.NewGraph([]*spec.Spec{family(t, "").Spec("d"), inner, leaf}, nil)
	for id, want := range map[string]int{"d": len(outer.Members("d")) - 1, "d.1": 1} {
		if got := Workable(outer, id); len(got) != want || slices.Contains(got, "d.1") {
			t.Errorf("%s: %q, which is no work itself", id, got)
		}
	}
}

// TestOpenDrivers: a driver completes by itself once its members are done, unless a person has to look at it or it has a
// run of its own.
func TestOpenDrivers(t *testing.T) {
	t.Parallel()
	done := []spec.Status{spec.Completed, spec.Cancelled}
	for name, c := range map[string]struct {
		driver  string
		branch  string
		members []spec.Status
		want    int
	}{
		"all done":        {"status: pending\n", "", done, 1},
		"one is open":     {"status: pending\n", "", []spec.Status{spec.Completed, spec.Pending}, 0},
		"no members":      {"status: pending\n", "", nil, 0},
		"completed":       {"status: completed\n", "", done, 0},
		"needs attention": {"status: needs_attention\n", "", done, 0},
		"with a run":      {"status: pending\n", "chant/d", done, 0},
		"rejected":        {"status: pending\napproval: {status: rejected}\n", "", done, 0},
	} {
		g := family(t, c.driver, c.members...)
		g.Spec("d").Branch = c.branch
		if got := OpenDrivers(g); len(got) != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

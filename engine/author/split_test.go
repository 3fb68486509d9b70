package author

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/spec"
	"chant/engine/spec/split"
	"chant/engine/view"
)

const twoSections = "---\nstatus: pending\nverify: {commands: [make all], timeout: 5m}\napproval: {required: true, status: pending}\n---\n" +
	"# Two\n\n## First\n\n- one\n\n## Second\n\n- two\n"

// TestSplit_planned writes what a dry run has shown, and nothing if the spec has changed
// since.
func TestSplit_planned(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Write(t, dir, ".chant/specs/2026-01-02-001-abc.md", twoSections)
	in := SplitInput{ID: "abc", ByHeading: true, DryRun: true}
	planned, err := Split(t.Context(), p, in)
	if err != nil || len(planned.Members) != 2 || !strings.Contains(planned.Members[0].Text, "# First") || planned.Commit != "" {
		t.Fatalf("%+v, %v", planned, err)
	}
	in.DryRun, in.Planned = false, &planned
	enginetest.Write(t, dir, ".chant/specs/2026-01-02-001-abc.md", twoSections+"\nMore.\n")
	if _, err := Split(t.Context(), p, in); enginetest.CodeOf(t, err) != engine.Conflict {
		t.Errorf("a spec that has changed: %v", err)
	}
	enginetest.Write(t, dir, ".chant/specs/2026-01-02-001-abc.md", twoSections)
	got, err := Split(t.Context(), p, in)
	if err != nil || got.Commit == "" || got.Waits == "" {
		t.Fatalf("%+v, %v", got, err)
	}
	for i, m := range planned.Members {
		src, err := os.ReadFile(filepath.Join(dir, ".chant", "specs", m.ID+".md"))
		if err != nil || string(src) != m.Text {
			t.Errorf("member %d is\n%s\nwas shown as\n%s (%v)", i+1, src, m.Text, err)
		}
	}
	first, second := planned.Members[0].Text, planned.Members[1].Text
	if strings.Contains(first, "make all") || !strings.Contains(first, "timeout: 5m") || !strings.Contains(second, "make all") {
		t.Errorf("the commands of the whole are in\n%s\n%s", first, second)
	}
	if !strings.Contains(first, "required: true") {
		t.Errorf("a member of what waits for approval waits too:\n%s", first)
	}
}

// TestSplit_largeLimits: a share of a million or more is written so that it is read as the same number.
func TestSplit_largeLimits(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Write(t, dir, ".chant/specs/2026-01-02-001-abc.md", strings.Replace(twoSections, "---\n", "---\nlimits: {tokens: 9_000_000, cost: 3, turns: 4000000}\n", 1))
	if _, err := Split(t.Context(), p, SplitInput{ID: "abc", ByHeading: true}); err != nil {
		t.Fatal(err)
	}
	r, err := view.Show(t.Context(), p, view.ShowInput{ID: "abc.1"})
	if err != nil {
		t.Fatal(err)
	}
	if want := (spec.Limits{Tokens: 4_500_000, Cost: 1.5, Turns: 2_000_000}); r.Fields.Limits == nil || *r.Fields.Limits != want {
		t.Errorf("limits of a member are %+v, want %+v", r.Fields.Limits, want)
	}
}

func TestSplit_refused(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	for name, tc := range map[string]struct {
		text string
		in   SplitInput
		want engine.Code
	}{
		"2026-01-02-001-com": {strings.Replace(twoSections, "pending", "completed", 1), SplitInput{ByHeading: true, Force: true}, engine.State},
		"2026-01-02-002-can": {strings.Replace(twoSections, "pending", "cancelled", 1), SplitInput{ByHeading: true, Force: true}, engine.State},
		"2026-01-02-003-fai": {strings.Replace(twoSections, "pending", "failed", 1), SplitInput{ByHeading: true}, engine.State},
		"2026-01-02-004-dri": {"---\ntype: driver\n---\n# D\n", SplitInput{ByHeading: true}, engine.State},
		"2026-01-02-005-bro": {"---\nstatus: [\n---\n# D\n", SplitInput{ByHeading: true}, engine.Invalid},
		"2026-01-02-006-dep": {twoSections, SplitInput{ByHeading: true, MaxDepth: 2}, engine.Usage},
		"2026-01-02-007-neg": {twoSections, SplitInput{ByHeading: true, Recursive: true, MaxDepth: -1}, engine.Usage},
		"2026-01-02-008-she": {twoSections, SplitInput{}, engine.Usage},
		"2026-01-02-009-nob": {twoSections, SplitInput{Provider: "nobody"}, engine.NotFound},
	} {
		enginetest.Write(t, dir, ".chant/specs/"+name+".md", tc.text)
		tc.in.ID = name
		if _, err := Split(t.Context(), p, tc.in); enginetest.CodeOf(t, err) != tc.want {
			t.Errorf("%s: %v, want %s", name, err, tc.want)
		}
		if src, err := os.ReadFile(filepath.Join(dir, ".chant", "specs", name+".md")); err != nil || string(src) != tc.text {
			t.Errorf("%s was changed: %s, %v", name, src, err)
		}
	}
}

// TestSplit_neverACircle: the dependencies of any plan are checked together with all specs
// before any is written.
func TestSplit_neverACircle(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Write(t, dir, ".chant/specs/2026-01-02-001-abc.md", twoSections)
	s, err := p.Store.Get(t.Context(), "2026-01-02-001-abc")
	if err != nil {
		t.Fatal(err)
	}
	d := &divider{p: p, depth: 1}
	part := func(title string, after ...int) split.Part {
		return split.Part{Title: title, Criteria: []string{"It is so"}, After: after}
	}
	ids := []string{"2026-01-02-001-abc.1", "2026-01-02-001-abc.2"}
	for i, p := range []split.Part{part("A", 1), part("B", 0)} {
		doc, err := d.memberDocument(s, p, ids, i)
		if err != nil {
			t.Fatal(err)
		}
		d.addMember(ids[i], doc)
	}
	if err := checkAcyclic(t.Context(), p, s, d.result); enginetest.CodeOf(t, err) != engine.Invalid || !strings.Contains(err.Error(), "in a circle") {
		t.Errorf("a circle: %v", err)
	}
	if got := pickIDs(ids, nil); got == nil || !slices.Equal(got, []string{}) {
		t.Errorf("no dependencies are %v, not an explicit empty list", got)
	}
	if s.Status != spec.Pending {
		t.Errorf("the spec is %s", s.Status)
	}
}

package author

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/spec"
	"chant/engine/spec/split"

	"github.com/alecthomas/assert/v2"
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
	assert.NoError(t, err)
	assert.Equal(t, 2, len(planned.Members))
	assert.Contains(t, planned.Members[0].Text, "# First")
	assert.Equal(t, "", planned.Commit)
	in.DryRun, in.Planned = false, &planned
	enginetest.Write(t, dir, ".chant/specs/2026-01-02-001-abc.md", twoSections+"\nMore.\n")
	_, err = Split(t.Context(), p, in)
	assert.Equal(t, engine.Conflict, enginetest.CodeOf(t, err), "a spec that has changed")
	enginetest.Write(t, dir, ".chant/specs/2026-01-02-001-abc.md", twoSections)
	got, err := Split(t.Context(), p, in)
	assert.NoError(t, err)
	assert.NotEqual(t, "", got.Commit)
	assert.NotEqual(t, "", got.Waits)
	for i, m := range planned.Members {
		src, err := os.ReadFile(filepath.Join(dir, ".chant", "specs", m.ID+".md"))
		assert.NoError(t, err, "member %d is", i+1)
		assert.Equal(t, m.Text, string(src), "member %d is", i+1)
	}
	first, second := planned.Members[0].Text, planned.Members[1].Text
	assert.NotContains(t, first, "make all", "the commands of the whole are in")
	assert.Contains(t, first, "timeout: 5m", "the commands of the whole are in")
	assert.Contains(t, second, "make all", "the commands of the whole are in")
	assert.Contains(t, first, "required: true", "a member of what waits for approval waits too:")
}

// TestSplit_largeLimits: a share of a million or more is written so that it is read as the same number.
func TestSplit_largeLimits(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Write(t, dir, ".chant/specs/2026-01-02-001-abc.md", strings.Replace(twoSections, "---\n", "---\nlimits: {tokens: 9_000_000, cost: 3, turns: 4000000}\n", 1))
	_, err := Split(t.Context(), p, SplitInput{ID: "abc", ByHeading: true})
	assert.NoError(t, err)
	r, err := engine.FindAny(t.Context(), p, "abc.1")
	assert.NoError(t, err)
	want := (spec.Limits{Tokens: 4_500_000, Cost: 1.5, Turns: 2_000_000})
	assert.NotZero(t, r.Fields.Limits, "limits of a member")
	assert.Equal(t, want, *r.Fields.Limits, "limits of a member")
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
		_, err := Split(t.Context(), p, tc.in)
		assert.Equal(t, tc.want, enginetest.CodeOf(t, err), "%s", name)
		src, err := os.ReadFile(filepath.Join(dir, ".chant", "specs", name+".md"))
		assert.NoError(t, err, "%s was changed", name)
		assert.Equal(t, tc.text, string(src), "%s was changed", name)
	}
}

// TestSplit_neverACircle: the dependencies of any plan are checked together with all specs
// before any is written.
func TestSplit_neverACircle(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	enginetest.Write(t, dir, ".chant/specs/2026-01-02-001-abc.md", twoSections)
	s, err := p.Store.Get(t.Context(), "2026-01-02-001-abc")
	assert.NoError(t, err)
	d := &divider{p: p, depth: 1}
	part := func(title string, after ...int) split.Part {
		return split.Part{Title: title, Criteria: []string{"It is so"}, After: after}
	}
	ids := []string{"2026-01-02-001-abc.1", "2026-01-02-001-abc.2"}
	for i, p := range []split.Part{part("A", 1), part("B", 0)} {
		doc, err := d.memberDocument(s, p, ids, i)
		assert.NoError(t, err)
		d.addMember(ids[i], doc)
	}
	err = checkAcyclic(t.Context(), p, s, d.result)
	assert.Equal(t, engine.Invalid, enginetest.CodeOf(t, err))
	assert.Contains(t, err.Error(), "in a circle")
	got := pickIDs(ids, nil)
	assert.True(t, got != nil, "no dependencies are %v, not an explicit empty list", got)
	assert.Equal(t, []string{}, got)
	assert.Equal(t, spec.Pending, s.Status)
}

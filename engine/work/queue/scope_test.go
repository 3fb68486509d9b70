package queue

import (
	"strings"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/spec"
	"chant/gitops/lockfile"

	"github.com/alecthomas/assert/v2"
)

// queued returns a project with specs in the states that decide whether they may be worked.
func queued(t *testing.T) *engine.Project {
	t.Helper()
	p, dir := enginetest.Project(t)
	files := map[string]string{}
	add := func(id, front string) { files[".chant/specs/"+id+".md"] = "---\n" + front + "---\n# A\n\n- text\n" }
	add(numbered(1), "status: pending\nlabels: [api]\npriority: high\ntarget_files: [src]\nprovider: codex\n")
	add(numbered(2), "status: pending\ndepends_on: ["+numbered(1)+"]\n")
	add(numbered(3), "status: completed\n")
	add(numbered(4), "status: cancelled\n")
	add(numbered(5), "status: in_progress\n")
	add(numbered(6), "status: pending\napproval: {required: true, status: pending}\n")
	add(numbered(7), "type: driver\nstatus: pending\n")
	add(numbered(7)+".1", "status: pending\n")
	add(numbered(7)+".2", "status: completed\n")
	add(numbered(7)+".3", "type: driver\nstatus: pending\n")
	add(numbered(7)+".3.1", "status: pending\n")
	add(numbered(8), "status: [\n")
	add(numbered(9), "type: driver\nstatus: pending\napproval: {status: rejected}\n")
	add(numbered(9)+".1", "status: pending\n")
	enginetest.Commit(t, dir, files)
	return p
}

// TestNewScope includes the specs that were named and may be worked, in order; others are skipped with a reason.
func TestNewScope(t *testing.T) {
	t.Parallel()
	p := queued(t)
	lock, err := lockfile.Acquire(p.Store.LockPath(numbered(2)), "work "+numbered(2))
	assert.NoError(t, err)
	for name, c := range map[string]struct {
		in      WorkAllInput
		named   []string
		skipped string // a part of the reason, "" when nothing is
		drivers int
	}{
		"two":                      {WorkAllInput{IDs: []string{"005", "001"}}, []string{numbered(1)}, "in progress without a run", 0},
		"twice":                    {WorkAllInput{IDs: []string{"001", numbered(1)}}, []string{numbered(1)}, "", 0},
		"at work elsewhere":        {WorkAllInput{IDs: []string{"002"}}, nil, "it is at work in process", 0},
		"completed":                {WorkAllInput{IDs: []string{"003"}}, nil, "it is completed", 0},
		"cancelled":                {WorkAllInput{IDs: []string{"004"}}, nil, "it is cancelled", 0},
		"not approved":             {WorkAllInput{IDs: []string{"006"}}, nil, "it waits for approval", 0},
		"unreadable":               {WorkAllInput{IDs: []string{"008"}}, nil, "008-abc.md:2", 0},
		"without the label":        {WorkAllInput{IDs: []string{numbered(7) + ".1"}, Labels: []string{"api"}}, nil, "it has none of the labels", 0},
		"a driver, in its order":   {WorkAllInput{IDs: []string{"007"}}, []string{numbered(7) + ".1", numbered(7) + ".3.1"}, "", 2},
		"a driver that is refused": {WorkAllInput{IDs: []string{numbered(9) + ".1"}}, nil, "it is a part of " + numbered(9), 0},
		"all":                      {WorkAllInput{All: true}, nil, "", 0},
	} {
		sc, err := newScope(t.Context(), p, c.in)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		assert.Equal(t, c.named, sc.namedSpecs(), "%s: %q", name, sc.drivers)
		assert.Equal(t, c.drivers, len(sc.drivers), "%s: %q", name, sc.drivers)
		assert.Equal(t, c.in.All, sc.all, "%s: %q", name, sc.drivers)
		assert.Equal(t, c.skipped == "", len(sc.skipped) == 0, "%s: skipped", name)
		assert.False(t, c.skipped != "" && !strings.Contains(sc.skipped[0].Why, c.skipped), "%s: skipped %+v, want %q", name, sc.skipped, c.skipped)
	}
	assert.NoError(t, lock.Release())
	for _, bad := range []WorkAllInput{{IDs: []string{"001", "nowhere"}}, {IDs: []string{"nowhere"}, Labels: []string{"x"}}} {
		_, err := newScope(t.Context(), p, bad)
		assert.Equal(t, engine.NotFound, enginetest.CodeOf(t, engine.Wrap(err, "")), "%q", bad.IDs)
	}
}

// TestScope_includes includes specs that were named or left by a crash and, with all, every other spec that has a label
// and was not skipped.
func TestScope_includes(t *testing.T) {
	t.Parallel()
	api := &spec.Spec{ID: "a", Fields: spec.Fields{Labels: spec.StringList{"api"}}}
	for name, c := range map[string]struct {
		sc   scope
		want bool
	}{
		"nothing named":        {scope{}, false},
		"named":                {scope{rank: map[string]int{"a": 0}, labels: []string{"other"}}, true},
		"another was named":    {scope{rank: map[string]int{"b": 0}}, false},
		"all":                  {scope{all: true}, true},
		"all with its label":   {scope{all: true, labels: []string{"api"}}, true},
		"all with another":     {scope{all: true, labels: []string{"ui"}}, false},
		"all, but skipped":     {scope{all: true, skipped: []SkippedSpec{{ID: "a"}}}, false},
		"left over":            {scope{left: func(*spec.Spec) bool { return true }}, true},
		"left over, not this":  {scope{left: func(*spec.Spec) bool { return false }}, false},
		"left over and labels": {scope{labels: []string{"ui"}, left: func(*spec.Spec) bool { return true }}, true},
	} {
		assert.Equal(t, c.want, c.sc.includes(api), "%s", name)
	}
}

// TestScope_tasks lists each spec that could start, with the values by which the scheduler sorts.
func TestScope_tasks(t *testing.T) {
	t.Parallel()
	p := queued(t)
	_, g, err := engine.Graph(t.Context(), p)
	assert.NoError(t, err)
	sc, err := newScope(t.Context(), p, WorkAllInput{IDs: []string{numbered(7) + ".1", "001"}})
	assert.NoError(t, err)
	got := sc.tasks(g, time.Now())
	assert.Equal(t, 2, len(got))
	assert.Equal(t, numbered(1), got[0].ID)
	assert.Equal(t, 1, got[0].Rank)
	assert.Equal(t, numbered(7)+".1", got[1].ID)
	assert.Equal(t, 0, got[1].Rank)
	one := got[0]
	assert.Equal(t, []string{"src"}, one.Files)
	assert.Equal(t, "codex", one.Provider)
	assert.NotEqual(t, got[1].Priority, one.Priority)
	assert.Equal(t, 0, one.Depth)
	assert.Equal(t, "", one.Mark)
	assert.True(t, one.Due.IsZero(), "%+v", one)
	all := &scope{rank: map[string]int{}, all: true, stopped: map[string]bool{}}
	var ids []string
	for _, task := range all.tasks(g, time.Now()) {
		ids = append(ids, strings.TrimPrefix(task.ID, "2026-01-02-"))
	}
	assert.Equal(t, "001-abc 007-abc.1", strings.Join(ids, " "))
}

// TestScope_startable: a run that was stopped when its spec was named resumes; a run that stopped later does not.
func TestScope_startable(t *testing.T) {
	t.Parallel()
	failed := &spec.Spec{ID: "a", Status: spec.Failed, Branch: "chant/a"}
	bare := &spec.Spec{ID: "b", Status: spec.Failed}
	ready := &spec.Spec{ID: "c", Status: spec.Pending}
	waits := &spec.Spec{ID: "d", Status: spec.Failed, Branch: "chant/d", Fields: spec.Fields{DependsOn: spec.StringList{"c"}}}
	g := spec.NewGraph([]*spec.Spec{failed, bare, ready, waits}, nil)
	stopped := func(ids ...string) scope {
		sc := scope{stopped: map[string]bool{}}
		for _, id := range ids {
			sc.stopped[id] = true
		}
		return sc
	}
	left := scope{left: func(*spec.Spec) bool { return true }}
	for name, c := range map[string]struct {
		sc   scope
		s    *spec.Spec
		want bool
	}{
		"ready":                                  {stopped(), ready, true},
		"failed, and was named so":               {stopped("a"), failed, true},
		"failed since":                           {stopped(), failed, false},
		"failed, without a branch":               {stopped("b"), bare, false},
		"failed, and waits for another":          {stopped("d"), waits, false},
		"left by a crash":                        {left, failed, true},
		"left by a crash, and waits for another": {left, waits, true},
	} {
		assert.Equal(t, c.want, c.sc.startable(g, c.s), "%s", name)
	}
}

package work

import (
	"fmt"
	"testing"

	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// family returns the graph of a driver whose members have these statuses.
func family(t *testing.T, driver string, members ...spec.Status) *spec.Graph {
	t.Helper()
	s, err := spec.Parse("d", "d.md", []byte("---\ntype: driver\n"+driver+"---\n# Driver\n"))
	assert.NoError(t, err)
	all := []*spec.File{s}
	for i, status := range members {
		m, err := spec.Parse(fmt.Sprintf("d.%d", i+1), "m.md", []byte("---\nstatus: "+string(status)+"\n---\n# Member\n"))
		assert.NoError(t, err)
		m.Landed = status == spec.Completed
		all = append(all, m)
	}
	return spec.GraphOf(all, nil)
}

// TestWhyNotDone names the first member that a driver waits for.
func TestWhyNotDone(t *testing.T) {
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
		assert.Equal(t, c.want, WhyNotDone(family(t, "status: pending\n", c.members...), "d"), "%s", name)
	}
}

// TestSpecsToWork: a driver means its members that can be worked and are not done, any other id the spec itself.
func TestSpecsToWork(t *testing.T) {
	t.Parallel()
	g := family(t, "status: pending\n", spec.Completed, spec.Pending, spec.Cancelled, spec.Failed)
	for id, want := range map[string][]string{"d": {"d.2", "d.4"}, "d.1": {"d.1"}, "d.2": {"d.2"}, "unknown": {"unknown"}} {
		assert.Equal(t, want, SpecsToWork(g, id), "%s", id)
	}
	inner, err := spec.Parse("d.1", "x.md", []byte("---\ntype: driver\n---\n# Inner\n"))
	assert.NoError(t, err)
	leaf := &spec.File{Spec: spec.Spec{ID: "d.1.1", Status: spec.Pending}}
	outer := spec.GraphOf([]*spec.File{family(t, "").Spec("d").File(), inner, leaf}, nil)
	for id, want := range map[string]int{"d": len(outer.Members("d")) - 1, "d.1": 1} {
		got := SpecsToWork(outer, id)
		assert.Equal(t, want, len(got), "%s", id)
		assert.NotSliceContains(t, got, "d.1", "%s", id)
	}
}

// TestOpenDrivers: a driver completes by itself once its members are done, unless a person has to look at it or it has
// a run of its own.
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
		got := OpenDrivers(g)
		assert.Equal(t, c.want, len(got), "%s: %q", name, got)
	}
}

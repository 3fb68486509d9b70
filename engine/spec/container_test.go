package spec

import (
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestReady_neverAContainer(t *testing.T) {
	t.Parallel()
	g := graph(t, "d: type: driver", "g: type: group", "c: type: code", "c.1:", "m: members: [x]", "x:", "t: type: task", "dot.5:")
	for id, want := range map[string]bool{"d": false, "g": false, "c": false, "c.1": true, "m": false, "x": true, "t": true, "dot.5": true} {
		assert.Equal(t, want, g.Ready(id))
		assert.False(t, g.Blocked(id), "%v", id)
		assert.NotEqual(t, want, g.Container(id))
	}
	assert.False(t, g.Container("nobody"), "what is not there holds something")
}

func TestDone_containers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines []string
		want  bool
	}{
		"no members":              {[]string{"d: type: driver"}, false},
		"completed by itself":     {[]string{"d: type: driver; status: completed", "d.1:"}, true},
		"all landed or cancelled": {[]string{"d:", "d.1: status: completed", "d.2: status: cancelled"}, true},
		"one not landed":          {[]string{"d:", "d.1: status: completed; away", "d.2: status: cancelled"}, false},
		"one failed":              {[]string{"d:", "d.1: status: completed", "d.2: status: failed"}, false},
		"nested, done":            {[]string{"d:", "d.1:", "d.1.1: status: completed"}, true},
		"nested, open":            {[]string{"d:", "d.1:", "d.1.1: status: completed", "d.1.2:"}, false},
		"past a missing level":    {[]string{"d:", "d.1.1: status: completed", "d.1.2:"}, false},
		"members key, done":       {[]string{"d: members: [a, gone, none]", "a: status: completed"}, true},
		"members key, open":       {[]string{"d: members: [a, b]", "a: status: completed", "b:"}, false},
		"members key over two":    {[]string{"d: members: [e]", "e: type: driver", "e.1:"}, false},
		"members of members":      {[]string{"d: members: [e]", "e: members: [x]", "x:"}, false},
		"its own member":          {[]string{"d: members: [d]"}, false},
		"members of each other":   {[]string{"d: members: [e]", "e: members: [d]"}, false},
	} {
		assert.Equal(t, c.want, graph(t, c.lines...).Done("d"), "%s: done", name)
	}
}

func TestDueDrivers_completeWithTheLast(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines []string
		id    string
		want  string
	}{
		"the last":               {[]string{"d:", "d.1: status: completed", "d.2: status: in_progress"}, "d.2", "d"},
		"not the last":           {[]string{"d:", "d.1:", "d.2: status: in_progress"}, "d.2", ""},
		"the others cancelled":   {[]string{"d:", "d.1: status: cancelled", "d.2: status: completed"}, "d.2", "d"},
		"another failed":         {[]string{"d:", "d.1: status: failed", "d.2: status: completed"}, "d.2", ""},
		"another not landed":     {[]string{"d:", "d.1: status: completed; away", "d.2: status: completed"}, "d.2", ""},
		"nearest first":          {[]string{"d:", "d.1: status: completed", "d.2:", "d.2.1: status: completed"}, "d.2.1", "d.2 d"},
		"only the nearest":       {[]string{"d:", "d.1:", "d.2:", "d.2.1:"}, "d.2.1", "d.2"},
		"nested ones elsewhere":  {[]string{"d:", "d.1:", "d.1.1: status: completed", "d.2:"}, "d.2", "d"},
		"a finished driver":      {[]string{"d: status: completed", "d.1:"}, "d.1", ""},
		"a cancelled driver":     {[]string{"d: status: cancelled", "d.1:"}, "d.1", ""},
		"a failed driver":        {[]string{"d: status: failed", "d.1:"}, "d.1", "d"},
		"a missing driver":       {[]string{"d.1:"}, "d.1", ""},
		"by the members key":     {[]string{"g: type: group; members: [m, gone]", "m:"}, "m", "g"},
		"members key, two above": {[]string{"g: type: group; members: [d]", "d: type: driver", "d.1:"}, "d.1", "d g"},
		"members key, open":      {[]string{"g: type: group; members: [d, x]", "d: type: driver", "d.1:", "x:"}, "d.1", "d"},
		"nothing above":          {[]string{"x:"}, "x", ""},
		"a rejected driver":      {[]string{"d: approval: {status: rejected}", "d.1:"}, "d.1", ""},
		"a driver that waits":    {[]string{"d: approval: {required: true}", "d.1:"}, "d.1", ""},
		"below a rejected one":   {[]string{"d: approval: {status: rejected}", "d.1:", "d.1.1:"}, "d.1.1", "d.1"},
	} {
		assert.Equal(t, c.want, strings.Join(graph(t, c.lines...).DueDrivers(c.id), " "), "%s", name)
	}
}

package spec

import (
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestHeldByDriver(t *testing.T) {
	t.Parallel()
	const rejected, waits, approved = "approval: {status: rejected}", "approval: {required: true}", "approval: {required: true, status: approved}"
	for name, c := range map[string]struct {
		lines []string
		id    string
		want  string // what id waits for
	}{
		"approved":           {[]string{"d: " + approved, "d.1:"}, "d.1", ""},
		"rejected":           {[]string{"d: " + rejected, "d.1:"}, "d.1", "d was rejected"},
		"waits":              {[]string{"d: " + waits, "d.1:"}, "d.1", "d waits for approval"},
		"two above":          {[]string{"d: " + rejected, "d.1:", "d.1.1:"}, "d.1.1", "d was rejected"},
		"by members":         {[]string{"g: members: [m]; " + rejected, "m:"}, "m", "g was rejected"},
		"completed already":  {[]string{"d: status: completed; " + rejected, "d.1:"}, "d.1", ""},
		"behind a sibling":   {[]string{"d: " + rejected, "d.1:", "d.2:"}, "d.2", "d.1 pending, d was rejected"},
		"who depends on it":  {[]string{"d: " + rejected, "d.1: status: completed", "x: depends_on: [d]"}, "x", "d was rejected"},
		"and when it is not": {[]string{"d: " + approved, "d.1: status: completed", "x: depends_on: [d]"}, "x", ""},
	} {
		assert.Equal(t, c.want, blockers(graph(t, c.lines...), c.id), "%s", name)
	}
}

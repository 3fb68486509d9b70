package runs

import (
	"strings"
	"testing"

	"chant/engine/work/queue"

	"github.com/alecthomas/assert/v2"
)

// TestRenderWatch_ready: the step that starts what was left alone starts nothing else.
func TestRenderWatch_ready(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in    queue.WatchInput
		ready []string
		want  string
	}{
		"one":            {queue.WatchInput{}, []string{"a"}, "1 ready spec left alone; next: chant watch --work\n"},
		"with labels":    {queue.WatchInput{Labels: []string{"x", "y z"}}, []string{"a", "b"}, "2 ready specs left alone; next: chant watch --work --label x --label \"y z\"\n"},
		"none":           {queue.WatchInput{Labels: []string{"x"}}, nil, ""},
		"works itself":   {queue.WatchInput{Work: true}, []string{"a"}, ""},
		"only a dry run": {queue.WatchInput{DryRun: true}, []string{"a"}, ""},
	} {
		var b strings.Builder
		r := queue.WatchResult{DryRun: c.in.DryRun}
		r.Ready = c.ready
		renderWatch(&b, r, c.in)
		got := b.String()
		assert.True(t, strings.HasSuffix(got, c.want), "%s: %q, want %q at the end", name, got, c.want)
		assert.Equal(t, c.want != "", strings.Contains(got, "left alone"), "%s: %q", name, got)
	}
}

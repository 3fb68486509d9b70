package runs

import (
	"errors"
	"testing"

	"chant/engine"
	"chant/engine/spec/next"
	"chant/engine/work/queue"

	"github.com/alecthomas/assert/v2"
)

// TestSaidAbove: the reasons of what failed are in the result, and the error does not repeat them.
func TestSaidAbove(t *testing.T) {
	t.Parallel()
	failed := func(ids ...string) (r queue.WorkAllResult) {
		for _, id := range ids {
			r.Failed = append(r.Failed, queue.FailedRun{ID: id})
		}
		return r
	}
	known := engine.Fail(engine.Unverified, next.Work.On("a"), "a long reason")
	for name, c := range map[string]struct {
		result queue.WorkAllResult
		err    error
		want   string
	}{
		"one":      {failed("a"), known, "1 spec failed: a"},
		"three":    {failed("a", "b", "c"), known, "3 specs failed: a and 2 more"},
		"none":     {failed(), known, "a long reason"},
		"stopped":  {failed("a"), engine.Fail(engine.Canceled, next.Status.On(), "stopped"), "stopped"},
		"internal": {failed("a"), errors.New("a bug"), "a bug"},
	} {
		got := briefError(c.result, c.err)
		assert.Equal(t, c.want, got.Error(), "%s", name)
	}
}

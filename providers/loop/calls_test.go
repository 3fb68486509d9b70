package loop

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestAgent_largeResults: the results of one answer share the room, and each says how to
// see the rest.
func TestAgent_largeResults(t *testing.T) {
	t.Parallel()
	everyAPI(t, func(t *testing.T, api string) {
		var many turn
		for range 10 {
			many.calls = append(many.calls, scripted{"read_file", `{"path":"large.txt"}`})
		}
		s := serve(t, api, many, turn{text: "Done."})
		a, out := agentFor(t, s)
		a.Config.Context = 32 << 10
		write(t, a.Config.Worktree, "large.txt", strings.Repeat(strings.Repeat("x", 99)+"\n", 500))
		assert.NoError(t, a.Run(context.Background(), "Go."), "%s", out)
		body := string(s.sent()[1].body)
		n := strings.Count(body, "go on with offset")
		assert.Equal(t, 10, n)
		assert.True(t, len(body) <= 28672*4, "%d of 10 results say how to go on, in %d bytes", n, len(body))
	})
}

// TestAgent_manyCalls: calls beyond the limit take no room, and the model gets an error.
func TestAgent_manyCalls(t *testing.T) {
	t.Parallel()
	everyAPI(t, func(t *testing.T, api string) {
		var many turn
		for i := range 500 {
			many.calls = append(many.calls, scripted{"read_file", fmt.Sprintf(`{"path":"none%d"}`, i)})
		}
		s := serve(t, api, many, turn{text: "Done."})
		a, out := agentFor(t, s)
		a.Config.Context = 2 * minContext
		assert.NoError(t, a.Run(context.Background(), "Go."), "%s", out)
		results := out.ofKind(t, sayToolResult)
		body := string(s.sent()[1].body)
		assert.Equal(t, maxCalls, len(results), "%+v", results[len(results)-1])
		assert.Contains(t, results[15].Text, "not carried out: 484", "%+v", results[len(results)-1])
		assert.NotContains(t, body, "none16", "%+v", results[len(results)-1])
		assert.Contains(t, body, "not carried out: 484", "%+v", results[len(results)-1])
	})
}

// TestTaken: that an answer was cut off says nothing of a call before its last.
func TestTaken(t *testing.T) {
	t.Parallel()
	got, over := limitCalls(answer{Calls: make([]call, maxCalls+1), Cut: true})
	assert.Equal(t, 1, over)
	assert.Equal(t, maxCalls, len(got.Calls))
	assert.False(t, got.Cut, "%d over, %+v", over, got)
	got, over = limitCalls(answer{Calls: make([]call, maxCalls), Cut: true})
	assert.Equal(t, 0, over)
	assert.Equal(t, maxCalls, len(got.Calls))
	assert.True(t, got.Cut, "%d over, %+v", over, got)
}

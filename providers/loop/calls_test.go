package loop

import (
	"context"
	"fmt"
	"strings"
	"testing"
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
		if err := a.Run(context.Background(), "Go."); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		body := string(s.sent()[1].body)
		if n := strings.Count(body, "go on with offset"); n != 10 || len(body) > 28672*4 {
			t.Errorf("%d of 10 results say how to go on, in %d bytes", n, len(body))
		}
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
		if err := a.Run(context.Background(), "Go."); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		results := out.of(t, sayToolResult)
		body := string(s.sent()[1].body)
		if len(results) != maxCalls || !strings.Contains(results[15].Text, "not carried out: 484") || strings.Contains(body, "none16") || !strings.Contains(body, "not carried out: 484") {
			t.Errorf("%d results, the last %+v", len(results), results[len(results)-1])
		}
	})
}

// TestTaken: that an answer was cut off says nothing of a call before its last.
func TestTaken(t *testing.T) {
	t.Parallel()
	got, over := limitCalls(answer{Calls: make([]call, maxCalls+1), Cut: true})
	if over != 1 || len(got.Calls) != maxCalls || got.Cut {
		t.Errorf("%d over, %+v", over, got)
	}
	if got, over := limitCalls(answer{Calls: make([]call, maxCalls), Cut: true}); over != 0 || len(got.Calls) != maxCalls || !got.Cut {
		t.Errorf("%d over, %+v", over, got)
	}
}

package mcp

import (
	"context"
	"slices"
	"testing"

	"chant/mcp/toolset"
)

// TestHints reports each change once, and none to a client that has not sent initialize.
func TestHints(t *testing.T) {
	t.Parallel()
	values := map[string][]string{}
	w := &watchHints{Dialect: &toolset.Dialect{Categories: []string{"sizes", "kinds"}}, Values: func(context.Context) (map[string][]string, error) { return values, nil }}
	expect := func(when string, want ...string) {
		t.Helper()
		if got := w.TakeChanges(t.Context()); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", when, got, want)
		}
	}
	expect("before initialize")
	w.Begin(t.Context())
	expect("no change")
	values = map[string][]string{"kinds": {"a"}, "sizes": {"b"}, "unknown": {"c"}}
	expect("from nothing", "sizes", "kinds")
	expect("no change again")
	values = map[string][]string{"kinds": {"z", "a"}, "sizes": {"b"}}
	expect("one more", "kinds")
	(&watchHints{}).Begin(t.Context()) // without a dialect, there is nothing to watch
}

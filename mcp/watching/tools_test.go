package watching

import (
	"context"
	"errors"
	"testing"
)

// TestTools reports each change once, and none to a client that has seen no list.
func TestTools(t *testing.T) {
	t.Parallel()
	list, failed := []any{"a"}, error(nil)
	w := &Tools{List: func(context.Context) ([]any, error) { return list, failed }}
	expect := func(when string, want bool) {
		t.Helper()
		if got := w.Changed(t.Context()); got != want {
			t.Errorf("%s: changed is %v", when, got)
		}
	}
	expect("before a list", false)
	w.Show(list)
	expect("same list", false)
	list = []any{"b"}
	failed = errors.New("unreadable")
	expect("unreadable settings", false)
	failed = nil
	expect("other list", true)
	expect("same list again", false)
	if (&Tools{}).Changed(t.Context()) {
		t.Error("fixed tools change")
	}
}

package queue

import (
	"slices"
	"testing"

	"chant/engine/spec"
)

// A run can leave a spec in every status except those in which it has not begun or is under way.
func TestWorkStart_doneStatuses(t *testing.T) {
	t.Parallel()
	want := slices.DeleteFunc(spec.StatusWords(), func(word string) bool {
		return word == string(spec.Pending) || word == string(spec.InProgress)
	})
	got := doneStatuses()
	slices.Sort(want)
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

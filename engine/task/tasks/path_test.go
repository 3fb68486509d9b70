package tasks

import (
	"errors"
	"fmt"
	"testing"

	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// TestPath takes every status to every other one by legal events alone.
func TestPath(t *testing.T) {
	t.Parallel()
	for from, want := range map[[2]spec.Status]string{
		{spec.Pending, spec.Pending}:        "[]",
		{spec.Pending, spec.InProgress}:     "[start]",
		{spec.Pending, spec.Completed}:      "[start complete]",
		{spec.InProgress, spec.Completed}:   "[complete]",
		{spec.Completed, spec.Pending}:      "[flag reset]",
		{spec.Completed, spec.InProgress}:   "[flag start]",
		{spec.Cancelled, spec.Completed}:    "[reset start complete]",
		{spec.Pending, spec.NeedsAttention}: "[start flag]",
		{spec.Failed, spec.Paused}:          "[start pause]",
	} {
		got, err := path(from[0], from[1])
		assert.NoError(t, err, "%v", from)
		assert.Equal(t, want, fmt.Sprint(got), "%v", from)
	}
	for _, word := range spec.StatusWords() {
		for _, to := range spec.StatusWords() {
			events, err := path(spec.Status(word), spec.Status(to))
			at := spec.Status(word)
			for _, ev := range events {
				if at, err = spec.Next(at, ev); err != nil {
					break
				}
			}
			assert.NoError(t, err, "%s to %v", word, events)
			assert.Equal(t, spec.Status(to), at, "%s to %v", word, events)
		}
	}
	var forbidden *spec.StateError
	_, err := path(spec.Pending, "gone")
	assert.True(t, errors.As(err, &forbidden), "%v", err)
}

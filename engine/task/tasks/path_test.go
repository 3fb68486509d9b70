package tasks

import (
	"errors"
	"fmt"
	"testing"

	"chant/engine/spec"
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
		if got, err := path(from[0], from[1]); err != nil || fmt.Sprint(got) != want {
			t.Errorf("%v: %v, %v, want %s", from, got, err, want)
		}
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
			if err != nil || at != spec.Status(to) {
				t.Errorf("%s to %s by %v: %v", word, to, events, err)
			}
		}
	}
	var forbidden *spec.StateError
	if _, err := path(spec.Pending, "gone"); !errors.As(err, &forbidden) {
		t.Errorf("%v", err)
	}
}

package run

import (
	"context"
	"fmt"
	"strings"

	"chant/engine/journal"
	"chant/engine/spec"
)

// keptSilently checks where git ignores .chant that home's copy still asks what the work
// was judged by. No merge meets an edit of it there, so landing does. A person who means
// the edit drops the run: nothing was judged by the spec as it then stands.
func (r *Run) keptSilently(ctx context.Context) error {
	if !r.Job.Silent {
		return nil
	}
	start, err := r.trusted(ctx)
	if err != nil {
		return err
	}
	now, err := r.ownSpec(ctx)
	if err != nil {
		return err
	}
	found := append(spec.Weakened(start, now), spec.Loosened(start, now, r.Settings.Required)...)
	if len(found) == 0 {
		return nil
	}
	return &journal.Failure{
		Kind: spec.ReasonSpecChanged, Next: "chant edit " + r.Job.ID, Details: found,
		Message: fmt.Sprintf("spec %q is not the one that the work was judged by: %s", r.Job.ID, strings.Join(found, "; ")),
	}
}

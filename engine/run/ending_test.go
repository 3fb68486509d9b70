package run

import (
	"fmt"
	"slices"
	"testing"

	"chant/engine/evidence/journal"
	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// everyStep lists the steps that can fail, in order, and the two that can stand in place of the first.
func everyStep() []journal.Step {
	return []journal.Step{
		journal.Branch, journal.Worktree, journal.Setup, journal.Prompt, journal.Agent, journal.Collect, journal.Verify, journal.Complete,
		journal.Land, journal.Clean, journal.Rebase, journal.Resolve,
	}
}

// TestEndOf goes through every step, every kind of failure and all circumstances.
func TestEndOf(t *testing.T) {
	t.Parallel()
	flagged := []spec.ReasonCode{spec.ReasonTampered, spec.ReasonWeakened, spec.ReasonStrayed, spec.ReasonOutput}
	looks := []spec.ReasonCode{
		spec.ReasonConflict, spec.ReasonEdits, spec.ReasonTampered, spec.ReasonWeakened, spec.ReasonStrayed, spec.ReasonUnverified, spec.ReasonMergedTree,
		spec.ReasonNothing, spec.ReasonNoCriteria, spec.ReasonSpoiled, spec.ReasonRepository,
	}
	early := []journal.Step{journal.Branch, journal.Worktree, journal.Setup, journal.Prompt}
	for _, step := range everyStep() {
		for _, code := range spec.ReasonCodes() {
			worked, complete := spec.Fail, spec.Event("")
			if slices.Contains(flagged, code) {
				worked = spec.Flag
			}
			if slices.Contains(looks, code) {
				complete = spec.Flag
			}
			for n := range 8 {
				c := circumstances{begun: n&1 != 0, asked: n&2 != 0, stopped: n&4 != 0}
				var want ending
				switch {
				case slices.Contains(early, step) && !c.begun:
					want = ending{undo: true}
				case step == journal.Rebase, step == journal.Resolve:
					want = ending{takeBack: true, event: complete}
				case step == journal.Clean: // it has landed
					want = ending{}
				case step == journal.Land:
					want = ending{event: complete}
				case c.asked:
					want = ending{}
				case c.stopped:
					want = ending{commit: true, event: spec.Pause}
				default:
					want = ending{retry: true, event: worked}
				}
				assert.Equal(t, want, decideEnding(step, code, c), "%s, %s, %+v", step, code, c)
			}
		}
	}
}

// TestEndOf_neverLoses: whatever fails once an agent may have worked, nothing is removed, and complete work never
// becomes failed.
func TestEndOf_neverLoses(t *testing.T) {
	t.Parallel()
	late := []journal.Step{journal.Land, journal.Rebase, journal.Resolve}
	for _, step := range everyStep() {
		for _, code := range spec.ReasonCodes() {
			for n := range 4 {
				c := circumstances{begun: true, asked: n&1 != 0, stopped: n&2 != 0}
				name := fmt.Sprintf("%s, %s, %+v", step, code, c)
				end := decideEnding(step, code, c)
				assert.False(t, end.undo, "%s: the work is removed", name)
				if slices.Contains(late, step) && (end.event == spec.Fail || end.retry) {
					t.Errorf("%s: complete work is %q, retry %v", name, end.event, end.retry)
				}
				assert.False(t, c.asked && !slices.Contains(late, step) && end != (ending{}), "%s: a question has changed the spec: %+v", name, end)
			}
		}
	}
}

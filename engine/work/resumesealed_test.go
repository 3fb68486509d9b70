package work

import (
	"testing"

	"chant/engine/evidence/journal"

	"github.com/alecthomas/assert/v2"
)

// TestNextSealed covers every step of a run with every state in which a process can die.
func TestNextSealed(t *testing.T) {
	t.Parallel()
	want := map[journal.Step]map[journal.State]journal.Step{
		journal.Collect:  {journal.Done: journal.Verify},
		journal.Verify:   {journal.Begin: journal.Verify, journal.Note: journal.Verify, journal.Done: journal.Complete},
		journal.Complete: {journal.Begin: journal.Complete, journal.Note: journal.Complete, journal.Done: journal.Land},
		journal.Land:     {journal.Begin: journal.Land, journal.Note: journal.Land, journal.Done: journal.Land},
	}
	for _, step := range []journal.Step{
		journal.Open, journal.Branch, journal.Worktree, journal.Setup, journal.Prompt, journal.Agent, journal.Collect, journal.Verify, journal.Complete,
		journal.Land, journal.Clean, journal.Rebase, journal.Resolve, journal.Settle, journal.Close,
	} {
		for _, state := range []journal.State{journal.Begin, journal.Note, journal.Done, journal.Failed} {
			a := &journal.Attempt{Last: step, Steps: map[journal.Step]journal.State{step: state}}
			assert.Equal(t, want[step][state], nextSealed(a), "%s %s", step, state)
		}
	}
}

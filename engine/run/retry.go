package run

import (
	"context"
	"errors"
	"fmt"
	"time"

	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/spec"
	"chant/engine/store"
	"chant/markdown"
)

// retryKey is the key of front matter that says when the agent is started again.
const retryKey = "retry_state"

// nextRetry returns when to start the agent again that ended this step; false if it is not started again, or if
// something else went wrong.
func (r *Run) nextRetry(ctx context.Context, cause error) (spec.Retry, bool) {
	var f *journal.Failure
	// A limit that was reached and a refusal of the wall stay the same, however often the agent starts.
	if r.Retry == nil || !errors.As(cause, &f) || f.Kind != spec.ReasonAgent || r.Launcher.Agent == nil || r.Launcher.Agent.OK || r.Launcher.Agent.Overdrawn || r.Launcher.Agent.Refused {
		return spec.Retry{}, false
	}
	var state spec.Retry
	if s, err := r.OwnSpec(ctx); err == nil && s.Fields.Retry != nil {
		state = *s.Fields.Retry
	}
	wait, again := r.Retry(state.Attempts, r.Launcher.Agent.Reason+"\n"+r.Launcher.Stderr)
	if !again {
		return spec.Retry{}, false
	}
	now := r.Now()
	return spec.Retry{Attempts: state.Attempts + 1, Last: now.UnixMilli(), Next: now.Add(wait).UnixMilli()}, true
}

// pauseUntil pauses the spec on its branch with the time at which the run resumes, and records that time in cause.
func (r *Run) pauseUntil(ctx context.Context, state spec.Retry, cause error) error {
	why := r.Secrets.Text(fmt.Sprintf("waits for retry %d at %s: %s", state.Attempts, state.Due().UTC().Format(time.RFC3339), cause))
	_, err := r.Store.Transition(ctx, store.Change{
		ID: r.Job.ID, Event: spec.Pause, Attempt: r.Job.Attempt, Why: why, Force: attempt.UnderWay(),
		Edits: append(spec.SetReason(journal.CodeOf(cause), attempt.FirstLine(why)), markdown.Set(retryKey, state)),
	})
	if err != nil {
		return fmt.Errorf("the status could not be written: %w", err)
	}
	var f *journal.Failure
	// Not earlier: the waiting process expects to find the time on the branch.
	if errors.As(cause, &f) {
		f.Again = state.Due()
	}
	return nil
}

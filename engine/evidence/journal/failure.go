package journal

import (
	"context"
	"errors"
	"regexp"
	"time"

	"chant/engine/spec"
	"chant/engine/spec/next"
)

// Failure is why a run did not reach its end. It is recorded on the run's branch too.
type Failure struct {
	Kind    spec.ReasonCode
	Message string
	Details []string  // files, criteria, …: one line each
	Next    next.Step // none for the usual step of the kind
	Again   time.Time // when the run continues by itself; zero = never
}

// Error is the message.
func (f *Failure) Error() string { return f.Message }

// CodeOf returns the code of an error that ended a run.
func CodeOf(err error) spec.ReasonCode {
	f, ok := errors.AsType[*Failure](err)
	switch {
	case err == nil:
		return ""
	case ok:
		return f.Kind
	case errors.Is(err, context.Canceled):
		return spec.ReasonStopped
	}
	return spec.ReasonError
}

// kindOfWording returns the code of a failure in a journal from before records had codes; "" for other texts. It is the
// only place that reads the wording of a reason. It is applied only to journals, which chant writes, never to the front
// matter or the text of a spec.
func kindOfWording(reason string) spec.ReasonCode {
	const name = `"[^"]*"`
	for _, old := range []struct {
		code    spec.ReasonCode
		wording string
	}{
		{spec.ReasonStopped, `stopped$`},
		{spec.ReasonTampered, `forbidden changes during the run`},
		{spec.ReasonOutput, `the agent's output does not fit`},
		{spec.ReasonMergedTree, `on the merged tree `},
		{spec.ReasonUnverified, `(the criterion does|\d+ (criterion )?of \d+ (criteria )?do(es)?) not hold`},
		{spec.ReasonConflict, name + ` (does not merge with|cannot be replayed on) ` + name + `: conflict in `},
		{spec.ReasonWithdrawn, `spec ` + name + ` was cancelled on ` + name + `$`},
		{spec.ReasonWithdrawn, `spec ` + name + ` (is a part of ` + name + `, which )?was rejected$`},
		{spec.ReasonWithdrawn, name + ` was merged into ` + name + ` and taken back there$`},
		{spec.ReasonUnapproved, `spec ` + name + ` (is a part of ` + name + `, which )?(waits for approval|was edited after its approval)`},
	} {
		if regexp.MustCompile(`^` + old.wording).MatchString(reason) {
			return old.code
		}
	}
	return ""
}

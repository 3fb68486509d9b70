package journal

import (
	"context"
	"errors"
	"time"

	"chant/engine/next"
	"chant/engine/spec"
)

// Failure is why a run did not get to its end. The run's branch says so too.
type Failure struct {
	Kind    spec.ReasonCode
	Message string
	Details []string  // files, criteria, …: one line each
	Next    next.Step // none for the kind's own
	Again   time.Time // when the run continues by itself, zero = it does not
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

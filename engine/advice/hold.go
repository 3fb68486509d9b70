package advice

import (
	"context"
	"errors"

	"chant/engine"
)

// WithHold resolves an id, holds the spec's run, does something with it and lets
// go. The result is returned beside an error, which is an *Error: State inside the
// spec's own run, which only its own operations may change.
func WithHold[R any](ctx context.Context, p *engine.Project, text, what string, do func(*engine.Held) (R, error)) (R, error) {
	var none R
	id, err := engine.Find(ctx, p, text)
	if err != nil {
		return none, engine.Wrap(err, text)
	}
	if err := engine.MayInside(p, what, id); err != nil {
		return none, err
	}
	h, err := engine.Hold(ctx, p, id, what)
	if err != nil {
		return none, engine.Wrap(err, id)
	}
	result, err := do(h)
	result, err = engine.Done(result, advised(ctx, p, id, what, errors.Join(err, h.Release())), id)
	return result, engine.CommittedFirst(ctx, p, err)
}

package mcp

import (
	"errors"

	"chant/engine"
)

// errInternal is all that a client learns of a bug of ours.
//
//lint:ignore ST1005 the text is a message of the protocol
var errInternal = errors.New("Internal error")

// noProject puts the contract's text in front of a failure to find a project,
// which may name a further reason, such as a missing repository.
func noProject(err error) error {
	var e *engine.Error
	if !errors.As(err, &e) || e.Code != engine.NotFound || errors.Is(err, engine.ErrNotInitialized) {
		return err
	}
	return &engine.Error{Code: e.Code, Message: engine.ErrNotInitialized.Error() + "\n" + e.Message, Next: e.Next, Err: e}
}

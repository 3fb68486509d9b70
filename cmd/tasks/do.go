package tasks

import (
	"context"
	"errors"
	"fmt"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/setup"

	"github.com/spf13/cobra"
)

// effect says whether a command changes anything.
type effect bool

const (
	reads  effect = false
	writes effect = true
)

// do opens the project of a workspace, which a command that writes makes where there is none, runs an operation and
// prints its result.
func do[I, R any](a *console.App, c *cobra.Command, e effect, op func(context.Context, *engine.Project, I) (R, error), in I, text console.Render[R]) (err error) {
	w := &setup.Workspaces{Options: a.Options(a.Line), Report: func(text string) { fmt.Fprintln(a.Err, text) }}
	defer func() { err = errors.Join(err, w.Close()) }()
	p, err := w.Open(c.Context(), a.Dir, bool(e))
	if err != nil {
		return err
	}
	result, err := op(c.Context(), p, in)
	if err != nil {
		return err
	}
	return console.Show(a, result, text)
}

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

// effect is what a command does with the tasks of a workspace.
type effect int

const (
	reads    effect = iota
	writes          // it changes something, before which the tasks of a .tasks directory are imported
	previews        // it shows what an import would do
	imports         // it imports them itself
)

// do opens the project of a workspace, which a command that changes something makes where there is none, runs an operation
// and prints its result.
func do[I, R any](a *console.App, c *cobra.Command, e effect, op func(context.Context, *engine.Project, I) (R, error), in I, text console.Render[R]) (err error) {
	w := &setup.Workspaces{Options: a.Options(a.Line), Report: func(text string) { fmt.Fprintln(a.Err, text) }}
	defer func() { err = errors.Join(err, w.Close()) }()
	open := w.Open
	// An import before the import would leave nothing to show.
	if e == previews || e == imports {
		open = w.OpenForImport
	}
	p, err := open(c.Context(), a.Dir, e == writes || e == imports)
	if err != nil {
		return err
	}
	result, err := op(c.Context(), p, in)
	if err != nil {
		return err
	}
	return console.Show(a, result, text)
}

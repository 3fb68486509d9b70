package cmd

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/setup"
)

// resultInFolder runs an operation in the project, or in a folder without specs.
func resultInFolder[I, R any](a *console.App, c *cobra.Command, op func(context.Context, *engine.Project, I) (R, error), in I) (out R, err error) {
	p, closed, err := openFolder(a, c)
	if err != nil {
		return out, err
	}
	out, err = op(c.Context(), p, in)
	return out, errors.Join(err, closed())
}

// doInFolder runs an operation there and prints its result.
func doInFolder[I, R any](a *console.App, c *cobra.Command, op func(context.Context, *engine.Project, I) (R, error), in I, render console.Render[R]) error {
	result, err := resultInFolder(a, c, op, in)
	if err != nil {
		return err
	}
	return console.Show(a, result, render)
}

// openFolder opens the project, or the folder where there is none; closed removes what was made for that.
func openFolder(a *console.App, c *cobra.Command) (p *engine.Project, closed func() error, err error) {
	folders := &setup.Workspaces{Options: a.Options(a.Line)}
	p, err = folders.OpenFolder(c.Context(), a.Dir)
	return p, folders.Close, err
}

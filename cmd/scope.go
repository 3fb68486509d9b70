package cmd

import (
	"context"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/view"

	"github.com/spf13/cobra"
)

// scopedDo is console.Do for an operation on several projects.
func scopedDo[I, R any](a *console.App, c *cobra.Command, scope view.Scope, op func(context.Context, *engine.Project, I) (R, error), in I, text console.Render[R]) error {
	if scope.IsHere() {
		return console.Do(a, c, op, in, text)
	}
	p, err := engine.OpenAny(c.Context(), a.Dir, a.Options(a.Line))
	if err != nil {
		return err
	}
	result, err := op(c.Context(), p, in)
	if err != nil {
		return err
	}
	return console.Page(a, a.Canvas(), result, text)
}

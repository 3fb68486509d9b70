package runs

import (
	"context"
	"fmt"
	"io"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/work"

	"github.com/spf13/cobra"
)

// NewReset returns the command "chant reset".
func NewReset(a *console.App) *cobra.Command {
	var in work.ResetInput
	var then work.WorkInput
	var again bool
	c := &cobra.Command{
		Use:     "reset ID",
		Aliases: []string{"resume"},
		Short:   "Start a spec over: drop its run and make it pending again",
		Long: `Drop a spec's run and make it pending again.

Branch and worktree are removed; a ref under refs/chant/rescue/ keeps their work, and "chant undo"
brings the branch back. Edits that you made in the spec since the run ended stay in the spec.`,
		Example: "chant reset 001\nchant reset 001 --work",
		Args:    console.OneID,
		RunE: func(c *cobra.Command, args []string) error {
			in.ID = args[0]
			if then.Prompt != "" && !again {
				return console.UsageError(c, "--prompt is that of the next run: add --work")
			}
			if !again {
				return console.Do(a, c, work.Reset, in, renderState("Reset"))
			}
			return resetAndWork(a, c, in, then)
		},
	}
	c.Flags().BoolVar(&again, "work", false, "then work it again")
	c.Flags().StringVar(&then.Prompt, "prompt", "", "with --work: prompt to use")
	return c
}

// resetAndWork resets a spec and works it.
func resetAndWork(a *console.App, c *cobra.Command, in work.ResetInput, then work.WorkInput) error {
	p, err := a.Open()
	if err != nil {
		return err
	}
	result, err := work.Reset(c.Context(), p, in)
	if err != nil {
		return err
	}
	renderState("Reset")(a.Err, result)
	then.ID = result.ID
	return runWork(a, c, p, func(ctx context.Context, p *engine.Project) (work.WorkResult, error) {
		return work.Work(ctx, p, then)
	})
}

func renderState(word string) console.Render[engine.StateResult] {
	return func(w io.Writer, r engine.StateResult) {
		fmt.Fprintf(w, "%s %s: %s\n", word, r.ID, r.Status)
		for _, place := range r.Rescued {
			fmt.Fprintf(w, "its work is kept as %s\n", place)
		}
		for _, line := range r.Edits {
			fmt.Fprintln(w, line)
		}
	}
}

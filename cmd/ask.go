package cmd

import (
	"context"
	"fmt"
	"io"
	"strings"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/work/questions"

	"github.com/spf13/cobra"
)

func newAsk(a *console.App) *cobra.Command {
	var in questions.AskInput
	wait := false
	c := &cobra.Command{
		Use:   "ask TEXT...",
		Short: "Ask a person, as the agent of a run",
		Long: `Ask a person, for scripts and agents without MCP. It prints the answer once there is one, and
nothing before. The same question is asked once: asking again shows whether it was answered.`,
		Example: "chant ask \"Which port may the server use?\"\nchant ask --wait \"May I drop the old table?\"",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			in.Prompt = strings.Join(args, " ")
			return console.Do(a, c, func(ctx context.Context, p *engine.Project, in questions.AskInput) (questions.AskResult, error) {
				r, err := questions.Ask(ctx, p, in)
				if err != nil || !wait {
					return r, err
				}
				return questions.Await(ctx, p, r)
			}, in, renderAsk)
		},
	}
	c.Flags().BoolVar(&wait, "wait", false, "wait until it is answered")
	return c
}

func renderAsk(w io.Writer, r questions.AskResult) {
	if r.Answer != "" {
		fmt.Fprintln(w, r.Answer)
	}
}

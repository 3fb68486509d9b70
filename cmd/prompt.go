package cmd

import (
	"fmt"
	"io"
	"text/tabwriter"

	"chant/engine"

	"github.com/spf13/cobra"
)

func newPrompt(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:     "prompt",
		Short:   "Look at the prompts that agents get",
		Example: "chant prompt list\nchant prompt show standard 001",
		Args:    cobra.NoArgs,
	}
	c.AddCommand(&cobra.Command{
		Use:     "list",
		Short:   "List the prompts, the project's own and the shipped ones",
		Example: "chant prompt list",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return do(a, c, (*engine.Engine).Prompts, engine.PromptsInput{}, renderPrompts)
		},
	}, &cobra.Command{
		Use:     "show NAME [ID]",
		Short:   "Print a prompt, filled in for a spec if one is named",
		Example: "chant prompt show standard\nchant prompt show standard 001",
		Args:    cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error {
			in := engine.PromptInput{Name: args[0]}
			if len(args) == 2 {
				in.ID = args[1]
			}
			return do(a, c, (*engine.Engine).Prompt, in, func(w io.Writer, r engine.PromptResult) { fmt.Fprint(w, r.Text) })
		},
	})
	return c
}

func renderPrompts(w io.Writer, r engine.PromptsResult) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, p := range r.Prompts {
		from := "project"
		if p.Shipped {
			from = "shipped"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", p.Name, from, p.Purpose)
	}
	t.Flush()
}

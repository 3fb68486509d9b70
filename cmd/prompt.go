package cmd

import (
	"fmt"
	"io"
	"text/tabwriter"

	"chant/cmd/console"
	"chant/engine/author"

	"github.com/spf13/cobra"
)

func newPrompt(a *console.App) *cobra.Command {
	c := &cobra.Command{
		Use:     "prompt",
		Short:   "List, print and render the prompts of agents",
		Example: "chant prompt list\nchant prompt render 001",
		Args:    console.NoArgs,
	}
	c.AddCommand(newPromptList(a), newPromptShow(a), newPromptRender(a))
	return c
}

func newPromptList(a *console.App) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List the prompts, the project's own and the shipped ones",
		Example: "chant prompt list",
		Args:    console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return console.Do(a, c, author.Prompts, author.PromptsInput{}, renderPrompts)
		},
	}
}

func newPromptShow(a *console.App) *cobra.Command {
	return &cobra.Command{
		Use:   "show NAME",
		Short: "Print the file of a prompt",
		Long: `Print the file of a prompt unchanged: the project's own, otherwise the shipped one.

A file of that name in .chant/prompts replaces the shipped prompt; with "extends: NAME" in
its front matter and {{> parent}} in its text it extends it. "chant guide prompts" lists
the variables.`,
		Example: "chant prompt show standard\nchant prompt show split > .chant/prompts/split.md",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return console.Do(a, c, author.Prompt, author.PromptInput{Name: args[0]}, func(w io.Writer, r author.PromptResult) { fmt.Fprint(w, r.Source) })
		},
	}
}

func newPromptRender(a *console.App) *cobra.Command {
	var in author.RenderPromptInput
	c := &cobra.Command{
		Use:     "render ID",
		Short:   "Render the prompt that the next attempt at a spec gets",
		Example: "chant prompt render 001\nchant prompt render 001 --prompt bootstrap",
		Args:    console.OneID,
		RunE: func(c *cobra.Command, args []string) error {
			in.ID = args[0]
			return console.Do(a, c, author.RenderPrompt, in, func(w io.Writer, r author.RenderPromptResult) { fmt.Fprint(w, r.Text) })
		},
	}
	c.Flags().StringVar(&in.Prompt, "prompt", "", "prompt to use instead of the spec's")
	c.ValidArgsFunction = a.CompleteID
	return c
}

func renderPrompts(w io.Writer, r author.PromptsResult) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, p := range r.Prompts {
		from := "project"
		if p.Shipped {
			from = "shipped"
		}
		about := p.Purpose
		if p.Invalid != "" {
			about = "cannot be used: " + p.Invalid
		}
		fmt.Fprintf(t, "%s\t%s\t%s\n", p.Name, from, about)
	}
	t.Flush()
}

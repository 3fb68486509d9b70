package cmd

import (
	"fmt"
	"io"
	"strings"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/author"

	"github.com/spf13/cobra"
)

func newSplit(a *console.App) *cobra.Command {
	var in author.SplitInput
	var yes bool
	c := &cobra.Command{
		Use:   "split ID",
		Short: "Divide a large spec into smaller ones, its members",
		Long: `Divide a large spec into members with their own criteria and dependencies.

An agent proposes them: it reads the project in a worktree that it must not change.
--by-heading makes a member of each section instead, without an agent. The spec becomes
a group, keeps its text, and completes with its members.

In a terminal you see the members first, and nothing is written before you confirm.
Elsewhere one commit adds them; --dry-run only prints them.`,
		Example: "chant split 001\nchant split 001 --dry-run\nchant split 001 --by-heading --yes\nchant split 001 --recursive --max-depth 3",
		Args:    console.OneID,
		RunE: func(c *cobra.Command, args []string) error {
			in.ID = args[0]
			if in.DryRun || yes || a.JSON || !console.Terminal(a.In) || !console.Terminal(a.Screen.Err) {
				return console.Do(a, c, author.Split, in, renderSplit)
			}
			return confirmSplit(a, c, in)
		},
	}
	f := c.Flags()
	f.BoolVar(&in.Force, "force", false, "include a spec that failed, is paused or needs attention")
	f.BoolVar(&in.Recursive, "recursive", false, "also divide members with more than 5 criteria or files, or 200 words")
	f.Var(console.AtLeast(0, &in.MaxDepth), "max-depth", "levels of members with --recursive (default 2)")
	f.BoolVar(&in.ByHeading, "by-heading", false, "a member for each section, without an agent")
	f.BoolVar(&in.DryRun, "dry-run", false, "print the members, and write nothing")
	f.StringVar(&in.Model, "model", "", "model to use (default: defaults.split_model, then that of the spec)")
	f.StringVar(&in.Provider, "provider", "", "provider to use instead of the spec's or the project's")
	f.BoolVarP(&yes, "yes", "y", false, "do not ask")
	return c
}

// confirmSplit shows the members and asks; what was shown is what is written.
func confirmSplit(a *console.App, c *cobra.Command, in author.SplitInput) error {
	p, err := a.Open()
	if err != nil {
		return err
	}
	in.DryRun = true
	planned, err := author.Split(c.Context(), p, in)
	if err != nil {
		return err
	}
	renderSplit(a.Err, planned)
	title := fmt.Sprintf("Write these %d members?", len(planned.Members))
	ok, err := console.Confirm(c.Context(), a, title)
	if err != nil || !ok {
		return &engine.Error{Code: engine.Canceled, Message: "nothing was written", Err: err}
	}
	// What was shown is what is written: an agent asked again would propose something else.
	in.DryRun, in.Planned = false, &planned
	return console.Do(a, c, author.Split, in, func(w io.Writer, r author.SplitResult) {
		fmt.Fprintf(w, "Split %s into %s\n", r.ID, console.Plural(len(r.Members), "member"))
		renderWaits(w, r)
	})
}

func renderSplit(w io.Writer, r author.SplitResult) {
	for _, m := range r.Members {
		fmt.Fprintf(w, "%s %s", m.ID, m.Title)
		if len(m.DependsOn) > 0 {
			fmt.Fprintf(w, " (after %s)", strings.Join(m.DependsOn, ", "))
		}
		fmt.Fprintf(w, " [%s]\n", m.Lint.Light)
		for _, line := range m.Criteria {
			fmt.Fprintf(w, "  - %s\n", line)
		}
		if len(m.Members) > 0 {
			fmt.Fprintf(w, "  divided further into %s\n", strings.Join(m.Members, ", "))
		}
	}
	for _, text := range r.Repaired {
		fmt.Fprintf(w, "repaired %s\n", text)
	}
	word := "Split"
	if r.DryRun {
		word = "Would split"
	}
	fmt.Fprintf(w, "%s %s into %s\n", word, r.ID, console.Plural(len(r.Members), "member"))
	renderWaits(w, r)
}

func renderWaits(w io.Writer, r author.SplitResult) {
	if r.Waits != "" {
		fmt.Fprintf(w, "it %s\nnext: chant approve %s\n", r.Waits, r.ID)
	}
}

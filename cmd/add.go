package cmd

import (
	"fmt"
	"io"
	"strings"

	"chant/cmd/console"
	"chant/engine/author"

	"github.com/spf13/cobra"
)

func newAdd(a *console.App) *cobra.Command {
	var in author.AddInput
	var edit bool
	c := &cobra.Command{
		Use:   "add DESCRIPTION",
		Short: "Create a spec",
		Long: `Create a spec in .chant/specs and commit it. The first line or sentence becomes its title,
the rest its text. A file that you write there by hand is a spec too: chant guide specs
documents the whole format, with an example.`,
		Example: `chant add "Parse dates"
chant add "Parse dates" --target-file dates.go --criterion 'Tests pass ` + "`$ go test ./...`" + `'
chant add "Use the parser" --depends-on 001 --label api`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			in.Description = strings.Join(args, " ")
			return runAdd(a, c, in, edit)
		},
	}
	f := c.Flags()
	f.StringVar(&in.Type, "type", "", "one of code, task, driver, documentation, research, group (default code)")
	f.StringSliceVar(&in.Labels, "label", nil, "label; may be repeated")
	f.StringArrayVar(&in.TargetFiles, "target-file", nil, "file that the work is about; may be repeated")
	f.StringSliceVar(&in.DependsOn, "depends-on", nil, "spec that must land first; may be repeated")
	f.StringArrayVar(&in.Criteria, "criterion", nil, "acceptance criterion; may be repeated; one that ends in `$ command` is checked by running it")
	f.StringVar(&in.Prompt, "prompt", "", "prompt to work it with")
	f.StringVar(&in.Provider, "provider", "", "provider to work it with")
	f.StringVar(&in.Group, "group", "", "driver to which it is added as a member")
	f.BoolVar(&in.NeedsApproval, "needs-approval", false, "work waits for a person's approval")
	f.StringVar(&in.Priority, "priority", "", "critical, high, medium, low, or a number from 0")
	f.StringVar(&in.Assignee, "assignee", "", "who works on it")
	f.StringVar(&in.Reporter, "reporter", "", "who asked for it")
	f.StringVar(&in.DueDate, "due", "", "day or time: 2026-12-01, tomorrow, +3d")
	f.StringVar(&in.Effort, "effort", "", "estimate: 4h, 1d 2h, 3pt")
	f.BoolVar(&edit, "edit", false, "then open it in an editor")
	return c
}

func runAdd(a *console.App, c *cobra.Command, in author.AddInput, edit bool) error {
	p, err := a.Open()
	if err != nil {
		return err
	}
	result, err := author.Add(c.Context(), p, in)
	if err != nil {
		return err
	}
	if err := console.Show(a, result, func(w io.Writer, r author.AddResult) { fmt.Fprintf(w, "Created %s\n", r.ID) }); err != nil {
		return err
	}
	if edit {
		_, err = runEditor(a, c, p, result.ID)
	}
	return err
}

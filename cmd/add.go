package cmd

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"chant/cmd/console"
	"chant/cmd/wizard"
	"chant/engine"
	"chant/engine/author"
	"chant/engine/prompt"
	"chant/engine/setup"
	"chant/engine/view"
	"chant/text"

	"github.com/spf13/cobra"
)

func newAdd(a *console.App) *cobra.Command {
	var in author.AddInput
	var vars []string
	var edit bool
	c := &cobra.Command{
		Use:   "add [DESCRIPTION]",
		Short: "Create a new spec from a description or a template",
		Long: `Create a spec in .chant/specs and commit it. The first line or sentence becomes its title,
the rest its text. A file that you write there by hand is a spec too: chant guide specs
documents the whole format, with an example.

With --template it is made from a template, and other flags replace or extend
that: chant guide templates. Without a description, it asks on a terminal.`,
		Example: `chant add "Parse dates"
chant add "Parse dates" --target-file dates.go --criterion 'Tests pass ` + "`$ go test ./...`" + `'
chant add "Use the parser" --depends-on 001 --label api
chant add --template feature --var name=login`,
		RunE: func(c *cobra.Command, args []string) (err error) {
			if len(args) == 0 && in.Template == "" {
				return addByQuestions(a, c, edit)
			}
			if in.Vars, err = author.Vars(vars); err != nil {
				return err
			}
			in.Description = strings.Join(args, " ")
			return runAdd(a, c, in, edit)
		},
	}
	f := c.Flags()
	f.StringVarP(&in.Type, "type", "t", "", "one of code, task, driver, documentation, research, group (default code)")
	f.StringSliceVarP(&in.Labels, "label", "l", nil, "label; may be repeated")
	f.StringArrayVar(&in.TargetFiles, "target-file", nil, "file that the work is about; may be repeated")
	f.StringSliceVar(&in.RunsOn, "runs-on", nil, "label that a machine of a fleet must have")
	f.StringSliceVar(&in.DependsOn, "depends-on", nil, "spec that must land first; may be repeated")
	f.StringArrayVar(&in.Criteria, "criterion", nil, "acceptance criterion; `$ command` at its end checks it")
	f.StringVar(&in.Prompt, "prompt", "", "prompt to work it with, or a command as C1/C2/C3")
	f.StringVar(&in.Provider, "provider", "", "provider to work it with")
	f.StringVar(&in.Group, "group", "", "driver to which it is added as a member")
	f.BoolVar(&in.NeedsApproval, "needs-approval", false, "work waits for a person's approval")
	f.StringVar(&in.Priority, "priority", "", "priority: critical, high, medium, low, or a number from 0")
	f.StringVar(&in.Assignee, "assignee", "", "who works on it")
	f.StringVar(&in.Reporter, "reporter", "", "who asked for it")
	f.StringVar(&in.DueDate, "due", "", "day or time: 2026-12-01, tomorrow, +3d")
	f.StringVar(&in.Effort, "effort", "", "estimate: 4h, 1d 2h, 3pt")
	f.StringVar(&in.Template, "template", "", "template to make it from: chant template list")
	f.StringArrayVar(&vars, "var", nil, "name=value of a variable of the template; may be repeated")
	f.BoolVar(&in.Run, "run", false, "then run its criteria, and say which hold before any work")
	f.BoolVar(&edit, "edit", false, "then open it in an editor")
	completeTemplate(a, c, &in)
	return c
}

// addByQuestions asks for the new spec, if a person is at the terminal and no flag has begun to describe it.
func addByQuestions(a *console.App, c *cobra.Command, edit bool) error {
	screen, asks := wizard.On(a)
	flags := c.Flags().NFlag()
	// --edit does not describe the spec.
	if edit {
		flags--
	}
	if !asks || flags > 0 {
		return console.UsageError(c, "requires a description or --template")
	}
	p, err := a.Open()
	if err != nil {
		return err
	}
	list, err := view.List(c.Context(), p, view.ListInput{})
	if err != nil {
		return err
	}
	open := slices.DeleteFunc(list.Specs, func(row view.Row) bool {
		return slices.Contains([]string{"completed", "cancelled", "invalid"}, row.Status)
	})
	home := p.Store.Home()
	// What settings and rules verify for every spec needs no criterion.
	var always []string
	for _, command := range prompt.ProjectCommands(p, nil) {
		always = append(always, command.Run)
	}
	proposed := setup.Without(setup.ProposeCriteria(os.DirFS(home)), always)
	in, err := wizard.Add(c.Context(), screen, wizard.Known{Dir: home, Specs: open, Criteria: proposed})
	if err != nil {
		return err
	}
	screen.Same(wizard.AddStep(in))
	return runAdd(a, c, in, edit)
}

// completeTemplate offers templates, and the variables of the one that is chosen, to a shell.
func completeTemplate(a *console.App, c *cobra.Command, in *author.AddInput) {
	for flag, words := range map[string]func() []string{
		"template": func() []string { return templateNames(a, c) },
		"var":      func() []string { return templateVariables(a, c, in.Template) },
	} {
		directive := cobra.ShellCompDirectiveNoFileComp
		if flag == "var" {
			// The value follows.
			directive |= cobra.ShellCompDirectiveNoSpace
		}
		// The flags exist, so it cannot fail.
		_ = c.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return words(), directive
		}) // the flags exist
	}
}

// askVars asks for the variables that the template requires, if a person is at the terminal.
func askVars(a *console.App, c *cobra.Command, p *engine.Project, in *author.AddInput) error {
	if in.Template == "" || a.JSON || !console.Terminal(a.In) || !console.Terminal(a.Screen.Err) {
		return nil
	}
	missing, err := author.MissingVars(p, *in)
	if err != nil {
		return err
	}
	var questions []string
	for _, v := range missing {
		about := v.Name
		if v.Description != "" {
			about += " (" + string(text.Visible([]byte(text.OneLine(v.Description)))) + ")"
		}
		questions = append(questions, about+": ")
	}
	answers, err := console.Ask(c.Context(), a, questions)
	for i, answer := range answers {
		in.Vars[missing[i].Name] = answer
	}
	return err
}

func runAdd(a *console.App, c *cobra.Command, in author.AddInput, edit bool) error {
	p, err := a.Open()
	if err != nil {
		return err
	}
	if err := askVars(a, c, p, &in); err != nil {
		return err
	}
	result, err := author.Add(c.Context(), p, in)
	if err != nil {
		return err
	}
	if err := console.Show(a, result, renderAdded); err != nil {
		return err
	}
	if edit {
		_, err = runEditor(a, c, p, result.ID)
	}
	return err
}

func renderAdded(w io.Writer, r author.AddResult) {
	fmt.Fprintf(w, "Created %s\n", r.ID)
	for _, t := range r.Tried {
		fmt.Fprintln(w, t.Words())
	}
}

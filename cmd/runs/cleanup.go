package runs

import (
	"fmt"
	"io"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/spec/next"
	"chant/engine/work"

	"github.com/spf13/cobra"
)

// NewCleanup returns the command "chant cleanup".
func NewCleanup(a *console.App) *cobra.Command {
	var in work.CleanupInput
	var yes bool
	c := &cobra.Command{
		Use:   "cleanup",
		Short: "Remove worktrees, branches and caches that runs left behind",
		Long: `Remove what landed and broken runs left behind: worktrees, branches, registrations
and caches that chant made. Work that is not on the target stays, or is kept by a ref
under refs/chant/rescue/. What chant keeps of all projects: chant cache.`,
		Example: "chant cleanup --dry-run\nchant cleanup --yes",
		Args:    console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if in.DryRun || yes {
				return console.Do(a, c, work.Cleanup, in, renderCleanup)
			}
			return confirmCleanup(a, c)
		},
	}
	c.Flags().BoolVar(&in.DryRun, "dry-run", false, "print what would be removed, and remove nothing")
	c.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask")
	return c
}

// confirmCleanup prints the plan and asks for confirmation. It refuses without a terminal.
func confirmCleanup(a *console.App, c *cobra.Command) error {
	// A script has to say with a flag that it wants this.
	if !console.Terminal(a.In) || !console.Terminal(a.Screen.Err) {
		return &engine.Error{Code: engine.Usage, Message: "cleanup needs a terminal to ask for confirmation", Next: next.Cleanup.On().Flag("yes")}
	}
	p, err := a.Open()
	if err != nil {
		return err
	}
	plan, err := work.Cleanup(c.Context(), p, work.CleanupInput{DryRun: true})
	if err != nil {
		return err
	}
	renderCleanup(a.Err, plan)
	if len(plan.Actions) == 0 {
		return console.Show(a, plan, func(io.Writer, work.CleanupResult) {})
	}
	ok, err := console.Confirm(c.Context(), a, "Remove these?")
	if err != nil || !ok {
		return &engine.Error{Code: engine.Canceled, Message: "nothing was removed", Err: err}
	}
	// Planned again, because what is there may have changed while the question was open.
	return console.Do(a, c, work.Cleanup, work.CleanupInput{}, renderCleanup)
}

func renderCleanup(w io.Writer, r work.CleanupResult) {
	word := "removed"
	if r.DryRun {
		word = "would remove"
	}
	for _, act := range r.Actions {
		if act.Error != "" {
			fmt.Fprintf(w, "left %s %s: %s\n", act.What, act.Name, act.Error)
			continue
		}
		fmt.Fprintf(w, "%s %s %s (%s)\n", word, act.What, act.Name, act.Why)
		for _, place := range act.Rescued {
			fmt.Fprintf(w, "  kept as %s\n", place)
		}
	}
	if len(r.Actions) == 0 {
		fmt.Fprintln(w, "Nothing to clean up")
	}
}

package runs

import (
	"fmt"
	"io"

	"chant/cmd/console"
	"chant/engine/work"

	"github.com/spf13/cobra"
)

// NewCancel returns the command "chant cancel".
func NewCancel(a *console.App) *cobra.Command {
	var in work.CancelGroupInput
	c := &cobra.Command{
		Use:   "cancel ID",
		Short: "Cancel a spec that is not wanted any more, or delete it",
		Long: `Cancel a spec: drop its run, whose work a ref below refs/chant/rescue/ keeps, and mark it
cancelled. With --delete its file is removed in one commit, unless something would be lost.`,
		Example: "chant cancel 001\nchant cancel 001 --cascade --dry-run\nchant cancel 001 --delete",
		Args:    console.OneID,
		RunE: func(c *cobra.Command, args []string) error {
			in.ID = args[0]
			if in.Cascade || in.Delete || in.DryRun {
				return console.Do(a, c, work.CancelGroup, in, renderCancelled)
			}
			return console.Do(a, c, work.Cancel, work.CancelInput{ID: in.ID}, renderState("Cancelled"))
		},
	}
	f := c.Flags()
	f.BoolVar(&in.Delete, "delete", false, "remove its file, in one commit")
	f.BoolVar(&in.Cascade, "cascade", false, "the members of a driver too")
	f.BoolVar(&in.DryRun, "dry-run", false, "only print what would be done")
	f.BoolVar(&in.SkipChecks, "skip-checks", false, "with --delete: also what is completed or needed by others")
	return c
}

func renderCancelled(w io.Writer, r work.CancelGroupResult) {
	word := "Cancelled"
	switch {
	case r.DryRun && r.Deleted:
		word = "would delete"
	case r.DryRun:
		word = "would cancel"
	case r.Deleted:
		word = "Deleted"
	}
	for _, one := range r.Specs {
		fmt.Fprintf(w, "%s %s (%s): %s\n", word, one.ID, one.Was, one.Title)
		if r.DryRun && one.Branch != "" {
			fmt.Fprintf(w, "  and drop its run on %s, whose work a ref keeps\n", one.Branch)
		}
		for _, edit := range one.Edits {
			fmt.Fprintf(w, "  %s\n", edit)
		}
		for _, place := range one.Rescued {
			fmt.Fprintf(w, "  its work is kept as %s\n", place)
		}
	}
}

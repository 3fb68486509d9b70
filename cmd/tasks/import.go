package tasks

import (
	"fmt"
	"io"

	"chant/cmd/console"
	"chant/engine/task/exchange"
	"chant/text"

	"github.com/spf13/cobra"
)

func newImport(a *console.App) *cobra.Command {
	var in exchange.ImportInput
	c := &cobra.Command{
		Use:   "import [DIR]",
		Short: "Import the tasks and sprints of lotar as specs",
		Long: `Make specs of the tasks and sprints in a .tasks directory of lotar, in one commit.

Without DIR it is the directory of this project. It is read and not changed. Tasks keep
their numbers; those that chant already has are left alone, so that a second import adds
only what is new. Nothing is imported if a file cannot be read.`,
		Example: `chant task import
chant task import ../old-project/.tasks --dry-run`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				in.Dir = a.Below(args[0])
			}
			e := imports
			if in.DryRun {
				e = previews
			}
			return do(a, c, e, exchange.Import, in, func(w io.Writer, r exchange.ImportResult) { renderImport(w, a.Err, r) })
		},
	}
	c.Flags().BoolVar(&in.DryRun, "dry-run", false, "only show what would be imported")
	c.Flags().BoolVar(&in.SkipInvalid, "skip-invalid", false, "leave out files that cannot be read")
	return c
}

func renderImport(w, errs io.Writer, r exchange.ImportResult) {
	for _, made := range r.Tasks {
		fmt.Fprintf(w, "%s  %s  %s\n", made.Key, made.ID, text.Quote(made.Title))
	}
	verb := "Imported"
	if r.DryRun {
		verb = "Would import"
	}
	fmt.Fprintf(w, "%s %s and %s", verb, console.Plural(len(r.Tasks), "task"), console.Plural(len(r.Sprints), "sprint"))
	if len(r.Present) > 0 {
		fmt.Fprintf(w, "; chant already has %d", len(r.Present))
	}
	fmt.Fprintln(w)
	for _, why := range r.Invalid {
		fmt.Fprintf(errs, "not imported: %s\n", text.Quote(why))
	}
	for _, why := range r.Warnings {
		fmt.Fprintf(errs, "warning: %s\n", text.Quote(why))
	}
}

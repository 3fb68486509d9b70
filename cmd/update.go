package cmd

import (
	"fmt"
	"io"
	"slices"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/author"

	"github.com/spf13/cobra"
)

func newUpdate(a *console.App) *cobra.Command {
	var in author.UpdateInput
	c := &cobra.Command{
		Use:   "update ID",
		Short: "Change the status or other fields of a spec, or add output to it",
		Long: `Change fields or status of a spec, or add output to it.

The criteria of a spec that was started cannot be weakened, and output never becomes
one. With --status completed the criteria are checked first; unless all of them pass,
nothing is changed.`,
		Example: `chant update 001 --label api --depends-on 002
chant update 001 --output "Done in three steps."
chant update 001 --status completed`,
		Args: console.OneID,
		RunE: func(c *cobra.Command, args []string) error {
			in.ID = args[0]
			if slices.Equal(in.TargetFiles, []string{""}) {
				// No target files, as --label "" and --depends-on "" have no labels and dependencies.
				in.TargetFiles = []string{}
			}
			return console.Do(a, c, author.Update, in, func(w io.Writer, r engine.StateResult) {
				fmt.Fprintf(w, "Updated spec: %s\n", r.ID)
			})
		},
	}
	f := c.Flags()
	f.StringVarP(&in.Status, "status", "s", "", "one of pending, in_progress, completed, failed")
	f.StringVar(&in.Output, "output", "", "text to append under \"## Output\"")
	f.BoolVar(&in.ReplaceBody, "replace-body", false, "replace the body with the output instead")
	f.StringSliceVar(&in.DependsOn, "depends-on", nil, "new dependencies")
	f.StringSliceVarP(&in.Labels, "label", "l", nil, "new labels")
	f.StringArrayVar(&in.TargetFiles, "target-file", nil, "new target files")
	f.StringSliceVar(&in.RunsOn, "runs-on", nil, "new labels that a machine of a fleet must have to work it")
	f.StringVar(&in.Model, "model", "", "new model")
	return c
}

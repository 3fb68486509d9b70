package tasks

import (
	"fmt"
	"io"

	"chant/cmd/console"
	"chant/engine/task/tasks"

	"github.com/spf13/cobra"
)

func newDelete(a *console.App) *cobra.Command {
	var in tasks.DeleteInput
	c := &cobra.Command{
		Use:   "delete ID",
		Short: "Delete a task; its text stays in the history",
		Long: `Delete a task; its text stays in the history.

A task on which others depend is not deleted, nor is one that has a run. Its number is
not given again.`,
		Example: "chant task delete AUTH-12",
		Args:    console.OneID,
		RunE: func(c *cobra.Command, args []string) error {
			in.ID = args[0]
			return do(a, c, writes, tasks.Delete, in, func(w io.Writer, r tasks.DeleteResult) {
				if r.Deleted {
					fmt.Fprintf(w, "Deleted %s\n", r.ID)
				} else {
					fmt.Fprintf(w, "No task %s\n", in.ID)
				}
			})
		},
	}
	c.Flags().StringVarP(&in.Project, "project", "p", "", "prefix of the project, for an id that is only a number")
	return c
}

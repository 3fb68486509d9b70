package tasks

import (
	"fmt"
	"io"
	"text/tabwriter"

	"chant/cmd/console"
	"chant/engine/task/sprints"
	"chant/text"

	"github.com/spf13/cobra"
)

func newSprintBacklog(a *console.App) *cobra.Command {
	var in sprints.BacklogInput
	var limit, offset int
	c := &cobra.Command{
		Use:   "backlog",
		Short: "List the backlog: tasks in no sprint, the next one first",
		Long: `List the tasks that are in no sprint and not done, the next one first: by the custom field
rank, then by priority, due date, age and id.`,
		Example: "chant sprint backlog\nchant sprint backlog --assignee @me --limit 5\nchant sprint backlog --cleanup-missing",
		Args:    console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			in.Page = page(c, &limit, &offset)
			e := reads
			if in.CleanupMissing {
				e = writes
			}
			return do(a, c, e, sprints.Backlog, in, renderBacklog)
		},
	}
	f := c.Flags()
	f.StringVar(&in.Project, "project", "", "only this project: its prefix or name")
	f.StringSliceVarP(&in.Status, "status", "s", nil, "only these statuses (default: all that are not done)")
	f.StringSliceVar(&in.Tag, "tag", nil, "only tasks with one of these tags")
	f.StringVar(&in.Assignee, "assignee", "", "only tasks of this person, or @me")
	f.BoolVar(&in.CleanupMissing, "cleanup-missing", false, "first take all tasks out of sprints that do not exist")
	addPage(c, &limit, &offset, "tasks (default: 20, at most 100)")
	return c
}

func renderBacklog(w io.Writer, r sprints.BacklogResult) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, one := range r.Tasks {
		due := one.DueDate
		if due != "" {
			due = "due " + dateOf(due)
		}
		fmt.Fprintf(t, "%d\t%s\t%s\t%s\t%s\t%s\t%s\n", one.Rank, one.ID, one.Priority, one.Status, one.Assignee, due, text.Quote(one.Title))
	}
	// The writer below returns the error.
	_ = t.Flush()
	if r.Count < r.Total {
		fmt.Fprintf(w, "%d of %d\n", r.Count, r.Total)
	}
	printIntegrity(w, r.Integrity)
}

package tasks

import (
	"fmt"
	"io"
	"text/tabwriter"

	"chant/cmd/console"
	"chant/engine/task/tasks"
	"chant/text"

	"github.com/spf13/cobra"
)

func newList(a *console.App) *cobra.Command {
	var in tasks.ListInput
	var custom []string
	c := &cobra.Command{
		Use:   "list",
		Short: "List all tasks, or those of a project, person, status or sprint",
		Example: `chant task list --open --assignee @me --sort priority
chant task list --status todo,inprogress --tag api --json
chant task list --sprint 2 --field product=Platform`,
		Args: console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			fields, err := customFields(c, custom)
			if err != nil {
				return err
			}
			in.CustomFields = map[string][]string{}
			for name, value := range fields {
				if one, single := value.(string); single {
					in.CustomFields[name] = []string{one}
				} else {
					in.CustomFields[name] = value.([]string)
				}
			}
			return do(a, c, reads, tasks.List, in, renderList)
		},
	}
	f := c.Flags()
	f.StringVarP(&in.Project, "project", "p", "", "only tasks of this project")
	f.StringSliceVarP(&in.Status, "status", "s", nil, "only tasks in one of these statuses")
	f.StringSliceVar(&in.Priority, "priority", nil, "only tasks with one of these priorities")
	f.StringSliceVarP(&in.Type, "type", "t", nil, "only tasks of one of these types")
	f.StringSliceVar(&in.Tags, "tag", nil, "only tasks with one of these tags, or parts of tags")
	f.StringVar(&in.Assignee, "assignee", "", "only tasks of this person; @me for you")
	f.StringVar(&in.Search, "search", "", "only tasks with this text in id, title, subtitle, description or tags")
	f.StringArrayVar(&custom, "field", nil, "only tasks with this value, NAME=VALUE; may be repeated")
	f.Var(sprintsVar(&in.Sprints), "sprint", "only tasks of one of these sprints")
	f.BoolVar(&in.Open, "open", false, "only tasks that are neither completed nor cancelled")
	f.StringVar(&in.Sort, "sort", "", "one of id, priority, due_date, created, modified, status, title (the order)")
	f.BoolVar(&in.Reverse, "reverse", false, "last first")
	f.VarP(console.AtLeast(0, &in.Limit), "limit", "n", "tasks on a page, at most 200 (default 50)")
	f.Var(console.AtLeast(0, &in.Cursor), "cursor", "first task of the page, from 0")
	return c
}

func renderList(w io.Writer, r tasks.ListResult) {
	columns := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, t := range r.Tasks {
		fmt.Fprintf(columns, "%s\t%s\t%s\t%s\t%s\n", text.Quote(t.ID), text.Quote(t.Status), text.Quote(t.Priority), text.Quote(t.Assignee), text.Quote(t.Title))
	}
	_ = columns.Flush() // Show reports an error of w
	if r.HasMore || r.Cursor > 0 || r.Total == 0 {
		fmt.Fprintln(w, r.Message)
	}
}

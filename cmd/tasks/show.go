package tasks

import (
	"fmt"
	"io"
	"strings"

	"chant/cmd/console"
	"chant/engine/spec/task"
	"chant/engine/task/tasks"
	"chant/text"

	"github.com/spf13/cobra"
)

func newShow(a *console.App) *cobra.Command {
	var in tasks.GetInput
	history := false
	c := &cobra.Command{
		Use:     "show ID",
		Short:   "Show a task with its comments",
		Example: "chant task show AUTH-12\nchant task show 12 --project AUTH --history",
		Args:    console.OneID,
		RunE: func(c *cobra.Command, args []string) error {
			in.ID = args[0]
			return do(a, c, reads, tasks.Get, in, func(w io.Writer, t task.Task) { renderTask(w, t, history) })
		},
	}
	c.Flags().StringVarP(&in.Project, "project", "p", "", "prefix of the project, for an id that is only a number")
	c.Flags().BoolVar(&history, "history", false, "also show what changed when")
	return c
}

// renderTask prints a task for people.
func renderTask(w io.Writer, t task.Task, history bool) {
	fmt.Fprintf(w, "%s  %s\n", text.Quote(t.ID), text.Quote(t.Title))
	for _, f := range []struct{ name, value string }{
		{"status", t.Status}, {"priority", t.Priority}, {"type", t.TaskType}, {"assignee", t.Assignee}, {"reporter", t.Reporter}, {"due", t.DueDate},
		{"effort", t.Effort}, {"tags", strings.Join(t.Tags, ", ")}, {"sprints", numberList(t.Sprints)}, {"created", t.Created}, {"modified", t.Modified},
		{"verification", t.Verification}, {"commits", strings.Join(t.Commits, " ")}, {"spec", t.Spec},
	} {
		if f.value != "" {
			fmt.Fprintf(w, "%-12s  %s\n", f.name, text.Quote(f.value))
		}
	}
	renderRelationships(w, t.Relationships)
	for _, r := range t.References {
		fmt.Fprintf(w, "%-12s  %s\n", r.Kind, text.Quote(r.Value))
	}
	if t.Description != "" {
		fmt.Fprintf(w, "\n%s\n", text.Visible([]byte(t.Description)))
	}
	for _, c := range t.Criteria {
		fmt.Fprintf(w, "\n- %s", text.Quote(c))
	}
	if len(t.Criteria) > 0 {
		fmt.Fprintln(w)
	}
	for i, c := range t.Comments {
		fmt.Fprintf(w, "\n[%d] %s %s\n%s\n", i, c.Date, text.Quote(c.Author), text.Visible([]byte(c.Text)))
	}
	if !history {
		return
	}
	fmt.Fprintln(w)
	for _, entry := range t.History {
		for _, change := range entry.Changes {
			fmt.Fprintf(w, "%s  %s  %s: %s -> %s\n", entry.At, text.Quote(entry.Actor), text.Quote(change.Field), text.Quote(text.Clip(change.Old, 60)), text.Quote(text.Clip(change.New, 60)))
		}
	}
}

func renderRelationships(w io.Writer, r *task.Relationships) {
	if r == nil {
		return
	}
	for _, f := range []struct {
		name string
		ids  []string
	}{
		{"depends on", r.DependsOn}, {"blocks", r.Blocks}, {"related", r.Related}, {"parent", []string{r.Parent}}, {"children", r.Children}, {"fixes", r.Fixes},
		{"duplicate of", []string{r.DuplicateOf}},
	} {
		if ids := strings.Join(f.ids, ", "); ids != "" {
			fmt.Fprintf(w, "%-12s  %s\n", f.name, text.Quote(ids))
		}
	}
}

func numberList(list []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ", "), "[]")
}

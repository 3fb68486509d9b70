package tasks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/spec/next"
	"chant/engine/spec/task"
	"chant/engine/task/tasks"

	"github.com/spf13/cobra"
)

func newUpdate(a *console.App) *cobra.Command {
	in := tasks.BulkUpdateInput{Exact: true}
	v := &patchFlags{}
	c := &cobra.Command{
		Use:   "update ID...",
		Short: "Change status, assignee, sprint or other fields of tasks",
		Long: `Change fields or status of tasks, all in one commit.

A status takes the shortest legal path: from Todo to Done a task is started and
completed, which checks its criteria first. An empty value clears a field.`,
		Example: `chant task update AUTH-12 --status in_progress --assignee @me
chant task update AUTH-12 AUTH-13 --priority high --tag api
chant task update AUTH-12 --due "" --effort 2d`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			patch, err := v.patch(c)
			if err != nil {
				return err
			}
			in.IDs, in.Patch = args, patch
			return bulkDo(a, c, tasks.BulkUpdate, in, "Updated")
		},
	}
	bulkFlags(c, &in.BulkInput)
	v.bind(c)
	return c
}

// patchFlags are the flags of a patch.
type patchFlags struct {
	texts   map[string]*string
	tags    []string
	sprints []int
	custom  []string
	related map[string]*[]string
}

func (v *patchFlags) bind(c *cobra.Command) {
	f := c.Flags()
	v.texts, v.related = map[string]*string{}, map[string]*[]string{}
	short := map[string]string{"status": "s", "type": "t"}
	for _, one := range [][2]string{
		{"title", "title"}, {"description", "text below the title; the criteria stay"}, {"status", "status"}, {"priority", "priority"}, {"type", "type"},
		{"assignee", "who works on it; @me for you"}, {"reporter", "who asked for it; @me for you"}, {"due", "day or time: 2026-12-01, tomorrow, +3d"},
		{"effort", "estimate: 4h, 1d 2h, 3pt"}, {"subtitle", "second line of the title"}, {"parent", "task that it belongs to"}, {"duplicate-of", "task that asks for the same"},
	} {
		v.texts[one[0]] = f.StringP(one[0], short[one[0]], "", one[1])
	}
	for _, one := range [][2]string{
		{"depends-on", "tasks that must land first"}, {"blocks", "tasks that depend on it"}, {"related", "related tasks"}, {"child", "tasks that belong to it"}, {"fixes", "tasks whose faults it corrects"},
	} {
		v.related[one[0]] = f.StringSlice(one[0], nil, one[1])
	}
	f.StringSliceVar(&v.tags, "tag", nil, "all tags; may be repeated")
	f.Var(sprintsVar(&v.sprints), "sprint", "all sprints; may be repeated")
	f.StringArrayVar(&v.custom, "field", nil, "NAME=VALUE, all custom fields; may be repeated")
}

// patch returns the values of the flags that were given.
func (v *patchFlags) patch(c *cobra.Command) (tasks.Patch, error) {
	var p tasks.Patch
	f := c.Flags()
	for name, into := range map[string]**string{
		"title": &p.Title, "description": &p.Description, "status": &p.Status, "priority": &p.Priority, "type": &p.Type, "assignee": &p.Assignee,
		"reporter": &p.Reporter, "due": &p.DueDate, "effort": &p.Effort, "subtitle": &p.Subtitle,
	} {
		// An empty value clears a field, so only a flag that was given counts.
		if f.Changed(name) {
			*into = v.texts[name]
		}
	}
	for name, value := range map[string]*string{"title": p.Title, "status": p.Status} {
		if value != nil && strings.TrimSpace(*value) == "" {
			return p, console.UsageError(c, name+" cannot be empty")
		}
	}
	if f.Changed("tag") {
		p.Tags = &v.tags
	}
	if f.Changed("sprint") {
		p.Sprints = &v.sprints
	}
	if f.Changed("field") {
		fields, err := customFields(c, v.custom)
		if err != nil {
			return p, err
		}
		p.CustomFields = &fields
	}
	for _, name := range []string{"depends-on", "blocks", "related", "child", "fixes", "parent", "duplicate-of"} {
		if f.Changed(name) {
			p.Relationships = &task.Relationships{
				DependsOn: *v.related["depends-on"], Blocks: *v.related["blocks"], Related: *v.related["related"], Children: *v.related["child"],
				Fixes: *v.related["fixes"], Parent: *v.texts["parent"], DuplicateOf: *v.texts["duplicate-of"],
			}
		}
	}
	if f.NFlag() == 0 {
		return p, console.UsageError(c, "no change was given")
	}
	return p, nil
}

// bulkFlags binds the flags of a command about several tasks.
func bulkFlags(c *cobra.Command, in *tasks.BulkInput) {
	c.Flags().StringVarP(&in.Project, "project", "p", "", "prefix of the project, for ids that are only numbers")
	c.Flags().BoolVar(&in.StopOnError, "stop-on-error", false, "leave out the tasks behind one that fails")
}

// failedError is the error of a command about several tasks of which some failed.
func failedError(failed []tasks.Failed, skipped []string) error {
	if len(failed) == 0 {
		return nil
	}
	var known *engine.Error
	// The error of a single task has its own code and next step.
	if errors.As(failed[0].Cause(), &known) && len(failed) == 1 && len(skipped) == 0 {
		return known
	}
	var lines []string
	for _, one := range failed {
		lines = append(lines, one.ID+": "+one.Error)
	}
	if len(skipped) > 0 {
		lines = append(lines, "not tried: "+strings.Join(skipped, ", "))
	}
	code := engine.Usage
	if known != nil {
		code = known.Code
	}
	return &engine.Error{Code: code, Message: strings.Join(lines, "\n"), Next: next.Guide.On("tasks")}
}

// bulkDo runs an operation on several tasks. What was changed is printed, and the tasks that failed are the error.
func bulkDo[I any](a *console.App, c *cobra.Command, op func(context.Context, *engine.Project, I) (tasks.BulkResult, error), in I, word string) error {
	var r tasks.BulkResult
	err := do(a, c, writes, op, in, func(w io.Writer, done tasks.BulkResult) {
		r = done
		renderUpdated(w, word, done.Updated)
	})
	if err != nil || a.JSON {
		// The JSON contains what failed.
		return err
	}
	return failedError(r.Failed, r.Skipped)
}

func renderUpdated(w io.Writer, word string, updated []task.Task) {
	for _, t := range updated {
		fmt.Fprintf(w, "%s %s\n", word, t.ID)
	}
}

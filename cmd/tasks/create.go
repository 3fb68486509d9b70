package tasks

import (
	"context"
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

func newCreate(a *console.App) *cobra.Command {
	in := tasks.CreateInput{Exact: true}
	var custom []string
	var related task.Relationships
	c := &cobra.Command{
		Use:     "create TITLE",
		Aliases: []string{"add"},
		Short:   "Create a new task with type, priority, person and due date",
		Example: `chant task create "Parse dates" --type bug --priority high --assignee @me
chant task create "Parse dates" --criterion 'Tests pass ` + "`$ go test ./...`" + `' --sprint 2 --effort 1d`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			in.Title = strings.Join(args, " ")
			fields, err := customFields(c, custom)
			if err != nil {
				return err
			}
			in.CustomFields = fields
			if len(related.DependsOn)+len(related.Blocks) > 0 || related.Parent != "" {
				in.Relationships = &related
			}
			return do(a, c, writes, create, in, func(w io.Writer, r tasks.CreateResult) {
				fmt.Fprintf(w, "Created %s (%s)\n", r.Task.ID, r.Task.Spec)
			})
		},
	}
	f := c.Flags()
	f.StringVarP(&in.Project, "project", "p", "", "prefix of the project, such as AUTH")
	f.StringVar(&in.Description, "description", "", "text below the title")
	f.StringArrayVar(&in.Criteria, "criterion", nil, "acceptance criterion; may be repeated; one that ends in `$ command` is checked by running it")
	f.StringVarP(&in.Type, "type", "t", "", "type")
	f.StringVar(&in.Priority, "priority", "", "priority")
	f.StringVarP(&in.Status, "status", "s", "", "first status")
	f.StringVar(&in.Assignee, "assignee", "", "who works on it; @me for you")
	f.StringVar(&in.Reporter, "reporter", "", "who asked for it; @me for you")
	f.StringVar(&in.DueDate, "due", "", "day or time: 2026-12-01, tomorrow, +3d, next friday")
	f.StringVar(&in.Effort, "effort", "", "estimate: 4h, 1d 2h, 3pt")
	f.StringVar(&in.Subtitle, "subtitle", "", "second line of the title")
	f.StringSliceVar(&in.Tags, "tag", nil, "tag; may be repeated")
	f.StringSliceVar(&related.DependsOn, "depends-on", nil, "task that must land first; may be repeated")
	f.StringSliceVar(&related.Blocks, "blocks", nil, "task that depends on it; may be repeated")
	f.StringVar(&related.Parent, "parent", "", "task that it belongs to")
	f.Var(sprintsVar(&in.Sprints), "sprint", "sprint; may be repeated")
	f.StringArrayVar(&custom, "field", nil, "NAME=VALUE of a custom field; may be repeated")
	return c
}

// create warns of a task that no run takes until it has criteria.
func create(ctx context.Context, p *engine.Project, in tasks.CreateInput) (tasks.CreateResult, error) {
	r, err := tasks.Create(ctx, p, in)
	if err != nil {
		return r, err
	}
	why, err := tasks.WhyLeftOut(ctx, p, r.Task.Spec)
	// A tool of lotar does not warn: its client reads what lotar says.
	if err == nil && why != "" {
		engine.Warn(p, r.Task.Spec, fmt.Sprintf("it %s; next: %s", why, next.Edit.On(r.Task.Spec)))
	}
	return r, err
}

// customFields reads texts of the form NAME=VALUE; a name that is repeated gets a list. Errors: usage.
func customFields(c *cobra.Command, texts []string) (map[string]any, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	lists := map[string][]string{}
	for _, text := range texts {
		name, value, ok := strings.Cut(text, "=")
		if !ok || strings.TrimSpace(name) == "" {
			return nil, console.UsageError(c, fmt.Sprintf("invalid field %q (use NAME=VALUE)", text))
		}
		lists[strings.TrimSpace(name)] = append(lists[strings.TrimSpace(name)], value)
	}
	out := map[string]any{}
	for name, values := range lists {
		if out[name] = values; len(values) == 1 {
			out[name] = values[0]
		}
	}
	return out, nil
}

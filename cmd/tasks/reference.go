package tasks

import (
	"context"
	"fmt"
	"io"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/task/tasks"

	"github.com/spf13/cobra"
)

func newReference(a *console.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "reference",
		Short: "Add references to tasks, or remove them",
		Example: `chant task reference add link https://example.com/spec AUTH-12
chant task reference add code src/date.go#10-20 AUTH-12 AUTH-13
chant task reference remove file src/date.go AUTH-12`,
	}
	c.AddCommand(newReferenceChange(a, "add", "Add a link, file or other reference to tasks", tasks.BulkReferenceAdd))
	c.AddCommand(newReferenceChange(a, "remove", "Remove a link, file or other reference from tasks", tasks.BulkReferenceRemove))
	return c
}

type referenceOp = func(context.Context, *engine.Project, tasks.BulkReferenceInput) (tasks.BulkReferenceResult, error)

func newReferenceChange(a *console.App, name, short string, op referenceOp) *cobra.Command {
	var in tasks.BulkReferenceInput
	c := &cobra.Command{
		Use:     name + " KIND VALUE ID...",
		Short:   short,
		Long:    short + ". Kinds are link, file, code (path#start-end), jira and github (owner/repo#1).",
		Example: "chant task reference " + name + " link https://example.com/spec AUTH-12",
		Args:    cobra.MinimumNArgs(3),
		RunE: func(c *cobra.Command, args []string) error {
			in.Kind, in.Value, in.IDs = args[0], args[1], args[2:]
			var r tasks.BulkReferenceResult
			err := do(a, c, writes, op, in, func(w io.Writer, done tasks.BulkReferenceResult) {
				r = done
				for _, one := range done.Updated {
					fmt.Fprintf(w, "%s %s\n", map[bool]string{true: "Updated", false: "Unchanged"}[one.Changed], one.ID)
				}
			})
			// The JSON contains what failed.
			if err != nil || a.JSON {
				return err
			}
			return failedError(r.Failed, r.Skipped)
		},
	}
	bulkFlags(c, &in.BulkInput)
	return c
}

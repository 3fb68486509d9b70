package tasks

import (
	"fmt"
	"io"

	"chant/cmd/console"
	"chant/engine/task/tasks"

	"github.com/spf13/cobra"
)

// NewTask returns the command "chant task".
func NewTask(a *console.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "task",
		Short: "Plan specs as tasks: numbers, people, dates, comments",
		Long: `Plan specs as tasks: numbers, people, dates, comments.

A task is a spec with a number such as AUTH-12, which every command accepts in place of
the id. In a workspace that has .tasks/config.yml, statuses, priorities, types and
members are those of lotar: chant guide tasks.`,
		Example: `chant task create "Parse dates" --priority high --assignee @me --due +3d
chant task list --assignee @me --sort priority
chant task update AUTH-12 AUTH-13 --status done`,
	}
	c.AddCommand(newCreate(a), newList(a), newShow(a), newUpdate(a), newComment(a), newReference(a), newDelete(a), newProjects(a), newConfig(a), newImport(a))
	return c
}

// NewWhoami returns the command "chant whoami".
func NewWhoami(a *console.App) *cobra.Command {
	var in tasks.WhoamiInput
	c := &cobra.Command{
		Use:     "whoami",
		Short:   "Show who you are: the person that @me means",
		Example: "chant whoami\nchant whoami --explain",
		Args:    console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return do(a, c, reads, tasks.Whoami, in, renderWhoami)
		},
	}
	c.Flags().BoolVar(&in.Explain, "explain", false, "also show where the name comes from")
	return c
}

func renderWhoami(w io.Writer, r tasks.WhoamiResult) {
	switch {
	case r.User == nil:
		fmt.Fprintln(w, "(unknown)")
	case r.Explain != nil:
		fmt.Fprintf(w, "%s (%s)\n", *r.User, *r.Explain.Details)
	default:
		fmt.Fprintln(w, *r.User)
	}
}

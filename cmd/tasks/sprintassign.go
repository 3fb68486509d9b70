package tasks

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/spec/next"
	"chant/engine/spec/sprint"
	"chant/engine/task/sprints"

	"github.com/spf13/cobra"
)

func newSprintAdd(a *console.App) *cobra.Command {
	var in sprints.AddInput
	var to string
	c := &cobra.Command{
		Use:   "add TASK_ID...",
		Short: "Put tasks into a sprint",
		Long: `Put tasks into a sprint: the one that --to names, or the only one that is active. A task may
be in several sprints. If one of the tasks does not exist, none is changed.`,
		Example: "chant sprint add AUTH-1 AUTH-2 --to 3\nchant sprint add AUTH-1 --to next --force",
		Args:    atLeastOneTask,
		RunE: func(c *cobra.Command, args []string) error {
			in.Tasks, in.Sprint = args, sprint.Ref(to)
			return withSprintNamed(c, args, "to", do(a, c, writes, sprints.Add, in, renderAssigned))
		},
	}
	f := c.Flags()
	f.StringVar(&to, "to", "", "sprint: an id, active, next or previous (default: the active one)")
	f.BoolVar(&in.AllowClosed, "allow-closed", false, "allow a sprint that is closed")
	f.BoolVar(&in.ForceSingle, "force", false, "take the tasks out of all other sprints")
	f.BoolVar(&in.CleanupMissing, "cleanup-missing", false, "first take all tasks out of sprints that do not exist")
	c.ValidArgsFunction = a.CompleteID
	return c
}

func newSprintRemove(a *console.App) *cobra.Command {
	var in sprints.RemoveInput
	var from string
	c := &cobra.Command{
		Use:     "remove TASK_ID...",
		Short:   "Take tasks out of a sprint",
		Long:    `Take tasks out of a sprint: the one that --from names, or the only one that is active.`,
		Example: "chant sprint remove AUTH-1 --from 3",
		Args:    atLeastOneTask,
		RunE: func(c *cobra.Command, args []string) error {
			in.Tasks, in.Sprint = args, sprint.Ref(from)
			return withSprintNamed(c, args, "from", do(a, c, writes, sprints.Remove, in, renderAssigned))
		},
	}
	c.Flags().StringVar(&from, "from", "", "sprint: an id, active, next or previous (default: the active one)")
	c.Flags().BoolVar(&in.CleanupMissing, "cleanup-missing", false, "first take all tasks out of sprints that do not exist")
	c.ValidArgsFunction = a.CompleteID
	return c
}

// withSprintNamed adds to the error of a command that names no sprint how it would name one.
func withSprintNamed(c *cobra.Command, tasks []string, flag string, err error) error {
	var e *engine.Error
	// The operation does not know the flags of the command.
	if errors.Is(err, sprints.ErrUnnamed) && errors.As(err, &e) {
		e.Next = next.ByHand(fmt.Sprintf("`chant sprint list`, then `%s %s --%s NUMBER`", c.CommandPath(), strings.Join(tasks, " "), flag))
	}
	return err
}

// atLeastOneTask is the argument rule of commands about tasks.
func atLeastOneTask(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return nil
	}
	return console.UsageError(c, c.CommandPath()+" takes at least one task")
}

func renderAssigned(w io.Writer, r sprints.AssignResult) {
	done := map[string]string{"add": "to", "remove": "from"}[r.Action]
	verb := map[string]string{"add": "Added", "remove": "Removed"}[r.Action]
	if len(r.Modified) > 0 {
		fmt.Fprintf(w, "%s %s %s sprint #%d\n", verb, strings.Join(r.Modified, ", "), done, r.SprintID)
	}
	if len(r.Unchanged) > 0 {
		fmt.Fprintf(w, "Unchanged: %s\n", strings.Join(r.Unchanged, ", "))
	}
	for _, message := range r.Messages {
		fmt.Fprintln(w, message)
	}
	printIntegrity(w, r.Integrity)
}

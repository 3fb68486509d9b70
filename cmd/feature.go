package cmd

import (
	"fmt"
	"io"

	"chant/cmd/console"
	"chant/engine/feature"
	"chant/text"

	"github.com/spf13/cobra"
)

// This file has the commands for features of spec-kit and changes of OpenSpec: adopt, feature and hook.

// NewFeature returns the command "chant feature".
func NewFeature(a *console.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "feature",
		Short: "Show the feature of spec-kit or change of OpenSpec worked here",
		Long: `Show the feature of spec-kit (specs/NNN-name) or the change of OpenSpec (openspec/changes/NAME) that this
worktree is about: its phase, how many of its tasks are done, and the next task.

The feature is found by the branch, otherwise by SPECIFY_FEATURE_DIRECTORY, otherwise by .specify/feature.json. It works
in every git repository, also in one without specs of chant.`,
		Example: "chant feature\nchant feature tasks\nchant feature done T001\nchant feature read plan",
		Args:    console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return doInFolder(a, c, feature.Context, feature.ContextInput{}, renderContext)
		},
	}
	c.AddCommand(newTasks(a), newDone(a), newRead(a), newState(a), newReport(a))
	return c
}

func renderContext(w io.Writer, r feature.ContextResult) {
	if r.Dir == nil {
		fmt.Fprintln(w, "This worktree is about no feature: its branch has neither the number of a folder in specs nor the name of a change.")
		return
	}
	fmt.Fprintf(w, "%s: phase %s\n", text.Quote(*r.Dir), *r.Phase)
	if r.Progress != nil {
		fmt.Fprintln(w, r.Progress.Text)
	}
	renderNext(w, r.Next)
}

// renderNext prints the next task, if there is one.
func renderNext(w io.Writer, t *feature.Task) {
	if t != nil {
		fmt.Fprintf(w, "Next: %s %s\n", text.Quote(t.ID), text.Quote(t.Description))
	}
}

func newTasks(a *console.App) *cobra.Command {
	return &cobra.Command{
		Use:     "tasks",
		Short:   "List the tasks of this worktree's feature",
		Example: "chant feature tasks\nchant feature tasks --json",
		Args:    console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return doInFolder(a, c, feature.ListTasks, feature.ListTasksInput{}, renderTasks)
		},
	}
}

func renderTasks(w io.Writer, r feature.ListTasksResult) {
	phase := ""
	for _, t := range r.Tasks {
		if t.Phase != phase {
			phase = t.Phase
			fmt.Fprintln(w, text.Quote(phase))
		}
		box := " "
		if t.Done {
			box = "x"
		}
		fmt.Fprintf(w, "  [%s] %s %s\n", box, text.Quote(t.ID), text.Quote(t.Description))
	}
	fmt.Fprintln(w, r.Progress.Text)
	renderNext(w, r.Next)
}

func newDone(a *console.App) *cobra.Command {
	var in feature.CompleteTaskInput
	c := &cobra.Command{
		Use:   "done TASK",
		Short: "Tick a task of this worktree's feature",
		Long: `Tick a task in tasks.md of this worktree's feature; one byte of the file changes.

Before, the hook validate runs, otherwise the hook test, if the project has one of them. If it fails, nothing is ticked and
the command exits with 9. Where a spec adopts the folder, the change is committed.`,
		Example: "chant feature done T001\nchant feature done 1.2 --skip-validation",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			in.ID = args[0]
			return doInFolder(a, c, feature.CompleteTask, in, renderDone)
		},
	}
	c.Flags().BoolVar(&in.SkipValidation, "skip-validation", false, "run no hook before")
	return c
}

func renderDone(w io.Writer, r feature.CompleteTaskResult) {
	fmt.Fprintf(w, "Task %s is done: %s\n", text.Quote(r.ID), r.Progress.Text)
	renderNext(w, r.Next)
}

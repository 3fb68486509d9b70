package cmd

import (
	"fmt"
	"io"

	"chant/cmd/console"
	"chant/engine/feature"
	"chant/text"

	"github.com/spf13/cobra"
)

func newRead(a *console.App) *cobra.Command {
	return &cobra.Command{
		Use:   "read ARTIFACT",
		Short: "Print a document of the feature that is worked here",
		Long: `Print a document of this worktree's feature: spec, plan, tasks, checklist or analysis.

Of a change of OpenSpec, the spec is proposal.md and the plan is design.md.`,
		Example: "chant feature read spec\nchant feature read checklist",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return doInFolder(a, c, feature.ReadSpec, feature.ReadSpecInput{Artifact: args[0]}, func(w io.Writer, r feature.ReadSpecResult) {
				fmt.Fprint(w, r.Text)
			})
		},
	}
}

func newState(a *console.App) *cobra.Command {
	return &cobra.Command{
		Use:     "state",
		Short:   "Show the phases, hooks and runs that clients of rstn see",
		Example: "chant feature state\nchant feature state --json",
		Args:    console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return doInFolder(a, c, feature.AppState, feature.AppStateInput{}, renderState)
		},
	}
}

func renderState(w io.Writer, r feature.AppStateResult) {
	fmt.Fprintf(w, "%s: %s\n", text.Quote(r.Root), text.Quote(r.Worktree.Message))
	for i, c := range r.Worktree.Commands {
		mark := " "
		if i == r.Worktree.Selected && c.Enabled {
			mark = ">"
		}
		fmt.Fprintf(w, "%s %s %s: %s\n", mark, c.Kind, text.Quote(c.ID), text.Quote(c.Description))
	}
	fmt.Fprintf(w, "%s in progress\n", console.Plural(len(r.Workflows), "run"))
}

func newReport(a *console.App) *cobra.Command {
	var in feature.ReportStatusInput
	c := &cobra.Command{
		Use:   "report STATUS",
		Short: "Report how the work of this run is going",
		Long: `Report how the work of this run is going, for agents without MCP.

needs_input asks a person and stops nothing. completed is a claim: the criteria decide. error makes the run fail with the
message when the agent has ended. Outside of a run, nothing changes.`,
		Example: "chant feature report needs_input --prompt \"Which database?\"\nchant feature report error --message \"The API is gone\"",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			in.Status = args[0]
			return doInFolder(a, c, feature.ReportStatus, in, renderReport)
		},
	}
	c.Flags().StringVar(&in.Prompt, "prompt", "", "what to ask, with needs_input")
	c.Flags().StringVarP(&in.Message, "message", "m", "", "what went wrong, with error")
	return c
}

func renderReport(w io.Writer, r feature.ReportStatusResult) {
	fmt.Fprintf(w, "Reported %s: %s\n", r.Status, text.Quote(r.Effect))
	if r.Question != nil && r.Question.Answer != "" {
		fmt.Fprintf(w, "  answer: %s\n", text.Quote(r.Question.Answer))
	}
	for _, open := range r.Open {
		fmt.Fprintf(w, "  open: %s\n", text.Quote(open))
	}
	for _, open := range r.Unrun {
		fmt.Fprintf(w, "  to be run: %s\n", text.Quote(open))
	}
}

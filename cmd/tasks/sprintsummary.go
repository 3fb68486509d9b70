package tasks

import (
	"fmt"
	"io"
	"strconv"

	"chant/cmd/console"
	"chant/engine/spec/sprint"
	"chant/engine/task/sprints"
	"chant/text"

	"github.com/spf13/cobra"
)

func newSprintSummary(a *console.App) *cobra.Command {
	return &cobra.Command{
		Use:     "summary ID",
		Short:   "Show the progress of a sprint: count its tasks and what is left",
		Example: "chant sprint summary 3\nchant sprint summary 3 --json",
		Args:    oneSprint,
		RunE: func(c *cobra.Command, args []string) error {
			return do(a, c, reads, sprints.Summary, sprints.SummaryInput{Pick: pickByID(args[0])}, renderSummary)
		},
	}
}

func renderSummary(w io.Writer, r sprints.SummaryResult) {
	fmt.Fprintf(w, "#%d  %s  %s\n", r.Sprint.ID, text.Quote(r.Sprint.Sprint.Name()), r.Lifecycle.State)
	m := r.Metrics
	fmt.Fprintf(w, "  tasks   %d of %d done (%s)\n", m.Tasks.Done, m.Tasks.Committed, percent(m.Tasks.CompletionRatio))
	printEffort(w, "points", m.Points)
	printEffort(w, "hours", m.Hours)
	t := r.Timeline
	for _, line := range []struct {
		name string
		days *float64
	}{{"planned", t.PlannedDurationDays}, {"elapsed", t.ElapsedDays}, {"left", t.RemainingDays}, {"overdue", t.OverdueDays}} {
		if line.days != nil {
			fmt.Fprintf(w, "  %-6s  %s days\n", line.name, amount(*line.days))
		}
	}
	for _, b := range r.BlockedTasks {
		line := fmt.Sprintf("  blocked  %s  %s", b.ID, text.Quote(b.Title))
		if b.Assignee != "" {
			line += " (" + text.Quote(b.Assignee) + ")"
		}
		fmt.Fprintln(w, line)
	}
	warn(w, r.Sprint.StatusWarnings)
}

func printEffort(w io.Writer, name string, m *sprint.EffortMetric) {
	if m == nil {
		return
	}
	fmt.Fprintf(w, "  %-6s  %s of %s done (%s)", name, amount(m.Done), amount(m.Committed), percent(m.CompletionRatio))
	if m.Capacity > 0 {
		fmt.Fprintf(w, ", capacity %d", m.Capacity)
	}
	fmt.Fprintln(w)
}

// percent writes a ratio as whole percents.
func percent(ratio float64) string { return strconv.FormatFloat(ratio*100, 'f', 0, 64) + " %" }

// amount writes a number with at most two decimals.
func amount(n float64) string {
	text := strconv.FormatFloat(n, 'f', 2, 64)
	for text[len(text)-1] == '0' {
		text = text[:len(text)-1]
	}
	if text[len(text)-1] == '.' {
		text = text[:len(text)-1]
	}
	return text
}

package tasks

import (
	"context"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/spec/sprint"
	"chant/engine/task/sprints"
	"chant/text"

	"github.com/spf13/cobra"
)

func newSprintVelocity(a *console.App) *cobra.Command {
	var in sprints.VelocityInput
	var limit int
	var file string
	c := &cobra.Command{
		Use:     "velocity",
		Short:   "Plot the velocity: how much the last sprints completed",
		Example: "chant sprint velocity\nchant sprint velocity --metric hours --limit 10 --svg velocity.svg",
		Args:    console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if c.Flags().Changed("limit") {
				in.Limit = new(sprints.LenientLimit(limit))
			}
			report := func(ctx context.Context, p *engine.Project, in sprints.VelocityInput) (sprints.VelocityResult, error) {
				result, err := sprints.Velocity(ctx, p, in)
				if err == nil && file != "" {
					err = writeChart(a, file, velocityChart(result.Velocity))
				}
				return result, err
			}
			return do(a, c, reads, report, in, renderVelocity)
		},
	}
	f := c.Flags()
	f.VarP(console.AtLeast(1, &limit), "limit", "n", "at most this many sprints (default: 6)")
	f.StringVar(&in.Metric, "metric", "", "one of tasks, points, hours (what to count; default: points)")
	f.BoolVar(&in.IncludeActive, "include-active", false, "include active and overdue sprints")
	f.StringVar(&file, "svg", "", "also write the plot to this file")
	return c
}

func renderVelocity(w io.Writer, r sprints.VelocityResult) {
	if len(r.Entries) == 0 {
		fmt.Fprintln(w, "no sprint has ended")
		return
	}
	if len(r.Entries) > 1 {
		velocityChart(r.Velocity).plot(w)
		fmt.Fprintln(w)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, e := range r.Entries {
		fmt.Fprintf(t, "#%d\t%s\t%s of %s %s\t%s\t%s\n", e.Summary.ID, text.Quote(labelOf(e)), amount(e.Completed), amount(e.Committed), r.Metric, e.Window, e.Relative)
	}
	// The writer below returns the error.
	_ = t.Flush()
	fmt.Fprintf(w, "average: %s %s", amount(*r.AverageVelocity), r.Metric)
	if r.AverageCompletionRatio != nil {
		fmt.Fprintf(w, ", %s of what was planned", percent(*r.AverageCompletionRatio))
	}
	fmt.Fprintln(w)
	if r.SkippedIncomplete {
		fmt.Fprintln(w, "sprints that have not ended are left out")
	}
}

// labelOf is the label of a sprint, else "Sprint N".
func labelOf(e sprint.VelocityEntry) string {
	if e.Summary.Label != "" {
		return e.Summary.Label
	}
	return fmt.Sprintf("Sprint %d", e.Summary.ID)
}

// velocityChart draws what sprints completed and what was planned, the oldest first.
func velocityChart(v sprint.Velocity) chart {
	c := chart{title: fmt.Sprintf("velocity: completed %s", v.Metric), bars: true}
	planned, completed := line{name: "planned", dashed: true}, line{name: "completed"}
	// The oldest is drawn first.
	for _, e := range slices.Backward(v.Entries) {
		c.labels = append(c.labels, fmt.Sprintf("#%d", e.Summary.ID))
		planned.values, completed.values = append(planned.values, e.Committed), append(completed.values, e.Completed)
	}
	c.lines = []line{planned, completed}
	return c
}

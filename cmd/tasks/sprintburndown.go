package tasks

import (
	"context"
	"fmt"
	"io"
	"math"
	"time"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/spec/sprint"
	"chant/engine/task/sprints"
	"chant/text"

	"github.com/spf13/cobra"
)

func newSprintBurndown(a *console.App) *cobra.Command {
	var metric, file string
	c := &cobra.Command{
		Use:     "burndown ID",
		Short:   "Plot the burndown of a sprint: the remaining work, day by day",
		Example: "chant sprint burndown 3\nchant sprint burndown 3 --metric points --svg burndown.svg",
		Args:    oneSprint,
		RunE: func(c *cobra.Command, args []string) error {
			shown, err := sprints.ParseMetric(metric, sprint.Tasks)
			if err != nil {
				return err
			}
			var now time.Time
			report := func(ctx context.Context, p *engine.Project, in sprints.BurndownInput) (sprints.BurndownResult, error) {
				now = p.Now()
				result, err := sprints.Burndown(ctx, p, in)
				if err == nil && file != "" {
					err = writeChart(a, file, burndownChart(result.Burndown, shown, now))
				}
				return result, err
			}
			return do(a, c, reads, report, sprints.BurndownInput{Pick: pickByID(args[0])}, func(w io.Writer, r sprints.BurndownResult) {
				renderBurndown(w, r, burndownChart(r.Burndown, shown, now))
			})
		},
	}
	c.Flags().StringVar(&metric, "metric", "", "one of tasks, points, hours (what to plot; default: tasks)")
	c.Flags().StringVar(&file, "svg", "", "also write the plot to this file")
	return c
}

func renderBurndown(w io.Writer, r sprints.BurndownResult, draw chart) {
	fmt.Fprintf(w, "#%d  %s  %s\n\n", r.Sprint.ID, text.Quote(r.Sprint.Sprint.Name()), r.Lifecycle.State)
	draw.plot(w)
	warn(w, r.Sprint.StatusWarnings)
}

// burndownChart draws what remained on each day until now, and what would have at an even pace.
func burndownChart(b sprint.Burndown, metric sprint.Metric, now time.Time) chart {
	left, ideal := line{name: "remaining"}, line{name: "ideal", dashed: true}
	c := chart{title: fmt.Sprintf("%s: remaining %s", b.Sprint.Sprint.Name(), metric)}
	today := now.UTC().Format(time.DateOnly)
	for i, p := range b.Series {
		rest, even := float64(p.RemainingTasks), p.IdealTasks
		switch metric {
		case sprint.Points:
			rest, even = valueOf(p.RemainingPoints), valueOf(p.IdealPoints)
		case sprint.Hours:
			rest, even = valueOf(p.RemainingHours), valueOf(p.IdealHours)
		}
		date := dateOf(p.Date)
		if i > 0 && date > today {
			// The days to come have no line.
			rest = math.NaN()
		}
		c.labels = append(c.labels, date)
		left.values, ideal.values = append(left.values, rest), append(ideal.values, even)
	}
	c.lines = []line{ideal, left}
	return c
}

// valueOf returns a number, 0 if there is none.
func valueOf(n *float64) float64 {
	if n == nil {
		return 0
	}
	return *n
}

package tasks

import (
	"context"
	"fmt"
	"io"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/sprint"
	"chant/engine/sprints"
	"chant/providers/text"

	"github.com/spf13/cobra"
)

func newSprintBurndown(a *console.App) *cobra.Command {
	var metric, file string
	c := &cobra.Command{
		Use:     "burndown ID",
		Short:   "Plot how the work of a sprint became less, day by day",
		Example: "chant sprint burndown 3\nchant sprint burndown 3 --metric points --svg burndown.svg",
		Args:    oneSprint,
		RunE: func(c *cobra.Command, args []string) error {
			shown, err := sprints.ParseMetric(metric, sprint.Tasks)
			if err != nil {
				return err
			}
			report := func(ctx context.Context, p *engine.Project, in sprints.BurndownInput) (sprints.BurndownResult, error) {
				result, err := sprints.Burndown(ctx, p, in)
				if err == nil && file != "" {
					err = writeChart(a, file, burndownChart(result.Burndown, shown))
				}
				return result, err
			}
			return do(a, c, reads, report, sprints.BurndownInput{Pick: pick(args[0])}, func(w io.Writer, r sprints.BurndownResult) {
				renderBurndown(w, r, burndownChart(r.Burndown, shown))
			})
		},
	}
	c.Flags().StringVar(&metric, "metric", "", "what to plot: tasks, points or hours (default: tasks)")
	c.Flags().StringVar(&file, "svg", "", "also write the plot to this file")
	return c
}

func renderBurndown(w io.Writer, r sprints.BurndownResult, draw chart) {
	fmt.Fprintf(w, "#%d  %s  %s\n\n", r.Sprint.ID, text.Quote(r.Sprint.Sprint.Name()), r.Lifecycle.State)
	draw.plot(w)
	warn(w, r.Sprint.StatusWarnings)
}

// burndownChart draws what remained on each day, and what would have at an even pace.
func burndownChart(b sprint.Burndown, metric sprint.Metric) chart {
	left, ideal := line{name: "remaining"}, line{name: "ideal", dashed: true}
	c := chart{title: fmt.Sprintf("%s: remaining %s", b.Sprint.Sprint.Name(), metric)}
	for _, p := range b.Series {
		c.labels = append(c.labels, day(p.Date))
		switch {
		case metric == sprint.Points && p.RemainingPoints != nil:
			left.values, ideal.values = append(left.values, *p.RemainingPoints), append(ideal.values, *p.IdealPoints)
		case metric == sprint.Hours && p.RemainingHours != nil:
			left.values, ideal.values = append(left.values, *p.RemainingHours), append(ideal.values, *p.IdealHours)
		case metric == sprint.Tasks:
			left.values, ideal.values = append(left.values, float64(p.RemainingTasks)), append(ideal.values, p.IdealTasks)
		default:
			left.values, ideal.values = append(left.values, 0), append(ideal.values, 0)
		}
	}
	c.lines = []line{ideal, left}
	return c
}

package overview

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/view/overview"

	"chant/text"

	"github.com/spf13/cobra"
)

// NewStats returns the command `chant stats`.
func NewStats(a *console.App) *cobra.Command {
	var in overview.StatsInput
	file := ""
	c := &cobra.Command{
		Use:   "stats",
		Short: "Show throughput, lead time, cost of agents and flaky criteria",
		Long: `Show how the work goes: specs that landed by week, lead time from the first commit of a
spec until it is completed, how many were completed by their first attempt, what agents
have used by provider and model, and criteria whose outcome changed on the same tree or
between attempts.

Attempts, cost, tokens and criteria come from the journals of this machine. What is
unknown is left out and counted.`,
		Example: `chant stats
chant stats --since 4w
chant stats --since all --svg stats.svg
chant stats --json`,
		Args: console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			on := a.Canvas()
			compute := func(ctx context.Context, p *engine.Project, in overview.StatsInput) (overview.StatsResult, error) {
				r, err := overview.Stats(ctx, p, in)
				if err == nil && file != "" {
					err = a.WriteFile(file, r.SVG("stats", "Work on "+p.Config.Project.Name))
				}
				return r, err
			}
			return console.Do(a, c, compute, in, func(w io.Writer, r overview.StatsResult) { renderStats(w, r.Statistics, on) })
		},
	}
	c.Flags().StringVar(&in.Since, "since", "", "from this time on, such as 2026-11-26 or 4w, or all (default: 12 weeks ago)")
	c.Flags().StringVar(&file, "svg", "", "also draw the figures into this file")
	complete(c, "since", func(ctx context.Context) []string { return append(times(ctx), "all") })
	return c
}

// maxFlaky is how many criteria are listed.
const maxFlaky = 10

func renderStats(w io.Writer, s overview.Statistics, on console.Canvas) {
	for _, line := range s.Sentences() {
		fmt.Fprintln(w, fit(line, on))
	}
	fmt.Fprintln(w)
	if on.Rich {
		renderSparklines(w, s, on)
	} else {
		for _, week := range withoutEmptyBeginning(s.Weeks) {
			cost := ""
			if week.CostUSD != nil {
				cost = fmt.Sprintf("  $%.2f", *week.CostUSD)
			}
			fmt.Fprintf(w, "week of %s  %d landed  %s tokens%s\n", week.Begins, week.Landed, text.Amount(week.Tokens), cost)
		}
	}
	if len(s.Agents) > 0 {
		fmt.Fprintln(w)
	}
	for _, one := range s.Agents {
		fmt.Fprintln(w, fit(text.Quote(one.Sentence()), on))
	}
	renderFlaky(w, s.Flaky, on)
}

// renderSparklines draws a line for each series, with the weeks at its ends.
func renderSparklines(w io.Writer, s overview.Statistics, on console.Canvas) {
	landed := s.LandedByWeek()
	costs, known := s.CostByWeek()
	from := 0
	// The newest weeks that fit.
	if most := on.Width - 30; len(landed) > most {
		from = len(landed) - max(most, 1)
	}
	last := s.Weeks[len(s.Weeks)-1]
	fmt.Fprintln(w, fit(fmt.Sprintf("landed by week  %s  %d in the week of %s", overview.Sparkline(landed[from:]), last.Landed, last.Begins), on))
	if known {
		fmt.Fprintln(w, fit(fmt.Sprintf("cost by week    %s  $%.2f", overview.Sparkline(costs[from:]), costs[len(costs)-1]), on))
	}
}

// withoutEmptyBeginning leaves out the weeks before the first one in which something landed or was used, but never the last.
func withoutEmptyBeginning(weeks []overview.Week) []overview.Week {
	first := slices.IndexFunc(weeks, func(w overview.Week) bool { return w.Landed+w.Tokens > 0 || w.CostUSD != nil })
	if first < 0 {
		first = max(0, len(weeks)-1)
	}
	return weeks[first:]
}

// renderFlaky lists criteria whose outcome changed. Those that only passed in the end are counted.
func renderFlaky(w io.Writer, list []overview.Flaky, on console.Canvas) {
	fixed := 0
	var flaky []overview.Flaky
	for _, f := range list {
		if f.SameTree+f.Broke > 0 {
			flaky = append(flaky, f)
		} else {
			// Passing in the end is what a second attempt is for.
			fixed++
		}
	}
	if len(flaky) > 0 {
		fmt.Fprintln(w, "\nflaky criteria:")
	}
	for i, f := range flaky {
		if i == maxFlaky {
			fmt.Fprintf(w, "  and %d more\n", len(flaky)-i)
			break
		}
		fmt.Fprintln(w, fit(fmt.Sprintf("  %s  %s: %s", text.Quote(f.Spec), text.Quote(f.Criterion), changesOf(f)), on))
	}
	if fixed > 0 {
		fmt.Fprintf(w, "\n%s failed first and passed in a later attempt\n", plural(fixed, "criterion", "criteria"))
	}
}

// changesOf says how the outcome of a criterion changed.
func changesOf(f overview.Flaky) string {
	var why []string
	for _, part := range []struct {
		n    int
		text string
	}{{f.SameTree, "on the same tree"}, {f.Broke, "from passed to failed"}, {f.Fixed, "from failed to passed"}} {
		if part.n > 0 {
			why = append(why, fmt.Sprintf("%d %s", part.n, part.text))
		}
	}
	return fmt.Sprintf("%s (%d of %s failed)", strings.Join(why, ", "), f.Failed, console.Plural(f.Checks, "check"))
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

package runs

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"chant/cmd/console"
	"chant/cmd/tui"
	"chant/engine"
	"chant/engine/work/queue"
	"chant/providers"

	"github.com/spf13/cobra"
)

// workAll works many specs: with lines of progress for people, or as a stream of
// JSON objects, one a line, of which the last is the result.
func workAll(a *console.App, c *cobra.Command, p *engine.Project, in queue.WorkAllInput) error {
	a.Stop.Take()
	var result queue.WorkAllResult
	work := func(ctx context.Context, progress func(engine.Event)) error {
		var err error
		result, err = queue.WorkAll(ctx, p.WithProgress(progress, a.Stop.Taken()), in)
		return err
	}
	err := watchMany(a, c.Context(), p, work)
	if result.Ended == "" {
		return err
	}
	if printErr := showAll(a, result); printErr != nil && err == nil {
		return printErr
	}
	if a.JSON {
		return err
	}
	return briefError(result, err)
}

// briefError is the error of specs that failed without their reasons, which are above it.
func briefError(r queue.WorkAllResult, err error) error {
	known, ok := errors.AsType[*engine.Error](err)
	if !ok || len(r.Failed) == 0 || known.Code == engine.Canceled {
		return err
	}
	// A copy without the reasons, which are above it.
	brief := *known
	brief.Message = fmt.Sprintf("%s failed: %s", console.Plural(len(r.Failed), "spec"), r.Failed[0].ID)
	if more := len(r.Failed) - 1; more > 0 {
		brief.Message += fmt.Sprintf(" and %d more", more)
	}
	return &brief
}

// watchMany runs work with its progress shown as fits the terminal.
func watchMany(a *console.App, ctx context.Context, p *engine.Project, work func(context.Context, func(engine.Event)) error) error {
	if isLive(a) {
		return tui.WatchMany(ctx, a.In, a.Screen.Err, personOf(ctx, a, p), a.Stop.Say, work)
	}
	return work(ctx, progressPrinter(a))
}

// progressPrinter is the progress as lines, for people or as JSON.
func progressPrinter(a *console.App) func(engine.Event) {
	if a.JSON {
		return a.EventLine
	}
	return a.LineOf
}

// isLive reports whether progress is shown live: on a terminal that can move its cursor.
func isLive(a *console.App) bool {
	// A terminal that cannot move its cursor gets lines.
	dumb := providers.Variable(a.Environ, "TERM") == "dumb"
	return console.Terminal(a.Screen.Err) && console.Terminal(a.In) && !a.Quiet && !a.JSON && !dumb
}

// showAll prints the result, in one line where a stream ends with it.
func showAll(a *console.App, result queue.WorkAllResult) error {
	if a.JSON {
		return a.Streamed(result)
	}
	return console.Show(a, result, renderWorkAll)
}

// summaryLine counts, and says why it ended where that is not plain.
func summaryLine(r queue.WorkAllResult) string {
	var parts []string
	for _, c := range []struct {
		n    int
		word string
	}{
		{len(r.Completed), "completed"}, {len(r.Failed), "failed"}, {len(r.Paused), "paused"}, {len(r.Waiting), "waiting"}, {len(r.Skipped), "skipped"}, {len(r.Ready), "still ready"},
	} {
		if c.n > 0 || c.word == "completed" {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.word))
		}
	}
	line := strings.Join(parts, ", ") + " in " + (time.Duration(r.Seconds * float64(time.Second))).Round(100*time.Millisecond).String()
	if r.Limit != "" {
		line += ", " + r.Limit
	}
	if r.CostUSD != nil {
		line += fmt.Sprintf(", $%.2f", *r.CostUSD)
	}
	switch r.Ended {
	case "failed":
		line += "; stopped at the failure"
	case "limit":
		line += "; the limit was reached"
	case "interrupted":
		line += "; interrupted"
	case "finished":
	}
	return line
}

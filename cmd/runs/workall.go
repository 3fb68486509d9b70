package runs

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"chant/cmd/console"
	"chant/cmd/tui"
	"chant/engine"
	"chant/engine/criteria"
	"chant/engine/queue"

	"github.com/spf13/cobra"
)

// workAll works many specs: with lines of progress for people, or as a stream of
// JSON objects, one a line, of which the last is the result.
func workAll(a *console.App, c *cobra.Command, p *engine.Project, in queue.WorkAllInput) error {
	a.Stop.Take()
	var result queue.WorkAllResult
	work := func(ctx context.Context, progress func(engine.Event)) error {
		var err error
		result, err = queue.WorkAll(ctx, p.Watched(progress, a.Stop.Taken()), in)
		return err
	}
	err := watchMany(a, c.Context(), p, work)
	if result.Ended == "" {
		return err
	}
	if printErr := showAll(a, result); printErr != nil && err == nil {
		return printErr
	}
	return err
}

// watchMany runs work with its progress shown as fits the surroundings.
func watchMany(a *console.App, ctx context.Context, p *engine.Project, work func(context.Context, func(engine.Event)) error) error {
	switch {
	case a.JSON:
		return work(ctx, a.EventLine)
	case console.Terminal(a.Screen.Err) && console.Terminal(a.In) && !a.Quiet:
		return tui.WatchMany(ctx, a.In, a.Screen.Err, person(ctx, a, p), a.Stop.Say, work)
	}
	return work(ctx, a.LineOf)
}

// showAll prints the result, in one line where a stream ends with it.
func showAll(a *console.App, result queue.WorkAllResult) error {
	if a.JSON {
		return a.Streamed(result)
	}
	return console.Show(a, result, renderWorkAll)
}

func renderWorkAll(w io.Writer, r queue.WorkAllResult) {
	for _, c := range r.Completed {
		fmt.Fprintf(w, "%-10s %s  %s%s\n", landedWord(c.Landed), c.ID, c.Title, nothingMark(c.Verification))
	}
	for _, f := range r.Failed {
		fmt.Fprintf(w, "failed     %s  %s\n", f.ID, f.Reason)
		if !f.Next.IsZero() {
			fmt.Fprintf(w, "           next: %s\n", f.Next)
		}
	}
	for _, s := range r.Waiting {
		fmt.Fprintf(w, "waiting    %s  for %s\n", s.ID, s.For)
	}
	for _, s := range r.Skipped {
		fmt.Fprintf(w, "skipped    %s  %s\n", s.ID, s.Why)
	}
	for _, s := range r.Held {
		fmt.Fprintf(w, "held back  %s  behind %s, which has target files in common\n", s.ID, s.Behind)
	}
	fmt.Fprintln(w, summaryLine(r))
}

// nothingMark says behind the title of a completed spec that there was nothing to verify.
func nothingMark(status criteria.Status) string {
	if status != criteria.Nothing {
		return ""
	}
	return "  (" + string(status) + ")"
}

func landedWord(landed bool) string {
	if landed {
		return "landed"
	}
	return "completed"
}

// summaryLine counts, and says why it ended where that is not plain.
func summaryLine(r queue.WorkAllResult) string {
	var parts []string
	for _, c := range []struct {
		n    int
		word string
	}{
		{len(r.Completed), "completed"}, {len(r.Failed), "failed"}, {len(r.Waiting), "waiting"}, {len(r.Skipped), "skipped"}, {len(r.Ready), "still ready"},
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

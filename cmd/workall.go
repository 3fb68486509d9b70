package cmd

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"chant/cmd/tui"
	"chant/engine"
	"chant/engine/criteria"
	"chant/engine/queue"

	"github.com/spf13/cobra"
)

// workAll works many specs: with lines of progress for people, or as a stream of
// JSON objects, one a line, of which the last is the result.
func (a *app) workAll(c *cobra.Command, in queue.WorkAllInput) error {
	a.stop.take()
	var result queue.WorkAllResult
	work := func(ctx context.Context, progress func(engine.Event)) error {
		p, err := engine.Open(a.Dir, a.options(progress))
		if err != nil {
			return err
		}
		result, err = queue.WorkAll(ctx, p, in)
		return err
	}
	err := a.watchMany(c.Context(), work)
	if result.Ended == "" {
		return err
	}
	if printErr := a.showAll(result); printErr != nil && err == nil {
		return printErr
	}
	return err
}

// watchMany runs work with its progress shown as fits the surroundings.
func (a *app) watchMany(ctx context.Context, work func(context.Context, func(engine.Event)) error) error {
	switch {
	case a.json:
		return work(ctx, a.eventLine)
	case terminal(a.screen.err) && terminal(a.In) && !a.quiet:
		return tui.WatchMany(ctx, a.In, a.screen.err, a.stop.say, work)
	}
	return work(ctx, a.lineOf)
}

// showAll prints the result, in one line where a stream ends with it.
func (a *app) showAll(result queue.WorkAllResult) error {
	if a.json {
		return a.streamed(result)
	}
	return show(a, result, renderWorkAll)
}

// eventLine writes a piece of progress as one line of JSON. What tools returned is
// left out: the log has it.
func (a *app) eventLine(ev engine.Event) {
	if !a.quiet && ev.Kind != "result" {
		_ = a.streamed(ev) // the result, which follows, tells of a reader that is gone
	}
}

func (a *app) streamed(v any) error {
	enc := json.NewEncoder(a.Out)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// lineOf prints a piece of progress of one among many runs.
func (a *app) lineOf(ev engine.Event) {
	text := oneLine(ev)
	switch {
	case text == "" || a.quiet:
	case ev.ID == "":
		fmt.Fprintln(a.Err, text)
	default:
		fmt.Fprintf(a.Err, "%s  %-9s %s\n", ev.ID, cmp.Or(string(ev.Step), ev.Kind), text)
	}
}

func renderWorkAll(w io.Writer, r queue.WorkAllResult) {
	for _, c := range r.Completed {
		fmt.Fprintf(w, "%-10s %s  %s%s\n", landedWord(c.Landed), c.ID, c.Title, nothingMark(c.Verification))
	}
	for _, f := range r.Failed {
		fmt.Fprintf(w, "failed     %s  %s\n", f.ID, f.Reason)
		if f.Hint != "" {
			fmt.Fprintf(w, "           next: %s\n", f.Hint)
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

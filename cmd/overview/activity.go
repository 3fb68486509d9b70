package overview

import (
	"context"
	"fmt"
	"io"
	"time"
	"unicode/utf8"

	"chant/cmd/console"
	"chant/engine"

	"chant/engine/view/overview"

	"chant/text"

	"github.com/spf13/cobra"
)

// defaultEntries is how many entries are listed unless there is a limit.
const defaultEntries = 50

// NewActivity returns the command `chant activity`.
func NewActivity(a *console.App) *cobra.Command {
	in := overview.ActivityInput{Limit: defaultEntries}
	c := &cobra.Command{
		Use:   "activity",
		Short: "List who did what to which spec, and when, from the commits",
		Long: `List who did what to which spec, and when, newest first: what the trailers of commits
record, and what people did to spec files by hand. The commits are those of the branch
that your checkout has, of the target, and of the branches of runs.

Times are days such as 2026-11-26, today, yesterday, how long ago (12h, 3d, 2w, 6mo,
"2 weeks ago"), local times such as "2026-11-26 15:04:05", or times of RFC 3339.`,
		Example: `chant activity
chant activity --since yesterday --by ada
chant activity --spec 004 --limit 0
chant activity --since 2026-11-01 --until 2026-11-15 --json`,
		Args: console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			on := a.Canvas()
			var now time.Time
			list := func(ctx context.Context, p *engine.Project, in overview.ActivityInput) (overview.ActivityResult, error) {
				now = p.Now()
				return overview.Activity(ctx, p, in)
			}
			return console.Do(a, c, list, in, func(w io.Writer, r overview.ActivityResult) { renderActivity(w, r, now, on) })
		},
	}
	f := c.Flags()
	f.StringVar(&in.Since, "since", "", "only from this time on")
	f.StringVar(&in.Until, "until", "", "only up to this time; a day is included")
	f.StringVar(&in.By, "by", "", "only by authors with this in name or mail")
	f.StringSliceVar(&in.Specs, "spec", nil, "only these specs and their members")
	console.PageFlags(c, &in.Limit, &in.Cursor, "entries, 0 for all")
	complete(c, "since", times)
	complete(c, "until", times)
	_ = c.RegisterFlagCompletionFunc("spec", func(c *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		return a.CompleteID(c, nil, "")
	}) // the flag exists
	return c
}

// renderActivity prints a line for each entry, in columns.
func renderActivity(w io.Writer, r overview.ActivityResult, now time.Time, on console.Canvas) {
	var widths [4]int
	rows := make([][5]string, 0, len(r.Entries))
	for _, e := range r.Entries {
		row := rowOf(e, now, on)
		for i := range widths {
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i]))
		}
		rows = append(rows, row)
	}
	for _, row := range rows {
		line := fmt.Sprintf("%-*s  %-*s  %-*s  %-*s  %s", widths[0], row[0], widths[1], row[1], widths[2], row[2], widths[3], row[3], row[4])
		fmt.Fprintln(w, fit(line, on))
	}
	if r.Returned < r.Total {
		fmt.Fprintf(w, "%d of %d\n", r.Returned, r.Total)
	}
	if len(rows) == 0 {
		fmt.Fprintln(w, "no activity")
	}
}

func rowOf(e overview.ActivityEntry, now time.Time, on console.Canvas) [5]string {
	at := text.LocalTime(e.At)
	if on.Rich {
		at = text.Ago(e.At, now)
	}
	event := e.Event
	if e.Attempt > 1 {
		event += fmt.Sprintf(" (attempt %d)", e.Attempt)
	}
	about := e.Title
	// A commit of an agent has more to say than the title of its spec.
	if about == "" || e.Event == overview.Commit {
		about = e.Subject
	}
	return [5]string{at, text.Quote(e.Who()), text.Quote(event), text.Quote(e.Spec), text.Quote(text.OneLine(about))}
}

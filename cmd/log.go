package cmd

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/spec/next"
	"chant/engine/view"
	"chant/engine/work/node"
	"chant/text"

	"github.com/spf13/cobra"
)

// followEvery is how often a followed log is looked at.
const followEvery = 300 * time.Millisecond

func newLog(a *console.App) *cobra.Command {
	var in view.LogInput
	var how logMode
	c := &cobra.Command{
		Use:   "log ID",
		Short: "Print the log of a spec's agent: what it said and did",
		Long: `Print the log of a spec's agent. Control characters are escaped, such as \x1b;
--raw leaves them unchanged, for a pipe or a file.`,
		Example: "chant log 001\nchant log 001 -n 500 --run 2\nchant log 001 --follow\nchant log 001 --raw > agent.log",
		Args:    console.OneID,
		RunE: func(c *cobra.Command, args []string) error {
			in.ID = args[0]
			switch {
			case how.raw && a.JSON:
				return console.UsageError(c, "--raw does not go with --json, which escapes control characters")
			case how.raw && console.Terminal(a.Screen.Out):
				return &engine.Error{Code: engine.Usage, Message: "--raw needs a pipe or a file as output: a terminal would execute control sequences in the log", Next: next.Log.On(in.ID)}
			}
			p, err := a.Open()
			if err != nil {
				return err
			}
			stop, err := node.BringLog(c.Context(), p, in.ID, how.follow)
			if err != nil {
				return err
			}
			defer stop()
			// One reply, as the tool gives it.
			if !how.follow && a.JSON {
				return console.Do(a, c, view.Log, in, renderLog)
			}
			return followLog(a, c, p, in, how)
		},
	}
	f := c.Flags()
	in.Lines = 100
	f.VarP(console.AtLeast(1, &in.Lines), "lines", "n", "number of lines to print, from the end")
	f.Var(console.NumberOr("latest", view.LastAttempt, console.AtLeast(0, &in.Run)), "run", "only this attempt, or latest")
	f.StringVar(&in.Since, "since", "", "only lines after this time, such as 90m, yesterday or a time of RFC 3339")
	f.BoolVar(&how.raw, "raw", false, "do not escape control characters; needs a pipe or a file")
	f.BoolVarP(&how.follow, "follow", "f", false, "print until the run ends (with --json: one object per update)")
	return c
}

// logMode is how a log is printed.
type logMode struct{ follow, raw bool }

// followLog prints what is there and, if asked to, what comes until no process is
// at work on the spec.
func followLog(a *console.App, c *cobra.Command, p *engine.Project, in view.LogInput, how logMode) error {
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	for {
		r, err := view.Log(c.Context(), p, in)
		if err != nil {
			return err
		}
		if how.raw {
			_, err = io.WriteString(a.Screen.Out, r.Content)
		} else {
			err = console.Show(a, r, renderLog)
		}
		if err != nil {
			return err
		}
		if !r.HasMore && !(how.follow && r.Running) {
			return nil
		}
		// From here on, only what is new.
		in.Offset, in.Lines = &r.ByteOffset, 10000
		if r.HasMore {
			continue
		}
		if err := wait(c.Context(), tick); err != nil {
			return err
		}
	}
}

// renderLog prints lines with their times as those of the person's clock, which --since takes as well.
func renderLog(w io.Writer, r view.LogResult) {
	for line := range strings.Lines(r.Content) {
		stamp, rest, found := strings.Cut(line, " ")
		if at, err := time.Parse(time.RFC3339, stamp); found && err == nil {
			line = text.LocalTime(at) + " " + rest
		}
		fmt.Fprint(w, line)
	}
}

func wait(ctx context.Context, tick *time.Ticker) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-tick.C:
		return nil
	}
}

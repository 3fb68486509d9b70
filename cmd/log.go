package cmd

import (
	"context"
	"fmt"
	"io"
	"time"

	"chant/engine"

	"github.com/spf13/cobra"
)

// followEvery is how often a followed log is looked at.
const followEvery = 300 * time.Millisecond

func newLog(a *app) *cobra.Command {
	var in engine.LogInput
	var follow bool
	c := &cobra.Command{
		Use:     "log ID",
		Short:   "Read what a spec's agent said",
		Example: "chant log 001\nchant log 001 -n 500 --run 2\nchant log 001 --follow",
		Args:    oneID,
		RunE: func(c *cobra.Command, args []string) error {
			in.ID = args[0]
			if !follow && a.json { // one reply, as the tool gives it
				return do(a, c, (*engine.Engine).Log, in, renderLog)
			}
			return followLog(a, c, in, follow)
		},
	}
	f := c.Flags()
	in.Lines = 100
	f.VarP(atLeast(1, &in.Lines), "lines", "n", "how many of the last lines")
	f.Var(atLeast(0, &in.Run), "run", "only this attempt")
	f.StringVar(&in.Since, "since", "", "only lines after this time (RFC 3339)")
	f.BoolVarP(&follow, "follow", "f", false, "go on until the run ends (with --json: one object a look)")
	return c
}

// followLog prints what is there and, if asked to, what comes until no process is
// at work on the spec.
func followLog(a *app, c *cobra.Command, in engine.LogInput, follow bool) error {
	e, err := a.open()
	if err != nil {
		return err
	}
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	for {
		r, err := e.Log(c.Context(), in)
		if err != nil {
			return err
		}
		if err := show(a, r, renderLog); err != nil {
			return err
		}
		if !r.HasMore && !(follow && r.Running) {
			return nil
		}
		in.Offset, in.Lines = &r.ByteOffset, 10000
		if r.HasMore {
			continue
		}
		if err := wait(c.Context(), tick); err != nil {
			return err
		}
	}
}

func renderLog(w io.Writer, r engine.LogResult) { fmt.Fprint(w, r.Content) }

func wait(ctx context.Context, tick *time.Ticker) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-tick.C:
		return nil
	}
}

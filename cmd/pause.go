package cmd

import (
	"fmt"
	"io"

	"chant/engine"
	"chant/engine/work"

	"github.com/spf13/cobra"
)

func newPause(a *app) *cobra.Command {
	var in work.PauseInput
	return &cobra.Command{
		Use:     "pause ID",
		Short:   "Stop the agent at work on a spec; work resumes it",
		Example: "chant pause 001",
		Args:    oneID,
		RunE: func(c *cobra.Command, args []string) error {
			in.ID = args[0]
			return do(a, c, work.Pause, in, renderPaused)
		},
	}
}

func renderPaused(w io.Writer, r engine.StateResult) {
	if r.Status != "paused" {
		fmt.Fprintf(w, "Nothing to pause: %s is %s\n", r.ID, r.Status)
		return
	}
	fmt.Fprintf(w, "Paused %s\n", r.ID)
}

package runs

import (
	"fmt"
	"io"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/work"
	"chant/engine/work/node"

	"github.com/spf13/cobra"
)

// NewPause returns the command "chant pause".
func NewPause(a *console.App) *cobra.Command {
	var in work.PauseInput
	return &cobra.Command{
		Use:     "pause ID",
		Short:   "Pause a spec: stop its agent until \"chant work\" resumes it",
		Example: "chant pause 001",
		Args:    console.OneID,
		RunE: func(c *cobra.Command, args []string) error {
			in.ID = args[0]
			return console.Do(a, c, node.Pause, in, renderPaused)
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

package runs

import (
	"fmt"
	"io"

	"chant/cmd/console"
	"chant/engine/work"
	"chant/engine/work/node"

	"github.com/spf13/cobra"
)

// NewTakeover returns the command "chant takeover".
func NewTakeover(a *console.App) *cobra.Command {
	var in work.TakeoverInput
	return &cobra.Command{
		Use:     "takeover ID",
		Short:   "Take over a spec: stop its agent and continue by hand",
		Example: "chant takeover 001",
		Args:    console.OneID,
		RunE: func(c *cobra.Command, args []string) error {
			in.ID = args[0]
			return console.Do(a, c, node.Takeover, in, renderTakeover)
		},
	}
}

func renderTakeover(w io.Writer, r work.TakeoverResult) {
	fmt.Fprintf(w, "%s is %s\n%s\n\nworktree: %s\nbranch:   %s\n", r.SpecID, r.Status, r.Analysis, r.Worktree, r.Branch)
	for _, c := range r.Open {
		fmt.Fprintf(w, "open:     %d. %s\n", c.Number, c.Text)
	}
	if more := r.OpenAll - len(r.Open); more > 0 {
		fmt.Fprintf(w, "open:     %d more\n", more)
	}
	if r.Command != "" {
		fmt.Fprintf(w, "agent:    %s\n", r.Command)
	}
	fmt.Fprintf(w, "\n%s\nnext: %s\n", r.LogTail, r.Suggest)
}

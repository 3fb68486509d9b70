package runs

import (
	"fmt"
	"io"
	"text/tabwriter"

	"chant/cmd/console"
	"chant/engine/work/queue"

	"github.com/spf13/cobra"
)

func newWorkList(a *console.App) *cobra.Command {
	var in queue.WorkListInput
	c := &cobra.Command{
		Use:     "list [ID]",
		Short:   "List runs that are running, waiting for a person, or interrupted",
		Example: "chant work list\nchant work list --completed\nchant work list --json",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				in.ProcessID = args[0]
			}
			return console.Do(a, c, queue.WorkList, in, renderWorkList)
		},
	}
	c.Flags().BoolVar(&in.Completed, "completed", false, "also specs that a run here has completed")
	return c
}

func renderWorkList(w io.Writer, r queue.WorkListResult) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, p := range r.Processes {
		title := p.Title
		if p.LastLine != "" {
			title += fmt.Sprintf(": %s (quiet for %s)", p.LastLine, console.Age(p.Quiet))
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%s\t%s\n", p.SpecID, p.Status, p.PID, p.Since, title)
	}
	t.Flush()
}

func renderStarted(w io.Writer, r queue.WorkStartResult) {
	fmt.Fprintf(w, "Started %s as process %d\n", r.SpecID, r.PID)
}

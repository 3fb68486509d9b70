package fleet

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"chant/cmd/console"
	engineFleet "chant/engine/fleet"
	"chant/engine/work/node"

	"github.com/spf13/cobra"
)

func newStatus(a *console.App) *cobra.Command {
	return &cobra.Command{
		Use:     "status",
		Short:   "Show the machines of a fleet, its queue and what is worked on",
		Example: "chant fleet status\nchant fleet status --json",
		Args:    console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return console.Do(a, c, node.Status, node.StatusInput{}, renderStatus)
		},
	}
}

func renderStatus(w io.Writer, r node.StatusResult) {
	fmt.Fprintf(w, "%s at %s: %d of %d slots busy", r.Project, r.URL, r.Busy, r.Slots)
	if r.Queue != nil {
		fmt.Fprintf(w, ", %d waiting", r.Queue.Waiting)
		if r.Queue.Oldest > 0 {
			fmt.Fprintf(w, " (the oldest for %s)", r.Queue.Oldest.Round(time.Second))
		}
	}
	fmt.Fprintln(w)
	if r.Leader == "" {
		fmt.Fprintln(w, "no machine leads now: nothing is offered and nothing lands")
	}
	for _, n := range r.Nodes {
		if n.Trouble != "" {
			fmt.Fprintf(w, "%s leads, but its last round failed: %s\n", n.Name, n.Trouble)
		}
	}
	if len(r.Versions) > 0 {
		fmt.Fprintf(w, "the machines have different versions of chant: %s\n", strings.Join(r.Versions, ", "))
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, n := range r.Nodes {
		fmt.Fprintf(t, "  %s\t%d of %d\t%s\t%s\t%s\t%s\n", n.Name, len(n.Running), n.Slots, nodeState(n), list(n.Providers, "-"), list(n.Labels, "-"), n.Version)
	}
	t.Flush()
	for _, s := range r.Specs {
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\n", s.ID, specState(s), s.Node, cmp.Or(s.Reason, s.Pull, s.Title))
	}
	for _, s := range r.Stranded {
		fmt.Fprintf(t, "  %s\twaits\t-\tno machine now has %s\n", s.ID, neededText(s))
	}
	t.Flush()
	for _, s := range r.Specs {
		if !s.Next.IsZero() {
			fmt.Fprintf(w, "next: %s\n", s.Next)
			break
		}
	}
}

// neededText names what a machine needs for a spec.
func neededText(s node.StrandedSpec) string {
	all := slices.Clone(s.Labels)
	if s.Provider != "" {
		all = slices.Insert(all, 0, fmt.Sprintf("provider %q", s.Provider))
	}
	return strings.Join(all, " and ")
}

func nodeState(n engineFleet.Node) string {
	switch {
	case n.Draining:
		return "draining"
	case n.Cordoned:
		return "cordoned"
	case n.Landing:
		return "leads"
	}
	return "works"
}

func specState(s node.ClaimedSpec) string {
	switch {
	case s.Lost:
		return "lost"
	case s.State == engineFleet.Ended:
		return cmp.Or(s.Status, "ended")
	case s.State == engineFleet.Completed:
		return "lands"
	}
	return string(s.State)
}

package runs

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/view"
	"chant/engine/work"
	"chant/text"

	"github.com/spf13/cobra"
)

// NewQueue returns the command "chant queue".
func NewQueue(a *console.App) *cobra.Command {
	var in view.QueueInput
	c := &cobra.Command{
		Use:   "queue",
		Short: "List the completed branches that wait to land, in their order",
		Long: `List the completed branches that wait to land on a target, in the order in which they land:
position, state, how long each has waited, when it is expected to land, and its title.

Those at the front are checked at the same time, each on the tree that results if all before
it land. Branches that no process lands come last, as stopped: "chant merge" lands them.`,
		Example: "chant queue\nchant queue --target release --json\nchant queue hold\nchant queue first 003",
		Args:    console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			var now time.Time
			list := func(ctx context.Context, p *engine.Project, in view.QueueInput) (view.QueueResult, error) {
				now = p.Now()
				return view.Queue(ctx, p, in)
			}
			return console.Do(a, c, list, in, func(w io.Writer, r view.QueueResult) { renderQueue(w, r, now) })
		},
	}
	targetFlag(c, &in.Target)
	console.PageFlags(c, &in.Limit, &in.Cursor, "branches (default: 100)")
	c.AddCommand(newQueueHold(a), newQueueResume(a), newQueueEject(a), newQueueFirst(a))
	return c
}

func targetFlag(c *cobra.Command, target *string) {
	c.Flags().StringVar(target, "target", "", "the branch on which they land (default: that of the settings)")
}

func newQueueHold(a *console.App) *cobra.Command {
	var in work.QueueOrderInput
	c := &cobra.Command{
		Use:   "hold [ID]",
		Short: "Hold a branch in the queue, or let nothing land for now",
		Long: `Hold a branch in the queue: it keeps its place and does not land, and others pass it. Without
an ID nothing lands on the target, also what is completed later, until "chant queue resume".
A landing that has begun ends.`,
		Example: "chant queue hold\nchant queue hold 003\nchant queue hold --target release",
		Args:    cobra.MaximumNArgs(1), ValidArgsFunction: a.CompleteID,
	}
	targetFlag(c, &in.Target)
	c.RunE = giveOrder(a, &in, work.HoldQueue, "Held", "in")
	return c
}

func newQueueResume(a *console.App) *cobra.Command {
	var in work.QueueOrderInput
	c := &cobra.Command{
		Use:     "resume [ID]",
		Short:   "Let a branch that is held land, or the queue continue",
		Example: "chant queue resume\nchant queue resume 003",
		Args:    cobra.MaximumNArgs(1), ValidArgsFunction: a.CompleteID,
	}
	targetFlag(c, &in.Target)
	c.RunE = giveOrder(a, &in, work.ResumeQueue, "Resumed", "in")
	return c
}

func newQueueEject(a *console.App) *cobra.Command {
	var in work.QueueOrderInput
	return &cobra.Command{
		Use:   "eject ID",
		Short: "Take a branch out of the queue; it stays complete",
		Long: `Take a branch out of the queue. Its run ends, its branch stays complete, and "chant merge"
lands it later.`,
		Example: "chant queue eject 003",
		Args:    console.OneID, ValidArgsFunction: a.CompleteID,
		RunE: giveOrder(a, &in, work.EjectQueued, "Took", "out of"),
	}
}

func newQueueFirst(a *console.App) *cobra.Command {
	var in work.QueueOrderInput
	return &cobra.Command{
		Use:     "first ID",
		Short:   "Let a branch land before all others in the queue",
		Example: "chant queue first 003",
		Args:    console.OneID, ValidArgsFunction: a.CompleteID,
		RunE: giveOrder(a, &in, work.PutQueuedFirst, "Put", "first in"),
	}
}

// giveOrder runs a command that gives an order about a branch in the queue, or without an ID about the queue. verb and where
// confirm it.
func giveOrder(a *console.App, in *work.QueueOrderInput, give func(context.Context, *engine.Project, work.QueueOrderInput) (work.QueueOrderResult, error), verb, where string) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		in.ID = strings.Join(args, "")
		return console.Do(a, c, give, *in, func(w io.Writer, r work.QueueOrderResult) {
			if r.ID != "" {
				verb += " " + r.ID + " " + where
			}
			fmt.Fprintf(w, "%s the queue of %q\nnext: %s\n", verb, r.Target, r.Next)
		})
	}
}

// renderQueue prints a line for each branch, in columns.
func renderQueue(w io.Writer, r view.QueueResult, now time.Time) {
	if !r.HeldSince.IsZero() {
		fmt.Fprintf(w, "The queue of %q is held for %s: chant queue resume\n", r.Target, console.Age(int64(now.Sub(r.HeldSince).Seconds())))
	}
	if len(r.Items) == 0 {
		fmt.Fprintf(w, "Nothing waits to land on %q\n", r.Target)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, i := range r.Items {
		place, when, about := strconv.Itoa(i.Position), "", text.Quote(text.OneLine(i.Title))
		if i.Position == 0 {
			place = "-"
		}
		if !i.Expected.IsZero() {
			when = "in " + console.Age(int64(i.Expected.Sub(now).Seconds()))
		}
		if i.Why != "" {
			about += ": " + text.Quote(text.OneLine(i.Why))
		}
		if !i.Next.IsZero() {
			about += "; next: " + i.Next.String()
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", place, text.Quote(i.ID), i.State, console.Age(int64(now.Sub(i.Since).Seconds())), when, about)
	}
	t.Flush()
	if r.Returned < r.Total {
		fmt.Fprintf(w, "%d of %d\n", r.Returned, r.Total)
	}
}

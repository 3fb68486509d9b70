package fleet

import (
	"fmt"
	"io"

	"chant/cmd/console"
	engineFleet "chant/engine/fleet"
	"chant/engine/work/node"

	"github.com/spf13/cobra"
)

func newDrain(a *console.App) *cobra.Command {
	return newOrder(a, engineFleet.Drain, "Let a machine end what it works on, and leave")
}

func newCordon(a *console.App) *cobra.Command {
	return newOrder(a, engineFleet.Cordon, "Let a machine take nothing more until it is uncordoned")
}

func newUncordon(a *console.App) *cobra.Command {
	return newOrder(a, engineFleet.Uncordon, "Let a machine take specs again")
}

// newOrder returns the command that gives an order to a machine.
func newOrder(a *console.App, order engineFleet.Order, short string) *cobra.Command {
	return &cobra.Command{
		Use:     string(order) + " NAME",
		Short:   short,
		Example: fmt.Sprintf("chant fleet %s buildbox", order),
		Args:    exactlyOne("the name of one machine"),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			p, err := a.Open()
			if err != nil || len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return node.ListInvited(p), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(c *cobra.Command, args []string) error {
			return console.Do(a, c, node.Order, node.OrderInput{Node: args[0], Order: order}, func(w io.Writer, r node.OrderResult) {
				fmt.Fprintf(w, orderTexts()[r.Order]+"\n", r.Node)
			})
		},
	}
}

// orderTexts say what a machine does after an order.
func orderTexts() map[engineFleet.Order]string {
	return map[engineFleet.Order]string{
		engineFleet.Drain:    "%s takes nothing more, and leaves once what runs has ended",
		engineFleet.Cordon:   "%s takes nothing more; what runs continues",
		engineFleet.Uncordon: "%s takes specs again",
	}
}

func newRetry(a *console.App) *cobra.Command {
	var in node.RetryInput
	c := &cobra.Command{
		Use:   "retry ID",
		Short: "Let the fleet work on a spec again that failed or was refused",
		Long: `Let the fleet work on a spec again whose work has ended without a landing. The next attempt continues on
its branch. With --fresh it begins anew, and a rescue ref in the remote keeps the branch.`,
		Example: "chant fleet retry 004\nchant fleet retry 004 --fresh",
		Args:    console.OneID,
		RunE: func(c *cobra.Command, args []string) error {
			in.ID = args[0]
			return console.Do(a, c, node.Retry, in, func(w io.Writer, r node.RetryResult) {
				fmt.Fprintf(w, "%s is offered again\n", r.ID)
				if r.Kept != "" {
					fmt.Fprintf(w, "its branch is kept in the remote as %s\n", r.Kept)
				}
			})
		},
	}
	c.Flags().BoolVar(&in.Fresh, "fresh", false, "begin anew instead of on the branch of the last attempt")
	return c
}

func newDown(a *console.App) *cobra.Command {
	var in node.DownInput
	c := &cobra.Command{
		Use:   "down",
		Short: "Leave the fleet: end its process in this clone",
		Long: `Leave the fleet: ask the process that takes part in it in this clone to end, as Ctrl-C does. What runs
continues to its end; with --now it is stopped and given back. Claims, branches and the queue stay.`,
		Example: "chant fleet down\nchant fleet down --now",
		Args:    console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return console.Do(a, c, node.Down, in, func(w io.Writer, r node.DownResult) {
				switch {
				case r.PID == 0:
					fmt.Fprintln(w, "This clone takes part in no fleet any more")
				case in.Now:
					fmt.Fprintf(w, "Process %d stops what runs, gives it back and ends\n", r.PID)
				default:
					fmt.Fprintf(w, "Process %d ends once what runs has ended\n", r.PID)
				}
				if !r.Next.IsZero() {
					fmt.Fprintf(w, "as a hub for the same workers again: %s\n", r.Next)
				}
			})
		},
	}
	c.Flags().BoolVar(&in.Now, "now", false, "stop what runs and give it back")
	return c
}

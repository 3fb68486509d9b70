// Package fleet has the command "chant fleet": several machines that work on one queue of specs.
package fleet

import (
	"chant/cmd/console"

	"github.com/spf13/cobra"
)

// New returns the command "chant fleet".
func New(a *console.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "fleet",
		Short: "Work on one queue of specs with several machines",
		Long: `Work on one queue of specs with several machines. One machine is the hub: it offers the specs that
are ready and lands what the others complete. They meet in a git remote, to which all of them push.
"chant guide fleet" goes from nothing to two machines.`,
		Example: "chant fleet up --listen 0.0.0.0:4222\nchant fleet invite buildbox\nchant fleet join buildbox.fleet --slots 4\nchant fleet status",
		Args:    cobra.NoArgs,
	}
	c.AddCommand(newUp(a), newInvite(a), newJoin(a), newStatus(a), newDrain(a), newCordon(a), newUncordon(a), newRetry(a), newDown(a), newUnit(a), newContainerfile(a))
	return c
}

// one is the argument rule of a command that takes one thing.
func one(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 1 {
			return nil
		}
		return console.UsageError(c, c.CommandPath()+" takes "+what)
	}
}

// Package fleet has the command "chant fleet": several machines that work on one queue of specs, and the texts of what keeps
// them running: a unit of systemd, or a file that containers are built from.
//
// # Rules
//
//   - Nothing that is given can become another setting: what cannot be written safely is refused.
//   - No text contains a secret. Credentials are files, which the text names at most.
//   - The unit takes nothing away that agents, their own sandboxes or a graphics card need.
//
// # Decisions
//
// 2026-11-26: the unit leaves out ProtectKernelTunables, ProtectKernelLogs and ProtectProc, with which a sandbox cannot
// mount /proc in a namespace of its own; RestrictNamespaces, which forbids such namespaces; MemoryDenyWriteExecute, with
// which no JavaScript runs; PrivateDevices and ProtectClock, which hide graphics cards; and ProtectSystem=strict and
// ProtectHome, with which agents have no caches. A unit of a user has nothing that would put it into a namespace.
//
// 2026-11-26: Restart=on-failure, so that a machine that was drained or sent down is not started again: chant exits with 0
// then, and never else. Rejected: Restart=always with a status of its own for drain in RestartPreventExitStatus. A clean
// end is a success for every other supervisor too (podman, docker, Kubernetes), and none of them would know that status.
// Whatever else ends the process, a fault, a lost remote or kill -9, starts it again. A restart of the machine does too,
// until the unit is disabled.
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
		Args:    console.NoArgs,
	}
	c.AddCommand(newUp(a), newInvite(a), newJoin(a), newStatus(a), newDrain(a), newCordon(a), newUncordon(a), newRetry(a), newDown(a), newUnit(a), newContainerfile(a))
	return c
}

// exactlyOne is the argument rule of a command that takes one thing.
func exactlyOne(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 1 {
			return nil
		}
		return console.UsageError(c, c.CommandPath()+" takes "+what)
	}
}

package cmd

import (
	"chant/providers/wall"

	"github.com/spf13/cobra"
)

// newEnter is the way into a network that only a process in it can furnish; package wall starts it.
func newEnter() *cobra.Command {
	return &cobra.Command{
		Use:     "enter -- FD PORTS PROGRAM NAME [ARG...]",
		Short:   "Start a program of an agent in the agent's own network",
		Long:    "Start a program of an agent in the agent's own network, with the services that it may reach. Runs with sandbox.network: models start it where only a user namespace can have such a network.",
		Example: "chant enter -- 3 61801 /bin/sh sh -c 'curl https://api.example.com'",
		Hidden:  true,
		Args:    cobra.MinimumNArgs(4),
		RunE:    func(_ *cobra.Command, args []string) error { return wall.Enter(args) },
	}
}

package cmd

import (
	"fmt"
	"io"

	"chant/cmd/console"
	"chant/engine/author/commands"

	"github.com/spf13/cobra"
)

func newRegistry(a *console.App) *cobra.Command {
	var in commands.RegistryInput
	c := &cobra.Command{
		Use:   "registry",
		Short: "Write the registry of an agent from its prompts",
		Long: `Write .agent/AGENT/registry.json from the front matter of the prompts of the agent. Nothing
is committed. Without a registry, commands are described by their prompts each time, so
one is needed only for climpt itself and for thousands of commands.

Commands that have no prompt are kept and named, unless --prune is given.`,
		Example: "chant command registry --dry-run\nchant command registry --prune",
		Args:    console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return doInFolder(a, c, commands.Registry, in, renderRegistry(a, in.DryRun))
		},
	}
	agentFlag(c, &in.Agent)
	c.Flags().BoolVar(&in.DryRun, "dry-run", false, "only print what would change")
	c.Flags().BoolVar(&in.Prune, "prune", false, "leave out commands that have no prompt")
	return c
}

// maxNames is how many commands of a kind are printed for people.
const maxNames = 20

func renderRegistry(a *console.App, dry bool) console.Render[commands.RegistryResult] {
	return func(w io.Writer, r commands.RegistryResult) {
		for _, list := range []struct {
			what  string
			names []string
		}{{"added", r.Added}, {"changed", r.Changed}, {"removed", r.Removed}, {"no prompt", r.Orphaned}} {
			for _, name := range list.names[:min(maxNames, len(list.names))] {
				fmt.Fprintf(w, "%-9s  %s\n", list.what, name)
			}
			if more := len(list.names) - maxNames; more > 0 {
				fmt.Fprintf(w, "%-9s  and %d more\n", list.what, more)
			}
		}
		for _, warning := range r.Warnings {
			fmt.Fprintf(a.Err, "warning: %s\n", warning)
		}
		switch {
		case r.Written:
			fmt.Fprintf(w, "Wrote %s (%s)\n", r.Path, console.Plural(r.Commands, "command"))
		case dry:
			fmt.Fprintf(w, "%s would have %s\n", r.Path, console.Plural(r.Commands, "command"))
		default:
			fmt.Fprintf(w, "%s is up to date (%s)\n", r.Path, console.Plural(r.Commands, "command"))
		}
	}
}

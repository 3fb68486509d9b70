package cmd

import (
	"fmt"
	"io"
	"text/tabwriter"

	"chant/cmd/console"
	"chant/engine/author/commands"
	"chant/text"

	"github.com/spf13/cobra"
)

func newCommandList(a *console.App) *cobra.Command {
	var in commands.ListInput
	c := &cobra.Command{
		Use:     "list [C1]",
		Short:   "List commands",
		Example: "chant command list\nchant command list git --json",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				in.Domain = args[0]
			}
			return doInFolder(a, c, commands.List, in, renderCommandList(a, in.Domain))
		},
	}
	agentFlag(c, &in.Agent)
	c.Flags().BoolVar(&in.Brief, "brief", false, "do not look whether the prompts can be run")
	complete := completeName(a, &in.Agent)
	c.ValidArgsFunction = func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return complete(c, args, typed)
	}
	return c
}

func renderCommandList(a *console.App, domain string) console.Render[commands.ListResult] {
	return func(w io.Writer, r commands.ListResult) {
		columns := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		for _, each := range r.Commands {
			about := each.Description
			switch {
			case each.Problem != "":
				about = "cannot be used: " + each.Problem
			case each.Unregistered:
				about += " (not found by search: the registry does not have it)"
			}
			fmt.Fprintf(columns, "%s\t%s\t%s\t%s\n", each.C1, each.C2, each.C3, text.Quote(about))
		}
		// Show reports an error of w.
		_ = columns.Flush()
		if len(r.Commands) == 0 && domain != "" {
			fmt.Fprintf(w, "No command has the domain %q.\n", domain)
		}
		for _, warning := range r.Warnings {
			fmt.Fprintf(a.Err, "warning: %s\n", warning)
		}
	}
}

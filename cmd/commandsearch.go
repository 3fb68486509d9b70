package cmd

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"chant/cmd/console"
	"chant/engine/author/commands"
	"chant/text"

	"github.com/spf13/cobra"
)

func newCommandSearch(a *console.App) *cobra.Command {
	var in commands.SearchInput
	c := &cobra.Command{
		Use:   "search QUERY",
		Short: "Find commands by what you want to do",
		Long: `Find commands by what you want to do, in your own words.

The score says how similar a command is to the question: from 0.8 on very, below 0.2 hardly.`,
		Example: "chant command search \"which branch should I merge next\"\nchant command search commit --limit 10 --json",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			in.Query = strings.Join(args, " ")
			return doInFolder(a, c, commands.Search, in, renderCommandSearch)
		},
	}
	agentFlag(c, &in.Agent)
	c.Flags().VarP(console.AtLeast(1, &in.Limit), "limit", "n", "most results (default 3)")
	return c
}

func renderCommandSearch(w io.Writer, r commands.SearchResult) {
	if len(r.Results) == 0 {
		fmt.Fprintln(w, "No command is similar to that.")
		return
	}
	columns := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, hit := range r.Results {
		fmt.Fprintf(columns, "%.2f\t%s\t%s\n", hit.Score, hit.Name, text.Quote(hit.Description))
	}
	// Show reports an error of w.
	_ = columns.Flush()
}

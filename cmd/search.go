package cmd

import (
	"strings"

	"chant/cmd/console"
	"chant/engine/view"

	"github.com/spf13/cobra"
)

func newSearch(a *console.App) *cobra.Command {
	var in view.SearchInput
	c := &cobra.Command{
		Use:     "search WORDS...",
		Short:   "Find specs, also archived ones, by words in title and text",
		Example: "chant search retry queue\nchant search parser --status completed",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			in.Query = strings.Join(args, " ")
			return console.Do(a, c, view.Search, in, renderList)
		},
	}
	c.Flags().Var(&optional{&in.Status}, "status", "only this status")
	c.Flags().Var(console.AtLeast(0, &in.Limit), "limit", "at most this many, 0 for all")
	return c
}

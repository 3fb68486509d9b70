package cmd

import (
	"strings"

	"chant/engine/view"

	"github.com/spf13/cobra"
)

func newSearch(a *app) *cobra.Command {
	var in view.SearchInput
	c := &cobra.Command{
		Use:     "search WORDS...",
		Short:   "Find specs by words in title and body, archive included",
		Example: "chant search retry queue\nchant search parser --status completed",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			in.Query = strings.Join(args, " ")
			return do(a, c, view.Search, in, renderList)
		},
	}
	c.Flags().Var(&optional{&in.Status}, "status", "only this status")
	c.Flags().Var(atLeast(0, &in.Limit), "limit", "at most this many, 0 for all")
	return c
}

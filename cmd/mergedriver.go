package cmd

import (
	"chant/cmd/console"
	"chant/engine/author"

	"github.com/spf13/cobra"
)

func newMergeDriver(a *console.App) *cobra.Command {
	return &cobra.Command{
		Use:     "merge-driver BASE OURS THEIRS [PATH]",
		Short:   "Merge two versions of a spec file field by field, for git",
		Long:    "Merge two versions of a spec file field by field, for git. Exits with 0 when merged, 7 on a conflict.",
		Example: "git config merge.chant-spec.driver 'chant merge-driver %O %A %B %P'",
		Hidden:  true,
		Args:    cobra.RangeArgs(3, 4),
		RunE: func(c *cobra.Command, args []string) error {
			in := author.MergeDriverInput{Base: args[0], Ours: args[1], Theirs: args[2], Path: args[1]}
			if len(args) == 4 {
				in.Path = args[3]
			}
			return author.MergeDriver(c.Context(), a.Dir, in)
		},
	}
}

package cmd

import (
	"fmt"
	"io"

	"chant/cmd/console"
	"chant/engine/author"

	"github.com/spf13/cobra"
)

func newCheck(a *console.App) *cobra.Command {
	var in author.CheckInput
	c := &cobra.Command{
		Use:     "check ID CRITERION",
		Short:   "Tick an acceptance criterion by hand, one that has no command",
		Example: "chant check 001 2\nchant check 001 2 --uncheck",
		Args:    cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			in.ID, in.Criterion = args[0], args[1]
			return console.Do(a, c, author.Check, in, func(w io.Writer, r author.CheckResult) {
				mark := " "
				if r.Criterion.Checked {
					mark = "x"
				}
				fmt.Fprintf(w, "- [%s] %s\n%d open\n", mark, r.Criterion.Text, r.Open)
			})
		},
	}
	c.Flags().BoolVar(&in.Uncheck, "uncheck", false, "untick it")
	return c
}

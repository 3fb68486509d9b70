package cmd

import (
	"fmt"
	"io"

	"chant/cmd/console"
	"chant/engine/author"

	"github.com/spf13/cobra"
)

func newOpen(a *console.App) *cobra.Command {
	var in author.OpenInput
	var printed bool
	c := &cobra.Command{
		Use:   "open ID",
		Short: "Open the worktree of a run, or the file of a spec, in your editor",
		Long: `Open the worktree of a spec's run in $VISUAL or $EDITOR (vi when neither is set); without
a worktree, the spec's file in your checkout. With --print or --json, only the path is
printed.

"chant edit" edits a spec and commits the edit; what you change here is not committed.`,
		Example: "chant open 001\nchant open 001 --spec-file\ncd \"$(chant open 001 --worktree --print)\"",
		Args:    console.OneID,
		RunE: func(c *cobra.Command, args []string) error {
			if in.Worktree && in.Spec {
				return console.UsageError(c, "--worktree does not go with --spec")
			}
			in.ID = args[0]
			p, err := a.Open()
			if err != nil {
				return err
			}
			r, err := author.Open(c.Context(), p, in)
			if err != nil {
				return err
			}
			if printed || a.JSON {
				return console.Show(a, r, func(w io.Writer, r author.OpenResult) { fmt.Fprintln(w, r.Path) })
			}
			words, err := editor(a, r.ID, r.Path)
			if err != nil {
				return err
			}
			return openEditor(a, c, words, r.Path)
		},
	}
	f := c.Flags()
	f.BoolVar(&in.Worktree, "worktree", false, "the worktree; fail if there is none")
	f.BoolVar(&in.Spec, "spec-file", false, "the file of the spec")
	console.Renamed(c, "spec", "spec-file")
	f.BoolVar(&printed, "print", false, "print the path instead of opening it")
	return c
}

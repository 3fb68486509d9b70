package cmd

import (
	"fmt"
	"io"
	"strings"

	"chant/cmd/console"
	"chant/engine/author/review"

	"github.com/spf13/cobra"
)

func newApprove(a *console.App) *cobra.Command {
	var in review.ApproveInput
	c := &cobra.Command{
		Use:   "approve ID",
		Short: "Approve a spec, or accept the completed work on its branch",
		Long: `Approve a spec, or the work on its branch once it is completed.

The approval covers the current text, or the current work: an edit of the text or a
further commit voids it. Nothing can be approved inside a run.`,
		Example: "chant approve 001\nchant approve 001 --by ada@example.com",
		Args:    console.OneID,
		RunE: func(c *cobra.Command, args []string) error {
			in.ID = args[0]
			return console.Do(a, c, review.Approve, in, renderRuling("Approved"))
		},
	}
	c.Flags().StringVar(&in.By, "by", "", "who approves: the name or email address of a committer of this repository (default: you, from git's settings)")
	return c
}

func renderRuling(word string) console.Render[review.RulingResult] {
	return func(w io.Writer, r review.RulingResult) {
		of := ""
		if r.Of == "work" {
			of = "the work on "
		}
		fmt.Fprintf(w, "%s %s%s\n", word, of, r.ID)
		if len(r.Added) > 0 {
			fmt.Fprintf(w, "Created %s\n", strings.Join(r.Added, ", "))
		}
		switch {
		case word == "Approved" && r.Waits != "":
			fmt.Fprintf(w, "It still %s\n", r.Waits)
		case word == "Approved" && r.Of == "work":
			fmt.Fprintf(w, "next: %s\n", r.Next)
		}
	}
}

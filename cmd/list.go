package cmd

import (
	"fmt"
	"io"
	"text/tabwriter"

	"chant/cmd/console"
	"chant/engine/view"
	"chant/providers/text"

	"github.com/spf13/cobra"
)

func newList(a *console.App) *cobra.Command {
	var in view.ListInput
	var count bool
	c := &cobra.Command{
		Use:     "list",
		Short:   "List specs",
		Example: "chant list\nchant list --ready\nchant list --status failed --label api --json",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			text := renderList
			if count {
				text = func(w io.Writer, r view.ListResult) { fmt.Fprintln(w, r.Total) }
			}
			return console.Do(a, c, view.List, in, text)
		},
	}
	f := c.Flags()
	f.Var(&optional{&in.Status}, "status", "only this status (also ready, blocked, invalid)")
	f.BoolVar(&in.Ready, "ready", false, "only specs that can be worked now")
	f.StringVar(&in.Type, "type", "", "only this type")
	f.StringSliceVar(&in.Labels, "label", nil, "only specs with one of these labels")
	f.Var(console.AtLeast(0, &in.Limit), "limit", "at most this many, 0 for all")
	f.BoolVar(&count, "count", false, "print only the number of matches (with --json: the field total)")
	return c
}

func renderList(w io.Writer, r view.ListResult) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range r.Specs {
		fmt.Fprintf(t, "%s\t%s\t%s\n", text.Quote(row.ID), stateOf(row), text.Quote(titleOf(row)))
	}
	t.Flush()
	if r.Returned < r.Total {
		fmt.Fprintf(w, "%d of %d\n", r.Returned, r.Total)
	}
}

// stateOf is a row's status with what a person has to know beside it.
func stateOf(row view.Row) string {
	switch {
	case row.Run != "":
		return row.Status + " (" + row.Run + ")"
	case row.RetryAt != "":
		return row.Status + " (retry at " + row.RetryAt + ")"
	case row.Archived:
		return row.Status + " (archived)"
	case row.Landed != nil && !*row.Landed:
		return row.Status + " (not landed)"
	case row.Nothing != "":
		return row.Status + " (" + string(row.Nothing) + ")"
	case row.Ready:
		return row.Status + " (ready)"
	case row.Blocked:
		return row.Status + " (blocked)"
	}
	return row.Status
}

func titleOf(row view.Row) string {
	switch {
	case row.Error != "":
		return row.Error
	case row.LastLine != "":
		return row.Title + ": " + row.LastLine
	case row.Title == "":
		return "(untitled)"
	}
	return row.Title
}

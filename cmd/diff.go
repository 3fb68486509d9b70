package cmd

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"

	"chant/cmd/console"
	"chant/cmd/console/screen"
	"chant/engine/view"
	"chant/text"

	"github.com/spf13/cobra"
)

func newDiff(a *console.App) *cobra.Command {
	var in view.DiffInput
	var stat, names bool
	c := &cobra.Command{
		Use:   "diff ID [-- PATHS...]",
		Short: "Show what the work of a spec changes, or has changed",
		Long: `Show what the work of a spec changes: its branch compared with the commit where it
left the target, or, once it has landed, its merge compared with the target before.
Only commits count; what an agent has not committed yet is left out.

PATHS limit it, as in git: ':!.chant' leaves out the spec itself. Control characters in
files are spelled out, such as \x1b.`,
		Example: "chant diff 001\nchant diff 001 --stat\nchant diff 001 -- src ':!.chant'\nchant diff 001 --json",
		Args: func(c *cobra.Command, args []string) error {
			// Paths follow the dash.
			if dash := c.ArgsLenAtDash(); dash >= 0 {
				args = args[:dash]
			}
			return console.OneID(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			in.ID, in.Paths, in.Dir = args[0], args[1:], a.Dir
			on := a.Canvas()
			switch {
			case stat && names:
				return console.UsageError(c, "--stat does not go with --name-only")
			case stat:
				in.Width = cmp.Or(on.Width, screen.PlainWidth)
			// With --json, only the numbers are printed.
			case !names:
				in.Text = !a.JSON
			}
			return console.Do(a, c, view.Diff, in, func(w io.Writer, r view.DiffResult) { renderDiff(w, r, names, on) })
		},
	}
	c.Flags().BoolVar(&stat, "stat", false, "print how many lines of each file differ")
	c.Flags().BoolVar(&names, "name-only", false, "print only the paths of the files")
	return c
}

// renderDiff prints what of a comparison was read.
func renderDiff(w io.Writer, r view.DiffResult, names bool, on console.Canvas) {
	if names {
		for _, f := range r.Files {
			fmt.Fprintln(w, text.Quote(f.Path))
		}
		return
	}
	for line := range bytes.Lines(r.Stat) {
		shown := string(text.Visible(bytes.TrimRight(line, "\r\n")))
		// The graph is behind the last bar, since a path may contain one.
		if at := strings.LastIndexByte(shown, '|'); at >= 0 {
			graph := strings.IndexAny(shown[at:], "+-")
			if graph >= 0 && strings.Trim(shown[at+graph:], "+-") == "" {
				signs := shown[at+graph:]
				shown = shown[:at+graph] + on.Paint(screen.Green, strings.Trim(signs, "-")) + on.Paint(screen.Red, strings.Trim(signs, "+"))
			}
		}
		fmt.Fprintln(w, shown)
	}
	patch := screen.Patch{On: on}
	for line := range bytes.Lines(r.Patch) {
		body := bytes.TrimSuffix(line, []byte("\n"))
		fmt.Fprint(w, patch.Line(body), string(line[len(body):]))
	}
}

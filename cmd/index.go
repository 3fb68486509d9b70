package cmd

import (
	"fmt"
	"strings"

	"chant/cmd/console"
	"chant/engine/code"
	"chant/text"

	"github.com/spf13/cobra"
)

// NewIndex returns the command "chant index".
func NewIndex(a *console.App) *cobra.Command {
	var in code.IndexInput
	listed := false
	c := &cobra.Command{
		Use:   "index",
		Short: "Bring the index of code up to date, and show what it has",
		Long: `Bring the index of code up to date, and show what it has.

Searches do this by themselves. The index is a cache in git's folder, shared by all worktrees, or in your cache folder where there is no
repository; files are those that git does not ignore. Which of them are left out is shown with --excluded, and the settings code.exclude and
code.include change that.`,
		Example: "chant index\nchant index --excluded\nchant index --force --json",
		Args:    console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			in.Progress = progressPrinter(a)
			return doOnCode(a, c, code.Index, in, func(p page, r code.IndexResult) { renderIndex(p, r, listed) })
		},
	}
	c.Flags().BoolVar(&in.Force, "force", false, "read all files anew")
	c.Flags().BoolVar(&listed, "excluded", false, "list the files that are left out, each with the reason")
	return c
}

func renderIndex(p page, r code.IndexResult, listed bool) {
	fmt.Fprintf(p, "%s: %s of code and %s of documentation in %s\n", text.Quote(r.Path),
		console.Plural(r.TotalChunks, "piece"), console.Plural(r.TotalSnippets, "section"), console.Plural(r.TotalFiles, "file"))
	fmt.Fprintf(p, "%s read now, %d known, %d left out\n", console.Plural(r.IndexedFiles, "file"), r.SkippedFiles, r.ExcludedFiles)
	for _, f := range r.Failed {
		fmt.Fprintf(p, "  %s: %s\n", text.Quote(f.Path), text.Quote(f.Reason))
	}
	if why, off := strings.CutPrefix(r.Semantic, "off: "); off {
		fmt.Fprintf(p, "Only words are compared, not meanings: %s\n", text.Quote(why))
	} else if r.Semantic != "ok" {
		fmt.Fprintf(p, "Meanings are compared %s\n", text.Quote(r.Semantic))
	}
	if !r.Saved {
		fmt.Fprintln(p, "The index could not be stored: each command reads all files.")
	}
	if !listed {
		return
	}
	for _, f := range r.Excluded {
		fmt.Fprintf(p, "  %s: %s\n", text.Quote(f.Path), text.Quote(f.Reason))
	}
}

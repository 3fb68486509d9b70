package cmd

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"chant/cmd/console"
	"chant/cmd/console/screen"
	"chant/engine"
	"chant/engine/code"
	"chant/engine/run/assist"
	"chant/text"

	"github.com/spf13/cobra"
)

// This file has the commands about code: index, code, docs and research.

// NewCode returns the command "chant code".
func NewCode(a *console.App) *cobra.Command {
	in := assist.SearchInput{SearchInput: code.SearchInput{Build: true}}
	lines := 6
	c := &cobra.Command{
		Use:   "code QUERY",
		Short: "Find code by what it does",
		Long: `Find code by what it does: functions, types and other pieces of all files that git does not ignore.

Not all words have to match; identifiers are also compared by their parts. What is missing in the index is indexed
first, and changed files are always noticed.

The project's agent can help: --expand asks it for other words, --synthesize for a summary and further queries.`,
		Example: `chant code "retry a request after a timeout"
chant code parseConfig --path 'internal/**' --limit 5
chant code "open the database" --extensions go,py --json
chant code "where are retries limited" --expand --synthesize`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			in.Query = strings.Join(args, " ")
			in.Progress = progressPrinter(a)
			return doOnCode(a, c, assist.Search, in, func(p page, r assist.SearchResult) { renderCode(p, r, lines) })
		},
	}
	f := c.Flags()
	addFileFlags(c, &in.Path, &in.PathFilter)
	f.VarP(console.AtLeast(1, &in.Limit), "limit", "n", "most results (default 20)")
	f.StringVar(&in.Extensions, "extensions", "", "only files with these extensions, such as go,py")
	f.Var(console.Share(&in.Weight), "semantic-weight", "share of the meaning from 0 to 1, the rest is that of the words")
	f.BoolVar(&in.Expand, "expand", false, "also search for words that the project's agent proposes")
	f.BoolVar(&in.Synthesize, "synthesize", false, "have the project's agent sum up what is found")
	f.Var(console.AtLeast(0, &lines), "lines", "most lines of each result, 0 for none")
	return c
}

// doOnCode runs an operation in a folder and prints its result with the paths that are shorter from here.
func doOnCode[I, R any](a *console.App, c *cobra.Command, op func(context.Context, *engine.Project, I) (R, error), in I, render func(page, R)) error {
	console.CollectLater()
	result, err := resultInFolder(a, c, op, in)
	if err != nil {
		return err
	}
	on := a.Canvas()
	mark := func(part string) string { return on.Paint(screen.Bold, part) }
	here, err := filepath.EvalSymlinks(a.Dir)
	if err != nil {
		// Then paths are those in the worktree.
		here = ""
	}
	return console.Page(a, on, result, func(w io.Writer, r R) { render(page{w, mark, here}, r) })
}

// addFileFlags adds the flags that say which files are searched.
func addFileFlags(c *cobra.Command, folder, glob *string) {
	c.Flags().StringVar(folder, "in", "", "only files in this folder")
	c.Flags().StringVar(glob, "path", "", "only files whose path matches this glob (* within a folder, ** across folders), from here or from the top")
}

// progressPrinter returns what prints how far indexing is, about once a second.
func progressPrinter(a *console.App) func(done, total int, file string) {
	if a.Quiet {
		return nil
	}
	var next atomic.Int64
	next.Store(time.Now().Add(time.Second).UnixNano())
	return func(done, total int, _ string) {
		if now := time.Now(); now.UnixNano() >= next.Load() {
			next.Store(now.Add(time.Second).UnixNano())
			fmt.Fprintf(a.Err, "indexed %d of %d files\n", done, total)
		}
	}
}

func renderCode(p page, r assist.SearchResult, lines int) {
	for _, notice := range r.Notices {
		fmt.Fprintf(p, "Note: %s\n", text.Quote(notice))
	}
	if words := r.Expanded.Words(); len(words) > 0 {
		fmt.Fprintf(p, "Also searched: %s\n", text.Quote(strings.Join(words, ", ")))
	}
	if len(r.Results) == 0 {
		fmt.Fprintln(p, "No code was found.")
		return
	}
	for i, h := range r.Results {
		if i > 0 && lines > 0 {
			fmt.Fprintln(p)
		}
		fmt.Fprintf(p, "%s  %s %s  %d%%\n", p.placeText(r.Root, h.Path, h.StartLine), h.Kind, text.Quote(h.Name()), h.Relevance)
		p.excerpt(h.Content, lines)
	}
	renderSynthesis(p, r)
}

// renderSynthesis prints what an agent has made of the results.
func renderSynthesis(p page, r assist.SearchResult) {
	s := r.Synthesis
	if s == nil {
		return
	}
	fmt.Fprintf(p, "\nSummary (the agent is %.0f%% sure):\n", 100*s.Confidence)
	for line := range strings.Lines(s.Summary) {
		fmt.Fprintf(p, "  %s\n", text.Quote(strings.TrimRight(line, "\n")))
	}
	for _, insight := range s.Insights {
		fmt.Fprintf(p, "  - %s\n", text.Quote(insight))
	}
	for _, ref := range s.References {
		fmt.Fprintf(p, "%s  %s\n", p.placeText(r.Root, ref.Path, max(ref.Line, 1)), text.Quote(ref.Description))
	}
	for _, f := range r.FollowUps {
		fmt.Fprintf(p, "Ask next: %s (%s)\n", text.Quote(f.Query), text.Quote(f.Rationale))
	}
}

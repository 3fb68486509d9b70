package cmd

import (
	"fmt"
	"io"
	"strings"

	"chant/cmd/console"
	"chant/cmd/console/screen"
	"chant/cmd/wizard"
	"chant/engine/spec/next"
	"chant/engine/view"
	"chant/text"

	"github.com/spf13/cobra"
)

// rankedLimit is how many specs a search prints unless --limit is given.
const rankedLimit = 20

func newSearch(a *console.App) *cobra.Command {
	in := view.SearchInput{Limit: rankedLimit}
	c := &cobra.Command{
		Use:   "search WORDS...",
		Short: "Find specs, prompts, documentation and code by words",
		Long: `Find specs, prompts, documentation and code by words, the best matches first.

Specs that contain the words as they are written, in any case, come first. Below
"Related:" are those with other forms of a word (verify, verified) or small
misspellings, and those that have only some of the words. Archived specs are
searched too. Code is found once "chant index" has indexed it. With a filter, or
in several projects, only specs are searched.`,
		Example: "chant search retry queue\nchant search parser --status completed --since 2w\nchant search 'retry_at:' --limit 5\nchant search login --json\nchant search login --repo web",
		RunE: func(c *cobra.Command, args []string) (err error) {
			in.Query = strings.Join(args, " ")
			if screen, asks := wizard.On(a); len(args) == 0 && asks {
				if in.Query, err = wizard.Words(c.Context(), screen); err != nil {
					return err
				}
				screen.Same(next.Search.On(in.Query))
			} else if len(args) == 0 {
				return console.UsageError(c, "requires words to search for")
			}
			return search(a, c, in)
		},
	}
	f := c.Flags()
	f.VarP(&optional{&in.Status}, "status", "s", "only specs with this status")
	selectionFlags(c, &in.Selection)
	console.ScopeFlags(c, &in.Scope)
	f.BoolVar(&in.ActiveOnly, "active-only", false, "no archived specs")
	f.BoolVar(&in.ArchivedOnly, "archived-only", false, "only archived specs")
	f.BoolVar(&in.TitleOnly, "title-only", false, "only specs with the words in their titles")
	f.BoolVar(&in.BodyOnly, "body-only", false, "only specs with the words below their titles")
	f.BoolVar(&in.CaseSensitive, "case-sensitive", false, "only specs with the words as they are written")
	console.PageFlags(c, &in.Limit, &in.Cursor, "specs, 0 for all")
	return c
}

// search searches and prints the result, with marks on a terminal.
func search(a *console.App, c *cobra.Command, in view.SearchInput) error {
	on := a.Canvas()
	// Only programs are shown when specs were created.
	in.Details = a.JSON
	return scopedDo(a, c, in.Scope, view.SearchAll, in, func(w io.Writer, r view.SearchResult) { renderSearch(w, r, on) })
}

// renderSearch prints the specs that contain the query, those that are related and then the other documents, each with its
// excerpts.
func renderSearch(w io.Writer, r view.SearchResult, on console.Canvas) {
	cells := func(i int) []screen.Cell { return rowCells(r.Specs[i].Row, on) }
	widths := on.Columns(len(r.Specs), cells)
	related := false
	for i, s := range r.Specs {
		if s.Match == view.Related && !related {
			related = true
			fmt.Fprintln(w, on.Paint(screen.Dim, "Related:"))
		}
		on.WriteRow(w, widths, cells(i))
		renderExcerpts(w, s.Excerpts, on)
	}
	for _, d := range r.Documents {
		fmt.Fprintln(w, strings.TrimRight(text.Quote(d.Path)+"  "+text.Quote(d.Title), " "))
		renderExcerpts(w, d.Excerpts, on)
	}
	for _, h := range r.Code {
		fmt.Fprintf(w, "%s:%d  %s %s\n", text.Quote(h.Path), h.StartLine, h.Kind, text.Quote(h.Name))
	}
	if r.Returned < r.Total {
		fmt.Fprintf(w, "%d of %d\n", r.Returned, r.Total)
	}
}

// renderExcerpts prints lines with their numbers and marks what was found in them.
func renderExcerpts(w io.Writer, list []view.Excerpt, on console.Canvas) {
	for _, e := range list {
		var out strings.Builder
		at := 0
		for _, m := range e.Marks {
			out.WriteString(plainText(e.Text[at:m.From]) + on.Paint(screen.Bold, plainText(e.Text[m.From:m.To])))
			at = m.To
		}
		out.WriteString(plainText(e.Text[at:]))
		fmt.Fprintf(w, "  %d: %s\n", e.Line, strings.TrimSpace(out.String()))
	}
}

// plainText spells out what a terminal would execute: marks are added to it, and the line is printed as it is.
func plainText(part string) string {
	return string(text.Visible([]byte(strings.ReplaceAll(part, "\t", " "))))
}

package cmd

import (
	"fmt"
	"strings"

	"chant/cmd/console"
	"chant/engine/code"
	"chant/text"

	"github.com/spf13/cobra"
)

// NewResearch returns the command "chant research".
func NewResearch(a *console.App) *cobra.Command {
	in := code.ResearchInput{Build: true}
	c := &cobra.Command{
		Use:   "research QUESTION",
		Short: "Answer how code is connected: callers, implementations, ways",
		Long: `Answer how code is connected, by following references from what the question names.

Questions that are understood: what calls X, what uses X, what does X call, all implementations of Y, how does A reach B.
Any other question starts from what a search finds. Links are found by names, each with a confidence.`,
		Example: `chant research "what calls ParseConfig" --depth 3
chant research "all implementations of Store"
chant research "how does main reach openDatabase" --json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			in.Query = strings.Join(args, " ")
			in.Progress = progressPrinter(a)
			return doOnCode(a, c, code.Research, in, renderResearch)
		},
	}
	f := c.Flags()
	f.StringVar(&in.Path, "in", "", "a folder whose code the search begins in")
	f.Var(console.Between(1, 5, &in.Depth), "depth", "steps away, 1 to 5 (default 2)")
	f.StringVar(&in.Focus, "focus", "", "one of "+strings.Join(code.Focuses(), ", ")+" (what to emphasize)")
	return c
}

func renderResearch(p page, r code.ResearchResult) {
	for _, notice := range r.Notices {
		fmt.Fprintf(p, "Note: %s\n", text.Quote(notice))
	}
	for line := range strings.Lines(r.Analysis) {
		fmt.Fprintln(p, text.Quote(strings.TrimRight(line, "\n")))
	}
	if len(r.References) == 0 {
		return
	}
	fmt.Fprintln(p)
	for _, item := range r.References {
		certain := fmt.Sprintf("%.0f%%", 100*item.Confidence)
		if item.Exact {
			certain = "exact"
		}
		// That of a package, which has no line.
		place := text.Quote(item.Path)
		if item.Line > 0 {
			place = p.placeText(r.Root, item.Path, item.Line)
		}
		fmt.Fprintf(p, "%s%s  %s %s  %s  %s\n", strings.Repeat("  ", item.Hop), place,
			item.Kind, text.Quote(item.Symbol), strings.ReplaceAll(item.Relationship, "_", " "), certain)
	}
	if rest := r.Count - len(r.References); rest > 0 {
		fmt.Fprintf(p, "and %d more\n", rest)
	}
}

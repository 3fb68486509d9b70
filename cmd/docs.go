package cmd

import (
	"fmt"
	"strings"

	"chant/cmd/console"
	"chant/engine/code"
	"chant/text"

	"github.com/spf13/cobra"
)

// NewDocs returns the command "chant docs".
func NewDocs(a *console.App) *cobra.Command {
	in := code.DocsInput{Build: true}
	lines := 6
	c := &cobra.Command{
		Use:   "docs QUERY",
		Short: "Find sections of documentation",
		Long: `Find sections of documentation: of Markdown and other text files that git does not ignore.

To find specs by their state and words, use "chant search".`,
		Example: `chant docs installation
chant docs "exit codes" --path 'docs/**' --limit 3`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			in.Query = strings.Join(args, " ")
			in.Progress = progressPrinter(a)
			return doOnCode(a, c, code.Docs, in, func(p page, r code.DocsResult) { renderDocs(p, r, lines) })
		},
	}
	addFileFlags(c, &in.Path, &in.PathFilter)
	c.Flags().VarP(console.AtLeast(1, &in.Limit), "limit", "n", "most results (default 10)")
	c.Flags().Var(console.AtLeast(0, &lines), "lines", "most lines of each result, 0 for none")
	return c
}

func renderDocs(p page, r code.DocsResult, lines int) {
	if len(r.Results) == 0 {
		fmt.Fprintln(p, "No documentation was found.")
		return
	}
	for i, h := range r.Results {
		if i > 0 && lines > 0 {
			fmt.Fprintln(p)
		}
		fmt.Fprintf(p, "%s  %s  %d%%\n", p.placeText(r.Root, h.Path, h.StartLine), text.Quote(h.Breadcrumb), h.Relevance)
		p.excerpt(h.Content, lines)
	}
}

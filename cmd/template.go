package cmd

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"chant/cmd/console"
	"chant/engine/author"
	"chant/text"

	"github.com/spf13/cobra"
)

func newTemplate(a *console.App) *cobra.Command {
	c := &cobra.Command{
		Use:     "template",
		Short:   "List and print the templates of specs",
		Example: "chant template list\nchant add --template feature --var name=login",
		Args:    console.NoArgs,
	}
	c.AddCommand(newTemplateList(a), newTemplateShow(a))
	return c
}

func newTemplateList(a *console.App) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List the templates, with their variables",
		Example: "chant template list",
		Args:    console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return console.Do(a, c, author.Templates, author.TemplatesInput{}, renderTemplates)
		},
	}
}

func newTemplateShow(a *console.App) *cobra.Command {
	return &cobra.Command{
		Use:   "show NAME",
		Short: "Print the file of a template",
		Long: `Print the file of a template unchanged: .chant/templates/NAME.md, otherwise
~/.config/chant/templates/NAME.md. "chant guide templates" describes the format.`,
		Example: "chant template show feature\nchant template show feature --json",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return console.Do(a, c, author.Template, author.TemplateInput{Name: args[0]}, func(w io.Writer, r author.TemplateResult) { fmt.Fprint(w, r.Source) })
		},
		ValidArgsFunction: func(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			all := templateNames(a, c)
			return all[:len(all)*(1-min(1, len(args)))], cobra.ShellCompDirectiveNoFileComp
		},
	}
}

func renderTemplates(w io.Writer, r author.TemplatesResult) {
	if len(r.Templates) == 0 {
		fmt.Fprintln(w, "no templates in .chant/templates; \"chant guide templates\" describes their format")
		return
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, info := range r.Templates {
		about := info.Description
		if info.Invalid != "" {
			about = "cannot be used: " + info.Invalid
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", info.Name, info.From, variablesInLine(info.Variables), about)
	}
	t.Flush()
}

// variablesInLine lists variables: the required ones with a star, others with their default.
func variablesInLine(all []author.TemplateVariable) string {
	words := make([]string, len(all))
	for i, v := range all {
		switch words[i] = v.Name; {
		case v.Needed():
			words[i] += "*"
		case v.Default != nil:
			words[i] += "=" + text.Quote(*v.Default)
		}
	}
	if len(words) == 0 {
		return "-"
	}
	return strings.Join(words, " ")
}

// templateNames offers the names of templates to a shell.
func templateNames(a *console.App, c *cobra.Command) []string {
	p, err := a.Open()
	if err != nil {
		return nil
	}
	r, err := author.Templates(c.Context(), p, author.TemplatesInput{})
	if err != nil {
		return nil
	}
	var out []string
	for _, info := range r.Templates {
		out = append(out, cobra.CompletionWithDesc(info.Name, string(text.Visible([]byte(info.Description)))))
	}
	return out
}

// templateVariables offers the variables of a template to a shell.
func templateVariables(a *console.App, c *cobra.Command, name string) []string {
	p, err := a.Open()
	if err != nil {
		return nil
	}
	r, err := author.Template(c.Context(), p, author.TemplateInput{Name: name})
	if err != nil {
		return nil
	}
	var out []string
	for _, v := range r.Variables {
		about := v.Description
		if v.Needed() {
			about = strings.TrimSpace(about + " (required)")
		}
		out = append(out, cobra.CompletionWithDesc(v.Name+"=", string(text.Visible([]byte(about)))))
	}
	return out
}

package console

import (
	"context"
	"slices"
	"strings"

	"chant/engine"
	"chant/engine/spec/next"
	"chant/engine/view"
	"chant/text"

	"github.com/spf13/cobra"
)

// CompleteID offers the ids of active specs to a shell.
func (a *App) CompleteID(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 && !strings.HasSuffix(c.Use, "...") {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	p, err := a.Open()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	list, err := view.List(c.Context(), p, view.ListInput{})
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var out []string
	for _, row := range list.Specs {
		// Titles may contain what a terminal would execute.
		out = append(out, cobra.CompletionWithDesc(row.ID, string(text.Visible([]byte(row.Title)))))
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}

// Labels lists the labels of all active specs, for a shell.
func (a *App) Labels(ctx context.Context) (out []string) {
	p, err := a.Open()
	if err != nil {
		return nil
	}
	list, err := view.List(ctx, p, view.ListInput{})
	if err != nil {
		return nil
	}
	for _, row := range list.Specs {
		out = append(out, row.Labels...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// OneID is the argument rule of commands about one spec.
func OneID(c *cobra.Command, args []string) error {
	if len(args) == 1 {
		return nil
	}
	return &engine.Error{
		Code: engine.Usage, Message: c.CommandPath() + " takes one spec ID", Next: helpOf(c),
	}
}

// helpOf is the help of a command as a next step.
func helpOf(c *cobra.Command) next.Step {
	_, words, _ := strings.Cut(c.CommandPath(), " ")
	return next.Op(words).Help()
}

// UsageError is a command line that cannot be meant as it is.
func UsageError(c *cobra.Command, message string) error {
	return &engine.Error{Code: engine.Usage, Message: message, Next: helpOf(c)}
}

package cmd

import (
	"context"
	"strings"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/author"
	"chant/engine/overview"
	"chant/engine/spec"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// offer returns what a flag may be set to.
type offer func(context.Context) []string

// completeFlags offers the values of flags to a shell: those that the text of a flag lists, and those of the flags that
// have the same meaning in all commands about specs. Commands about tasks follow the words of a workspace, not these.
func completeFlags(a *console.App, root *cobra.Command) {
	shared := offers(a)
	for _, c := range root.Commands() {
		if c.Name() == "task" || c.Name() == "sprint" {
			continue
		}
		eachCommand(c, func(c *cobra.Command) {
			c.Flags().VisitAll(func(f *pflag.Flag) {
				values := shared[f.Name]
				if listed := listedValues(f.Usage); listed != nil {
					values = func(context.Context) []string { return listed }
				}
				if _, done := c.GetFlagCompletionFunc(f.Name); done || values == nil || f.Value.Type() == "bool" {
					return
				}
				_ = c.RegisterFlagCompletionFunc(f.Name, func(c *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
					return values(c.Context()), cobra.ShellCompDirectiveNoFileComp
				}) // the flag exists
			})
		})
	}
}

// eachCommand calls see with a command and all below it.
func eachCommand(c *cobra.Command, see func(*cobra.Command)) {
	see(c)
	for _, sub := range c.Commands() {
		eachCommand(sub, see)
	}
}

// listedValues returns the values that the text of a flag lists behind "one of", nil if it lists none.
func listedValues(usage string) []string {
	list, found := strings.CutPrefix(usage, "one of ")
	if !found || !strings.Contains(list, ", ") {
		return nil
	}
	list, _, _ = strings.Cut(list, " (")
	var values []string
	for part := range strings.SplitSeq(list, ", ") {
		word, _, _ := strings.Cut(part, " ")
		values = append(values, word)
	}
	return values
}

// offers lists the flags that mean the same everywhere.
func offers(a *console.App) map[string]offer {
	return map[string]offer{
		"status": func(context.Context) []string { return overview.States() },
		"type": func(context.Context) (out []string) {
			for _, t := range spec.Types() {
				out = append(out, string(t))
			}
			return out
		},
		"priority": func(context.Context) []string { return []string{"critical", "high", "medium", "low"} },
		"label":    a.Labels,
		"prompt":   func(ctx context.Context) []string { return promptNames(ctx, a) },
	}
}

// promptNames lists the prompts of the project.
func promptNames(ctx context.Context, a *console.App) (out []string) {
	p, err := engine.Open(a.Dir, a.Options(nil))
	if err != nil {
		return nil
	}
	all, err := author.Prompts(ctx, p, author.PromptsInput{})
	if err != nil {
		return nil
	}
	for _, one := range all.Prompts {
		out = append(out, one.Name)
	}
	return out
}

package cmd

import (
	"errors"
	"slices"
	"strings"

	"chant/cmd/console"
	"chant/engine/author/commands"
	"chant/engine/format/climpt"
	"chant/text"

	"github.com/spf13/cobra"
)

// NewCommand returns the command "chant command". work works a spec.
func NewCommand(a *console.App, work Work) *cobra.Command {
	c := &cobra.Command{
		Use:   "command",
		Short: "Find, show and render prompts by what they do",
		Long: `Find, show and render prompts by what they do.

A command is a prompt with a name of three words: its domain, action and target. Commands
are the files .agent/AGENT/prompts/C1/C2/C3/f_*.md in the layout of climpt, the prompts of
chant, and templates of specs (domain "spec"): chant guide commands.`,
		Example: `chant command search "group my changes and commit them"
chant command show git group-commit unstaged-changes
chant command run git/group-commit/unstaged-changes`,
		Args: console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newCommandList(a), newCommandSearch(a), newCommandShow(a), newRun(a, work), newNew(a), newRegistry(a))
	return c
}

// agentFlag adds the flag that names an agent.
func agentFlag(c *cobra.Command, agent *string) {
	c.Flags().StringVar(agent, "agent", "", "agent whose commands are meant (default climpt)")
}

// nameArgs reads the words of a command: three arguments, or one with slashes.
func nameArgs(c *cobra.Command, args []string) (climpt.Name, error) {
	switch len(args) {
	case 1:
		name, err := climpt.ParseName(args[0])
		if err != nil {
			return name, console.UsageError(c, err.Error())
		}
		return name, nil
	case 3:
		return climpt.Name{C1: args[0], C2: args[1], C3: args[2]}, nil
	}
	return climpt.Name{}, console.UsageError(c, c.CommandPath()+" takes three words, such as git group-commit unstaged-changes")
}

// completeName offers the next word of a command to a shell, with the description of what it leads to.
func completeName(a *console.App, agent *string) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		none := cobra.ShellCompDirectiveNoFileComp
		if len(args) > 2 || len(args) > 0 && climpt.IsName(args[0]) {
			return nil, none
		}
		p, closed, err := openFolder(a, c)
		if err != nil {
			return nil, none
		}
		list, err := commands.List(c.Context(), p, commands.ListInput{Agent: *agent, Brief: true})
		if errors.Join(err, closed()) != nil {
			return nil, none
		}
		return nextWords(list.Commands, args), none
	}
}

// nextWords lists the words that may follow others, each once, with what they lead to: the description of a command, or
// the words that may follow in turn.
func nextWords(list []commands.Listed, args []string) []string {
	var words []string
	leads := map[string][]commands.Listed{}
	for _, each := range list {
		name := []string{each.C1, each.C2, each.C3}
		if strings.Join(name[:len(args)], "/") != strings.Join(args, "/") {
			continue
		}
		word := name[len(args)]
		if leads[word] == nil {
			words = append(words, word)
		}
		leads[word] = append(leads[word], each)
	}
	for i, word := range words {
		// Descriptions come from files, which may contain what a terminal would execute.
		words[i] = cobra.CompletionWithDesc(word, string(text.Visible([]byte(wordSummary(leads[word], len(args)+1)))))
	}
	return words
}

// wordSummary describes what a word leads to; at is the number of the word that follows.
func wordSummary(list []commands.Listed, at int) string {
	if len(list) == 1 {
		return list[0].Description
	}
	var words []string
	for _, each := range list {
		if word := []string{each.C2, each.C3, ""}[at-1]; word != "" && !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	return console.Plural(len(list), "command") + ": " + strings.Join(words, ", ")
}

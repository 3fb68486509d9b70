package cmd

import (
	"context"
	"strings"

	"chant/cmd/console"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// This file completes the values of flags for a shell.
//
// It decides nothing: the words are those that operations return, and a value that is not among them is not refused here.
//
// Rules:
//
//   - Each flag that takes a text either offers values, or has a reason in the table why it cannot. A test walks all commands.
//   - A flag whose help lists its values behind "one of" offers exactly these.
//   - Outside of a project nothing is offered, and nothing is reported: a shell would print it into the line.
//   - Nothing is changed, also by commands that make a project where there is none.
//
// Decisions:
//
// 2026-11-26: one table by the names of flags, with exceptions by command. Rejected: a call beside each flag, which leaves
// out the next flag without anybody noticing.

// offer returns what a flag may be set to.
type offer func(context.Context, *source) []string

// Register offers the values of the flags of all commands below root to a shell, except where a command has registered
// its own. It is for a shell that asks: most commands have no use for the tables.
func Register(a *console.App, root *cobra.Command) {
	src, offered, excused := &source{app: a}, table(), reasons()
	Each(root, func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			values := offerFor(offered, excused, c, f)
			// Two registrations of one flag are an error.
			if _, done := c.GetFlagCompletionFunc(f.Name); done || values == nil {
				return
			}
			_ = c.RegisterFlagCompletionFunc(f.Name, func(c *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
				return inList(f, typed, values(c.Context(), src)), cobra.ShellCompDirectiveNoFileComp
			}) // the flag exists
		})
	})
}

// Each calls see with a command and all below it.
func Each(c *cobra.Command, see func(*cobra.Command)) {
	see(c)
	for _, sub := range c.Commands() {
		Each(sub, see)
	}
}

// offerFor returns the values of a flag: those that its text lists, else those of the table; nil for none.
func offerFor(offered map[string]offer, excused map[string]string, c *cobra.Command, f *pflag.Flag) offer {
	if f.Value.Type() == "bool" {
		return nil
	}
	// What the help lists is exactly what is offered.
	if listed := Listed(f.Usage); listed != nil {
		return func(context.Context, *source) []string { return listed }
	}
	for _, name := range namesOf(c, f) {
		if values, found := offered[name]; found {
			return values
		}
		if _, found := excused[name]; found {
			return nil
		}
	}
	return nil
}

// Reason returns why a flag offers nothing, "" if there is no reason.
func Reason(c *cobra.Command, f *pflag.Flag) string {
	switch f.Value.Type() {
	case "bool", "int", "share":
		return "a number, or a switch"
	}
	for _, name := range namesOf(c, f) {
		if why, found := reasons()[name]; found {
			return why
		}
	}
	return ""
}

// namesOf lists the names under which the tables may have a flag: of its command, of the family of that, and of any.
func namesOf(c *cobra.Command, f *pflag.Flag) []string {
	words := strings.Fields(c.CommandPath())
	if len(words) < 2 {
		return []string{"--" + f.Name}
	}
	return []string{strings.Join(words[1:], " ") + " --" + f.Name, words[1] + " --" + f.Name, "--" + f.Name}
}

// Listed returns the values that the text of a flag lists behind "one of", nil if it lists none.
func Listed(usage string) []string {
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

// inList puts the values that were typed before the last comma in front of each, where a flag takes a list.
func inList(f *pflag.Flag, typed string, values []string) []string {
	at := strings.LastIndexByte(typed, ',')
	if at < 0 || f.Value.Type() != "stringSlice" && f.Value.Type() != "sprints" {
		return values
	}
	out := make([]string, 0, len(values))
	for _, value := range values {
		out = append(out, typed[:at+1]+value)
	}
	return out
}

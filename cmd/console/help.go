package console

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"chant/cmd/console/screen"
	"chant/engine/spec"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpWidth is the most columns that help takes, also of a wider terminal: longer lines are hard to read.
const helpWidth = 80

// WriteHelp prints what a command does, how it is called, examples, the commands below it, and its flags in the order in
// which they are defined: the most used first. Help of the program itself is its Long text.
func (a *App) WriteHelp(w io.Writer, c *cobra.Command) {
	about := strings.TrimSpace(cmp.Or(c.Long, c.Short))
	if !c.HasParent() {
		fmt.Fprintln(w, about)
		return
	}
	on := a.Canvas()
	heading := func(text string) string { return on.Paint(screen.Bold, text) }
	fmt.Fprintln(w, reflow(about))
	fmt.Fprintf(w, "\n%s %s\n", heading("Usage:"), strings.Join(usages(c), "\n       "))
	if c.Example != "" {
		fmt.Fprintf(w, "\n%s\n%s\n", heading("Examples:"), indent(c.Example))
	}
	if below := visible(c.Commands()); len(below) > 0 {
		fmt.Fprintf(w, "\n%s\n", heading("Commands:"))
		WriteCommands(w, below)
	}
	own := c.LocalNonPersistentFlags()
	own.AddFlagSet(c.PersistentFlags())
	own.SortFlags = false
	writeFlags(w, heading("Flags:"), own)
	fmt.Fprintf(w, "\nEvery command has %s.\n", strings.Join(shared(c), ", "))
}

// sortByUse has help list the flags of all commands in the order of their definition.
func sortByUse(c *cobra.Command) {
	c.Flags().SortFlags, c.PersistentFlags().SortFlags = false, false
	for _, sub := range c.Commands() {
		sortByUse(sub)
	}
}

// usages are the lines that say how a command is called.
func usages(c *cobra.Command) []string {
	var lines []string
	if c.Runnable() {
		lines = append(lines, c.UseLine())
	}
	if c.HasAvailableSubCommands() {
		lines = append(lines, c.CommandPath()+" COMMAND")
	}
	return lines
}

// shared names the flags that every command has.
func shared(c *cobra.Command) []string {
	var names []string
	c.InheritedFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && c.LocalNonPersistentFlags().Lookup(f.Name) == nil {
			names = append(names, "--"+f.Name)
		}
	})
	return append(names, "--help")
}

// maxFlag is how many columns the names of flags take, beside what they do.
const maxFlag = 22

// writeFlags prints a line or more for each flag: its name, the kind of its value, and what it does.
func writeFlags(w io.Writer, heading string, flags *pflag.FlagSet) {
	type row struct{ name, about string }
	var rows []row
	width := 0
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" {
			return
		}
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		name += valueOf(f)
		rows = append(rows, row{name, f.Usage})
		width = max(width, min(len(name), maxFlag))
	})
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", heading)
	for _, r := range rows {
		lines := wrap(r.about, helpWidth-width-4)
		// A long name has its line alone.
		if len(r.name) > width {
			fmt.Fprintf(w, "  %s\n", r.name)
			r.name = ""
		}
		fmt.Fprintf(w, "  %-*s  %s\n", width, r.name, strings.Join(lines, "\n"+strings.Repeat(" ", width+4)))
	}
}

// valueOf is the value of a flag in help.
func valueOf(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "bool":
		return ""
	case "int":
		if f.NoOptDefVal != "" {
			return " [N]"
		}
		return " N"
	}
	return " TEXT"
}

// reflow wraps the paragraphs of a text. Lines that begin with a space stay as they are.
func reflow(text string) string {
	var out []string
	for _, paragraph := range strings.Split(text, "\n\n") {
		if !strings.Contains("\n"+paragraph, "\n ") {
			paragraph = strings.Join(wrap(paragraph, helpWidth), "\n")
		}
		out = append(out, paragraph)
	}
	return strings.Join(out, "\n\n")
}

// wrap returns the words of a text in lines of at most so many columns. A longer word has a line of its own.
func wrap(text string, columns int) []string {
	var lines []string
	for _, word := range strings.Fields(text) {
		if last := len(lines) - 1; last >= 0 && len(lines[last])+1+len(word) <= columns {
			lines[last] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}

// visible returns the commands that people see.
func visible(all []*cobra.Command) []*cobra.Command {
	return slices.DeleteFunc(slices.Clone(all), func(c *cobra.Command) bool { return !c.IsAvailableCommand() && c.Name() != "help" })
}

// WriteCommands prints a line for each command.
func WriteCommands(w io.Writer, list []*cobra.Command) {
	width := 0
	for _, c := range list {
		width = max(width, len(c.Name()))
	}
	for _, c := range list {
		fmt.Fprintf(w, "  %-*s  %s\n", width, c.Name(), c.Short)
	}
}

func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ")
}

// unknownCommand is the error of a word that is no command below c. It names the nearest one.
func unknownCommand(c *cobra.Command, word string) error {
	var names []string
	for _, sub := range visible(c.Commands()) {
		names = append(names, append(sub.Aliases, sub.Name())...)
	}
	return fmt.Errorf("unknown command %q for %q%s", word, c.CommandPath(), spec.DidYouMean(spec.Nearest(word, names)))
}

// NoArgs refuses words behind a command that takes none.
func NoArgs(c *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case c.HasAvailableSubCommands():
		return unknownCommand(c, args[0])
	}
	return fmt.Errorf("unexpected argument %q (%q takes none)", args[0], c.CommandPath())
}

// unknownFlag returns the message about a flag that the command does not have, "" for another error.
func unknownFlag(c *cobra.Command, message string) string {
	name, found := strings.CutPrefix(message, "unknown flag: --")
	if !found {
		return ""
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	near := spec.Nearest(name, names)
	if near != "" {
		near = "--" + near
	}
	return message + spec.DidYouMean(near)
}

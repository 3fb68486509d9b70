package cmd

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode"

	"chant/cmd/console"

	"github.com/alecthomas/assert/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestWords: a flag that several commands have means the same in all of them, has one type and one short form, and is in the
// table of words; what differs has a reason there.
func TestWords(t *testing.T) {
	t.Parallel()
	assert.Equal(t, nil, wrongWords(commandFlags(), vocabulary()))
}

// TestWords_changed: whatever changes in a flag or in the table is noticed.
func TestWords_changed(t *testing.T) {
	t.Parallel()
	for what, change := range map[string]func(*commandFlag, *word){
		"name":               func(f *commandFlag, _ *word) { f.name = "from-time" },
		"name in the table":  func(_ *commandFlag, w *word) { w.name = "from-time" },
		"type":               func(f *commandFlag, _ *word) { f.kind = "N" },
		"short form":         func(f *commandFlag, _ *word) { f.short = "s" },
		"no short form":      func(f *commandFlag, _ *word) { f.short = "" },
		"short in the table": func(_ *commandFlag, w *word) { w.short = "x" },
		"meaning":            func(f *commandFlag, _ *word) { f.usage = "a port for the server" },
		"meaning in table":   func(_ *commandFlag, w *word) { w.means = "a port for the server" },
		"exception":          func(_ *commandFlag, w *word) { w.except = map[string]string{"version": "why"} },
	} {
		name := "since"
		if what == "no short form" {
			name = "label"
		}
		flags, words := commandFlags(), vocabulary()
		flag := slices.IndexFunc(flags, func(f commandFlag) bool { return f.name == name && f.command == "list" })
		row := slices.IndexFunc(words, func(w word) bool { return w.name == name })
		change(&flags[flag], &words[row])
		if what == "name" {
			flags = append(flags, flags[flag])
		}
		assert.NotZero(t, wrongWords(flags, words), "%s", what)
	}
}

// TestFlagUses: flags of all commands are listed beside those of one command, and hidden ones are not.
func TestFlagUses(t *testing.T) {
	t.Parallel()
	root, sub := &cobra.Command{Use: "chant"}, &cobra.Command{Use: "list"}
	root.AddCommand(sub)
	root.PersistentFlags().Bool("json", false, "")
	root.PersistentFlags().Bool("secret", false, "")
	root.PersistentFlags().Bool("quiet", false, "")
	sub.Flags().Bool("json", false, "")
	sub.Flags().Bool("all", false, "")
	sub.Flags().Bool("old", false, "")
	assert.NoError(t, root.PersistentFlags().MarkHidden("secret"))
	assert.NoError(t, sub.Flags().MarkHidden("old"))
	assert.Equal(t, map[string][]string{"all": {"list"}, "json": {"list", "every command"}, "quiet": {"every command"}}, flagUses(root))
}

// commandFlag is a flag of a command.
type commandFlag struct{ command, name, kind, short, usage string }

// commandFlags lists the flags of all commands that people see.
func commandFlags() []commandFlag {
	var out []commandFlag
	root := newRoot(&console.App{})
	Each(root, func(c *cobra.Command) {
		for at := c; at != nil; at = at.Parent() {
			if at.Hidden {
				return
			}
		}
		c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && f.Name != "help" {
				out = append(out, commandFlag{strings.TrimPrefix(c.CommandPath(), "chant "), f.Name, kindOf(f), f.Shorthand, f.Usage})
			}
		})
	})
	root.PersistentFlags().VisitAll(func(f *pflag.Flag) { out = append(out, commandFlag{"", f.Name, kindOf(f), f.Shorthand, f.Usage}) })
	return out
}

// kindOf is the type of a flag as the table of words has it.
func kindOf(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "bool":
		return ""
	case "int":
		return "N"
	}
	return "TEXT"
}

// sharedShorts are short forms that flags of several names have.
func sharedShorts() map[string]string {
	return map[string]string{
		"f": "file, follow, format", // -f is follow in log, as in tail, and file where a command of climpt reads one
		"n": "limit, lines",         // -n is lines in log, as in tail
		"p": "port, project",        // -p is project in task, as in lotar
		"o": "destination, output",  // -o is destination in command run, as in climpt
	}
}

// wrongWords lists how flags differ from the table of words.
func wrongWords(flags []commandFlag, known []word) []string {
	var wrong []string
	add := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	byName, shorts := map[string][]commandFlag{}, map[string]map[string]bool{}
	for _, f := range flags {
		byName[f.name] = append(byName[f.name], f)
		if shorts[f.short] == nil {
			shorts[f.short] = map[string]bool{}
		}
		shorts[f.short][f.name] = true
	}
	delete(shorts, "")
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		all := byName[name]
		row := slices.IndexFunc(known, func(w word) bool { return w.name == name })
		if row < 0 {
			if len(all) > 1 {
				add("%d commands have --%s, which the table of words lacks", len(all), name)
			}
			continue
		}
		w, kind := known[row], ""
		for i, f := range all {
			first, _, _ := strings.Cut(f.command, " ")
			if w.except[first] != "" {
				continue
			}
			if kind == "" {
				kind = "of " + f.kind
			}
			if kind != "of "+f.kind {
				add("%s --%s is %q, and that of %s is %s", f.command, name, f.kind, all[0].command, kind)
			}
			if f.short != w.short {
				add("%s --%s has the short form %q, and the table %q", f.command, name, f.short, w.short)
			}
			// A list of values is about what it lists.
			if Listed(f.usage) == nil && !shareWord(f.usage, w.means) {
				add("%s --%s says %q, which has no word of its meaning in the table, %q", f.command, name, all[i].usage, w.means)
			}
		}
	}
	for _, w := range known {
		if len(byName[w.name]) == 0 {
			add("no command has --%s, which is in the table of words", w.name)
		}
		for first := range w.except {
			if !slices.ContainsFunc(byName[w.name], func(f commandFlag) bool { return f.command == first || strings.HasPrefix(f.command, first+" ") }) {
				add("--%s: no command %q has it", w.name, first)
			}
		}
	}
	for _, short := range slices.Sorted(maps.Keys(shorts)) {
		if names := strings.Join(slices.Sorted(maps.Keys(shorts[short])), ", "); strings.Contains(names, ",") && names != sharedShorts()[short] {
			add("-%s is the short form of %s", short, names)
		}
	}
	return wrong
}

// shareWord reports whether two texts have a word in common, in any form.
func shareWord(a, b string) bool {
	common := strings.Fields("the for and all any are not has have one this that with from these what which only such their they other chant")
	stems := func(text string) []string {
		var out []string
		for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
			if len(w) > 2 && !slices.Contains(common, w) {
				out = append(out, w[:min(4, len(w))])
			}
		}
		return out
	}
	return slices.ContainsFunc(stems(a), func(s string) bool {
		return slices.ContainsFunc(stems(b), func(o string) bool { return strings.HasPrefix(s, o) || strings.HasPrefix(o, s) })
	})
}

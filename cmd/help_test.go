package cmd

import (
	"bytes"
	"strings"
	"testing"

	"chant/cmd/console"

	"github.com/alecthomas/assert/v2"
	"github.com/spf13/cobra"
)

const (
	helpLines   = 40
	helpColumns = 80
)

// TestHelp_fits checks that the help of each command fits on one screen. Examples may be longer than a line, since a
// broken one cannot be copied.
func TestHelp_fits(t *testing.T) {
	t.Parallel()
	a := &console.App{}
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		for _, sub := range c.Commands() {
			walk(sub)
		}
		if c.Hidden {
			return
		}
		var page bytes.Buffer
		a.WriteHelp(&page, c)
		lines := strings.Split(strings.TrimSpace(page.String()), "\n")
		assert.True(t, len(lines) <= helpLines, "help of %q has %d lines, wanted at most %d", c.CommandPath(), len(lines), helpLines)
		example := false
		for _, line := range lines {
			example = line == "Examples:" || example && line != ""
			if !example {
				assert.True(t, len(line) <= helpColumns, "help of %q: %q has %d columns, wanted at most %d", c.CommandPath(), line, len(line), helpColumns)
			}
		}
		if c.Runnable() {
			assert.NotEqual(t, "", c.Example, "examples of %q", c.CommandPath())
		}
	}
	walk(newRoot(a))
}

// TestHelp_groups checks the lists of `chant help`: few commands on the first page, all of them elsewhere.
func TestHelp_groups(t *testing.T) {
	t.Parallel()
	count := 0
	for _, g := range first() {
		count += len(g.commands)
	}
	assert.True(t, count <= 16, "the first page has %d commands, wanted at most 16", count)
	all, errs, code := runLine(t, "help", "all")
	assert.Equal(t, 0, code, "%s", errs)
	for _, c := range newRoot(&console.App{}).Commands() {
		if !c.Hidden {
			assert.Contains(t, all, "\n  "+c.Name()+" ")
		}
	}
	for _, g := range groups() {
		out, errs, code := runLine(t, "help", g.name)
		assert.Equal(t, 0, code, "%s", errs)
		assert.HasPrefix(t, out, g.about+"\n")
		assert.Contains(t, all, out)
	}
}

// TestHelp_unknown checks that what is nearly a command, a group or a flag is named.
func TestHelp_unknown(t *testing.T) {
	t.Parallel()
	for line, wanted := range map[string]string{
		"lsit":            `unknown command "lsit" for "chant"; did you mean "list"?`,
		"lsit --ready":    `unknown command "lsit" for "chant"; did you mean "list"?`,
		"task craete x":   `unknown command "craete" for "chant task"; did you mean "create"?`,
		"list --labl=x":   `unknown flag: --labl; did you mean "--label"?`,
		"list --nonsense": `unknown flag: --nonsense`,
		"help decid":      `no command or group "decid"; did you mean "decide"?`,
		"help wok":        `no command or group "wok"; did you mean "work"?`,
		"help list x":     `no command or group "list x"; did you mean "list"?`,
	} {
		_, errs, code := runLine(t, strings.Fields(line)...)
		assert.Equal(t, 2, code, "%s", line)
		first, _, _ := strings.Cut(errs, "\n")
		assert.Equal(t, "error: "+wanted, first, "%s", line)
	}
}

package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"chant/cmd/console"
	"chant/engine"

	"github.com/alecthomas/assert/v2"
	"github.com/spf13/cobra"
)

// run carries out one command line in an empty folder and returns what it wrote.
func runLine(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	code = Main(context.Background(), args, Env{In: strings.NewReader(""), Out: &out, Err: &errs, Dir: t.TempDir()})
	return out.String(), errs.String(), code
}

// TestCommands_sayWhatTheyAre: every command has a use, a sentence and examples
// that begin with its own name.
func TestCommands_sayWhatTheyAre(t *testing.T) {
	t.Parallel()
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Short == "" || strings.HasSuffix(c.Short, ".") {
			t.Errorf("%s: short text %q", c.CommandPath(), c.Short)
		}
		// The first page of help lists commands instead.
		if c.HasParent() && (c.Example == "" || !c.Hidden && !strings.Contains(c.Example, c.CommandPath())) {
			t.Errorf("%s: examples %q", c.CommandPath(), c.Example)
		}
		if c.RunE == nil && !c.HasSubCommands() {
			t.Errorf("%s does nothing", c.CommandPath())
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(newRoot(&console.App{}))
}

// TestFlags_valuesAsTheyAreTyped: help begins the text of a flag with a capital, so a list
// of values begins with other words, or it would show one that is refused.
func TestFlags_valuesAsTheyAreTyped(t *testing.T) {
	t.Parallel()
	values := regexp.MustCompile(`(?m)^ +(-\w, )?--[a-z-]+( [a-z]+)? {2,}[a-z_]+(, [a-z_]+)+ or .*$`)
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		for _, line := range values.FindAllString(c.Flags().FlagUsages(), -1) {
			t.Errorf("%s: %s", c.CommandPath(), line)
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(newRoot(&console.App{}))
}

func TestHelp_needsNoProject(t *testing.T) {
	t.Parallel()
	for _, c := range newRoot(&console.App{}).Commands() {
		out, errs, code := runLine(t, c.Name(), "--help")
		assert.Equal(t, 0, code, "%s --help", c.Name())
		assert.Equal(t, "", errs, "%s --help", c.Name())
		assert.Contains(t, out, "chant "+c.Name(), "%s --help", c.Name())
	}
}

// TestMCP_helpOffersWhatItDoes: a server prints no progress that could be turned
// off. The flag is accepted anyway, in any position.
func TestMCP_helpOffersWhatItDoes(t *testing.T) {
	t.Parallel()
	out, _, _ := runLine(t, "mcp", "--help")
	assert.NotContains(t, out, "--quiet")
	assert.Contains(t, out, "address of --http as JSON")
	for _, args := range [][]string{{"--quiet", "mcp", "--json"}, {"mcp", "-q", "--json"}} {
		out, errs, code := runLine(t, args...)
		assert.Equal(t, 0, code, "chant %q", args)
		assert.Equal(t, "", out+errs, "chant %q", args)
	}
	_, errs, code := runLine(t, "mcp", "--json", "--tools", "chant_fly")
	assert.Equal(t, 2, code)
	assert.HasPrefix(t, errs, `{"error":`)
}

func TestFailure_isJSONOnStderr(t *testing.T) {
	t.Parallel()
	out, errs, code := runLine(t, "list", "--json")
	var said struct{ Error engine.Error }
	assert.NoError(t, json.Unmarshal([]byte(errs), &said), "exit %q", errs)
	assert.Equal(t, 3, code, "exit %q", errs)
	assert.Equal(t, "", out, "exit %q", errs)
	assert.Equal(t, engine.NotFound, said.Error.Code)
	assert.NotEqual(t, "", said.Error.Message)
	assert.False(t, said.Error.Next.IsZero(), "%+v", said.Error)
}

func TestFailure_usage(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"nonsense"}, {"list", "--nonsense"}, {"show"}, {"show", "a", "b"}, {"check", "a"}, {"search"}} {
		_, errs, code := runLine(t, args...)
		assert.Equal(t, 2, code, "chant %q", args)
		assert.HasPrefix(t, errs, "error: ", "chant %q", args)
		assert.Contains(t, errs, "\nhint: chant", "chant %q", args)
	}
}

// TestGroups: every command that people see is in one group of the help, and every name in a group is a command.
func TestGroups(t *testing.T) {
	t.Parallel()
	in := map[string]string{"completion": ""} // cobra adds it
	for _, c := range newRoot(&console.App{}).Commands() {
		if !c.Hidden {
			in[c.Name()] = ""
		}
	}
	for _, g := range groups() {
		for _, name := range g.commands {
			other, exists := in[name]
			assert.True(t, exists, "%q in %q: exists %t, also in %q", name, g.name, exists, other)
			assert.Equal(t, "", other, "%q in %q: exists", name, g.name)
			in[name] = g.name
		}
	}
	for name, title := range in {
		assert.NotEqual(t, "", title, "%q is in no group", name)
	}
}

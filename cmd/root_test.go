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
		if c.Example == "" || !c.Hidden && !strings.Contains(c.Example, c.CommandPath()) {
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
		if code != 0 || errs != "" || !strings.Contains(out, "chant "+c.Name()) {
			t.Errorf("%s --help: exit %d, stderr %q, stdout %q", c.Name(), code, errs, out)
		}
	}
}

// TestMCP_helpOffersWhatItDoes: a server prints no progress that could be turned
// off. The flag is accepted anyway, in any position.
func TestMCP_helpOffersWhatItDoes(t *testing.T) {
	t.Parallel()
	out, _, _ := runLine(t, "mcp", "--help")
	if strings.Contains(out, "--quiet") || !strings.Contains(out, "address of --http as JSON") {
		t.Errorf("help says\n%s", out)
	}
	for _, args := range [][]string{{"--quiet", "mcp", "--json"}, {"mcp", "-q", "--json"}} {
		if out, errs, code := runLine(t, args...); code != 0 || out+errs != "" {
			t.Errorf("chant %q: exit %d, %s%s", args, code, out, errs)
		}
	}
	if _, errs, code := runLine(t, "mcp", "--json", "--tools", "chant_fly"); code != 2 || !strings.HasPrefix(errs, `{"error":`) {
		t.Errorf("exit %d, stderr %q", code, errs)
	}
}

func TestFailure_isJSONOnStderr(t *testing.T) {
	t.Parallel()
	out, errs, code := runLine(t, "list", "--json")
	var said struct{ Error engine.Error }
	if err := json.Unmarshal([]byte(errs), &said); err != nil || code != 3 || out != "" {
		t.Fatalf("exit %d, stdout %q, stderr %q", code, out, errs)
	}
	if said.Error.Code != engine.NotFound || said.Error.Message == "" || said.Error.Next.IsZero() {
		t.Errorf("%+v", said.Error)
	}
}

func TestFailure_usage(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"nonsense"}, {"list", "--nonsense"}, {"show"}, {"show", "a", "b"}, {"check", "a"}, {"search"}} {
		if _, errs, code := runLine(t, args...); code != 2 || !strings.HasPrefix(errs, "error: ") || !strings.Contains(errs, "\nhint: chant") {
			t.Errorf("chant %q: exit %d, stderr %q", args, code, errs)
		}
	}
}

// TestGroups: every command that people see is in one group of the help, and every name in a group is a command.
func TestGroups(t *testing.T) {
	t.Parallel()
	in := map[string]string{"help": "", "completion": ""} // cobra adds these two
	for _, c := range newRoot(&console.App{}).Commands() {
		if !c.Hidden {
			in[c.Name()] = ""
		}
	}
	for _, g := range groups() {
		for _, name := range g.commands {
			if other, exists := in[name]; !exists || other != "" {
				t.Errorf("%q in %q: exists %t, also in %q", name, g.title, exists, other)
			}
			in[name] = g.title
		}
	}
	for name, title := range in {
		if title == "" {
			t.Errorf("%q is in no group", name)
		}
	}
}

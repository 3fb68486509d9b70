package cmd

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"chant/cmd/console"

	"github.com/alecthomas/assert/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestOffers_everyFlag: each flag that takes a text offers values to a shell, or has a reason why it cannot.
func TestOffers_everyFlag(t *testing.T) {
	t.Parallel()
	offered, excused := 0, 0
	Each(newRoot(&console.App{Completing: true}), func(c *cobra.Command) {
		if c.DisableFlagParsing {
			return // arguments of a hook are not flags of chant
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Deprecated != "" {
				return // the flag that replaces it has the values
			}
			_, hasOffer := c.GetFlagCompletionFunc(f.Name)
			why := Reason(c, f)
			switch {
			case hasOffer:
				offered++
			case why == "":
				t.Errorf("%s --%s (%s) neither offers values nor has a reason why not: add it to cmd/offers.go", c.CommandPath(), f.Name, f.Value.Type())
			default:
				excused++
			}
		})
	})
	assert.True(t, offered >= 80, "only %d flags offer values, and %d cannot", offered, excused)
	assert.True(t, excused >= 100, "only %d flags offer values, and %d cannot", offered, excused)
}

// TestOffers_listed: each flag whose text lists its values offers exactly these, and none of them is refused by the flag.
func TestOffers_listed(t *testing.T) {
	t.Parallel()
	checked := 0
	Each(newRoot(&console.App{Completing: true}), func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			listed := Listed(f.Usage)
			if f.Value.Type() == "bool" || listed == nil {
				return
			}
			checked++
			complete, found := c.GetFlagCompletionFunc(f.Name)
			if !found {
				t.Errorf("%s --%s completes nothing", c.CommandPath(), f.Name)
				return
			}
			got, directive := complete(c, nil, "")
			if slices.ContainsFunc(got, func(v string) bool { return v == "" || strings.Trim(v, "abcdefghijklmnopqrstuvwxyz_") != "" }) {
				t.Errorf("%s --%s offers %q", c.CommandPath(), f.Name, got)
			}
			if !slices.Equal(got, listed) || directive != cobra.ShellCompDirectiveNoFileComp {
				t.Errorf("%s --%s offers %q, and its help lists %q", c.CommandPath(), f.Name, got, listed)
			}
			for _, value := range got {
				if err := f.Value.Set(value); err != nil {
					t.Errorf("%s --%s %s: %v", c.CommandPath(), f.Name, value, err)
				}
			}
		})
	})
	assert.True(t, checked >= 12, "only %d flags are checked", checked)
}

// runIn carries out one command line in a folder.
func runIn(t *testing.T, dir string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	code = Main(t.Context(), args, Env{In: strings.NewReader(""), Out: &out, Err: &errs, Dir: dir, Environ: os.Environ()})
	return out.String(), errs.String(), code
}

// TestOffers_project completes as a shell does, in a project with specs, tasks and sprints, and outside of one.
func TestOffers_project(t *testing.T) {
	t.Parallel()
	dir := emptyProject(t)
	lines := func(dir string, args ...string) []string {
		out, errs, code := runIn(t, dir, append([]string{"__complete"}, args...)...)
		if code != 0 {
			t.Errorf("%q: exit %d, %s", args, code, errs)
		}
		var values []string
		for line := range strings.Lines(out) {
			if value, _, _ := strings.Cut(strings.TrimSpace(line), "\t"); value != "" && !strings.HasPrefix(value, ":") {
				values = append(values, value)
			}
		}
		return values
	}
	for _, args := range [][]string{
		{"task", "create", "Parse", "--assignee", "ada", "--tag", "api"}, {"sprint", "create", "--goal", "x"},
		{"add", "Sort", "--assignee", "bob@example.com"},
	} {
		_, errs, code := runIn(t, dir, args...)
		assert.Equal(t, 0, code, "%q: exit %s", args, errs)
	}
	for _, c := range []struct {
		args []string
		want []string // among what is offered
	}{
		{[]string{"work", "--provider", ""}, []string{"claude", "codex", "shell"}},
		{[]string{"list", "--assignee", ""}, []string{"ada", "bob@example.com"}},
		{[]string{"task", "create", "--assignee", ""}, []string{"@me", "ada"}},
		{[]string{"task", "list", "--status", ""}, []string{"pending"}},
		{[]string{"task", "list", "--tag", "x,"}, []string{"x,api"}},
		{[]string{"task", "update", "--sprint", ""}, []string{"1"}},
		{[]string{"sprint", "add", "--to", ""}, []string{"active", "1"}},
		{[]string{"work", "--onto", ""}, []string{"main"}},
		{[]string{"init", "--agent", "claude,"}, []string{"claude,codex", "claude,all"}},
		{[]string{"init", "--ci", ""}, []string{"github", "gitlab"}},
		{[]string{"export", "--fields", ""}, []string{"cost_usd", "all"}},
		{[]string{"mcp", "--toolsets", ""}, []string{"specs", "tasks"}},
	} {
		got := lines(dir, c.args...)
		for _, want := range c.want {
			assert.SliceContains(t, got, want, "%q offers", c.args)
		}
	}
	outside := t.TempDir()
	assert.SliceContains(t, lines(outside, "init", "--provider", ""), "claude", "outside of a project")
	got := lines(outside, "list", "--assignee", "")
	assert.Zero(t, got, "outside of a project: %q", got)
}

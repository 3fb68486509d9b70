package cmd

import (
	"slices"
	"strings"
	"testing"

	"chant/cmd/console"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestCompletion_flags: each flag with a closed set of values offers exactly these, and none of them is refused by the flag.
func TestCompletion_flags(t *testing.T) {
	t.Parallel()
	shared, checked := offers(&console.App{}), 0
	eachCommand(newRoot(&console.App{}), func(c *cobra.Command) {
		if words := strings.Fields(c.CommandPath()); len(words) > 1 && (words[1] == "task" || words[1] == "sprint") {
			return
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			listed := listedValues(f.Usage)
			if f.Value.Type() == "bool" || listed == nil && shared[f.Name] == nil && !strings.HasPrefix(f.Usage, "one of ") {
				return
			}
			checked++
			complete, found := c.GetFlagCompletionFunc(f.Name)
			if !found {
				t.Errorf("%s --%s completes nothing", c.CommandPath(), f.Name)
				return
			}
			if listed == nil {
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
	if checked < 20 {
		t.Errorf("only %d flags are checked", checked)
	}
}

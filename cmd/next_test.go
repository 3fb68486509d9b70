package cmd

import (
	"slices"
	"strings"
	"testing"

	"chant/cmd/console"
	"chant/engine/spec/next"
)

// Every operation that can be a next step is a command with these arguments and flags.
func TestNext_isACommand(t *testing.T) {
	t.Parallel()
	root := newRoot(&console.App{})
	for _, form := range next.Forms() {
		words := strings.Fields(string(form.Op))
		c, rest, err := root.Find(words)
		if err != nil || len(rest) > 0 || c == root {
			t.Errorf("%q is no command: %v", form.Op, err)
			continue
		}
		if args := slices.Repeat([]string{"1"}, len(form.Args)); c.ValidateArgs(args) != nil {
			t.Errorf("%q does not take the arguments %q: %v", form.Op, form.Args, c.ValidateArgs(args))
		}
		for _, name := range append(slices.Clone(form.Switches), form.Flags...) {
			flag := c.Flags().Lookup(name)
			switch {
			case flag == nil:
				t.Errorf("%q has no flag %q", form.Op, name)
			case slices.Contains(form.Switches, name) != (flag.NoOptDefVal != ""):
				t.Errorf("the flag %q of %q is a %s: it is listed among the wrong ones", name, form.Op, flag.Value.Type())
			}
		}
	}
}

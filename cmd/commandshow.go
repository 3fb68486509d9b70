package cmd

import (
	"fmt"
	"io"
	"strings"

	"chant/cmd/console"
	"chant/engine/author/commands"
	"chant/engine/format/climpt"
	"chant/text"

	"github.com/spf13/cobra"
)

func newCommandShow(a *console.App) *cobra.Command {
	var in commands.DescribeInput
	c := &cobra.Command{
		Use:     "show C1 C2 C3",
		Short:   "Show what a command does and takes",
		Example: "chant command show git group-commit unstaged-changes\nchant command show git/group-commit/unstaged-changes --json",
		RunE: func(c *cobra.Command, args []string) error {
			name, err := nameArgs(c, args)
			if err != nil {
				return err
			}
			in.C1, in.C2, in.C3 = name.C1, name.C2, name.C3
			return doInFolder(a, c, commands.Describe, in, renderCommandShow)
		},
	}
	agentFlag(c, &in.Agent)
	c.ValidArgsFunction = completeName(a, &in.Agent)
	return c
}

func renderCommandShow(w io.Writer, r commands.DescribeResult) {
	for i, d := range r.Commands {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s\n%s\n\n", d.Name, text.Quote(d.Description))
		for _, f := range []struct{ name, value string }{
			{"title", d.Title}, {"usage", d.Usage}, {"takes", takesText(d.Command)}, {"edition", strings.Join(d.Editions(), ", ")},
			{"adaptation", strings.Join(d.Adaptations(), ", ")}, {"file", d.File},
		} {
			if f.value != "" {
				fmt.Fprintf(w, "%-10s  %s\n", f.name, text.Quote(f.value))
			}
		}
		for _, v := range d.Variables {
			fmt.Fprintf(w, "--uv-%s=VALUE  %s\n", v.Name, text.Quote(v.Description))
		}
	}
}

// takesText lists what a command takes besides variables.
func takesText(c climpt.Command) string {
	var out []string
	for _, each := range []struct {
		name  string
		taken bool
	}{{"stdin", c.TakesStdin()}, {"file", c.TakesFile()}, {"destination", c.TakesDestination()}} {
		if each.taken {
			out = append(out, each.name)
		}
	}
	return strings.Join(out, ", ")
}

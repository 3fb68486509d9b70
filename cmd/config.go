package cmd

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/setup"
	"chant/engine/spec/lint"
	"chant/engine/spec/next"
	"chant/text"

	"github.com/spf13/cobra"
)

func newConfig(a *console.App) *cobra.Command {
	var validate bool
	c := &cobra.Command{
		Use:   "config",
		Short: "Show the configuration: the settings in force; or check it",
		Long: `Show the settings in force, each with the file and line from which it comes, or
check them. Those of the project count more than those of the user in
~/.config/chant/config.md, and .chant/agents.md more for parallel.agents.

With --validate it reads config.md, the providers and prompts of the project and those
that open specs name, looks for every program and asks every endpoint (3 s each). It
prints a line for each unknown key, invalid value, missing program, variable or prompt,
and server that does not answer, and exits with 4 if there is one. The last line says
whether agents and criteria run in a sandbox. It also works with a config.md that stops
every other command.`,
		Example: "chant config\nchant config --validate",
		Args:    console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if !validate {
				return console.Do(a, c, setup.Config, setup.ConfigInput{}, renderConfig)
			}
			result, err := setup.CheckConfig(c.Context(), a.Dir, a.Options(a.Line), setup.CheckConfigInput{})
			if err != nil {
				return err
			}
			if err := console.Show(a, result, renderConfigCheck); err != nil {
				return err
			}
			return configFailure(result)
		},
	}
	c.Flags().BoolVar(&validate, "validate", false, "check the settings, with the files, programs and servers that they name")
	return c
}

// configFailure returns the error of a command whose findings contain errors.
func configFailure(r setup.CheckConfigResult) error {
	i := slices.IndexFunc(r.Findings, func(f lint.Finding) bool { return f.Severity == lint.Error })
	if i < 0 {
		return nil
	}
	return &engine.Error{Code: engine.Invalid, Message: fmt.Sprintf("errors in the settings: %d", r.Errors), Next: next.EditFile(r.Findings[i].Path)}
}

func renderConfigCheck(w io.Writer, r setup.CheckConfigResult) {
	for _, f := range r.Findings {
		kind := ""
		if f.Severity != lint.Error {
			kind = string(f.Severity) + ": "
		}
		fmt.Fprintf(w, "%s:%d: %s%s (%s)\n", f.Path, f.Line, kind, f.Message, f.Rule)
	}
	if len(r.Findings) == 0 {
		fmt.Fprintln(w, "The settings have no problems")
	}
	fmt.Fprintf(w, "sandbox   %s\n", r.Sandbox)
}

// renderConfig writes each value with the file and line from which it comes.
func renderConfig(w io.Writer, r setup.ConfigResult) {
	var lines strings.Builder
	renderSettings(&lines, "", r.Settings)
	for line := range strings.Lines(lines.String()) {
		name, _, _ := strings.Cut(line, ": ")
		fmt.Fprintf(w, "%s  # %s\n", strings.TrimSuffix(line, "\n"), text.Quote(cmp.Or(r.Sources[name], "default")))
	}
}

// renderSettings writes a line for each value, under its name from the top.
func renderSettings(w io.Writer, above string, settings map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		switch value := settings[name].(type) {
		case map[string]any:
			renderSettings(w, above+name+".", value)
		case []any:
			var all []string
			for _, item := range value {
				all = append(all, strings.TrimPrefix(fmt.Sprint(item), "map"))
			}
			fmt.Fprintf(w, "%s%s: [%s]\n", above, name, strings.Join(all, ", "))
		case string:
			fmt.Fprintf(w, "%s%s: %s\n", above, name, cmp.Or(value, `""`))
		default:
			fmt.Fprintf(w, "%s%s: %v\n", above, name, value)
		}
	}
}

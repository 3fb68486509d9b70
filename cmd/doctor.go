package cmd

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"chant/cmd/console"
	"chant/engine/setup"

	"github.com/spf13/cobra"
)

func newDoctor(a *console.App) *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Print what a report of a bug needs, without secrets",
		Long: `Print one block to paste into a report of a bug: versions, system, sandbox, agents, the
settings that are not defaults, and what is wrong with them. Secrets and the path of
your home folder are removed. It works outside of a project, too.`,
		Example: "chant doctor\nchant doctor --json",
		Args:    console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			r, err := setup.Doctor(c.Context(), a.Dir, a.Options(nil), setup.DoctorInput{})
			if err != nil {
				return err
			}
			return console.Show(a, r, renderDoctor)
		},
	}
}

func renderDoctor(w io.Writer, r setup.DoctorResult) {
	box, agents := "unknown", []string{}
	if r.Sandbox != nil {
		box = r.Sandbox.String()
	}
	for _, agent := range r.Agents {
		agents = append(agents, agent.Name+" ("+agent.Path+")")
	}
	for _, part := range [][2]string{
		{"chant", r.Version}, {"go", r.Go}, {"system", r.System}, {"git", r.Git}, {"project", r.Project}, {"sandbox", box}, {"agents", cmp.Or(strings.Join(agents, ", "), "none")},
	} {
		fmt.Fprintf(w, "%-8s %s\n", part[0], cmp.Or(part[1], "unknown"))
	}
	for _, s := range r.Settings {
		// In the notation of JSON, a text has no line of its own.
		value, _ := json.Marshal(s.Value)
		fmt.Fprintf(w, "setting  %s: %s\n", s.Key, value)
	}
	for _, text := range r.Problems {
		fmt.Fprintf(w, "problem  %s\n", text)
	}
}

package cmd

import (
	"fmt"
	"io"
	"strings"

	"chant/cmd/console"
	"chant/engine/setup"

	"github.com/spf13/cobra"
)

func newInit(a *console.App) *cobra.Command {
	var in setup.InitInput
	c := &cobra.Command{
		Use:   "init",
		Short: "Set up chant in this repository: make it a chant project",
		Long: `Make this repository a chant project, or add the parts that are missing.

It changes nothing outside the repository and replaces no file; settings and agents'
files are edited in place. One commit contains exactly what it made; a repository without
a commit gets an empty one first. Run it again with --provider, --model or --name to
change that setting.`,
		Example: "chant init\nchant init --provider claude --model sonnet\nchant init --silent --minimal",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			result, err := setup.Init(c.Context(), a.Dir, a.Options(a.Line), in)
			if err != nil {
				return err
			}
			return console.Show(a, result, renderInit)
		},
	}
	f := c.Flags()
	f.StringVar(&in.Name, "name", "", "project name (default: that of the folder)")
	f.StringVar(&in.Provider, "provider", "", "default provider")
	f.StringVar(&in.Model, "model", "", "default model")
	f.StringSliceVar(&in.Agents, "agent", nil, "agents to configure for chant mcp: claude, codex, cursor, gemini, opencode, copilot, kiro or all")
	f.BoolVar(&in.Silent, "silent", false, "keep .chant out of git")
	f.BoolVar(&in.Minimal, "minimal", false, "create only the folder, settings and ignore rules")
	return c
}

func renderInit(w io.Writer, r setup.InitResult) {
	for _, group := range []struct {
		word  string
		paths []string
	}{{"made", r.Made}, {"changed", r.Changed}, {"left", r.Left}, {"yours to commit", r.Uncommitted}} {
		for _, p := range group.paths {
			fmt.Fprintf(w, "%-8s %s\n", group.word, p)
		}
	}
	if r.Commit != "" {
		fmt.Fprintf(w, "Committed as %s.\n", r.Commit[:7])
	}
	if r.First != "" {
		fmt.Fprintf(w, "Created %s, the first commit of this repository, without files.\n", r.First[:7])
	}
	fmt.Fprintf(w, "chant is ready in %s\n", r.Home)
	if r.LandsOn != "" && r.LandsOn != "main" && r.LandsOn != "master" {
		fmt.Fprintf(w, "Work lands on %q, which is checked out; main_branch in .chant/config.md says so.\n", r.LandsOn)
	}
	renderAgents(w, r)
	if !r.Next.IsZero() {
		fmt.Fprintf(w, "next: %s\n", r.Next)
	}
}

// renderAgents says which agents can work here.
func renderAgents(w io.Writer, r setup.InitResult) {
	found := "none on PATH"
	if len(r.Installed) > 0 {
		found = strings.Join(r.Installed, ", ")
	}
	fmt.Fprintf(w, "agents   %s\n", found)
	if r.Missing != "" {
		fmt.Fprintf(w, "The provider in the settings is %q, but its program %q is not on PATH.\n", r.Provider, r.Missing)
	}
}

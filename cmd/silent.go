package cmd

import (
	"fmt"
	"io"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/setup"
	"chant/engine/spec/next"

	"github.com/spf13/cobra"
)

// silentResult says whether git ignores the specs of a project.
type silentResult struct {
	Silent bool `json:"silent"`
}

// newSilent is the command of the Rust chant by which a project becomes silent; chant init --silent does it here.
func newSilent(a *console.App) *cobra.Command {
	var status, off, everywhere bool
	c := &cobra.Command{
		Use: "silent", Short: "Keep .chant out of git, as init --silent does", Example: "chant silent\nchant silent --status", Args: console.NoArgs, Hidden: true,
		RunE: func(c *cobra.Command, _ []string) error {
			switch {
			case everywhere:
				return engine.Fail(engine.Usage, next.Init.On().Flag("silent"), "--global: each project decides by itself whether it is silent")
			case off:
				return engine.Fail(engine.Usage, next.ByHand("remove the line of .chant from .git/info/exclude, then commit .chant"), "--off: chant does not publish specs that were kept out of git; commit them yourself")
			case status:
				return showSilent(a, c)
			}
			result, err := setup.Init(c.Context(), a.Dir, a.Options(a.Line), setup.InitInput{Silent: true, Minimal: true})
			if err != nil {
				return err
			}
			return console.Show(a, result, renderInit)
		},
	}
	f := c.Flags()
	f.BoolVar(&status, "status", false, "only print whether git ignores .chant")
	f.BoolVar(&off, "off", false, "no longer")
	f.BoolVar(&everywhere, "global", false, "in all projects")
	return c
}

// showSilent prints whether git ignores the specs of the project.
func showSilent(a *console.App, c *cobra.Command) error {
	p, err := a.Open()
	if err != nil {
		return err
	}
	tracked, err := p.Store.Tracked(c.Context())
	if err != nil {
		return err
	}
	return console.Show(a, silentResult{!tracked}, func(w io.Writer, r silentResult) {
		if r.Silent {
			fmt.Fprintln(w, "silent: git ignores .chant")
		} else {
			fmt.Fprintln(w, "not silent: specs are committed")
		}
	})
}

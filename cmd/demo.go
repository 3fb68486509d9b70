package cmd

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/setup"
	"chant/engine/view"

	"github.com/spf13/cobra"
)

func newDemo(a *console.App) *cobra.Command {
	var keep string
	c := &cobra.Command{
		Use:   "demo",
		Short: "Show three specs becoming merged commits in a new repository",
		Long: `Make a repository, work three specs that depend on each other with the shell
provider, and show the log. The repository is removed at the end, unless --keep names
a folder for it.`,
		Example: "chant demo\nchant demo --keep /tmp/greeting",
		Args:    console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return runDemo(a, c, keep)
		},
	}
	c.Flags().StringVar(&keep, "keep", "", "folder in which to keep the repository")
	return c
}

func runDemo(a *console.App, c *cobra.Command, keep string) (err error) {
	dir, top := a.Below(keep), ""
	if keep == "" {
		if top, err = os.MkdirTemp("", "chant-demo-"); err != nil {
			return err
		}
		dir = filepath.Join(top, "demo")
		defer func() { err = errors.Join(err, os.RemoveAll(top)) }()
	}
	last := ""
	progress := func(ev engine.Event) {
		if ev.ID != last && ev.Step != "open" {
			last = ev.ID
			fmt.Fprintf(a.Err, "\nchant work %s\n", ev.ID)
		}
		a.Line(ev)
	}
	o := a.Options(progress)
	// Its caches are removed with it.
	if top != "" {
		o.Environ = append(slices.Clone(o.Environ), "XDG_CACHE_HOME="+filepath.Join(top, "cache"))
	}
	result, err := setup.Demo(c.Context(), o, setup.DemoInput{Dir: dir})
	if err != nil {
		return err
	}
	if keep == "" {
		result.Dir = ""
	}
	return console.Show(a, result, renderDemo)
}

func renderDemo(w io.Writer, r setup.DemoResult) {
	for _, run := range r.Runs {
		fmt.Fprintf(w, "\n%s\n", run.Title)
		console.RenderVerdicts(w, run.Criteria)
		fmt.Fprintf(w, "landed as %s\n", run.Landing[:7])
	}
	fmt.Fprintf(w, "\ngit log --graph --oneline\n%s\nchant list\n", r.Graph)
	renderList(w, view.ListResult{Specs: r.Specs, Page: engine.Whole(len(r.Specs))}, console.Canvas{})
	if r.Dir != "" {
		fmt.Fprintf(w, "\nThe repository is in %s\n", r.Dir)
	}
}

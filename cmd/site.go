package cmd

import (
	"fmt"
	"io"

	"chant/cmd/console"
	"chant/site"

	"github.com/spf13/cobra"
)

// This file has the commands that show specs in a browser: site and serve.

// NewSite returns the command "chant site".
func NewSite(a *console.App) *cobra.Command {
	c := &cobra.Command{
		Use:     "site",
		Short:   "Write a static site about the specs",
		Long:    "Write a static site about the specs of this project, for people who do not use chant.",
		Example: "chant site build --output public",
	}
	c.AddCommand(newSiteInit(a), newSiteBuild(a), newSiteServe(a))
	return c
}

func newSiteInit(a *console.App) *cobra.Command {
	var in site.InitInput
	c := &cobra.Command{
		Use:   "init",
		Short: "Copy chant's templates and styles into the project",
		Long: `Copy chant's templates and styles to .chant/site, where a project's own replace those of
chant. Files that differ stay, unless --force-overwrite is given. Remove what you do not
change: chant's own is newer after an update.`,
		Example: "chant site init",
		Args:    console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return console.Do(a, c, site.Init, in, func(w io.Writer, r site.InitResult) {
				for _, group := range []struct {
					word  string
					paths []string
				}{{"made", r.Made}, {"replaced", r.Replaced}, {"left", r.Left}} {
					for _, p := range group.paths {
						fmt.Fprintf(w, "%-8s %s\n", group.word, p)
					}
				}
			})
		},
	}
	c.Flags().BoolVar(&in.Overwrite, "force-overwrite", false, "replace files that differ")
	return c
}

// newSiteServe is the command of the Rust chant that builds a site and serves its files. Here the pages are live.
func newSiteServe(a *console.App) *cobra.Command {
	c := NewServe(a)
	c.Hidden, c.Example = true, "chant site serve --port 8080"
	folder := ""
	c.Flags().StringVarP(&folder, "output", "o", "", "folder that the pages do not need")
	serve := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		if folder != "" && !a.Quiet && !a.JSON {
			fmt.Fprintln(a.Err, "--output: the pages are live and need no folder; chant site build writes them")
		}
		return serve(c, args)
	}
	return c
}

func newSiteBuild(a *console.App) *cobra.Command {
	in := site.Input{Out: "public"}
	c := &cobra.Command{
		Use:   "build",
		Short: "Write the pages into a folder",
		Long: `Write a page for each spec, archived ones too, with its text, criteria, evidence, changes and
history; lists by status and label; the dependency graph, a timeline and a changelog; and Atom
feeds. The pages need no server, and read well without scripts. The address of a spec is made
of its id, so that it stays the same when the spec is archived.

A further build writes only what has changed. A folder with other files is refused. Templates
and styles in .chant/site replace those of chant: "chant guide site".`,
		Example: "chant site build\nchant site build --output public --title 'Our specs' --url https://example.com/specs/",
		Args:    console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			in.Out = a.Below(in.Out)
			return console.Do(a, c, site.Build, in, renderSite)
		},
	}
	f := c.Flags()
	f.StringVarP(&in.Out, "output", "o", in.Out, "folder to write to")
	f.StringVar(&in.Title, "title", "", "title of the site (default: the name of the project's folder)")
	f.StringVar(&in.URL, "url", "", "address at which the site will be, for its feeds")
	// The flag exists, so it cannot fail.
	_ = c.MarkFlagDirname("output")
	return c
}

func renderSite(w io.Writer, r site.Result) {
	fmt.Fprintf(w, "%s: %s about %s, %d written, %d unchanged, %d removed\n", r.Dir, console.Plural(r.Files, "file"), console.Plural(r.Specs, "spec"), r.Written, r.Unchanged, r.Removed)
	if r.Invalid > 0 {
		fmt.Fprintf(w, "%s cannot be read; the first page lists them\n", console.Plural(r.Invalid, "spec file"))
	}
}

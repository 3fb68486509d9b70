package cmd

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"strings"

	"chant/cmd/console"

	"github.com/spf13/cobra"
)

// versionResult is the result of `chant version --json`.
type versionResult struct {
	console.Build
	Go     string `json:"go"`
	System string `json:"system"`
}

func newVersion(a *console.App) *cobra.Command {
	verbose := false
	c := &cobra.Command{
		Use:     "version",
		Short:   "Print the version, and the commit that it was built from",
		Example: "chant version\nchant version --verbose\nchant version --json",
		Args:    console.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			r := versionResult{console.ThisBuild(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
			if verbose {
				return console.Show(a, r, renderBuild)
			}
			return console.Show(a, r, renderVersion)
		},
	}
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "print each part on a line of its own, in full")
	return c
}

// renderBuild prints everything that is known about the build.
func renderBuild(w io.Writer, r versionResult) {
	commit := r.Commit
	if r.Modified {
		commit += " with changes"
	}
	for _, part := range [][2]string{{"version", r.Version}, {"commit", commit}, {"date", r.Date}, {"go", r.Go}, {"system", r.System}} {
		fmt.Fprintf(w, "%-8s %s\n", part[0], cmp.Or(part[1], "unknown"))
	}
}

// renderVersion prints one line, so that it fits into a bug report.
func renderVersion(w io.Writer, r versionResult) {
	of := r.Go + ", " + r.System
	if r.Commit != "" {
		day, _, _ := strings.Cut(r.Date, "T")
		source := "commit " + r.Commit[:min(len(r.Commit), 12)] + " of " + day
		if r.Modified {
			source += " with changes"
		}
		of = source + ", " + of
	}
	fmt.Fprintf(w, "chant %s (%s)\n", r.Version, of)
}

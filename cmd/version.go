package cmd

import (
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
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version, and the commit that it was built from",
		Example: "chant version\nchant version --json",
		Args:    console.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			r := versionResult{console.ThisBuild(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
			return console.Show(a, r, renderVersion)
		},
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

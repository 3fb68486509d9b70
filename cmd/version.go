package cmd

import (
	"fmt"
	"io"
	"runtime"

	"chant/cmd/console"

	"github.com/spf13/cobra"
)

// versionResult is what `chant version --json` prints.
type versionResult struct {
	Version string `json:"version"`
	Go      string `json:"go"`
	System  string `json:"system"`
}

func newVersion(a *console.App) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "chant version\nchant version --json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			r := versionResult{console.Version, runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
			return console.Show(a, r, func(w io.Writer, r versionResult) {
				fmt.Fprintf(w, "chant %s (%s, %s)\n", r.Version, r.Go, r.System)
			})
		},
	}
}

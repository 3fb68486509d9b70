package cmd

import (
	"fmt"
	"io"

	"chant/cmd/console"
	"chant/engine/setup"

	"github.com/spf13/cobra"
)

func newCache(a *console.App) *cobra.Command {
	var in setup.CacheInput
	c := &cobra.Command{
		Use:   "cache",
		Short: "Show or clear what chant keeps on this machine",
		Long: `Show the folders in which chant keeps what it can make again, with their size: trees
and caches of criteria and agents, of all projects of this machine. --clear removes
them; a run at work would have to begin its checks again.`,
		Example: "chant cache\nchant cache --clear",
		Args:    console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			r, err := setup.Cache(c.Context(), a.Environ, in)
			if err != nil {
				return err
			}
			return console.Show(a, r, renderCache)
		},
	}
	c.Flags().BoolVar(&in.Clear, "clear", false, "remove them")
	return c
}

func renderCache(w io.Writer, r setup.CacheResult) {
	for _, f := range r.Folders {
		fmt.Fprintf(w, "%8.1f MB  %s\n", float64(f.Bytes)/1e6, f.Path)
	}
	word := "in"
	if r.Cleared {
		word = "removed from"
	}
	fmt.Fprintf(w, "%8.1f MB  %s %d folders\n", float64(r.Bytes)/1e6, word, len(r.Folders))
}

package cmd

import (
	"os"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/verify/gate"

	"github.com/spf13/cobra"
)

// newApart returns the command that chant's git starts in place of the programs that a person has configured.
func newApart(a *console.App) *cobra.Command {
	return &cobra.Command{
		Use:     engine.ApartCommand + " -- -LETTERS COMMAND [ARG]...",
		Short:   "Run a filter, a driver or a hook of your checkout in the sandbox, for git",
		Long:    "Run a filter, a driver or a hook of your checkout in the sandbox, for git. COMMAND is in base64. Exits with the code of the command.",
		Example: "chant apart -- -f Y2F0ICVm some-file",
		Hidden:  true, Args: cobra.MinimumNArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			code, err := gate.RunApart(c.Context(), a.Dir, a.Options(a.Line), args, [3]*os.File{os.Stdin, os.Stdout, os.Stderr})
			// git reads the exit code of the filter, so it must be that of the command.
			if err == nil && code != 0 {
				err = console.Exit(code)
			}
			return err
		},
	}
}

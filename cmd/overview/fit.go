package overview

import (
	"context"

	"chant/cmd/console"
	"chant/text"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
)

// fit cuts a line to the width of a terminal.
func fit(line string, on console.Canvas) string {
	line = text.Printable(line)
	if on.Width == 0 {
		return line
	}
	end := "..."
	if on.Rich {
		end = "…"
	}
	return ansi.Truncate(line, on.Width, end)
}

// complete offers the values of a flag to a shell.
func complete(c *cobra.Command, flag string, values func(context.Context) []string) {
	_ = c.RegisterFlagCompletionFunc(flag, func(c *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		return values(c.Context()), cobra.ShellCompDirectiveNoFileComp
	}) // the flag exists
}

// times lists times that a person may want.
func times(context.Context) []string {
	return []string{"today", "yesterday", "1w", "2w", "4w", "3mo", "1y"}
}

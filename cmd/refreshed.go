package cmd

import (
	"fmt"
	"time"

	"chant/cmd/console"

	"github.com/spf13/cobra"
)

// refreshEvery is how often what is refreshed is printed, as the Rust chant does it.
const refreshEvery = 5 * time.Second

// refreshed prints once, or again and again until the command is stopped: on a terminal in place of what was printed before.
func refreshed(a *console.App, c *cobra.Command, again bool, show func() error) error {
	if !again {
		return show()
	}
	if a.JSON {
		return console.UsageError(c, "--watch prints for people; with --json, ask again instead")
	}
	// A pager would wait for a key.
	a.NoPager = true
	tick := time.NewTicker(refreshEvery)
	defer tick.Stop()
	for first := true; ; first = false {
		before := ""
		if console.Terminal(a.Screen.Out) {
			before = "\x1b[H\x1b[2J"
		} else if !first {
			before = "\n"
		}
		if _, err := fmt.Fprint(a.Screen.Out, before); err != nil {
			return err
		}
		if err := show(); err != nil {
			return err
		}
		if err := wait(c.Context(), tick); err != nil {
			return err
		}
	}
}

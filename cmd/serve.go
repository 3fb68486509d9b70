package cmd

import (
	"fmt"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/store"
	"chant/site/serve"

	"github.com/spf13/cobra"
)

// NewServe returns the command "chant serve".
func NewServe(a *console.App) *cobra.Command {
	var in serve.Input
	closed := false
	c := &cobra.Command{
		Use:   "serve",
		Short: "Show the specs in a browser, live, and decide there",
		Long: `Show the specs in a browser of this machine: the board, each spec with its run, log and cost as
they change, the graph, the timeline and the changelog. Runs are started there, work is approved
or rejected, and questions of agents are answered, as by the commands of these names.

It listens on 127.0.0.1 and prints an address with a token, which it opens on a terminal. Whoever
has the address can act as you: do not share it. It ends with Ctrl-C; runs that were started
go on.`,
		Example: "chant serve\nchant serve --port 8080 --no-open",
		Args:    console.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return serveSite(a, c, in, closed) },
	}
	f := c.Flags()
	f.VarP(console.AtLeast(0, &in.Port), "port", "p", "port to listen on, 0 for any")
	f.BoolVar(&closed, "no-open", false, "only print the address")
	return c
}

func serveSite(a *console.App, c *cobra.Command, in serve.Input, closed bool) error {
	if in.Port > 65535 {
		return console.UsageError(c, fmt.Sprintf("invalid value %d for --port (use 0 to 65535)", in.Port))
	}
	options := a.Options(a.Line)
	options.Recall = &store.Cache{}
	defer options.Recall.Close()
	p, err := engine.Open(a.Dir, options)
	if err != nil {
		return err
	}
	var leave func()
	in.Ready = func(address string) {
		if a.JSON {
			// A reader that has gone ends it by a signal.
			_ = console.WriteJSON(a.Out, map[string]string{"address": address}, "")
		} else {
			fmt.Fprintln(a.Out, address)
		}
		if !closed && console.Terminal(a.Screen.Out) && !a.JSON {
			leave = openBrowser(address, p, a.Environ)
			fmt.Fprintln(a.Err, "Ctrl-C ends it")
		}
	}
	_, err = serve.Serve(c.Context(), p, in)
	if leave != nil {
		leave()
	}
	return err
}

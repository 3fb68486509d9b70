package cmd

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/store"
	"chant/engine/view"
	"chant/site/serve"

	"github.com/spf13/cobra"
)

// NewServe returns the command "chant serve".
func NewServe(a *console.App) *cobra.Command {
	var in serve.Input
	var scope view.Scope
	closed := false
	c := &cobra.Command{
		Use:   "serve",
		Short: "Show the specs in a browser, live, and decide there",
		Long: `Show the specs in a browser of this machine: the board, each spec with its run, log and cost as
they change, the graph, the timeline and the changelog. Runs are started there, work is approved
or rejected, and questions of agents are answered, as by the commands of these names.

It listens on 127.0.0.1 and prints an address with a token, which it opens on a terminal. Whoever
has the address can act as you: do not share it. It ends with Ctrl-C; runs that were started
go on. Of several projects, each has an address of its own, the first one on --port.`,
		Example: "chant serve\nchant serve --port 8080 --no-open\nchant serve --global",
		Args:    console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if scope.IsHere() {
				return serveSite(a, c, in, closed)
			}
			return serveAll(a, c, scope, in, closed)
		},
	}
	f := c.Flags()
	f.VarP(console.AtLeast(0, &in.Port), "port", "p", "port to listen on, 0 for any")
	console.ScopeFlags(c, &scope)
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

// serveAll serves each project of a scope at an address of its own, until all have ended.
func serveAll(a *console.App, c *cobra.Command, scope view.Scope, in serve.Input, closed bool) error {
	if in.Port > 65535 {
		return console.UsageError(c, fmt.Sprintf("invalid value %d for --port (use 0 to 65535)", in.Port))
	}
	p, err := engine.OpenAny(c.Context(), a.Dir, a.Options(a.Line))
	if err != nil {
		return err
	}
	places, err := view.Places(c.Context(), p, scope)
	if err != nil {
		return err
	}
	// One that fails ends all, since a part of the addresses would be taken for the whole.
	ctx, stop := context.WithCancel(c.Context())
	defer stop()
	var running sync.WaitGroup
	var turn sync.Mutex
	var failed error
	var leave func()
	for i, place := range places {
		one := in
		if i > 0 {
			one.Port = 0
		}
		one.Ready = func(address string) {
			turn.Lock()
			defer turn.Unlock()
			if a.JSON {
				// A reader that has gone ends it by a signal.
				_ = console.WriteJSON(a.Out, map[string]string{"address": address, "repo": place.Repo, "project": place.Project}, "")
				return
			}
			fmt.Fprintf(a.Out, "%s  %s\n", address, place.Name())
			if i == 0 && !closed && console.Terminal(a.Screen.Out) {
				leave = openBrowser(address, place.Of, a.Environ)
			}
		}
		running.Go(func() {
			place.Of.Recall = &store.Cache{}
			defer place.Of.Recall.Close()
			if _, err := serve.Serve(ctx, place.Of, one); err != nil {
				turn.Lock()
				failed = errors.Join(failed, err)
				turn.Unlock()
				stop()
			}
		})
	}
	running.Wait()
	if leave != nil {
		leave()
	}
	return failed
}

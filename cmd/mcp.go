package cmd

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"chant/cmd/console"
	"chant/engine"
	"chant/engine/lookup"
	"chant/engine/setup"
	"chant/engine/work"
	"chant/mcp"

	"github.com/spf13/cobra"
)

// tokenVariable holds the bearer token of `chant mcp --http`. It is not a flag,
// for those can be read by everybody on the machine.
const tokenVariable = "CHANT_MCP_TOKEN="

func newMCP(a *console.App) *cobra.Command {
	o := mcp.Options{Version: console.Version}
	var h mcp.HTTPOptions
	c := &cobra.Command{
		Use:   "mcp",
		Short: "Serve specs to agents over MCP",
		Long: `Serve specs to agents over the Model Context Protocol.

It reads requests from stdin and writes only replies to stdout, until stdin ends.
Agents start it themselves once it is in their configuration.

With --http it prints its address and answers there until it is stopped. Requests need
a bearer token: the one in CHANT_MCP_TOKEN, otherwise a new one. While the server runs,
address and token are in .chant/cache/mcp.json, which only you can read. It keeps at most
256 sessions; a new one ends the session that has been idle longest.`,
		Example: "chant mcp\nchant mcp --read-only\nchant mcp --toolsets specs,review\nchant mcp --tools chant_ready,chant_spec_get\nchant mcp --http 127.0.0.1:0",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			// Progress goes to clients that ask for it, not to stderr.
			options := a.Options(nil)
			options.Recall = &lookup.Recall{}
			defer options.Recall.Close()
			open := func(dir string) (*engine.Project, error) {
				return engine.Open(cmp.Or(dir, a.Dir), options)
			}
			o.Redact = engine.Redact(a.Environ)
			o.Executable = reloads(a.Environ)
			workspaces := &setup.Workspaces{Options: options, Report: func(text string) { fmt.Fprintln(a.Err, "chant mcp: "+text) }}
			o.Workspace = func(ctx context.Context, dir string, writes bool) (*engine.Project, error) {
				return workspaces.Open(ctx, cmp.Or(dir, a.Dir), writes)
			}
			o.Folder = func(ctx context.Context, dir string) (*engine.Project, error) {
				return workspaces.OpenFolder(ctx, cmp.Or(dir, a.Dir))
			}
			collectLaterAs(serverGC)
			if h.Addr == "" {
				return errors.Join(mcp.Serve(c.Context(), a.In, a.Screen.Out, a.Err, open, o), workspaces.Close())
			}
			return errors.Join(serveHTTP(a, c, open, o, h), workspaces.Close())
		},
	}
	f := c.Flags()
	sets := mcp.Toolsets()
	f.StringSliceVar(&o.Toolsets, "toolsets", []string{sets[0].Name}, toolsetsHelp(sets))
	f.StringSliceVar(&o.Tools, "tools", nil, "offer only these tools; where a toolset served alone has short names, the long ones do as well")
	f.BoolVar(&o.ReadOnly, "read-only", false, "offer only tools that change nothing")
	f.StringVar(&h.Addr, "http", "", "serve over HTTP at this host:port (port 0 for any) instead of stdin and stdout")
	f.StringSliceVar(&h.Hosts, "allow-host", nil, "host names, in addition to loopback names, under which clients reach --http")
	// The global flags of these names promise a result and progress, of which a
	// server has neither.
	f.BoolVar(&a.JSON, "json", false, "print the address of --http as JSON")
	f.BoolVarP(&a.Quiet, "quiet", "q", false, "")
	_ = f.MarkHidden("quiet") // it was named in the line above
	return c
}

// reloads is the file whose change ends the server, so that its client starts the new program; "" where the environment
// says that it must not.
func reloads(environ []string) string {
	if slices.Contains(environ, "LOTAR_MCP_AUTORELOAD=0") {
		return ""
	}
	file, err := os.Executable()
	if err != nil {
		return "" // there is nothing to watch
	}
	return file
}

// toolsetsHelp lists the toolsets.
func toolsetsHelp(sets []mcp.Toolset) string {
	named := make([]string, len(sets))
	for i, set := range sets {
		named[i] = fmt.Sprintf("%s (%s)", set.Name, set.About)
	}
	return "sets of tools to show: " + strings.Join(named, ", ")
}

// serveHTTP serves over HTTP and leaves word of it for those who look for a server.
func serveHTTP(a *console.App, c *cobra.Command, open func(dir string) (*engine.Project, error), o mcp.Options, h mcp.HTTPOptions) error {
	p, err := open("") // without a project the token cannot be stored
	if err != nil {
		return err
	}
	for _, pair := range a.Environ {
		if token, ok := strings.CutPrefix(pair, tokenVariable); ok {
			h.Token = token
		}
	}
	h.Token = cmp.Or(h.Token, rand.Text())
	var session work.MCPSession
	h.Ready = func(url string) (err error) {
		if session, err = work.Announce(c.Context(), p, url, h.Token); err != nil {
			return err
		}
		return console.Show(a, address{url}, func(w io.Writer, r address) { fmt.Fprintln(w, r.URL) })
	}
	return errors.Join(mcp.ServeHTTP(c.Context(), a.Err, open, o, h), work.Withdraw(c.Context(), p, session))
}

// address is what `chant mcp --http --json` prints.
type address struct {
	URL string `json:"url"`
}

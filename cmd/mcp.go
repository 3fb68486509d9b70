package cmd

import (
	"fmt"
	"strings"

	"chant/engine"
	"chant/mcp"

	"github.com/spf13/cobra"
)

// tokenVariable holds the bearer token of `chant mcp --http`. It is not a flag,
// for those can be read by everybody on the machine.
const tokenVariable = "CHANT_MCP_TOKEN="

func newMCP(a *app) *cobra.Command {
	o := mcp.Options{Version: Version}
	var h mcp.HTTPOptions
	c := &cobra.Command{
		Use:   "mcp",
		Short: "Serve specs to agents over MCP",
		Long: `Serve specs to agents over the Model Context Protocol.

Reads requests from stdin and writes nothing but replies to stdout, until stdin
ends. Agents start it themselves once it is in their configuration.

With --http it prints its address and answers there until it is stopped. Requests
have to show the bearer token in CHANT_MCP_TOKEN, if that is set.`,
		Example: "chant mcp\nchant mcp --read-only\nchant mcp --tools chant_ready,chant_spec_get\nchant mcp --http 127.0.0.1:0",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			// Progress goes to clients that ask for it, not to stderr.
			open := func() (*engine.Engine, error) { return engine.Open(a.Dir, a.options(nil)) }
			if h.Addr == "" {
				return mcp.Serve(c.Context(), a.In, a.Out, a.Err, open, o)
			}
			h.Ready = func(url string) { fmt.Fprintln(a.Out, url) }
			for _, pair := range a.Environ {
				if token, ok := strings.CutPrefix(pair, tokenVariable); ok {
					h.Token = token
				}
			}
			return mcp.ServeHTTP(c.Context(), a.Err, open, o, h)
		},
	}
	f := c.Flags()
	f.StringSliceVar(&o.Toolsets, "toolsets", []string{"specs"}, "sets of tools to show")
	f.StringSliceVar(&o.Tools, "tools", nil, "only these tools")
	f.BoolVar(&o.ReadOnly, "read-only", false, "only tools that change nothing")
	f.StringVar(&h.Addr, "http", "", "serve over HTTP at this host:port (port 0 for any) instead of stdin and stdout")
	f.StringSliceVar(&h.Hosts, "allow-host", nil, "host names, beside loopback ones, by which others reach --http")
	return c
}

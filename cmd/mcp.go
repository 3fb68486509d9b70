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
	"chant/engine/setup"
	"chant/engine/spec/next"
	"chant/engine/store"
	"chant/engine/work"
	"chant/mcp"

	"github.com/spf13/cobra"
)

// tokenVariable holds the bearer token of `chant mcp --http`. It is not a flag,
// for those can be read by everybody on the machine.
const tokenVariable = "CHANT_MCP_TOKEN="

func newMCP(a *console.App) *cobra.Command {
	o := mcp.Options{}
	var h mcp.HTTPOptions
	session := ""
	c := &cobra.Command{
		Use:   "mcp",
		Short: "Serve specs to agents over MCP",
		Long: `Serve specs to agents over the Model Context Protocol: requests from stdin,
replies to stdout, until stdin ends. Agents start it themselves once it is in
their configuration.

With --http it prints its address and answers there until it is stopped.
Requests need a bearer token: the one in CHANT_MCP_TOKEN, or the new one that is
in .chant/cache/mcp.json of the worktree while the server runs: chant guide mcp.`,
		Example: "chant mcp\nchant mcp --read-only\nchant mcp --toolsets specs,review\nchant mcp --tools chant_ready,chant_spec_get\nchant mcp --http 127.0.0.1:0\nchant mcp --http --session rstn",
		Args:    console.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			// Not above, where every command would read how it was built.
			o.Version = console.ThisBuild().String()
			// Progress goes to clients that ask for it, not to stderr.
			options := a.Options(nil)
			// A server answers many calls, and remembers what has not changed.
			options.Recall = &store.Cache{}
			defer options.Recall.Close()
			open := func(dir string) (*engine.Project, error) {
				return engine.Open(cmp.Or(dir, a.Dir), options)
			}
			o.Redact = engine.Redact(a.Environ)
			o.Executable = watchedExecutable(a.Environ)
			workspaces := &setup.Workspaces{Options: options, Report: func(text string) { fmt.Fprintln(a.Err, "chant mcp: "+text) }}
			o.Workspace = func(ctx context.Context, dir string, writes bool) (*engine.Project, error) {
				return workspaces.Open(ctx, cmp.Or(dir, a.Dir), writes)
			}
			o.Folder = func(ctx context.Context, dir string) (*engine.Project, error) {
				return workspaces.OpenFolder(ctx, cmp.Or(dir, a.Dir))
			}
			if session != "" {
				if err := forClient(c, session, &o); err != nil {
					return err
				}
			}
			collectForServer(o.Toolsets)
			if h.Addr == "" {
				return errors.Join(mcp.Serve(c.Context(), a.In, a.Screen.Out, a.Err, open, o), workspaces.Close())
			}
			return errors.Join(httpServer{a, open, o, h, session}.serve(c.Context()), workspaces.Close())
		},
	}
	mcpFlags(a, c, &o, &h, &session)
	return c
}

// mcpFlags adds the flags of `chant mcp`.
func mcpFlags(a *console.App, c *cobra.Command, o *mcp.Options, h *mcp.HTTPOptions, session *string) {
	f := c.Flags()
	sets := mcp.Toolsets()
	f.StringSliceVar(&o.Toolsets, "toolsets", []string{sets[0].Name}, toolsetsHelp(sets))
	f.StringSliceVar(&o.Tools, "tools", nil, "offer only these tools; where a toolset served alone has short names, the long ones do as well")
	f.BoolVar(&o.ReadOnly, "read-only", false, "offer only tools that change nothing")
	f.StringVar(&h.Addr, "http", "", "serve over HTTP at this host:port (port 0 for any, as without a value) instead of stdin and stdout")
	f.StringVar(session, "session", "", "whose session file to write, with --http: rstn; the toolset is then feature by default")
	f.StringSliceVar(&h.Hosts, "allow-host", nil, "host names, in addition to loopback names, under which clients reach --http")
	// The global flags of these names promise a result and progress, of which a
	// server has neither.
	f.BoolVar(&a.JSON, "json", false, "print the address of --http as JSON")
	f.BoolVarP(&a.Quiet, "quiet", "q", false, "")
	// The flag was named in the line above, so hiding it cannot fail.
	_ = f.MarkHidden("quiet")
}

// forClient adapts the options of a server to the client whose session file it writes.
func forClient(c *cobra.Command, client string, o *mcp.Options) error {
	switch {
	case client != work.Rstn:
		return engine.Fail(engine.Usage, next.MCP.Help(), "unknown client %q (use %s)", client, work.Rstn)
	case !c.Flags().Changed("http"):
		return engine.Fail(engine.Usage, next.MCP.On().Set("http", "127.0.0.1:0").Set("session", client), "--session needs --http")
	case !c.Flags().Changed("toolsets"):
		o.Toolsets = []string{"feature"}
	}
	return nil
}

// watchedExecutable returns the file whose change ends the server, so that its client starts the new program; "" where
// the environment says that it must not.
func watchedExecutable(environ []string) string {
	if slices.Contains(environ, "LOTAR_MCP_AUTORELOAD=0") {
		return ""
	}
	file, err := os.Executable()
	if err != nil {
		// There is nothing to watch.
		return ""
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

// httpServer is a server over HTTP, and where clients find it.
type httpServer struct {
	a       *console.App
	open    func(dir string) (*engine.Project, error)
	options mcp.Options
	http    mcp.HTTPOptions
	session string // whose session file is written; "" for that of the worktree
}

// serve serves over HTTP, and announces the server for those who look for one.
func (s httpServer) serve(ctx context.Context) error {
	p, err := s.open("")
	var missing *engine.Error
	if errors.As(err, &missing) && missing.Code == engine.NotFound && (s.session != "" || !slices.Contains(s.options.Toolsets, mcp.Toolsets()[0].Name)) {
		// Some tools need no project.
		p, err = s.options.Folder(ctx, "")
	}
	if err != nil {
		return err
	}
	for _, pair := range s.a.Environ {
		if token, ok := strings.CutPrefix(pair, tokenVariable); ok {
			s.http.Token = token
		}
	}
	s.http.Token = cmp.Or(s.http.Token, rand.Text())
	var announced *work.Announced
	s.http.Ready = func(url string) (err error) {
		announced, err = work.Announce(ctx, p, work.AnnounceInput{URL: url, Token: s.http.Token, Client: s.session})
		if err != nil {
			return err
		}
		if announced.Waits != "" {
			fmt.Fprintln(s.a.Err, "chant mcp: "+announced.Waits)
		}
		return console.Show(s.a, address{url}, func(w io.Writer, r address) { fmt.Fprintln(w, r.URL) })
	}
	err = mcp.ServeHTTP(ctx, s.a.Err, s.open, s.options, s.http)
	// The file of a server that has ended would send clients to an address that another program may have.
	return errors.Join(err, announced.Withdraw())
}

// address is the result of `chant mcp --http --json`.
type address struct {
	URL string `json:"url"`
}

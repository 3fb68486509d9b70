package cmd

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

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
have to show a bearer token: the one in CHANT_MCP_TOKEN, else a new one. Address
and token stand in .chant/cache/mcp.json, which only you can read, as long as the
server runs.`,
		Example: "chant mcp\nchant mcp --read-only\nchant mcp --tools chant_ready,chant_spec_get\nchant mcp --http 127.0.0.1:0",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			// Progress goes to clients that ask for it, not to stderr.
			open := func(dir string) (*engine.Engine, error) {
				return engine.Open(cmp.Or(dir, a.Dir), a.options(nil))
			}
			if h.Addr == "" {
				return mcp.Serve(c.Context(), a.In, a.Out, a.Err, open, o)
			}
			return serveHTTP(a, c, open, o, h)
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

// serveHTTP serves over HTTP, with a session file for those who look for the
// server.
func serveHTTP(a *app, c *cobra.Command, open func(dir string) (*engine.Engine, error), o mcp.Options, h mcp.HTTPOptions) error {
	e, err := open("") // without a project there is no place to leave the token
	if err != nil {
		return err
	}
	for _, pair := range a.Environ {
		if token, ok := strings.CutPrefix(pair, tokenVariable); ok {
			h.Token = token
		}
	}
	h.Token = cmp.Or(h.Token, rand.Text())
	s := session{Token: h.Token, PID: os.Getpid(), Started: time.Now().UTC().Truncate(time.Second)}
	path := filepath.Join(e.Home(), ".chant", "cache", "mcp.json")
	h.Ready = func(url string) error {
		s.URL = url
		if err := s.write(path); err != nil {
			return err
		}
		_, err := fmt.Fprintln(a.Out, url)
		return err
	}
	return errors.Join(mcp.ServeHTTP(c.Context(), a.Err, open, o, h), s.remove(path))
}

// session is the file that tells of a running server.
type session struct {
	URL     string    `json:"url"`
	Token   string    `json:"token"`
	PID     int       `json:"pid"`
	Started time.Time `json:"started"`
}

func (s session) encode() []byte {
	out, _ := json.MarshalIndent(s, "", "  ") // of plain fields, which cannot fail
	return append(out, '\n')
}

// write puts the file there in one step, readable by its owner alone, in a
// folder that hides itself from git.
func (s session) write(path string) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("*\n"), 0o644); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "mcp-*.json") // has mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(s.encode())
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// remove takes the file away unless another server has put its own there.
func (s session) remove(path string) error {
	src, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !bytes.Equal(src, s.encode()) {
		return nil
	}
	if err != nil {
		return err
	}
	return os.Remove(path)
}

package work

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"chant/engine"
	"chant/engine/run/launch"
	"chant/engine/spec/next"
	"chant/engine/store/local"
	"chant/providers"
)

// MCPSession says where the MCP server of a worktree listens, and with which token it answers.
type MCPSession struct {
	URL     string    `json:"url"`
	Token   string    `json:"token"` // required in every request
	PID     int       `json:"pid"`
	Started time.Time `json:"started"` // UTC, in whole seconds
}

// Rstn is the client whose session file is ~/.rstn/mcp-session.json.
const Rstn = "rstn"

// AnnounceInput describes a server of this process.
type AnnounceInput struct {
	URL, Token string
	// Client is whose session file is written: Rstn, or "" for the file of the worktree, .chant/cache/mcp.json.
	Client string
}

// Announce writes the file in which clients find a server of this process; only its owner can read it. The file of a
// server that is running stays as it is: then Announced.Waits says so, and the file is written as soon as that server has
// ended. What a killed server has left is replaced. Errors: Usage for an unknown client, or without a home folder.
func Announce(ctx context.Context, p *engine.Project, in AnnounceInput) (*Announced, error) {
	path, content, err := in.file(p)
	if err != nil {
		return nil, engine.Wrap(err, "")
	}
	a := &Announced{path: path, content: content, after: p.After, owned: make(chan struct{}), ended: make(chan struct{})}
	err = a.begin(ctx)
	return a, engine.Wrap(err, "")
}

// file returns the path and the content of the session file.
func (in AnnounceInput) file(p *engine.Project) (path string, content []byte, err error) {
	switch in.Client {
	case "":
		path, err = local.FilesIn(p.Repo.CommonDir(), p.Repo.Dir()).Local(local.Cache, "mcp.json")
		s := MCPSession{URL: in.URL, Token: in.Token, PID: os.Getpid(), Started: p.Now().UTC().Truncate(time.Second)}
		content = encodeIndented(s)
	case Rstn:
		home := engine.Variable(p, "HOME")
		if !filepath.IsAbs(home) {
			return "", nil, engine.Fail(engine.Usage, next.Shell("export HOME=/path/to/a/folder"), "HOME names no folder for the session file of %s", Rstn)
		}
		path = filepath.Join(home, ".rstn", "mcp-session.json")
		err = os.MkdirAll(filepath.Dir(path), 0o700)
		content = encodeIndented(clientConfig{map[string]clientServer{Rstn: {"http", in.URL, map[string]string{"Authorization": "Bearer " + in.Token}}}})
	default:
		err = engine.Fail(engine.Usage, next.MCP.Help(), "unknown client %q (use %s)", in.Client, Rstn)
	}
	return path, content, err
}

// clientConfig is the form in which CLIs of agents read servers.
type clientConfig struct {
	Servers map[string]clientServer `json:"mcpServers"`
}

type clientServer struct {
	Type    string            `json:"type"`
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
}

// encodeIndented encodes plain fields, which cannot fail.
func encodeIndented(v any) []byte {
	out, _ := json.MarshalIndent(v, "", "  ")
	return append(out, '\n')
}

// RecordToolUse records that a client has asked for the tools of this project's MCP server or called one, if that client
// is the agent of a run. It shows that the agent has the server: most CLIs continue without a server that did not start,
// and do not report it. Outside a run nothing is recorded.
func RecordToolUse(ctx context.Context, p *engine.Project) error {
	id := p.Store.RunOf()
	if id == "" {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return engine.Wrap(err, id)
	}
	return engine.Wrap(launch.RecordToolListing(p.Store, id, engine.Variable(p, providers.RunIDKey)), id)
}

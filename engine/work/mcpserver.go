package work

import (
	"context"
	"encoding/json"
	"os"
	"time"

	"chant/engine"
	"chant/engine/run/launch"
	"chant/providers"
)

// MCPSession says where the MCP server of this project listens, and with which token it answers.
type MCPSession struct {
	URL     string    `json:"url"`
	Token   string    `json:"token"` // required in every request
	PID     int       `json:"pid"`
	Started time.Time `json:"started"` // UTC, in whole seconds
}

// withdrawGrace is how long a server that is stopping waits at most for its turn to
// write.
const withdrawGrace = 2 * time.Second

// Announce writes the file in which clients find the server of this process at url,
// in place of that of an earlier server. Only the owner can read it.
func Announce(ctx context.Context, p *engine.Project, url, token string) (MCPSession, error) {
	s := MCPSession{URL: url, Token: token, PID: os.Getpid(), Started: p.Now().UTC().Truncate(time.Second)}
	err := p.Store.PutSession(ctx, s.encode())
	return engine.Done(s, err, "")
}

// Withdraw removes that file unless a later server has replaced it. It works also
// after ctx has ended, because that is when a server ends.
func Withdraw(ctx context.Context, p *engine.Project, s MCPSession) error {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), withdrawGrace)
	defer stop()
	return engine.Wrap(p.Store.DropSession(ctx, s.encode()), "")
}

func (s MCPSession) encode() []byte {
	out, _ := json.MarshalIndent(s, "", "  ") // of plain fields, which cannot fail
	return append(out, '\n')
}

// RecordToolListing records that a client has asked for the tools of this project's MCP server, if
// that client is the agent of a run. It shows that the agent has the server: most CLIs continue
// without a server that did not start, and do not report it. Outside a run nothing is recorded.
func RecordToolListing(ctx context.Context, p *engine.Project) error {
	id := p.Store.RunOf()
	if id == "" {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return engine.Wrap(err, id)
	}
	return engine.Wrap(launch.Met(p.Store, id, engine.Variable(p, providers.RunIDKey)), id)
}

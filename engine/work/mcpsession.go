package work

import (
	"context"
	"encoding/json"
	"os"
	"time"

	"chant/engine"
)

// MCPSession tells where a server of this project answers, and to whom.
type MCPSession struct {
	URL     string    `json:"url"`
	Token   string    `json:"token"` // what a request has to show
	PID     int       `json:"pid"`
	Started time.Time `json:"started"` // UTC, in whole seconds
}

// withdrawGrace bounds how long a server that was told to stop waits for its turn
// to write.
const withdrawGrace = 2 * time.Second

// Announce leaves word of a server of this process at url where its clients look,
// in place of what an earlier one has left. No one but the owner can read it.
func Announce(ctx context.Context, p *engine.Project, url, token string) (MCPSession, error) {
	s := MCPSession{URL: url, Token: token, PID: os.Getpid(), Started: p.Now().UTC().Truncate(time.Second)}
	err := p.Store.PutSession(ctx, s.encode())
	return engine.Done(s, err, "")
}

// Withdraw takes that word back, unless a later server has left its own. It does
// so too once ctx has ended, for that is when a server ends.
func Withdraw(ctx context.Context, p *engine.Project, s MCPSession) error {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), withdrawGrace)
	defer stop()
	return engine.Wrap(p.Store.DropSession(ctx, s.encode()), "")
}

func (s MCPSession) encode() []byte {
	out, _ := json.MarshalIndent(s, "", "  ") // of plain fields, which cannot fail
	return append(out, '\n')
}

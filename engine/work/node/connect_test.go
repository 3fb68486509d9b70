package node

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/fleet"
)

// TestMembership_problem: only the clone of the hub is asked to start the hub.
func TestMembership_problem(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		listen string
		kind   fleet.ProblemKind
		code   engine.Code
		hint   string
	}{
		{"127.0.0.1:4222", fleet.Unreachable, engine.NotFound, "chant fleet up"},
		{"", fleet.Unreachable, engine.NotFound, "chant guide fleet"},
		{"", fleet.NoQueue, engine.NotFound, "chant guide fleet"},
		{"", fleet.Unauthorized, engine.Conflict, "chant fleet invite NAME"},
		{"", fleet.Forbidden, engine.Conflict, "chant guide fleet"},
		{"", fleet.Misused, engine.Usage, "chant guide fleet"},
		{"", fleet.Unexpected, engine.Internal, "chant guide fleet"},
	} {
		err := Membership{Listen: c.listen}.problem(&fleet.Problem{Kind: c.kind})
		known, ok := errors.AsType[*engine.Error](err)
		if !ok || known.Code != c.code || known.Next.String() != c.hint {
			t.Errorf("%q at %q: %v, want %s with the hint %q", c.kind, c.listen, err, c.code, c.hint)
		}
	}
}

// TestLeaderBeside: a name that another clone uses is refused, and a worker learns whether a machine leads.
func TestLeaderBeside(t *testing.T) {
	t.Parallel()
	me := fleet.Node{Name: "w", Host: "h", Folder: "/app"}
	hub, idle := fleet.Node{Name: "hub", Landing: true}, fleet.Node{Name: "hub"}
	for name, c := range map[string]struct {
		nodes []fleet.Node
		leads string
		taken bool
	}{
		"nobody":              {nil, "", false},
		"a hub":               {[]fleet.Node{hub}, "hub", false},
		"a hub that waits":    {[]fleet.Node{idle}, "", false},
		"this clone, earlier": {[]fleet.Node{me, hub}, "hub", false},
		"another folder":      {[]fleet.Node{hub, {Name: "w", Host: "h", Folder: "/other"}}, "", true},
		"another host":        {[]fleet.Node{{Name: "w", Host: "h2", Folder: "/app"}}, "", true},
	} {
		leads, err := leaderBeside(me, c.nodes)
		if leads != c.leads || (err != nil) != c.taken || c.taken && !strings.Contains(err.Error(), `the name "w" is in use`) {
			t.Errorf("%s: %q, %v", name, leads, err)
		}
	}
}

// TestNotEnded: every state in which a spec is not offered again has words of its own.
func TestNotEnded(t *testing.T) {
	t.Parallel()
	for state, want := range map[fleet.ClaimState]string{
		fleet.Working: `is being worked on by "w"`, fleet.Returned: "is offered already",
		fleet.Completed: "is completed, and waits for its landing", fleet.Proposed: "is completed, and waits for the merge of p/1",
	} {
		if got := notEnded(fleet.Claim{State: state, Worker: "w", Proposal: "p/1"}); got != want {
			t.Errorf("%s: %q, want %q", state, got, want)
		}
	}
}

// TestMembership_comeBack: a hub that has left names the address where its workers look for it.
func TestMembership_comeBack(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		m    Membership
		want string // "" = nothing
	}{
		{Membership{URL: "tls://hub:4222"}, ""},
		{Membership{URL: "nats://127.0.0.1:4222", Listen: "127.0.0.1:4222"}, ""},
		{Membership{URL: "nats://127.0.0.1:5000", Listen: "127.0.0.1:5000"}, "chant fleet up --listen 127.0.0.1:5000"},
		{Membership{URL: "tls://127.0.0.1:4222", Listen: "0.0.0.0:4222", Public: "tls://hub.example.com:4222"}, "chant fleet up --listen 0.0.0.0:4222 --host hub.example.com"},
	} {
		if got := c.m.comeBack(); got.IsZero() != (c.want == "") || c.want != "" && got.String() != c.want {
			t.Errorf("%+v: %q, want %q", c.m, got, c.want)
		}
	}
}

// TestIsLocal: only an address of loopback is out of reach of other machines.
func TestIsLocal(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]bool{
		"nats://127.0.0.1:4222": true, "nats://localhost:1": true, "tls://[::1]:4222": true,
		"tls://10.0.0.1:4222": false, "tls://hub:4222": false, "tls://[2001:db8::1]:4222": false,
	} {
		if got := isLocal(url); got != want {
			t.Errorf("%s: %t, want %t", url, got, want)
		}
	}
}

// TestListenError: the hint names an address on the same host, where other machines reach the hub.
func TestListenError(t *testing.T) {
	t.Parallel()
	used, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer used.Close()
	for _, c := range []struct{ listen, says, hint string }{
		{used.Addr().String(), "another process listens there", "chant fleet up --listen 127.0.0.1:0"},
		{"192.0.2.77:4222", "does not have that address", "chant fleet up --listen 0.0.0.0:4222"},
	} {
		err := listenError(c.listen, &fleet.Problem{Kind: fleet.Misused, Detail: "of the server"})
		known, ok := errors.AsType[*engine.Error](err)
		if !ok || known.Code != engine.Conflict || !strings.Contains(known.Message, c.says) || known.Next.String() != c.hint {
			t.Errorf("%s: %v, want %q with the hint %q", c.listen, err, c.says, c.hint)
		}
	}
}

// TestJoinInput_otherName: the key of an invitation is good for one name.
func TestJoinInput_otherName(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.fleet")
	if err := os.WriteFile(path, []byte(goodInvitation), 0o600); err != nil {
		t.Fatal(err)
	}
	environ := []string{"HOME=" + t.TempDir()}
	_, _, err := JoinInput{From: path, Name: "b"}.membership(environ)
	if known, ok := errors.AsType[*engine.Error](err); !ok || known.Code != engine.Usage || !strings.Contains(known.Message, `is for the name "a", not for "b"`) {
		t.Errorf("another name: %v", err)
	}
	if m, _, err := (JoinInput{From: path, Name: "a"}).membership(environ); err != nil || m.Node != "a" {
		t.Errorf("the same name: %+v, %v", m, err)
	}
}

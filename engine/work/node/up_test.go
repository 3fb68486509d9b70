package node

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/fleet"
	"chant/engine/spec/next"
	"chant/gitops"

	"github.com/alecthomas/assert/v2"
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
		assert.True(t, ok, "%q at %q: %v, want %s with the hint %q", c.kind, c.listen, err, c.code, c.hint)
		assert.Equal(t, c.code, known.Code, "%q at %q: %v", c.kind, c.listen, err)
		assert.Equal(t, c.hint, known.Next.String(), "%q at %q: %v", c.kind, c.listen, err)
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
		assert.Equal(t, c.leads, leads, "%s", name)
		assert.Equal(t, c.taken, err != nil, "%s", name)
		assert.False(t, c.taken && !strings.Contains(err.Error(), `the name "w" is in use`), "%s: %q, %v", name, leads, err)
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
		got := c.m.restartStep()
		assert.Equal(t, c.want == "", got.IsZero(), "%+v", c.m)
		assert.False(t, c.want != "" && got.String() != c.want, "%+v: %q, want %q", c.m, got, c.want)
	}
}

// TestIsLocal: only an address of loopback is out of reach of other machines.
func TestIsLocal(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]bool{
		"nats://127.0.0.1:4222": true, "nats://localhost:1": true, "tls://[::1]:4222": true,
		"tls://10.0.0.1:4222": false, "tls://hub:4222": false, "tls://[2001:db8::1]:4222": false,
	} {
		assert.Equal(t, want, isLocal(url), "%s", url)
	}
}

// TestListenError: the hint names an address on the same host, where other machines reach the hub.
func TestListenError(t *testing.T) {
	t.Parallel()
	used, err := net.Listen("tcp", "127.0.0.1:0")
	assert.NoError(t, err)
	defer used.Close()
	for _, c := range []struct{ listen, says, hint string }{
		{used.Addr().String(), "another process listens there", "chant fleet up --listen 127.0.0.1:0"},
		{"192.0.2.77:4222", "does not have that address", "chant fleet up --listen 0.0.0.0:4222"},
	} {
		err := listenError(c.listen, &fleet.Problem{Kind: fleet.Misused, Detail: "of the server"})
		known, ok := errors.AsType[*engine.Error](err)
		assert.True(t, ok, "%s: %v, want %q with the hint %q", c.listen, err, c.says, c.hint)
		assert.Equal(t, engine.Conflict, known.Code, "%s: %v", c.listen, err)
		assert.Contains(t, known.Message, c.says, "%s: %v", c.listen, err)
		assert.Equal(t, c.hint, known.Next.String(), "%s: %v", c.listen, err)
	}
}

// TestJoinInput_otherName: the key of an invitation is good for one name.
func TestJoinInput_otherName(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.fleet")
	assert.NoError(t, os.WriteFile(path, []byte(goodInvitation), 0o600))
	environ := []string{"HOME=" + t.TempDir()}
	_, _, err := JoinInput{From: path, Name: "b"}.membership(environ)
	known, ok := errors.AsType[*engine.Error](err)
	assert.True(t, ok, "another name: %v", err)
	assert.Equal(t, engine.Usage, known.Code, "another name: %v", err)
	assert.Contains(t, known.Message, `is for the name "a", not for "b"`, "another name: %v", err)
	m, _, err := (JoinInput{From: path, Name: "a"}).membership(environ)
	assert.NoError(t, err, "the same name")
	assert.Equal(t, "a", m.Node, "the same name")
}

const goodInvitation = `{"url": "tls://hub.example.com:4222", "project": "app", "remote": "git@example.com:team/app.git", "node": "a", "role": "worker", "seed": "S"}`

// TestParseInvitation: what an invitation names is checked before it becomes an address, an argument or a path.
func TestParseInvitation(t *testing.T) {
	t.Parallel()
	in, err := parseInvitation([]byte(goodInvitation))
	assert.NoError(t, err)
	assert.Equal(t, "a", in.Node)
	assert.Equal(t, "git@example.com:team/app.git", in.Remote)
	for bad, want := range map[string]string{
		"":   "not JSON",
		"[]": "not JSON",
		"{}": "lacks",
		strings.Replace(goodInvitation, "tls:", "http:", 1):      "invalid URL",
		strings.Replace(goodInvitation, `"app"`, `"../app"`, 1):  "invalid project",
		strings.Replace(goodInvitation, `"a"`, `"../a"`, 1):      "invalid name",
		strings.Replace(goodInvitation, `"git@`, `"-git@`, 1):    "its remote",
		strings.Replace(goodInvitation, `"S"`, `""`, 1):          "lacks",
		strings.Replace(goodInvitation, "hub.", "me:pw@hub.", 1): "must not contain",
	} {
		in, err := parseInvitation([]byte(bad))
		assert.Error(t, err, "%s: %+v", bad, in)
		assert.Contains(t, err.Error(), want, "%s: %+v", bad, in)
	}
}

// FuzzParseInvitation: nothing that is accepted can leave a folder or be an option of git, and it is read again the same.
func FuzzParseInvitation(f *testing.F) {
	f.Add(goodInvitation)
	f.Add(`{"url":"nats://[::1]:1,tls://x","project":"-","remote":"/a","node":"-","seed":"\n"}`)
	f.Fuzz(func(t *testing.T, text string) {
		in, err := parseInvitation([]byte(text))
		if err != nil {
			return
		}
		assert.False(t, strings.ContainsAny(in.Node+in.Project, "./\\ "), "%+v", in)
		assert.NotEqual(t, "", in.Node)
		assert.False(t, strings.HasPrefix(in.Remote, "-"), "%+v", in)
		again, err := json.Marshal(in)
		assert.NoError(t, err)
		same, err := parseInvitation(again)
		assert.NoError(t, err)
		assert.Equal(t, in, same)
	})
}

// TestBreakable: a Ctrl-C ends what is set up, and nothing that has been.
func TestBreakable(t *testing.T) {
	t.Parallel()
	interrupts := make(chan struct{}, 1)
	ctx, settled := cancelOnInterrupt(t.Context(), interrupts)
	settled()
	settled()
	interrupts <- struct{}{}
	assert.NoError(t, ctx.Err(), "it was heeded after the set-up")
	assert.Equal(t, 1, len(interrupts), "it was heeded after the set-up")
	ctx, settled = cancelOnInterrupt(t.Context(), interrupts)
	<-ctx.Done()
	settled()
}

// TestPublicHost: invitations name what other machines can reach.
func TestPublicHost(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		listen string
		named  []string
		last   string
		want   string
	}{
		{"127.0.0.1:4222", nil, "", "127.0.0.1"},
		{"10.0.0.5:4222", nil, "", "10.0.0.5"},
		{"0.0.0.0:4222", nil, "", append(addresses(), hostName())[0]},
		{"[::]:4222", nil, "", append(addresses(), hostName())[0]},
		{"0.0.0.0:4222", []string{"hub.example.com", "10.0.0.5"}, "", "hub.example.com"},
		{"0.0.0.0:4222", nil, "tls://hub.example.com:4222", "hub.example.com"},
		{"0.0.0.0:4222", []string{"new"}, "tls://hub.example.com:4222", "new"},
		{"0.0.0.0:4222", nil, "tls://[fe80::1]:4222", "fe80::1"},
	} {
		assert.Equal(t, c.want, publicHost(c.listen, c.named, c.last), "%+v", c)
	}
}

// TestObservation_check: a port alone means loopback, and a program that can export nothing says which one can.
func TestObservation_check(t *testing.T) {
	t.Parallel()
	can := func(context.Context, ObserveOptions) (Observer, error) { return nil, errors.New("not called") }
	for name, tc := range map[string]struct {
		o      Observation
		listen string
		code   engine.Code
	}{
		"nothing":             {Observation{}, "", ""},
		"a port":              {Observation{Metrics: "9464", Observe: can}, "127.0.0.1:9464", ""},
		"a port as Go has it": {Observation{Metrics: ":9464", Observe: can}, "127.0.0.1:9464", ""},
		"all addresses":       {Observation{Metrics: "0.0.0.0:9464", Observe: can}, "0.0.0.0:9464", ""},
		"IPv6":                {Observation{Metrics: "[::1]:9464", Observe: can}, "[::1]:9464", ""},
		"no port":             {Observation{Metrics: "localhost", Observe: can}, "localhost", engine.Usage},
		"a large port":        {Observation{Metrics: "70000", Observe: can}, "70000", engine.Usage},
		"traces":              {Observation{Traces: "https://otel.example.com", Observe: can}, "", ""},
		"traces by gRPC":      {Observation{Traces: "otel.example.com:4317", Observe: can}, "", engine.Usage},
		"traces with a login": {Observation{Traces: "https://user:key@otel.example.com", Observe: can}, "", engine.Usage},
		"not in this program": {Observation{Metrics: "9464"}, "127.0.0.1:9464", engine.State},
	} {
		assert.Equal(t, tc.code, enginetest.CodeOf(t, tc.o.check(next.FleetUp.Help())), "%s", name)
		assert.Equal(t, tc.listen, listenAddress(tc.o.Metrics), "%s: listens", name)
	}
}

// TestProvidersOf: a machine offers what it can use: no program, login, key or server that is missing.
func TestProvidersOf(t *testing.T) {
	t.Parallel()
	model := httptest.NewServer(http.NotFoundHandler())
	defer model.Close()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	_, dir := enginetest.Project(t)
	enginetest.Write(t, dir, ".chant/config.md", fmt.Sprintf(`---
defaults: {provider: shell, main_branch: main}
providers:
  here: {api: ollama, endpoint: %q}
  there: {api: openai, endpoint: %q, key_env: NO_SUCH_KEY}
  keyed: {api: openai, endpoint: %q, key_env: A_KEY}
  ollama: {endpoint: %q}
---
`, model.URL, model.URL, gone.URL, gone.URL))
	enginetest.Write(t, dir, ".chant/providers/own.md", "---\nlike: claude\ncommand: ./agent.sh\n---\n")
	enginetest.Write(t, dir, ".chant/providers/lost.md", "---\nlike: claude\ncommand: ./none.sh\n---\n")
	assert.NoError(t, os.WriteFile(filepath.Join(dir, "agent.sh"), []byte("#!/bin/sh\n"), 0o755))
	p, err := engine.Open(dir, engine.Options{Environ: []string{"HOME=" + t.TempDir(), "PATH=/none", "A_KEY=x"}})
	assert.NoError(t, err)
	got, want := providersOf(t.Context(), p), []string{"here", "keyed", "own", "shell"}
	assert.Equal(t, want, got)
}

// bareRemote returns the folder of a remote with one commit on main.
func bareRemote(t *testing.T) string {
	t.Helper()
	bare, dir := filepath.Join(t.TempDir(), "app.git"), t.TempDir()
	enginetest.Git(t, t.TempDir(), "init", "-q", "--bare", "-b", "main", bare)
	enginetest.Git(t, dir, "init", "-q", "-b", "main")
	enginetest.Commit(t, dir, map[string]string{"a.txt": "a\n"})
	enginetest.Git(t, dir, "push", "-q", bare, "main")
	return bare
}

// TestOpenClone: a clone is made where nothing is, or an empty folder, which stays the same folder; what is there already
// is left alone.
func TestOpenClone(t *testing.T) {
	t.Parallel()
	url := bareRemote(t)
	write := func(path, text string) { assert.NoError(t, os.WriteFile(path, []byte(text), 0o644)) }
	for name, c := range map[string]struct {
		before func(dir string)
		says   string // "" = a clone
	}{
		"nothing":      {func(string) {}, ""},
		"empty folder": {func(dir string) { os.Mkdir(dir, 0o755) }, ""},
		"files":        {func(dir string) { os.Mkdir(dir, 0o755); write(filepath.Join(dir, "x"), "mine") }, "is not empty"},
		"a file":       {func(dir string) { write(dir, "mine") }, "not a directory"},
		"a repository": {func(dir string) { enginetest.Git(t, filepath.Dir(dir), "init", "-q", dir) }, "is not empty"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			parent := t.TempDir()
			dir := filepath.Join(parent, "app")
			c.before(dir)
			was, _ := os.Stat(dir)
			repo, err := openClone(t.Context(), url, dir, "origin", "")
			known, _ := errors.AsType[*engine.Error](err)
			switch {
			case c.says == "" && (err != nil || repo.Home() != dir || enginetest.Read(t, dir, "a.txt") != "a\n"):
				t.Errorf("no clone: %v", err)
			case c.says != "" && (known == nil || known.Code != engine.Conflict || !strings.Contains(known.Message, c.says)):
				t.Errorf("error %v, want %q", err, c.says)
			}
			is, err := os.Stat(dir)
			assert.False(t, was != nil && (err != nil || !os.SameFile(was, is)), "%s is another folder now: %v", dir, err)
			left, _ := filepath.Glob(filepath.Join(parent, ".chant-clone-*"))
			assert.Zero(t, left, "left behind: %v", left)
		})
	}
}

// TestCheckPush: a remote that can be read and not be pushed to is reported before any spec is taken.
func TestCheckPush(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prepare func(t *testing.T, bare string, repo *gitops.Repo)
		says    string // "" = it can be pushed to
	}{
		"open": {func(*testing.T, string, *gitops.Repo) {}, ""},
		"read-only": {func(t *testing.T, bare string, repo *gitops.Repo) {
			enginetest.Git(t, repo.Home(), "config", "remote.origin.pushurl", bare+".none")
		}, "fails: git push: "},
		"policy": {func(t *testing.T, bare string, _ *gitops.Repo) {
			hook := filepath.Join(bare, "hooks", "pre-receive")
			assert.NoError(t, os.WriteFile(hook, []byte("#!/bin/sh\nexit 1\n"), 0o755))
		}, "pre-receive hook declined"},
		"no network": {func(t *testing.T, _ string, repo *gitops.Repo) {
			enginetest.Git(t, repo.Home(), "config", "remote.origin.pushurl", "git://127.0.0.1:1/app.git")
		}, "unable to connect"},
		"no network yet": {func(t *testing.T, _ string, repo *gitops.Repo) {
			enginetest.Git(t, repo.Home(), "config", "remote.origin.pushurl", "git://127.0.0.1:1/app.git")
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bare := bareRemote(t)
			repo, err := openClone(t.Context(), bare, filepath.Join(t.TempDir(), "app"), "origin", "")
			assert.NoError(t, err)
			c.prepare(t, bare, repo)
			p, _ := enginetest.Project(t)
			waits := 0
			p.After = func(time.Duration) <-chan time.Time {
				if waits++; waits == 2 && name == "no network yet" {
					enginetest.Git(t, repo.Home(), "config", "--unset", "remote.origin.pushurl")
				}
				now := make(chan time.Time, 1)
				now <- time.Now()
				return now
			}
			err = checkPush(t.Context(), p, &fleet.Remote{Repo: repo, Name: "origin", Target: "main", Prefix: "chant/"})
			known, _ := errors.AsType[*engine.Error](err)
			switch {
			case c.says == "" && err != nil:
				t.Error(err)
			case c.says != "" && (known == nil || known.Code != engine.Conflict || !strings.Contains(known.Message, c.says) || !strings.Contains(known.Message, "refs/chant/*")):
				t.Errorf("error %v, want %q", err, c.says)
			}
		})
	}
}

// TestOpenClone_head: the HEAD of a remote may name a branch that does not exist, as that of a bare repository that was made
// with another default branch; then the branch with the project is checked out, and no branch of a run.
func TestOpenClone_head(t *testing.T) {
	t.Parallel()
	_, dir := enginetest.Project(t)
	bare := filepath.Join(t.TempDir(), "app.git")
	enginetest.Git(t, dir, "init", "-q", "--bare", "-b", "nowhere", bare)
	enginetest.Git(t, dir, "push", "-q", bare, "HEAD:refs/heads/chant/a", "HEAD:refs/heads/main")
	repo, err := openClone(t.Context(), bare, filepath.Join(t.TempDir(), "clone"), "origin", "")
	assert.NoError(t, err)
	head, err := repo.Head(t.Context(), repo.Home())
	assert.NoError(t, err)
	assert.Equal(t, "main", head.Branch)
}

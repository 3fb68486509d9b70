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
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/fleet"
	"chant/engine/spec/next"
	"chant/gitops"
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
		if got := c.m.restartStep(); got.IsZero() != (c.want == "") || c.want != "" && got.String() != c.want {
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

const goodInvitation = `{"url": "tls://hub.example.com:4222", "project": "app", "remote": "git@example.com:team/app.git", "node": "a", "role": "worker", "seed": "S"}`

// TestParseInvitation: what an invitation names is checked before it becomes an address, an argument or a path.
func TestParseInvitation(t *testing.T) {
	t.Parallel()
	if in, err := parseInvitation([]byte(goodInvitation)); err != nil || in.Node != "a" || in.Remote != "git@example.com:team/app.git" {
		t.Errorf("%+v, %v", in, err)
	}
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
		if in, err := parseInvitation([]byte(bad)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %+v, %v, want %q", bad, in, err, want)
		}
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
		if strings.ContainsAny(in.Node+in.Project, "./\\ ") || in.Node == "" || strings.HasPrefix(in.Remote, "-") {
			t.Errorf("%+v", in)
		}
		again, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		if same, err := parseInvitation(again); err != nil || !reflect.DeepEqual(same, in) {
			t.Errorf("%+v became %+v, %v", in, same, err)
		}
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
	if ctx.Err() != nil || len(interrupts) != 1 {
		t.Errorf("it was heeded after the set-up: %v", ctx.Err())
	}
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
		if got := publicHost(c.listen, c.named, c.last); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
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
		if got := enginetest.CodeOf(t, tc.o.check(next.FleetUp.Help())); got != tc.code {
			t.Errorf("%s: %q, want %q", name, got, tc.code)
		}
		if got := listenAddress(tc.o.Metrics); got != tc.listen {
			t.Errorf("%s: listens on %q, want %q", name, got, tc.listen)
		}
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
	if err := os.WriteFile(filepath.Join(dir, "agent.sh"), []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	p, err := engine.Open(dir, engine.Options{Environ: []string{"HOME=" + t.TempDir(), "PATH=/none", "A_KEY=x"}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := providersOf(t.Context(), p), []string{"here", "keyed", "own", "shell"}; !slices.Equal(got, want) {
		t.Errorf("providers %q, want %q", got, want)
	}
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
	write := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
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
			if is, err := os.Stat(dir); was != nil && (err != nil || !os.SameFile(was, is)) {
				t.Errorf("%s is another folder now: %v", dir, err)
			}
			if left, _ := filepath.Glob(filepath.Join(parent, ".chant-clone-*")); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
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
			if err := os.WriteFile(hook, []byte("#!/bin/sh\nexit 1\n"), 0o755); err != nil {
				t.Fatal(err)
			}
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
			if err != nil {
				t.Fatal(err)
			}
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
	if err != nil {
		t.Fatal(err)
	}
	if head, err := repo.Head(t.Context(), repo.Home()); err != nil || head.Branch != "main" {
		t.Errorf("%q is checked out, %v", head.Branch, err)
	}
}

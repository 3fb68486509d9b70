package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"chant/cmd"
	"chant/engine/enginetest"
	"chant/mcp"
	"chant/mcp/toolset"

	"github.com/alecthomas/assert/v2"
	"go.uber.org/goleak"
)

// place is a project that is only reached as people and agents reach it.
type place struct {
	t       *testing.T
	dir     string
	program string // with which runs are started; "" where none are
}

// newPlace makes a project with these specs, by number: 001 ready, 002 waiting
// for it, 003 failed, 004 done by hand, 005 met and open.
func newPlace(t *testing.T) place {
	t.Helper()
	return copyPlace(t, &filled, place.fill)
}

// Places as they are made, and the same with tasks and with sprints.
var filled, withTasks, withSprints enginetest.Fixture

func copyPlace(t *testing.T, f *enginetest.Fixture, fill func(place)) place {
	t.Helper()
	p := place{t: t, dir: t.TempDir()}
	f.Copy(t, p.dir, func(dir string) { fill(place{t: t, dir: dir}) })
	return p
}

func (p place) fill() {
	p.t.Helper()
	enginetest.Repository(p.t, p.dir)
	p.chant("init", "--provider", "shell")
	for id, text := range map[string]string{
		"2026-01-01-001-aaa": "type: code\nstatus: pending\nlabels: [api]\ntarget_files: [a.go]\n---\n# Greet\n\n## Script\n\n```sh\necho hello > greeting\n```\n\n## Acceptance Criteria\n\n- [x] It is so `$ true`\n- [x] And so\n",
		"2026-01-01-002-bbb": "type: code\nstatus: pending\ndepends_on: [2026-01-01-001-aaa]\n---\n# Wait\n\n## Acceptance Criteria\n\n- [ ] First\n- [x] Second\n",
		"2026-01-01-003-ccc": "type: code\nstatus: failed\nreason: it did not\n---\n# Fail\n",
		"2026-01-01-004-ddd": "type: code\nstatus: completed\n---\n# Done\n",
		"2026-01-01-005-eee": "type: code\nstatus: in_progress\n---\n# Met\n\n## Acceptance Criteria\n\n- [x] All\n",
	} {
		p.write(".chant/specs/"+id+".md", "---\n"+text)
	}
	p.git("add", ".")
	p.git("commit", "-q", "-m", "specs")
}

func (p place) git(args ...string) {
	p.t.Helper()
	enginetest.Git(p.t, p.dir, args...)
}

func (p place) write(name, text string) {
	p.t.Helper()
	enginetest.Write(p.t, p.dir, name, text)
}

// run starts the command line and returns what it printed and its exit code.
func (p place) run(in io.Reader, args ...string) (string, string, int) {
	var out, errs bytes.Buffer
	code := cmd.Main(context.WithoutCancel(p.t.Context()), args, cmd.Env{
		In: in, Out: &out, Err: &errs, Dir: p.dir, Environ: environ(), Executable: p.program,
	})
	return out.String(), errs.String(), code
}

// environ is that of the test without the mark of a run, in which it may be a criterion.
func environ() []string {
	return slices.DeleteFunc(os.Environ(), func(kv string) bool { return strings.HasPrefix(kv, "CHANT_RUN_ID=") })
}

func (p place) chant(args ...string) string {
	p.t.Helper()
	out, errs, code := p.run(strings.NewReader(""), args...)
	if code != 0 {
		p.t.Fatalf("chant %q exits with %d: %s", args, code, errs)
	}
	return out
}

// everyToolset is the value of --toolsets that offers all tools.
func everyToolset() string {
	var names []string
	for _, set := range mcp.Toolsets() {
		names = append(names, set.Name)
	}
	return strings.Join(names, ",")
}

// call is one tools/call through `chant mcp`.
func (p place) call(tool string, args map[string]any) (structured any, text string, isError bool) {
	p.t.Helper()
	if args == nil {
		args = map[string]any{}
	}
	request, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": tool, "arguments": args},
	})
	if err != nil {
		p.t.Fatal(err)
	}
	out, errs, code := p.run(bytes.NewReader(request), "mcp", "--toolsets", everyToolset())
	if code != 0 {
		p.t.Fatalf("chant mcp exits with %d: %s", code, errs)
	}
	var reply struct {
		Result struct {
			Content           []struct{ Text string }
			StructuredContent any
			IsError           bool
			Meta              map[string]any `json:"_meta"`
		}
	}
	if err := json.Unmarshal([]byte(out), &reply); err != nil || len(reply.Result.Content) != 1 && tool != "sprint_delete" || len(reply.Result.Content) == 0 {
		p.t.Fatalf("reply %q: %v\n%s", out, err, errs)
	}
	mcp.CheckReply(p.t, tool, reply.Result.StructuredContent)
	if result, ok := reply.Result.Meta[toolset.ResultKey]; ok && reply.Result.StructuredContent == nil {
		reply.Result.StructuredContent = result
	}
	return reply.Result.StructuredContent, reply.Result.Content[0].Text, reply.Result.IsError
}

// plain makes data from two projects, or two moments, comparable.
func (p place) plain(v any) any {
	p.t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		p.t.Fatal(err)
	}
	for _, r := range []struct{ pattern, with string }{
		{regexp.QuoteMeta(p.dir), "DIR"},
		{`"seconds":[0-9.e-]+`, `"seconds":0`},
		{`duration_secs":[0-9.e-]+`, `duration_secs":0`},
		{`"pid":\d+`, `"pid":0`},
		{`_score":[0-9.e-]+`, `_score":0`}, // its digits look like a hash
		{`\b[0-9a-f]{7,64}\b`, "HASH"},
		{`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[^" ]*`, "TIME"},
		{`2\d{3}-\d\d-\d\d-\d{3}-[0-9a-z]{3}`, "ID"},
		{`"ID-\d+"`, `"PROCESS"`},
		{`[0-9.]+m?s ago`, "AGO"},
		{`\b\d+\.\d s\b`, "SECONDS"},
	} {
		text = regexp.MustCompile(r.pattern).ReplaceAll(text, []byte(r.with))
	}
	var out any
	if err := json.Unmarshal(text, &out); err != nil {
		p.t.Fatal(err)
	}
	return out
}

// asChant is the name under which the program of these tests is chant. A file of that name is the same program.
const asChant = "chant.exe" // which every system starts

func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == asChant {
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
		code := cmd.Main(ctx, os.Args[1:], cmd.Process())
		stop()
		os.Exit(code)
	}
	goleak.VerifyTestMain(m)
}

// program returns the path of a chant that runs can be started with.
func program(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	assert.NoError(t, err)
	path := filepath.Join(t.TempDir(), asChant)
	if os.Link(self, path) == nil {
		return path
	}
	text, err := os.ReadFile(self) // it is on another disk
	assert.NoError(t, err)
	assert.NoError(t, os.WriteFile(path, text, 0o755))
	return path
}

// awaitRun returns once the run of a spec has completed and let go of it.
func (p place) awaitRun(id string) {
	p.t.Helper()
	for deadline := time.Now().Add(time.Minute); ; {
		shown := p.chant("show", id, "--json")
		if strings.Contains(shown, `"status": "completed"`) && !strings.Contains(shown, `"run": "running"`) {
			return
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("the run is still under way: %s", shown)
		}
	}
}

// endWatch stops a watch, if there is one, and waits until it has ended.
func (p place) endWatch() {
	p.t.Helper()
	p.run(strings.NewReader(""), "watch", "stop", "--now")
	for deadline := time.Now().Add(time.Minute); strings.Contains(p.chant("watch", "status", "--json"), `"watch_running": true`); {
		if time.Now().After(deadline) {
			p.t.Fatal("the watch is still under way")
		}
	}
}

func parse(t *testing.T, text string) any {
	t.Helper()
	var out any
	assert.NoError(t, json.Unmarshal([]byte(text), &out), "%q", text)
	return out
}

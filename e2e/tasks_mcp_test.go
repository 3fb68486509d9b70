package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// plainConfig is the settings of most of the workspaces of tests.
const plainConfig = `default_project: TEST
issue_states: [Todo, InProgress, NeedsReview, Done]
issue_types: [Feature, Bug, Chore]
issue_priorities: [Low, Medium, High]
tags: ["*"]
custom_fields: ["*"]
`

// tasksHost makes workspaces and starts servers in them, as clients of lotar set them up: a folder with only .tasks in
// it, which LOTAR_TASKS_DIR names.
type tasksHost struct {
	*testing.T
	dir       string
	framed    bool // every message has a header with its length
	anonymous bool // the environment has no identity for commits
}

// tasksDir is the folder of tasks.
func (h *tasksHost) tasksDir() string { return filepath.Join(h.dir, ".tasks") }

// write writes a file of the workspace.
func (h *tasksHost) write(name, text string) {
	h.Helper()
	path := filepath.Join(h.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		h.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		h.Fatal(err)
	}
}

// git runs git in the workspace.
func (h *tasksHost) git(args ...string) string {
	h.Helper()
	c := exec.CommandContext(h.Context(), "git", args...)
	c.Dir, c.Env = h.dir, append(os.Environ(), environment(filepath.Dir(h.dir))...)
	out, err := c.CombinedOutput()
	if err != nil {
		h.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// open writes the settings, "" for none, and starts a server.
func (h *tasksHost) open(config string, env ...string) *tasksPipe {
	h.Helper()
	if err := os.MkdirAll(h.tasksDir(), 0o755); err != nil {
		h.Fatal(err)
	}
	if config != "" {
		h.write(".tasks/config.yml", config)
	}
	p := &tasksPipe{T: h.T, framed: h.framed}
	c := exec.Command(chantBinary(h), "mcp", "--toolsets", "tasks")
	c.Dir, c.Stderr = h.dir, &p.errs
	c.Env = append(append(os.Environ(), environment(filepath.Dir(h.dir))...), "LOTAR_TASKS_DIR="+h.tasksDir(), "USER=ada")
	c.Env = append(c.Env, env...)
	if h.anonymous {
		c.Env = slices.DeleteFunc(c.Env, func(kv string) bool {
			return strings.HasPrefix(kv, "GIT_AUTHOR_") || strings.HasPrefix(kv, "GIT_COMMITTER_")
		})
	}
	in, err := c.StdinPipe()
	if err != nil {
		h.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		h.Fatal(err)
	}
	if err := c.Start(); err != nil {
		h.Fatal(err)
	}
	p.in, p.out = in, bufio.NewReader(out)
	h.Cleanup(func() {
		in.Close()
		_, _ = io.Copy(io.Discard, p.out)
		if err := c.Wait(); err != nil || h.Failed() {
			h.Logf("the server ends with %v and wrote %s", err, &p.errs)
		}
	})
	return p
}

// tasksPipe is a server, and one client of it.
type tasksPipe struct {
	*testing.T
	in     io.WriteCloser
	out    *bufio.Reader
	errs   bytes.Buffer // to be read once the server has ended
	framed bool
	last   int
}

// tasksReply is a message of the server.
type tasksReply struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  map[string]any  `json:"params"`
	Result  *tasksResult    `json:"result"`
	Error   *tasksError     `json:"error"`
}

type tasksResult struct {
	raw      map[string]any
	Content  []tasksText `json:"content"`
	Function *struct {
		Name     string `json:"name"`
		Response struct {
			Content []tasksText `json:"content"`
		} `json:"response"`
	} `json:"functionResponse"`
}

// UnmarshalJSON keeps the whole result, too.
func (r *tasksResult) UnmarshalJSON(src []byte) error {
	type plain tasksResult
	if err := json.Unmarshal(src, (*plain)(r)); err != nil {
		return err
	}
	return json.Unmarshal(src, &r.raw)
}

type tasksText struct{ Type, Text string }

type tasksError struct {
	Code    int
	Message string
	Data    map[string]any
}

// send writes a message.
func (p *tasksPipe) send(body string) {
	p.Helper()
	text := body + "\n"
	if p.framed {
		text = fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body)
	}
	if _, err := io.WriteString(p.in, text); err != nil {
		p.Fatal(err)
	}
}

// receive reads the next message, which must have the framing of the client.
func (p *tasksPipe) receive() tasksReply {
	p.Helper()
	line, err := p.out.ReadString('\n')
	if err != nil {
		p.Fatalf("%v after %q", err, line)
	}
	body := []byte(line)
	if length, framed := strings.CutPrefix(line, "Content-Length: "); framed != p.framed {
		p.Fatalf("a message begins with %q", line)
	} else if framed {
		n, err := strconv.Atoi(strings.TrimSpace(length))
		if err != nil {
			p.Fatal(err)
		}
		body = make([]byte, n+len("\r\n"))
		if _, err := io.ReadFull(p.out, body); err != nil {
			p.Fatal(err)
		}
	}
	var r tasksReply
	if err := json.Unmarshal(body, &r); err != nil || r.Version != "2.0" {
		p.Fatalf("%v in %q", err, body)
	}
	return r
}

// request sends a request and returns its reply.
func (p *tasksPipe) request(method string, params any) tasksReply {
	p.Helper()
	p.last++
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": p.last, "method": method, "params": params})
	if err != nil {
		p.Fatal(err)
	}
	p.send(string(body))
	for {
		if r := p.receive(); r.Method == "" { // notifications come between
			if string(r.ID) != strconv.Itoa(p.last) {
				p.Fatalf("%s is answered with %+v", method, r)
			}
			return r
		}
	}
}

// call makes a call of tools/call and returns its reply.
func (p *tasksPipe) call(tool string, args fields) tasksReply {
	p.Helper()
	return p.request("tools/call", fields{"name": tool, "arguments": args})
}

// texts makes a call that succeeds and returns the texts of its result.
func (p *tasksPipe) texts(tool string, args fields) []string {
	p.Helper()
	r := p.call(tool, args)
	if r.Error != nil || len(r.Result.Content) == 0 {
		p.Fatalf("%s %v: %+v", tool, args, r.Error)
	}
	var out []string
	for _, c := range r.Result.Content {
		out = append(out, c.Text)
	}
	return out
}

// do makes a call that succeeds and returns the JSON of its last text.
func (p *tasksPipe) do(tool string, args fields) fields {
	p.Helper()
	all := p.texts(tool, args)
	var out fields
	if err := json.Unmarshal([]byte(all[len(all)-1]), &out); err != nil {
		p.Fatalf("%s: %v in %q", tool, err, all)
	}
	return out
}

// refused makes a call that fails and returns its error.
func (p *tasksPipe) refused(tool string, args fields) *tasksError {
	p.Helper()
	r := p.call(tool, args)
	if r.Error == nil {
		p.Fatalf("%s %v succeeds: %+v", tool, args, r.Result)
	}
	return r.Error
}

// create adds a task and returns its id.
func (p *tasksPipe) create(title string, more ...any) string {
	p.Helper()
	args := fields{"title": title}
	for i := 0; i < len(more); i += 2 {
		args[more[i].(string)] = more[i+1]
	}
	return p.do("task_create", args).text("task", "id")
}

// fields is an object of JSON.
type fields map[string]any

// at returns what a path of names and indexes leads to, nil for nothing.
func (f fields) at(path ...any) any {
	var now any = map[string]any(f)
	for _, step := range path {
		switch at := step.(type) {
		case string:
			object, _ := now.(map[string]any)
			now = object[at]
		case int:
			list, _ := now.([]any)
			if at >= len(list) {
				return nil
			}
			now = list[at]
		}
	}
	return now
}

// text returns what a path leads to as text, "" for nothing.
func (f fields) text(path ...any) string {
	switch v := f.at(path...).(type) {
	case nil:
		return ""
	case string:
		return v
	default:
		out, _ := json.Marshal(v)
		return string(out)
	}
}

// expect compares the JSON at a path.
func (p *tasksPipe) expect(got fields, want string, path ...any) {
	p.Helper()
	if text := got.text(path...); text != want {
		whole, _ := json.Marshal(got)
		p.Errorf("%v is %s, want %s\nin %s", path, text, want, whole)
	}
}

// contains checks that a text contains others.
func (p *tasksPipe) contains(got string, wants ...string) {
	p.Helper()
	for _, want := range wants {
		if !strings.Contains(got, want) {
			p.Errorf("%q does not contain %q", got, want)
		}
	}
}

// TestTasksMCP takes the server through the acceptance list of lotar's server, each line in both framings.
func TestTasksMCP(t *testing.T) {
	t.Parallel()
	for _, tt := range append(append(hostCases(), taskCases()...), sprintCases()...) {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, framed := range []bool{false, true} {
				t.Run(map[bool]string{false: "lines", true: "frames"}[framed], func(t *testing.T) {
					if framed {
						oneOf(t, 4)
					}
					h := &tasksHost{T: t, dir: filepath.Join(t.TempDir(), "workspace"), framed: framed}
					assert.NoError(t, os.MkdirAll(h.dir, 0o755))
					tt.run(h)
				})
			}
		})
	}
}

// tasksCase is one line of the list.
type tasksCase struct {
	name string
	run  func(*tasksHost)
}

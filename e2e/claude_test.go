package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"chant/e2e/fakemodel"
)

// These tests run the whole program with the real agent CLI; only the model
// behind it is scripted. They are skipped where no claude is installed.

func TestClaude_realBinary(t *testing.T) {
	t.Parallel()
	model := fakemodel.StartScript(t, greet)
	p := newClaudeProject(t, model)
	id := p.add("Greet the reader", "greeting exists `$ test -f hello.txt`", "reads well")

	p.want(0, "work", id, "--provider", "claude", "--model", "m")

	p.wantTools(model, 4)
	merges := strings.Fields(p.git("log", "--first-parent", "--merges", "--format=%P", "main"))
	if len(merges) != 2 {
		t.Errorf("parents of merges on main %q, want one merge with two parents", merges)
	}
	if got := p.git("show", "main:hello.txt"); got != "Hello, reader" {
		t.Errorf("hello.txt on main holds %q", got)
	}
	onMain := p.git("show", "main:.chant/specs/"+id+".md")
	for _, want := range []string{"\nstatus: completed\n", "\nmodel: m\n", "- [x] greeting exists", "- [x] reads well"} {
		if !strings.Contains(onMain+"\n", want) {
			t.Errorf("spec on main lacks %q:\n%s", want, onMain)
		}
	}
	log, err := os.ReadFile(filepath.Join(p.dir, ".chant", "logs", id+".log"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"tool: Read ", "tool: Write ", "tool: Edit ", "tool: Bash ", "The greeting is committed"} {
		if !bytes.Contains(log, []byte(want)) {
			t.Errorf("log lacks %q:\n%s", want, log)
		}
	}
	if bytes.Contains(log, []byte("is not connected")) {
		t.Errorf("the agent had no server:\n%s", log)
	}
	p.wantNothingLeft()
}

// TestClaude_overMCP has the agent read its spec and tick its criterion through
// the server that the run gives it.
func TestClaude_overMCP(t *testing.T) {
	t.Parallel()
	model := fakemodel.StartScript(t, greetOverMCP)
	p := newClaudeProject(t, model)
	id := p.add("Greet the reader", "reads well")

	p.want(0, "work", id, "--provider", "claude", "--model", "m")

	results := p.wantTools(model, 3)
	if len(results) == 3 && !strings.Contains(results[0].Text, "- [ ] reads well") {
		t.Errorf("spec as the agent got it:\n%s", results[0].Text)
	}
	onMain := p.git("show", "main:.chant/specs/"+id+".md")
	for _, want := range []string{"\nstatus: completed\n", "- [x] reads well"} {
		if !strings.Contains(onMain+"\n", want) {
			t.Errorf("spec on main lacks %q:\n%s", want, onMain)
		}
	}
	p.wantNothingLeft()
}

func TestClaude_modelRefuses(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		status int
		reason string
	}{
		"wrong key": {401, "401"},
		"outage":    {500, "500"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			model := fakemodel.Start(t)
			model.Fail(tc.status)
			p := newClaudeProject(t, model)
			p.askOnce()
			id := p.add("Greet the reader", "reads well")
			before := p.git("rev-parse", "main")

			p.want(8, "work", id, "--provider", "claude", "--model", "m")

			p.wantFailed(id, tc.reason)
			if after := p.git("rev-parse", "main"); after != before {
				t.Errorf("main moved from %s to %s", before, after)
			}
			p.wantNobodyAlive()
		})
	}
}

func TestClaude_modelHangs(t *testing.T) {
	t.Parallel()
	model := fakemodel.Start(t)
	model.Hang()
	p := newClaudeProject(t, model)
	p.askOnce()
	id := p.add("Greet the reader", "reads well")

	p.want(8, "work", id, "--provider", "claude", "--model", "m", "--timeout", "2s")

	p.wantFailed(id, "time limit")
	p.wantNobodyAlive()
}

// specPath finds in the prompt where the agent's copy of the spec lies.
var specPath = regexp.MustCompile("`(/[^`]*/\\.chant/specs/[^`/]+\\.md)`")

// greet is a model that does what the spec asks for, and forgets a process in
// the background as agents do with servers they try out.
func greet(r fakemodel.Request) []fakemodel.Turn {
	found := specPath.FindStringSubmatch(r.Prompt)
	if found == nil {
		return []fakemodel.Turn{{Text: "The prompt names no spec file."}}
	}
	path := found[1]
	tree := filepath.Dir(filepath.Dir(filepath.Dir(path)))
	return []fakemodel.Turn{
		{Text: "First the spec.", Calls: []fakemodel.Call{{Name: "Read", Input: map[string]any{"file_path": path}}}},
		{Calls: []fakemodel.Call{
			{Name: "Write", Input: map[string]any{"file_path": filepath.Join(tree, "hello.txt"), "content": "Hello, reader\n"}},
		}},
		{Calls: []fakemodel.Call{
			{Name: "Edit", Input: map[string]any{"file_path": path, "old_string": "- [ ] reads well", "new_string": "- [x] reads well"}},
		}},
		{Calls: []fakemodel.Call{
			{Name: "Bash", Input: map[string]any{
				"command":     "(sleep 600 >/dev/null 2>&1 &); git add -A && git commit -q -m 'Greet the reader'",
				"description": "Commit the greeting",
			}},
		}},
		{Text: "The greeting is committed."},
	}
}

// greetOverMCP is a model that leaves the spec's file to the server, and its
// commit to chant.
func greetOverMCP(r fakemodel.Request) []fakemodel.Turn {
	found := specPath.FindStringSubmatch(r.Prompt)
	if found == nil {
		return []fakemodel.Turn{{Text: "The prompt names no spec file."}}
	}
	id := strings.TrimSuffix(filepath.Base(found[1]), ".md")
	tree := filepath.Dir(filepath.Dir(filepath.Dir(found[1])))
	return []fakemodel.Turn{
		{Calls: []fakemodel.Call{{Name: "mcp__chant__chant_spec_get", Input: map[string]any{"id": id}}}},
		{Calls: []fakemodel.Call{
			{Name: "Write", Input: map[string]any{"file_path": filepath.Join(tree, "hello.txt"), "content": "Hello, reader\n"}},
		}},
		{Calls: []fakemodel.Call{{Name: "mcp__chant__chant_criterion_check", Input: map[string]any{"id": id, "criterion": "1"}}}},
		{Text: "It reads well."},
	}
}

// claudeProject is a chant project in a repository and a home folder of its own,
// with claude on PATH and the fake model behind it.
type claudeProject struct {
	t          testing.TB
	chant, dir string
	home       string // also marks every process that is started
	env        []string
}

func newClaudeProject(t testing.TB, model *fakemodel.Server) *claudeProject {
	t.Helper()
	claude := findClaude(t)
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &claudeProject{t: t, chant: chantBinary(t), dir: filepath.Join(root, "repo"), home: filepath.Join(root, "home")}
	bin, tmp := filepath.Join(root, "bin"), filepath.Join(root, "tmp")
	for _, dir := range []string{p.dir, p.home, bin, tmp} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(claude, filepath.Join(bin, "claude")); err != nil {
		t.Fatal(err)
	}
	// Built from nothing: neither the settings of who runs the tests nor an
	// agent around them may reach in.
	p.env = append(environment(p.home),
		"PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"),
		"TMPDIR="+tmp,
		"ANTHROPIC_BASE_URL="+model.URL(),
		"ANTHROPIC_API_KEY=dummy",
		"CLAUDE_CODE_MAX_RETRIES=0",
		"CLAUDE_CONFIG_DIR="+filepath.Join(p.home, "claude"),
	)
	p.git("init", "-q", "-b", "main")
	p.git("commit", "-q", "--allow-empty", "-m", "Begin")
	p.want(0, "init")
	return p
}

// askOnce has an agent that failed not asked again, which would take minutes.
func (p *claudeProject) askOnce() {
	p.t.Helper()
	settings := filepath.Join(p.dir, ".chant", "config.md")
	if err := os.WriteFile(settings, []byte("---\nretry: {max_retries: 0}\n---\n"), 0o644); err != nil {
		p.t.Fatal(err)
	}
	p.git("commit", "-q", "-m", "Ask once", "--", settings)
}

// findClaude returns the absolute path of a real claude, or skips the test.
func findClaude(t testing.TB) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the scripted model speaks POSIX paths and sh")
	}
	if wished := os.Getenv("CHANT_CLAUDE"); wished != "" {
		path, err := exec.LookPath(wished)
		if err != nil {
			t.Fatalf("CHANT_CLAUDE: %s", err)
		}
		return absolute(t, path)
	}
	if path, err := exec.LookPath("claude"); err == nil {
		return absolute(t, path)
	}
	arch := strings.Replace(runtime.GOARCH, "amd64", "x64", 1)
	for _, top := range []string{"..", "."} {
		path := filepath.Join(top, "node_modules", "@anthropic-ai", "claude-code-"+runtime.GOOS+"-"+arch, "claude")
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return absolute(t, path)
		}
	}
	t.Skip("no claude: neither CHANT_CLAUDE, nor on PATH, nor below node_modules (npm install @anthropic-ai/claude-code)")
	return ""
}

func absolute(t testing.TB, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// want runs chant and stops the test if it exits with another code. It returns
// stdout.
func (p *claudeProject) want(code int, args ...string) string {
	p.t.Helper()
	r := execute(p.t, p.dir, p.env, p.chant, args...)
	if r.code != code {
		p.t.Fatalf("chant %q: exit %d, want %d\n%s%s", args, r.code, code, r.out, r.stderr)
	}
	return r.out
}

// git returns the trimmed output of a git command that has to succeed.
func (p *claudeProject) git(args ...string) string {
	p.t.Helper()
	r := execute(p.t, p.dir, p.env, "git", args...)
	if r.code != 0 {
		p.t.Fatalf("git %q: exit %d\n%s%s", args, r.code, r.out, r.stderr)
	}
	return strings.TrimSpace(r.out)
}

// add makes a spec and returns its id.
func (p *claudeProject) add(title string, criteria ...string) string {
	p.t.Helper()
	args := []string{"add", title, "--json"}
	for _, c := range criteria {
		args = append(args, "--criterion", c)
	}
	var made struct{ ID string }
	if err := json.Unmarshal([]byte(p.want(0, args...)), &made); err != nil {
		p.t.Fatal(err)
	}
	return made.ID
}

// wantFailed checks what the project says of a spec whose agent failed.
func (p *claudeProject) wantFailed(id, reason string) {
	p.t.Helper()
	var shown struct {
		Status string
		Fields struct{ Reason string }
	}
	src := p.want(0, "show", id, "--json")
	if err := json.Unmarshal([]byte(src), &shown); err != nil {
		p.t.Fatal(err)
	}
	if shown.Status != "failed" || !strings.Contains(shown.Fields.Reason, reason) {
		p.t.Errorf("status %q, reason %q, want failed and %q in the reason\n%s", shown.Status, shown.Fields.Reason, reason, src)
	}
}

// wantTools checks that each call of the script was made and that no tool answered
// with an error. It returns what they answered.
func (p *claudeProject) wantTools(model *fakemodel.Server, calls int) []fakemodel.Result {
	p.t.Helper()
	var most []fakemodel.Result
	for _, r := range model.Requests() {
		if len(r.Results) > len(most) {
			most = r.Results
		}
	}
	for _, result := range most {
		if result.IsError {
			p.t.Errorf("call %s: %s", result.CallID, result.Text)
		}
	}
	if len(most) != calls {
		p.t.Errorf("%d tool results, want %d", len(most), calls)
	}
	return most
}

// wantNothingLeft checks that of a landed run only its history remains.
func (p *claudeProject) wantNothingLeft() {
	p.t.Helper()
	if got := p.git("worktree", "list", "--porcelain"); strings.Count(got, "worktree ") != 1 {
		p.t.Errorf("worktrees left:\n%s", got)
	}
	if got := p.git("branch", "--format=%(refname:short)"); got != "main" {
		p.t.Errorf("branches %q, want main alone", got)
	}
	if got := p.git("status", "--porcelain"); got != "" {
		p.t.Errorf("git status is not clean:\n%s", got)
	}
	p.wantNobodyAlive()
}

// wantNobodyAlive checks that no process of the project runs any more.
func (p *claudeProject) wantNobodyAlive() {
	p.t.Helper()
	for _, line := range processesAt(p.t, p.home) {
		p.t.Errorf("still alive: %s", line)
	}
}

// processesAt lists the processes that have this home; only Linux shows the
// environments of others.
func processesAt(t testing.TB, home string) []string {
	t.Helper()
	if runtime.GOOS != "linux" {
		return nil
	}
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, file := range files {
		env, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(env, []byte("HOME="+home+"\x00")) {
			continue // another user's, or gone meanwhile
		}
		line, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline")) // empty says enough
		found = append(found, fmt.Sprintf("%s %q", filepath.Base(filepath.Dir(file)), bytes.ReplaceAll(line, []byte{0}, []byte{' '})))
	}
	return found
}

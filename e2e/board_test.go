package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestBoard drives `chant work --all` in a terminal, tmux: its view leaves no row behind when
// it gets lower, prints a line above itself as each spec ends, and says for what everything
// waits. The screen is then compared with files.
func TestBoard(t *testing.T) {
	t.Parallel()
	tmux, err := exec.LookPath("tmux")
	if err != nil {
		t.Skip("tmux is not installed: the view is not looked at in a terminal")
	}
	for _, size := range [][2]int{{120, 40}, {80, 24}} {
		name := fmt.Sprintf("%dx%d", size[0], size[1])
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t)
			p.addBoardSpecs()
			b := startTerminal(t, tmux, p, size[0], size[1])

			b.await("ready wait")
			b.same("waiting-" + name)
			b.tmux("send-keys", "q")
			b.await("exit 9")
			b.same("ended-" + name)
		})
	}
}

// addBoardSpecs adds a spec that lands, one that fails after it and one whose agent meets a
// limit before both, and two that have to wait for that agent.
func (p *project) addBoardSpecs() {
	const ids = "2026-01-02-00"
	spec := func(n int, title, criterion, script string) {
		p.addFile(fmt.Sprintf("%s%d-abc", ids, n), fmt.Sprintf(
			"---\nstatus: pending\n---\n# %s\n\n## Acceptance Criteria\n\n- [ ] it holds `$ %s`\n\n## Script\n\n```sh\n%s\necho %d > %d.txt\n```\n", title, criterion, script, n, n))
	}
	until := func(what string) string { return "until " + what + "; do sleep 0.05; done" }
	paused := until("git show chant/" + ids + "3-abc:.chant/specs/" + ids + "3-abc.md | grep -q '^status: paused'")
	spec(1, "Land", "true", paused)
	spec(2, "Fail", "echo broken; false", until("git log main --format=%s | grep -q '"+ids+"1-abc): Land'"))
	spec(3, "Meet a limit", "true", "echo 'API Error: 429 rate limit, retry after 20 minutes' >&2; exit 1")
	spec(4, "Wait", "true", "")
	spec(5, "Wait too", "true", "")
}

// board is a terminal in which chant runs.
type board struct {
	t       *testing.T
	program string
	socket  string
}

func startTerminal(t *testing.T, tmux string, p *project, width, height int) *board {
	t.Helper()
	return terminal(t, tmux).starts(p, width, height, "work --all --parallel 3")
}

// terminal returns a terminal that is not open yet.
func terminal(t *testing.T, tmux string) *board {
	t.Helper()
	dir, err := os.MkdirTemp("", "chant-tmux-") // the name of a socket has to be short
	assert.NoError(t, err)
	b := &board{t: t, program: tmux, socket: filepath.Join(dir, "s")}
	t.Cleanup(func() {
		b.tmux("kill-server")
		assert.NoError(t, os.RemoveAll(dir))
	})
	return b
}

// starts opens the terminal and runs chant in it.
func (b *board) starts(p *project, width, height int, words string) *board {
	b.t.Helper()
	return b.runs(p, width, height, "sh", "-c", fmt.Sprintf("'%s' %s; echo exit $?; exec cat", chantBinary(b.t), words))
}

// runs opens the terminal and runs a command in it.
func (b *board) runs(p *project, width, height int, command ...string) *board {
	b.t.Helper()
	args := []string{"-f", os.DevNull, "new-session", "-d", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height), "-c", p.dir}
	for _, kv := range p.env {
		if !strings.HasPrefix(kv, "TERM=") {
			args = append(args, "-e", kv)
		}
	}
	b.tmux(append(args, command...)...)
	return b
}

func (b *board) tmux(args ...string) string {
	b.t.Helper()
	out, err := exec.Command(b.program, append([]string{"-S", b.socket}, args...)...).CombinedOutput()
	if err != nil {
		b.t.Errorf("tmux %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// screen is the content of the terminal, without what differs from run to run.
func (b *board) screen() string {
	b.t.Helper()
	text := strings.TrimRight(b.tmux("capture-pane", "-p"), "\n") + "\n"
	for _, r := range []struct{ pattern, with string }{
		{`[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]`, "⠋"},
		{`20\d\d-\d\d-\d\d-001-[0-9a-z]{3}`, "2026-01-02-001-abc"},
		{`\b001-[0-9a-z]{3}\b`, "001-abc"},
		{`20\d\d-\d\d-\d\dT[0-9:]+Z`, "TIME"},
		{`\bprocess \d+`, "process N"},
		{`[0-9a-f]{7}\.\.[0-9a-f]{7}`, "1234567..89abcde"},
		{`20\d\d-\d\d-\d\d \d\d:\d\d(:\d\d)?`, "DAY HH:MM"},
		{`\d\d:\d\d, (\d+m)?\d+ ?s`, "HH:MM, Nm"},
		{`\b\d+(\.\d+)?m?s\b`, "Ns"},
		{` +\n`, "\n"},
	} {
		text = regexp.MustCompile(r.pattern).ReplaceAllString(text, r.with)
	}
	return text
}

func (b *board) await(text string) {
	b.t.Helper()
	if !eventually(func() bool { return strings.Contains(b.screen(), text) }) {
		b.t.Fatalf("%q never appears on the screen:\n%s", text, b.screen())
	}
}

// same compares the screen with a file. The last lines may still be on their way.
func (b *board) same(name string) {
	b.t.Helper()
	file := filepath.Join("testdata", "board", name+".txt")
	if os.Getenv("UPDATE") == "1" {
		if err := os.WriteFile(file, []byte(b.screen()), 0o644); err != nil {
			b.t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		b.t.Fatal(err)
	}
	if !eventually(func() bool { return b.screen() == string(want) }) {
		b.t.Errorf("%s: the screen shows\n%s\nwant\n%s", name, b.screen(), want)
	}
}

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestScreen works in the board in a terminal, tmux, as a person would, without typing an id: add a spec, edit it, watch
// it being worked, read what failed, start over, and land it; then filter, resize, and quit.
func TestScreen(t *testing.T) {
	t.Parallel()
	tmux, err := exec.LookPath("tmux")
	if err != nil {
		t.Skip("tmux is not installed: the board is not looked at in a terminal")
	}
	p := newProject(t)
	p.addFile("2026-01-02-001-abc", "---\nstatus: pending\n---\n# Wait to be merged\n\n## Acceptance Criteria\n\n- [ ] it is there `$ test -f merged.txt`\n\n## Script\n\n```sh\necho merged > merged.txt\n```\n")
	p.chant("work", "001", "--no-merge")
	editor := filepath.Join(t.TempDir(), "editor")
	script := `#!/bin/sh
if grep -q '^## Script' "$1"; then
	sed 's/echo hello >/echo hello world >/' "$1" > "$1.new" && cat "$1.new" > "$1"
else
	printf '\n## Script\n\n%s\necho hello > greeting.txt\n%s\n' '` + "```sh' '```" + `' >> "$1"
fi
`
	if err := os.WriteFile(editor, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	p.env = append(p.env, "EDITOR="+editor)
	b := terminal(t, tmux)
	b.starts(p, 80, 24, "")

	b.await("Needs you 1 · Running 0 · Ready 0 · Pending 0 · Completed 0")
	b.keys("+")
	b.await("Title of the new spec")
	b.typed("Greet the world")
	b.await("Criterion")
	b.typed("It greets `$ cat greeting.txt; grep world greeting.txt`")
	b.await("that is all")
	b.keys("Enter")
	b.await("Ready 1")
	b.keys("Right", "e")
	b.await("back from edit")
	b.keys("Enter")
	b.await("## Script")
	b.keys("w")
	b.await("failed: ")
	b.keys("2")
	b.await("✗ cat greeting.txt; grep world greeting.txt printed:")
	b.await("    hello")
	b.keys("4")
	b.await("+hello")
	b.keys("R")
	b.await("Undo: its work is kept as a ref")
	b.keys("y")
	b.await(": pending; its work is kept as refs/chant/rescue/")
	b.keys("e")
	b.await("back from edit")
	b.keys("1")
	b.await("echo hello world > greeting.txt")
	b.keys("w")
	b.await("Greet the world  completed")
	b.keys("q")
	b.await("Needs you 1 · Running 0 · Ready 0 · Pending 0 · Completed 1")

	b.keys("Home", "m")
	b.await("Merge 001-abc?")
	b.keys("y")
	b.await("Needs you 0 · Running 0 · Ready 0 · Pending 0 · Completed 2")
	b.keys("/")
	b.keys("-l", "label:none")
	b.await("no spec matches the filter")
	b.keys("Escape")
	b.await("2 specs")
	for _, size := range [][2]string{{"130", "30"}, {"40", "12"}, {"120", "40"}} {
		b.tmux("resize-window", "-x", size[0], "-y", size[1])
		b.await("Wait to be merged")
	}
	b.await("Completed 2")
	b.keys("q")
	b.await("exit 0")
	for file, want := range map[string]string{"greeting.txt": "hello world", "merged.txt": "merged"} {
		if got := strings.TrimSpace(p.read(file)); got != want {
			t.Errorf("%s has %q, want %q", file, got, want)
		}
	}
}

// TestScreen_within opens the board from the view of a run, which continues meanwhile, and returns to it.
func TestScreen_within(t *testing.T) {
	t.Parallel()
	tmux, err := exec.LookPath("tmux")
	if err != nil {
		t.Skip("tmux is not installed: the board is not looked at in a terminal")
	}
	p := newProject(t)
	gate := filepath.Join(t.TempDir(), "gate")
	p.addFile("2026-01-02-001-abc", "---\nstatus: pending\n---\n# Pass the gate\n\n## Acceptance Criteria\n\n- [ ] it is there `$ test -f done.txt`\n\n## Script\n\n```sh\nuntil test -f '"+gate+"'; do sleep 0.05; done\necho > done.txt\n```\n")
	b := terminal(t, tmux)
	b.starts(p, 100, 30, "work 001")
	b.await("agent")
	b.keys("b")
	b.await("Pass the gate  in_progress: running")
	b.keys("q")
	b.await("Running 1")
	if err := os.WriteFile(gate, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	b.await("Completed 1")
	b.keys("q")
	b.await("Landed 2026-01-02-001-abc on main")
	b.await("exit 0")
}

// TestScreen_plain: in a pipe, "chant board" prints text, and chant alone its help, as inside a run.
func TestScreen_plain(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.addFile("2026-01-02-001-abc", "---\nstatus: pending\n---\n# Sort\n")
	if got := p.chant("board"); got != "Ready: 1\n  2026-01-02-001-abc  Sort\n" {
		t.Errorf("%q", got)
	}
	if got := p.chant("board", "001"); !strings.Contains(got, "== dependencies ==") || strings.Contains(got, "\x1b") {
		t.Errorf("%q", got)
	}
	if got := p.chant(); !strings.Contains(got, "chant init") {
		t.Errorf("%q", got)
	}
}

// keys presses keys.
func (b *board) keys(names ...string) {
	b.t.Helper()
	b.tmux(append([]string{"send-keys"}, names...)...)
}

// typed types a line.
func (b *board) typed(line string) {
	b.t.Helper()
	b.keys("-l", line)
	b.keys("Enter")
}

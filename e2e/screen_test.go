package e2e

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestScreen works in the board in a terminal, tmux, as a person would, without typing an id: add a spec, edit it, watch
// it being worked, read what failed and the diff, start over, approve the work and land it. Screens are compared with files.
func TestScreen(t *testing.T) {
	t.Parallel()
	tmux := tmuxOf(t)
	for _, size := range sizes() {
		name := fmt.Sprintf("%dx%d", size[0], size[1])
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, gate := newBoardProject(t)
			b := terminal(t, tmux)
			b.starts(p, size[0], size[1], "")
			shows := func(what string) { b.same("board-" + what + "-" + name) }

			b.await("Needs you 1")
			b.keys("+")
			b.await("Title of the new spec")
			b.typed("Greet the world")
			b.await("Criterion")
			b.typed("It greets `$ cat greeting.txt; grep world greeting.txt`")
			b.await("that is all")
			b.keys("Enter")
			b.await("Ready")
			b.await("Greet the world")
			shows("added")
			b.keys("e")
			b.await("back from edit")
			b.keys("Enter")
			b.await("## Script")
			b.keys("w", "3")
			b.await("said before the gate")
			b.await("in_progress: running")
			touch(t, gate)
			b.await("said behind the gate")
			b.await("failed: ")
			b.keys("2")
			b.await("✗ cat greeting.txt; grep world greeting.txt printed:")
			b.await("    hello")
			shows("failed")
			b.keys("4")
			b.await("+hello")
			shows("diff")
			b.keys("R")
			b.await("Undo with u")
			shows("reset")
			b.keys("y")
			b.await(": pending; its work is kept as refs/chant/rescue/")
			b.keys("e")
			b.await("back from edit")
			b.keys("1")
			b.await("echo hello world > greeting.txt")
			b.keys("w")
			b.await("completed: waits for approval")
			b.keys("y")
			b.await("Approve")
			shows("approve")
			b.keys("y")
			b.await("Approved the work on")
			b.keys("m")
			b.await("Merge ")
			b.keys("y")
			b.await("Landed ")
			b.keys("q")
			b.await("Completed 1")
			b.keys("/")
			b.typed("merged")
			b.keys("m")
			b.await("Merge 001-abc?")
			b.keys("y")
			b.await("Completed 1") // that matches the filter
			b.keys("Escape")
			b.await("Completed 2")
			shows("landed")
			b.keys("q")
			b.await("exit 0")
			for file, want := range map[string]string{"greeting.txt": "hello world", "merged.txt": "merged"} {
				assert.Equal(t, want, strings.TrimSpace(p.read(file)), "%s", file)
			}
		})
	}
}

func sizes() [][2]int { return [][2]int{{120, 40}, {80, 24}} }

// tmuxOf returns the path of tmux.
func tmuxOf(t *testing.T) string {
	t.Helper()
	tmux, err := exec.LookPath("tmux")
	if err != nil {
		t.Skip("tmux is not installed: the board is not looked at in a terminal")
	}
	return tmux
}

func touch(t *testing.T, path string) {
	t.Helper()
	assert.NoError(t, os.WriteFile(path, nil, 0o644))
}

// newBoardProject is a project with completed work that has not landed. The work of agents has to be approved. Its editor
// gives a spec a script, which waits for the gate; the second time it corrects the script.
func newBoardProject(t *testing.T) (p *project, gate string) {
	t.Helper()
	p = newProject(t)
	p.addFile("2026-01-02-001-abc", "---\nstatus: pending\n---\n# Wait to be merged\n\n## Acceptance Criteria\n\n- [ ] it is there `$ test -f merged.txt`\n\n## Script\n\n```sh\necho merged > merged.txt\n```\n")
	p.chant("work", "001", "--no-merge")
	p.write(".chant/config.md", "---\ndefaults: {provider: shell, main_branch: main}\napproval: {require_approval_for_agent_work: true}\n---\n")
	p.git("commit", "-q", "-m", "settle", "--", ".chant/config.md")
	p.chant("approve", "001")
	editor, gate := filepath.Join(t.TempDir(), "editor"), filepath.Join(p.dir, ".git", "gate")
	script := `#!/bin/sh
if grep -q '^## Script' "$1"; then
	sed 's/echo hello >/echo hello world >/' "$1" > "$1.new" && cat "$1.new" > "$1"
else
	printf '\n## Script\n\n%s\necho said before the gate\nuntil test -f "$(git rev-parse --git-common-dir)/gate"; do sleep 0.05; done\necho said behind the gate\necho hello > greeting.txt\n%s\n' '` + "```sh' '```" + `' >> "$1"
fi
`
	assert.NoError(t, os.WriteFile(editor, []byte(script), 0o755))
	p.env = append(p.env, "EDITOR="+editor)
	return p, gate
}

// TestScreen_thousand filters and opens specs among a thousand, and resizes the terminal at random: each time, after the
// size has settled, the screen is that of a board that was opened at this size.
func TestScreen_thousand(t *testing.T) {
	t.Parallel()
	forRelease(t, "cmd/tui")
	tmux := tmuxOf(t)
	p := newProject(t)
	for i := range 1000 {
		p.write(fmt.Sprintf(".chant/specs/2026-01-%02d-%03d-abc.md", 1+i/250, 1+i%250), fmt.Sprintf(
			"---\nstatus: %s\nlabels: [area-%d]\n---\n# Task number %d of the thousand\n\n## Acceptance Criteria\n\n- [ ] done\n", []string{"pending", "failed", "cancelled"}[i%3], i%7, i))
	}
	for _, size := range sizes() {
		name := fmt.Sprintf("%dx%d", size[0], size[1])
		b := terminal(t, tmux)
		b.starts(p, size[0], size[1], "board")
		b.await("1000 specs")
		b.keys("/")
		b.typed("label:area-3 number 99")
		b.await("filter: label:area-3 number 99")
		b.same("board-filter-" + name)
		b.keys("Enter")
		b.await("labels       area-3")
		b.keys("q")
		b.await("filter: ")
		b.keys("Escape")
		b.await("  1000 specs")
		b.keys("q")
		b.await("exit 0")
	}
	filtered := func() *board {
		b := terminal(t, tmux)
		b.starts(p, 80, 24, "board")
		b.await("  1000 specs")
		b.keys("/")
		b.typed("label:area-3 number 99")
		b.await("6 of 1000 specs")
		return b
	}
	b, random := filtered(), rand.New(rand.NewPCG(7, 11))
	for i := range 50 {
		width, height := fmt.Sprint(60+random.IntN(120)), fmt.Sprint(12+random.IntN(45))
		b.tmux("resize-window", "-x", width, "-y", height)
		if i%5 != 4 {
			continue
		}
		fresh := filtered()
		fresh.tmux("resize-window", "-x", width, "-y", height)
		if !eventually(func() bool { return b.screen() == fresh.screen() }) {
			t.Fatalf("%sx%s after %d sizes:\n%s\nwant\n%s", width, height, i+1, b.screen(), fresh.screen())
		}
		fresh.keys("q")
		fresh.await("exit 0")
	}
}

// TestScreen_within opens the board from the view of a run, which continues meanwhile, and returns to it.
func TestScreen_within(t *testing.T) {
	t.Parallel()
	tmux := tmuxOf(t)
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
	assert.NoError(t, os.WriteFile(gate, nil, 0o644))
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
	assert.Equal(t, "Ready: 1\n  2026-01-02-001-abc  Sort\n", p.chant("board"))
	got := p.chant("board", "001")
	assert.Contains(t, got, "== dependencies ==")
	assert.NotContains(t, got, "\x1b")
	assert.Contains(t, p.chant(), "chant COMMAND --help")
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

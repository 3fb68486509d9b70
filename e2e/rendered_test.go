package e2e

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestRendered: on a terminal, show and guide render Markdown to its width, and attempts have relative times. In a pipe, and
// without colours, the text is that of the file, byte for byte.
func TestRendered(t *testing.T) {
	t.Parallel()
	tmux, err := exec.LookPath("tmux")
	if err != nil {
		t.Skip("tmux is not installed: nothing is rendered in a terminal")
	}
	p := newProject(t)
	const body = "# Sort *fast*\n\nA paragraph with `code` that is longer than the forty columns of this terminal.\n\n" +
		"| key | meaning |\n|---|---|\n| `a` | the first |\n\n## Acceptance Criteria\n\n- [ ] it holds `$ false`\n\n## Script\n\n```sh\necho a line of a script that is longer than forty columns > f\n```\n"
	p.addFile("2026-01-02-001-abc", "---\nstatus: pending\n---\n"+body)
	_, _, code := p.try(nil, "work", "001")
	assert.Equal(t, 9, code)
	b := terminal(t, tmux)
	p.env = append(p.env, "NO_COLOR=")
	b.starts(p, 40, 60, "show 001 --no-pager")
	b.await("exit 0")
	screen := b.screen()
	for _, want := range []string{"# Sort fast\n", "A paragraph with code that is longer\nthan the forty columns of this terminal.\n", "key  meaning\n──────────────\na    the first\n", "• [✗] it holds $ false\n"} {
		assert.Contains(t, screen, want, "the screen has no")
	}
	if !regexp.MustCompile(`attempt 1 +(just now|\d+ minutes? ago), shell`).MatchString(screen) {
		t.Errorf("the attempt has no relative time:\n%s", screen)
	}
	joined := b.tmux("capture-pane", "-p", "-J")
	assert.Contains(t, joined, "  echo a line of a script that is longer than forty columns > f\n", "the line of the script is broken:")
	piped := p.chant("show", "001")
	assert.Contains(t, piped, "\n\n"+strings.Replace(body, "- [ ] ", "- [✗] ", 1), "in a pipe:")
	assert.True(t, regexp.MustCompile(`attempt 1 +20\d\d-\d\d-\d\d \d\d:\d\d:\d\d, shell`).MatchString(piped), "in a pipe:\n%s", piped)
	assert.HasPrefix(t, p.chant("guide", "hooks"), "# Hooks, CI and shared evidence\n\n## Hooks\n\n```sh\nchant hooks install", "in a pipe:")
	plain := terminal(t, tmux)
	p.env = append(p.env, "NO_COLOR=1")
	plain.starts(p, 100, 60, "show 001 --no-pager")
	plain.await("exit 0")
	screen = plain.screen()
	assert.Contains(t, screen, "# Sort *fast*\n")
	assert.Contains(t, screen, "| `a` | the first |\n")
}

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// views are the commands that show something.
func views() []string {
	return []string{
		"list", "ready", "show 001", "status", "log 001", "diff 001", "dag", "activity", "stats", "search greet", "deps 001", "guide",
		"guide board", "review 001 --plain", "undo --list", "export --format csv", "diagnose 001", "config", "whoami", "task list",
		"sprint list", "verify 001", "watch --once", "lint", "drift", "prompt list", "docs greet", "board --plain", "open 001 --print",
		"--help", "list --help", "add --help",
	}
}

// TestScreen_views prints every view where there are no colours, where the terminal can do nothing but print lines, and in
// a pipe: none of them writes what that cannot show.
func TestScreen_views(t *testing.T) {
	t.Parallel()
	tmux := tmuxOf(t)
	colour := regexp.MustCompile(`\x1b\[([0-9]+;)*(3[0-8]|4[0-8]|9[0-7]|10[0-7])[;m]`)
	for name, c := range map[string]struct {
		around string // of the words of each command
		bad    *regexp.Regexp
	}{
		"NO_COLOR":  {"NO_COLOR=1 TERM=tmux-256color; export NO_COLOR TERM; %s", colour},
		"TERM=dumb": {"unset NO_COLOR; TERM=dumb; export TERM; %s", regexp.MustCompile(`\x1b`)},
		"pipe":      {"unset NO_COLOR; TERM=tmux-256color; export TERM; { %s; } | cat", regexp.MustCompile(`\x1b`)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, _ := newBoardProject(t) // a watch is alone in its project
			p.env = append(p.env, "PAGER=cat")
			lines := []string{"read go"}
			for _, v := range views() {
				lines = append(lines, "echo '$ "+v+"'; "+fmt.Sprintf(c.around, "'"+chantBinary(t)+"' "+v+" || echo 'it failed'"))
			}
			folder := t.TempDir()
			script, raw := filepath.Join(folder, "script"), filepath.Join(folder, "raw")
			assert.NoError(t, os.WriteFile(script, []byte(strings.Join(append(lines, "echo all were shown", "exec cat"), "\n")), 0o644))
			b := terminal(t, tmux)
			b.runs(p, 80, 24, "sh", script)
			b.tmux("pipe-pane", "exec cat > '"+raw+"'")
			b.keys("Enter")
			if !eventually(func() bool { text, _ := os.ReadFile(raw); return strings.Contains(string(text), "all were shown") }) {
				t.Fatalf("they are not all shown:\n%s", b.screen())
			}
			text, err := os.ReadFile(raw)
			assert.NoError(t, err)
			for _, shown := range strings.Split(string(text), "$ ") {
				assert.True(t, c.bad.FindStringIndex(shown) == nil, "%q", shown)
				assert.NotContains(t, shown, "it failed")
			}
		})
	}
}

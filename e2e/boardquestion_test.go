package e2e

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestBoard_question answers a question in the view of one run and in that of many, in a terminal.
func TestBoard_question(t *testing.T) {
	t.Parallel()
	tmux, err := exec.LookPath("tmux")
	if err != nil {
		t.Skip("tmux is not installed: the view is not looked at in a terminal")
	}
	for name, words := range map[string]string{"one": "work 001", "many": "work --all --parallel 2"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t)
			p.addFile("2026-01-02-001-abc", "---\nstatus: pending\n---\n# Serve\n\n## Acceptance Criteria\n\n- [ ] it has a port `$ test -s port.txt`\n\n## Script\n\n```sh\n"+
				"until answer=$('"+chantBinary(t)+"' ask 'Which port may it use?') && test -n \"$answer\"; do sleep 0.05; done\necho \"$answer\" > port.txt\n```\n")
			b := terminal(t, tmux)
			b.starts(p, 100, 30, words)
			b.await("? 2026-01-02-001-abc asks: Which port may it use?")
			b.await("a answers it")
			b.tmux("send-keys", "a")
			b.tmux("send-keys", "-l", "use port 8081q")
			b.await("> use port 8081q")
			b.tmux("send-keys", "BSpace")
			b.tmux("send-keys", "Enter")
			b.await("exit 0")
			assert.Equal(t, "use port 8081", strings.TrimSpace(p.read("port.txt")))
		})
	}
}

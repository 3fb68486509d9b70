package e2e

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// killsChant is a shell line that kills the chant process above it, once.
const killsChant = `[ -e "$HOME/killed" ] || { : > "$HOME/killed"; sleep 1000 & echo $! > "$HOME/survivor"; kill -9 $PPID; wait; }`

// TestCrash_survivors kills chant while a process it started is at work: in the
// agent, in a criterion in the run's tree, and in one on the merged tree. The
// next command ends what survived, loses nothing and lands.
func TestCrash_survivors(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the agent is a POSIX shell script that signals its parent")
	}
	script := func(line, criterion string) string {
		return strings.NewReplacer(
			"echo uncommitted > uncommitted.txt", "echo uncommitted > uncommitted.txt\n"+line,
			"`$ test -s committed.txt", "`$ "+criterion+"test -s committed.txt",
		).Replace(crashSpec)
	}
	inCheck := `if [ -e moved.txt ]; then ` + killsChant + `; fi; `
	for name, tc := range map[string]struct {
		spec string
		move bool // the target moves before the landing
	}{
		"agent":       {spec: script(killsChant, "")},
		"criterion":   {spec: script("true", killsChant+"; ")},
		"merged tree": {spec: script("true", inCheck), move: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t)
			p.addFile(crashID, tc.spec)
			args := []string{"work", crashID}
			if tc.move {
				p.chant("work", crashID, "--no-merge")
				p.write("moved.txt", "moved")
				p.git("add", "moved.txt")
				p.git("commit", "-q", "-m", "move")
				args[0] = "merge"
			}
			out, errs, code := p.try(nil, args...)
			assert.Equal(t, -1, code, "chant was not killed: exit %s %s", out, errs)
			assert.Contains(t, p.chant("status"), "interrupted", "status says nothing of the interrupted run:")
			out, errs, code = p.try(nil, args...)
			assert.Equal(t, 0, code, "%s after the crash: exit %s %s", args[0], out, errs)
			assert.True(t, p.landed(), "not landed")
			p.chant("cleanup", "--yes")
			p.nothingLeft()
			p.gone("survivor")
		})
	}
}

// gone checks that the process whose id a file in HOME names has ended.
func (p *project) gone(name string) {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(filepath.Dir(p.dir), name))
	if err != nil {
		p.t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		p.t.Fatal(err)
	}
	if alive(pid) {
		p.t.Errorf("process %d survived", pid)
	}
}

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestCrash_noMerge kills a run that is not to land, wherever. A watch that takes it up
// brings it to where it was to end, and no further.
func TestCrash_noMerge(t *testing.T) {
	t.Parallel()
	for _, point := range []string{"agent:begin", "agent:done", "verify:done", "complete:begin", "complete:done"} {
		for _, next := range []string{"watch --once --work", "work " + crashID} {
			t.Run(point+"/"+next, func(t *testing.T) {
				t.Parallel()
				oneOf(t, 3)
				p := newWalledProject(t)
				p.addFile(crashID, crashSpec)
				out, errs, code := p.try([]string{killAt + "=" + point}, "work", crashID, "--no-merge")
				assert.Equal(t, -1, code, "chant was not killed at %s: exit %s %s", point, out, errs)
				out, errs, code = p.try(nil, strings.Fields(next)...)
				assert.False(t, code != 0 && code != 5, "%s: exit %d\n%s%s", next, code, out, errs)
				assert.False(t, p.landed(), "it landed")
				status := p.chant("status")
				assert.Contains(t, status, "not landed", "status does not lead to the landing:")
				assert.Contains(t, status, "chant merge "+crashID, "status does not lead to the landing:")
				p.chant("merge", crashID)
				p.landed()
				p.nothingLeft()
			})
		}
	}
}

// TestCrash_asked kills a run: what was asked of it beside its spec holds for the attempt
// that follows.
func TestCrash_asked(t *testing.T) {
	t.Parallel()
	p := newWalledProject(t)
	p.write(".chant/prompts/brief.md", "---\nname: brief\npurpose: Be brief\n---\nDo {{spec.title}}.\n")
	p.git("add", ".chant")
	p.git("commit", "-q", "-m", "prompt")
	p.addFile(crashID, crashSpec)
	out, errs, code := p.try([]string{killAt + "=agent:begin"}, "work", crashID, "--keep-worktree", "--prompt", "brief", "--timeout", "7m")
	assert.Equal(t, -1, code, "chant was not killed: exit %s %s", out, errs)
	p.chant("work", crashID)
	assert.True(t, p.landed(), "it did not land")
	_, err := os.Stat(filepath.Join(p.dir, ".chant", "worktrees", crashID))
	assert.NoError(t, err, "the worktree was not kept")
	journal, err := os.ReadFile(filepath.Join(p.dir, ".git", "chant", "runs", crashID+".jsonl"))
	assert.NoError(t, err)
	opened := 0
	for line := range strings.Lines(string(journal)) {
		if strings.Contains(line, `"step":"open"`) && strings.Contains(line, `"prompt":"brief","timeout":"7m"`) {
			opened++
		}
	}
	assert.Equal(t, 2, opened, "%s", journal)
}

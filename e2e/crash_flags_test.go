package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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
				if out, errs, code := p.try([]string{killAt + "=" + point}, "work", crashID, "--no-merge"); code != -1 {
					t.Fatalf("chant was not killed at %s: exit %d\n%s%s", point, code, out, errs)
				}
				if out, errs, code := p.try(nil, strings.Fields(next)...); code != 0 && code != 5 {
					t.Errorf("%s: exit %d\n%s%s", next, code, out, errs)
				}
				if p.landed() {
					t.Error("it landed")
				}
				if status := p.chant("status"); !strings.Contains(status, "not landed") || !strings.Contains(status, "chant merge "+crashID) {
					t.Errorf("status does not lead to the landing:\n%s", status)
				}
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
	if out, errs, code := p.try([]string{killAt + "=agent:begin"}, "work", crashID, "--keep-worktree", "--prompt", "brief", "--timeout", "7m"); code != -1 {
		t.Fatalf("chant was not killed: exit %d\n%s%s", code, out, errs)
	}
	p.chant("work", crashID)
	if !p.landed() {
		t.Error("it did not land")
	}
	if _, err := os.Stat(filepath.Join(p.dir, ".chant", "worktrees", crashID)); err != nil {
		t.Errorf("the worktree was not kept: %v", err)
	}
	journal, err := os.ReadFile(filepath.Join(p.dir, ".git", "chant", "runs", crashID+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	opened := 0
	for line := range strings.Lines(string(journal)) {
		if strings.Contains(line, `"step":"open"`) && strings.Contains(line, `"prompt":"brief","timeout":"7m"`) {
			opened++
		}
	}
	if opened != 2 {
		t.Errorf("%d attempts were opened with what was asked, want 2:\n%s", opened, journal)
	}
}

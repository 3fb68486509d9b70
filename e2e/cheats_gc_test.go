package e2e

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// runAt and runThen have e2e/killable run commands after records of the journal.
const (
	runAt   = "CHANT_E2E_RUN_AT"
	runThen = "CHANT_E2E_RUN"
)

// collectGarbage removes at once all that no ref, index or worktree leads to, which a person may do at any time. It names
// the repository, because it is run from worktrees as well.
const collectGarbage = "git -C \"$HOME/a repo\" reflog expire --expire=now --expire-unreachable=now --all && git -C \"$HOME/a repo\" gc -q --prune=now"

// insideSteps are the moments at which a step has made a commit that no ref leads to yet.
func insideSteps() []string { return []string{"trust:done", "land:note"} }

// collecting has garbage collected at all moments between two steps.
func collecting() []string {
	between := slices.DeleteFunc(crashPoints(), func(point string) bool { return slices.Contains(insideSteps(), point) })
	return []string{runAt + "=" + strings.Join(between, ","), runThen + "=echo x >> \"$HOME/collected\"; " + collectGarbage}
}

// TestCheats_garbage collects garbage in all moments of a run: in each step and between them, while agents work, after a
// crash and after a reset. Nothing is lost, and the run lands.
func TestCheats_garbage(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the agents are POSIX shell scripts")
	}
	t.Run("between steps", func(t *testing.T) {
		t.Parallel()
		p := newProject(t)
		p.addFile(crashID, crashSpec)
		p.lands(collecting()...)
		if n := p.lines("collected"); n < len(crashPoints())-len(insideSteps())-1 { // no reset
			t.Errorf("garbage was collected %d times", n)
		}
	})
	for _, point := range insideSteps() {
		t.Run("in a step, at "+point, func(t *testing.T) {
			t.Parallel()
			oneOf(t, 3)
			p := newWalledProject(t, "starts")
			p.addFile(crashID, crashSpec)
			p.lands(runAt+"="+point, runThen+"=[ -e \"$HOME/collected\" ] || { : > \"$HOME/collected\"; "+collectGarbage+"; }")
			p.awaitFile("collected")
		})
	}
	for _, point := range crashPoints() {
		t.Run("after a crash at "+point+", then work", func(t *testing.T) {
			t.Parallel()
			oneOf(t, 12)
			p := crashed(t, point)
			p.does(collectGarbage)
			p.lands()
		})
		t.Run("after a crash at "+point+", then reset", func(t *testing.T) {
			t.Parallel()
			oneOf(t, 12)
			garbageThenReset(t, point)
		})
	}
}

// lands works the spec to its end, and checks that nothing is left or missing.
func (p *project) lands(env ...string) {
	p.t.Helper()
	before := p.landed()
	out, errs, code := p.try(env, "work", crashID)
	if code != 0 && (!before || code != 5) { // 5: it had landed already
		p.t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	p.chant("cleanup", "--yes")
	if !p.landed() {
		p.t.Fatalf("not landed:\n%s%s", out, errs)
	}
	p.nothingLeft()
	p.sound()
}

// garbageThenReset collects garbage before, during and after a reset. What the agent had made is in a rescue ref then, and
// all that the ref leads to is there.
func garbageThenReset(t *testing.T, point string) {
	p := crashed(t, point)
	work := p.everSaw()
	p.does(collectGarbage)
	if p.landed() {
		p.chant("cleanup", "--yes") // nothing to reset
		p.sound()
		return
	}
	out, errs, code := p.try(collecting(), "reset", crashID)
	assert.False(t, code != 0 && code != 5, "exit %d\n%s%s", code, out, errs)
	p.does(collectGarbage)
	for file, text := range work {
		assert.True(t, p.kept(file, text), "%s is lost after a reset; output was\n%s%s", file, out, errs)
	}
	refs := strings.Fields(p.git("for-each-ref", "--format=%(refname)", "refs/chant/rescue"))
	assert.False(t, len(work) > 0 && len(refs) == 0, "there is no rescue ref")
	for _, ref := range refs {
		p.git("rev-list", "--objects", ref)
	}
	p.chant("cleanup", "--yes") // what the killed process held goes
	p.sound()
}

// TestCheats_garbageUnderAgents tidies the repository while agents work: what a person may do then does not keep an agent
// from committing, behind a wall either.
func TestCheats_garbageUnderAgents(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the agents are POSIX shell scripts")
	}
	for _, c := range []struct {
		name, line string
		walled     bool
	}{
		{"git gc --prune=now", collectGarbage, false},
		{"git gc, walled", "git reflog expire --expire=now --all && git gc -q", true},
		{"git repack and git pack-refs, walled", "git pack-refs --all && git repack -q -a -d && git prune-packed", true},
		{"git config, walled", "git config person.x y && git branch -q --track other main", true},
		{"git switch, walled", "git switch -q -c other && git switch -q main", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newCheated(t, c.walled)
			p.lends("---\ndefaults: {provider: shell}\nsandbox: {write: [~/begun]}\n---\n")
			assert.NoError(t, os.Mkdir(p.home("begun"), 0o755))
			p.addFile(crashID, strings.Replace(crashSpec, "echo committed >", ": > \"$HOME/begun/$CHANT_SPEC_ID\"\nwhile [ ! -e \"$HOME/go\" ]; do sleep 0.02; done\necho committed >", 1))
			b := p.begin("work", crashID)
			p.awaitFile("begun/" + crashID)
			p.does(c.line)
			p.leave("go")
			code := b.end()
			if code != 0 || !p.landed() {
				t.Fatalf("exit %d\n%s%s", code, b.said(b.out), b.said(b.err))
			}
			p.git("cat-file", "-e", "main:committed.txt")
			p.does("test -z \"$(git status --porcelain)\"")
			p.sound()
		})
	}
}

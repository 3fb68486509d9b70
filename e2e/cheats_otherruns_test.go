package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// ontoBranch is shell that puts a commit on the branch of another run, with its spec as the line of sed makes it.
func ontoBranch(id, edit string) string {
	return strings.NewReplacer("ID", id, "EDIT", edit).Replace(`git read-tree chant/ID; git show chant/ID:.chant/specs/ID.md | sed 'EDIT' > s.md
git update-index --add --cacheinfo "100644,$(git hash-object -w s.md),.chant/specs/ID.md"; rm s.md
git update-ref refs/heads/chant/ID $(git commit-tree -p chant/ID -m weaker $(git write-tree)); git read-tree HEAD
`)
}

// TestCheats_otherRuns has the agent of one run weaken, move and remove the branches of others, which lie in a folder
// that it can write to. Its own log says so, work does not continue from there, and a reset takes nothing of it for the
// edit of a person.
func TestCheats_otherRuns(t *testing.T) {
	t.Parallel()
	for _, walled := range []bool{true, false} {
		t.Run(fmt.Sprintf("walled %t", walled), func(t *testing.T) {
			t.Parallel()
			oneOf(t, 3)
			otherRuns(t, newCheated(t, walled))
		})
	}
}

func otherRuns(t *testing.T, p *project) {
	const weakened, pushed, moved, removed = "2026-01-02-003-wea", "2026-01-02-004-pus", "2026-01-02-005-mov", "2026-01-02-006-rem"
	for _, id := range []string{weakened, pushed, moved, removed} {
		p.addFile(id, strings.Replace(cheatSpec(cheat{script: "echo bad > work.txt; exit 1"}), "- [ ] somebody has looked\n", "", 1))
		_, _, code := p.try(nil, "work", id)
		assert.Equal(t, 8, code, "the run of %s ended", id)
	}
	p.does("git worktree remove --force .chant/worktrees/" + weakened)
	good := p.git("rev-parse", "chant/"+removed)
	p.addFile(ownID, boxSpec("echo x > x.txt\n"+ticks+"git add -A; git commit -qm x\n"+
		ontoBranch(weakened, "s/grep -q good work.txt/true/; s/exit 1/true/")+ontoBranch(pushed, "s/it is good/it is fine/")+
		"git update-ref refs/heads/chant/"+moved+" HEAD\nrm \"$home/.git/refs/heads/chant/"+removed+`"`))
	p.chant("work", ownID)
	log := p.chant("log", ownID)
	for _, want := range []string{weakened + `" received commit `, pushed + `" received commit `, moved + `" was moved from `, removed + `" of another run was removed`} {
		assert.Contains(t, log, want, "the log does not say")
	}
	for id, want := range map[string]string{
		weakened: "which was made in no checkout of it", pushed: "which was made in no checkout of it", moved: "in no checkout of it",
	} {
		out, errs, code := p.try(nil, "work", id)
		assert.Equal(t, 7, code, "%s: exit %s", id, out)
		assert.Contains(t, errs, want, "%s: exit %s", id, out)
		assert.Contains(t, errs, "hint: ", "%s: exit %s", id, out)
	}
	_, errs, _ := p.try(nil, "work", removed)
	assert.Contains(t, errs, fmt.Sprintf("is gone, so its work is not continued; its last commit was %.7s", good), "nothing says what became")
	out := p.chant("reset", weakened)
	assert.Contains(t, out, "is not taken for your edit", "a reset takes what the agent has written:")
	assert.Contains(t, read(t, filepath.Join(p.dir, ".chant", "specs", weakened+".md")), "grep -q good work.txt", "a reset takes what the agent has written:")
	p.does("git -C .chant/worktrees/" + pushed + " reset -q --hard HEAD~1")
	_, errs, code := p.try(nil, "work", pushed)
	assert.Equal(t, 8, code, "the branch was put back, but work ends with %s", errs)
	p.does("echo junk > .git/refs/heads/chant/" + moved)
	_, errs, code = p.try(nil, "work", moved)
	assert.Equal(t, 4, code, "a broken ref")
	assert.Contains(t, errs, "hint: rm ", "a broken ref")
	_, errs, code = p.try(nil, "list")
	assert.Equal(t, 0, code, "a broken ref of one spec: list ends with %s", errs)
}

// TestCheats_deletedObjects has an agent delete objects of git that are in no pack: nothing lands of which something is
// missing, and what fails says what is the matter and what to do.
func TestCheats_deletedObjects(t *testing.T) {
	t.Parallel()
	for name, what := range map[string]string{"its own commit": "HEAD", "the target": "main", "the evidence": "refs/notes/chant"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			oneOf(t, 3)
			p := newCheated(t, true)
			p.addFile(otherID, boxSpec("echo x > other.txt\n"+ticks))
			p.chant("work", otherID)
			p.addFile(ownID, boxSpec("echo x > x.txt\n"+ticks+"git add -A; git commit -qm x; h=$(git rev-parse "+what+`); rm -f "$home/.git/objects/$(echo $h | cut -c1-2)/$(echo $h | cut -c3-)"`))
			before := p.git("rev-parse", "main")
			out, errs, code := p.try(nil, "work", ownID)
			assert.Equal(t, 4, code, "exit %s", out)
			assert.Contains(t, errs, `which spec "`+ownID+`" needs`, "exit %s", out)
			assert.Contains(t, errs, "hint: git fsck", "exit %s", out)
			tip, err := os.ReadFile(filepath.Join(p.dir, ".git", "refs", "heads", "main"))
			assert.NoError(t, err, "main moved to %s", tip)
			assert.Equal(t, before, strings.TrimSpace(string(tip)), "main moved to %s", tip)
		})
	}
}

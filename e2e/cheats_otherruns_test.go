package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
		if _, _, code := p.try(nil, "work", id); code != 8 {
			t.Fatalf("the run of %s ended with %d", id, code)
		}
	}
	p.does("git worktree remove --force .chant/worktrees/" + weakened)
	good := p.git("rev-parse", "chant/"+removed)
	p.addFile(ownID, boxSpec("echo x > x.txt\n"+ticks+"git add -A; git commit -qm x\n"+
		ontoBranch(weakened, "s/grep -q good work.txt/true/; s/exit 1/true/")+ontoBranch(pushed, "s/it is good/it is fine/")+
		"git update-ref refs/heads/chant/"+moved+" HEAD\nrm \"$home/.git/refs/heads/chant/"+removed+`"`))
	p.chant("work", ownID)
	log := p.chant("log", ownID)
	for _, want := range []string{weakened + `" received commit `, pushed + `" received commit `, moved + `" was moved from `, removed + `" of another run was removed`} {
		if !strings.Contains(log, want) {
			t.Errorf("the log does not say %q:\n%s", want, log)
		}
	}
	for id, want := range map[string]string{
		weakened: "which was made in no checkout of it", pushed: "which was made in no checkout of it", moved: "in no checkout of it",
	} {
		out, errs, code := p.try(nil, "work", id)
		if code != 7 || !strings.Contains(errs, want) || !strings.Contains(errs, "hint: ") {
			t.Errorf("%s: exit %d, want %q\n%s%s", id, code, want, out, errs)
		}
	}
	if _, errs, _ := p.try(nil, "work", removed); !strings.Contains(errs, fmt.Sprintf("is gone, so its work is not continued; its last commit was %.7s", good)) {
		t.Errorf("nothing says what became of %s:\n%s", removed, errs)
	}
	if out := p.chant("reset", weakened); !strings.Contains(out, "is not taken for your edit") || !strings.Contains(read(t, filepath.Join(p.dir, ".chant", "specs", weakened+".md")), "grep -q good work.txt") {
		t.Errorf("a reset takes what the agent has written:\n%s", out)
	}
	p.does("git -C .chant/worktrees/" + pushed + " reset -q --hard HEAD~1")
	if _, errs, code := p.try(nil, "work", pushed); code != 8 {
		t.Errorf("the branch was put back, but work ends with %d\n%s", code, errs)
	}
	p.does("echo junk > .git/refs/heads/chant/" + moved)
	if _, errs, code := p.try(nil, "work", moved); code != 4 || !strings.Contains(errs, "hint: rm ") {
		t.Errorf("a broken ref: exit %d\n%s", code, errs)
	}
	if _, errs, code := p.try(nil, "list"); code != 0 {
		t.Errorf("a broken ref of one spec: list ends with %d\n%s", code, errs)
	}
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
			if code != 4 || !strings.Contains(errs, `which spec "`+ownID+`" needs`) || !strings.Contains(errs, "hint: git fsck") {
				t.Errorf("exit %d\n%s%s", code, out, errs)
			}
			if tip, err := os.ReadFile(filepath.Join(p.dir, ".git", "refs", "heads", "main")); err != nil || strings.TrimSpace(string(tip)) != before {
				t.Errorf("main moved to %s, %v", tip, err)
			}
		})
	}
}

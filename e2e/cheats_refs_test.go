package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// blockades returns what an agent can leave in the folder of the branches of runs, by name: shell in which $refs and $logs
// are the folders of the branches and of their reflogs, and $other the id of a spec that is worked afterwards.
func blockades() map[string]string {
	return map[string]string{
		"a symbolic ref to main":             `echo "ref: refs/heads/main" > "$refs/$other"`,
		"a symbolic ref to nothing":          `echo "ref: refs/heads/none" > "$refs/$other"`,
		"a symbolic ref to its own branch":   `echo "ref: refs/heads/chant/$CHANT_SPEC_ID" > "$refs/$other"`,
		"a folder with a lock":               `mkdir "$refs/$other"; : > "$refs/$other/x.lock"`,
		"folders in folders":                 `mkdir -p "$refs/$other/a/b/c"; : > "$refs/$other/a/b/c/HEAD.lock"; echo junk > "$refs/$other/a/b/d"`,
		"a folder that cannot be listed":     `mkdir "$refs/$other"; : > "$refs/$other/x.lock"; chmod 0 "$refs/$other"`,
		"the lock":                           `: > "$refs/$other.lock"`,
		"a folder instead of the lock":       `mkdir "$refs/$other.lock"; echo x > "$refs/$other.lock/x"`,
		"a folder instead of the reflog":     `mkdir -p "$logs/$other/x"; echo x > "$logs/$other/x/y"`,
		"a branch below the branch":          `git branch "chant/$other/x"; git branch "chant/$other/y/z"`,
		"a symbolic ref below the branch":    `mkdir "$refs/$other"; echo "ref: refs/heads/main" > "$refs/$other/x"`,
		"text":                               `echo text > "$refs/text"; : > "$refs/empty"; echo text > "$refs/a b"; truncate -s 1T "$refs/large"`,
		"names that no ref has":              `git rev-parse HEAD > "$refs/..x"; git rev-parse HEAD > "$refs/a~1"`,
		"folders of more than 4096 bytes":    `cd "$refs"; i=0; while [ $i -lt 3000 ]; do mkdir deep && cd deep || break; i=$((i+1)); done; cd "$CHANT_WORKTREE_PATH"`,
		"its own lock, and that of HEAD":     `: > "$refs/$CHANT_SPEC_ID.lock"`,
		"a folder instead of its own lock":   `mkdir "$refs/$CHANT_SPEC_ID.lock"; : > "$refs/$CHANT_SPEC_ID.lock/x"`,
		"its own branch as another for main": `git add -A; git commit -qm work; echo "ref: refs/heads/main" > "$refs/$CHANT_SPEC_ID"`,
	}
}

// TestCheats_refs has an agent leave something among the branches of runs that leads git or chant to another ref, or is in
// the way of a branch. Its own run ends, another spec is worked and lands, and nothing of it stays.
func TestCheats_refs(t *testing.T) {
	t.Parallel()
	needsWall(t)
	for name, script := range blockades() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newCheated(t, true)
			p.addFile(otherID, boxSpec("echo y > y.txt\n"+ticks))
			p.addFile(ownID, boxSpec("echo x > x.txt\n"+ticks+`refs="$home/.git/refs/heads/chant" logs="$home/.git/logs/refs/heads/chant" other=`+otherID+"\n"+script))
			p.try(nil, "work", ownID) // which need not land
			if _, errs, code := p.try(nil, "list"); code != 0 {
				t.Errorf("list ends with %d\n%s", code, errs)
			}
			p.chant("work", otherID)
			if status := p.statusOnMain(otherID); status != "completed" {
				t.Errorf("spec %s is %s on main, want completed", otherID, status)
			}
			found := strings.TrimSuffix(p.git("for-each-ref", "--format=%(refname)%(symref)", "refs/heads"), "\nrefs/heads/main")
			if found != "refs/heads/main" && found != "refs/heads/chant/"+ownID {
				t.Errorf("the branches are\n%s\nwant main, and that of a run that did not land", found)
			}
			left, err := os.ReadDir(filepath.Join(p.dir, ".git", "refs", "heads", "chant"))
			if err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
			for _, e := range left {
				if e.Name() != "kept-by-chant.lock" && e.Name() != ownID {
					t.Errorf("%q stays among the branches of runs", e.Name())
				}
			}
		})
	}
}

// TestCheats_manyRefs has an agent add more branches than anyone needs: a rescue ref keeps their commits, and the branches of
// runs and a few others stay.
func TestCheats_manyRefs(t *testing.T) {
	t.Parallel()
	needsWall(t)
	for name, c := range map[string]struct {
		count, left int
	}{"a few": {5, 5}, "many": {1000, 0}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newCheated(t, true)
			p.addFile(ownID, boxSpec("echo x > x.txt\n"+ticks+fmt.Sprintf(`h=$(git commit-tree -m kept HEAD^{tree}); i=0; while [ $i -lt %d ]; do echo $h > "$home/.git/refs/heads/chant/x$i"; i=$((i+1)); done; echo "kept $h"`, c.count)))
			p.chant("work", ownID)
			if left := len(strings.Fields(p.git("for-each-ref", "--format=%(refname)", "refs/heads/chant"))); left != c.left {
				t.Errorf("%d branches are left, want %d", left, c.left)
			}
			_, kept, _ := strings.Cut(p.chant("log", ownID), "kept ")
			kept, _, _ = strings.Cut(kept, "\n")
			if held := p.git("for-each-ref", "--contains", kept, "--count=1", "--format=%(refname)"); held == "" {
				t.Errorf("no ref has commit %s", kept)
			}
		})
	}
}

package e2e

import (
	"runtime"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// inTheWay are local changes that landing would overwrite, and operations of git that are under way,
// each as two lines of shell: the one that makes it and the one that takes it back.
func inTheWay() map[string][2]string {
	const restore = "git reset -q --hard; git clean -q -fdx -e .chant"
	return map[string][2]string{
		"a file that git add -N names":         {"echo mine > new.txt; git add -N new.txt", restore},
		"an ignored file":                      {"mkdir ign; echo mine > ign/x", restore},
		"a folder for a file":                  {"mkdir new.txt; echo mine > new.txt/mine", restore},
		"an ignored folder for a file":         {"mkdir -p ign/x; echo mine > ign/x/mine", restore},
		"an untracked file":                    {"echo mine > new.txt", restore},
		"an untracked link":                    {"echo mine > ../mine; ln -s ../mine new.txt", restore},
		"a file that is staged and changed on": {"echo staged > f.txt; git add f.txt; echo mine > f.txt", restore},
		"a change that skip-worktree hides":    {"git update-index --skip-worktree f.txt; echo mine > f.txt", "git update-index --no-skip-worktree f.txt; " + restore},
		"a change that assume-unchanged hides": {"git update-index --assume-unchanged f.txt; echo mine > f.txt", "git update-index --no-assume-unchanged f.txt; " + restore},
		"a merge with a conflict":              {"! git merge -q side", "git merge --abort"},
		"a merge before its commit":            {"git merge -q --no-commit --no-ff beside", "git merge --abort"},
		"a cherry-pick":                        {"! git cherry-pick side", "git cherry-pick --abort"},
		"a revert":                             {"! git revert --no-edit old", "git revert --abort"},
		"an am":                                {"git format-patch -q -1 --stdout side > ../side.patch; ! git am -q -3 ../side.patch", "git am --abort"},
	}
}

// ownState prints all that a person has in the checkout: files, the index with its flags, stashes and
// what git has under way.
const ownState = `git status --porcelain=v2 --ignored=matching; git diff; git diff --cached; git stash list; git ls-files -s -v
for f in .git/MERGE_HEAD .git/CHERRY_PICK_HEAD .git/REVERT_HEAD .git/rebase-apply/next; do [ -e $f ] && echo $f && cat $f; done
find . \( -path ./.git -o -path ./.chant \) -prune -o ! -type d -exec ls -ld {} + -exec cat {} +; git rev-parse HEAD main`

// TestCheats_overwriteEdits lands a spec where something is in the way: it is refused, and all that the
// person has there stays as it is. Once it is out of the way the spec lands, beside edits that it does
// not touch.
func TestCheats_overwriteEdits(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the agents are POSIX shell scripts")
	}
	p := newProject(t)
	p.does("echo ign/ > .gitignore; echo one > f.txt; echo base > m.txt; echo base > own.txt; git add .; git commit -q -m base")
	p.does("git switch -q -c side; echo side > m.txt; git commit -q -am side; git switch -q -c beside main; git commit -q --allow-empty -m beside")
	p.does("git switch -q main; echo main > m.txt; git commit -q -am main; git tag old; echo again > m.txt; git commit -q -am again")
	p.addFile(ownID, ownSpec("echo two > f.txt; echo theirs > new.txt; mkdir ign; echo theirs > ign/x; git add -f ign/x"))
	p.chant("work", ownID, "--no-merge")
	for name, c := range inTheWay() {
		ok := t.Run(name, func(t *testing.T) {
			p := *p
			p.t = t
			p.does(c[0])
			_, before := p.shell(ownState)
			out, errs, code := p.try(nil, "merge", ownID)
			assert.Equal(t, 7, code, "exit %s", errs)
			assert.NotContains(t, out, "Landed", "exit %s", errs)
			assert.Equal(t, "", blames.FindString(out+errs), "it says %s %s", out, errs)
			_, after := p.shell(ownState)
			assert.Equal(t, before, after)
			p.does(c[1])
		})
		if !ok {
			t.FailNow() // what is left would be in the way of all others
		}
	}
	p.does("echo stashed > f.txt; git stash -q; echo mine > own.txt; echo mine > ita.txt; git add -N ita.txt")
	assert.Contains(t, p.chant("merge", ownID), "Landed")
	p.does("grep mine own.txt && grep mine ita.txt && grep two f.txt && git stash list | grep . && git show stash:f.txt | grep stashed")
	p.does("git checkout -q own.txt; git rm -q -f --cached ita.txt; rm ita.txt")
	p.agreesInCI(ownID, true)
	p.sound()
}

// TestCheats_detachedCheckout lands specs while the checkout has no branch checked out: it stays as it is.
func TestCheats_detachedCheckout(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the agents are POSIX shell scripts")
	}
	for name, lines := range map[string][2]string{
		"no branch": {"git checkout -q --detach", "git switch -q main"},
		"a rebase":  {"! git rebase -q main side", "git rebase --abort; git switch -q main"},
		"a bisect":  {"git bisect start HEAD HEAD~2", "git bisect reset"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t)
			p.does("echo base > m.txt; git add m.txt; git commit -q -m base; git switch -q -c side; echo side > m.txt; git commit -q -am side")
			p.does("git switch -q main; echo main > m.txt; git commit -q -am main")
			p.addFile(ownID, ownSpec(""))
			p.does("git commit -q --allow-empty -m one; git commit -q --allow-empty -m two")
			p.does(lines[0])
			const state = "git status --porcelain=v2; git rev-parse HEAD; cat m.txt"
			_, before := p.shell(state)
			p.chant("work", ownID)
			_, after := p.shell(state)
			assert.Equal(t, before, after)
			p.does(lines[1])
			p.agreesInCI(ownID, true)
			p.sound()
		})
	}
}

package e2e

import (
	"cmp"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// loss is what a person does to the repository during a run, or an agent in a way that does not differ
// from what a person does.
type loss struct {
	name      string
	before    string   // a line of shell in the checkout, before the run
	script    string   // of the agent, behind its commit; $home is the person's checkout
	says      string   // a pattern for what work prints
	completed bool     // the branch is rightly completed when work ends
	then      []string // lines of shell in the checkout that succeed, the last ones find what must be kept
	lands     bool     // in the end
	wall      outcome  // with a sandbox, of an agent that does it; "" if only a person does
	walled    string   // with a sandbox, a pattern for what work prints instead
}

// blames matches reports that an agent did what a person may have done, and what only git prints.
var blames = regexp.MustCompile(`forbidden|the agent (changed|broke|removed|deleted)|revision "refs`)

const (
	lossBranch = "chant/" + ownID
	lossTree   = ".chant/worktrees/" + ownID
	lossFile   = ".chant/specs/" + ownID + ".md"
	inHome     = "git -C \"$home\" "
	precious   = "git init -q && echo precious > p.txt && git add . && git commit -q -m precious"
)

// ownClone is an ignored repository of the person in the checkout, with a file that is in no commit.
const ownClone = "echo deps/ > .gitignore; git add .gitignore; git commit -q -m ignore; git init -q deps; echo precious > deps/p.txt"

// ownSpec makes a commit before its script continues.
func ownSpec(script string) string {
	return "---\nstatus: pending\n---\n# Careful\n\nIt needs something.\n\n## Script\n\n```sh\nhome=\"$(cd \"$(git rev-parse --git-common-dir)/..\" && pwd)\"\n" +
		"echo committed > committed.txt; git add -A; git commit -q -m work\n" + script + "\n```\n\n## Acceptance Criteria\n\n- [ ] there `$ test -s committed.txt`\n"
}

func losses() []loss {
	onMain, onBranch := "git cat-file -e main:committed.txt", "git cat-file -e "+lossBranch+":committed.txt"
	merge := "chant merge " + ownID
	removed := `was removed during the run; what is committed on "` + lossBranch + `" is kept`
	gone := `branch "main", where the work was to land, is gone`
	secret := "echo SECRET > secret.txt; git add secret.txt; git commit -q -m secret"
	rewound := `"main" was rewound or rewritten: it no longer contains`
	noSecret := []string{"! " + merge, merge + " --rebase", onMain, "! git cat-file -e main:secret.txt", "! git log --format=%s main | grep secret"}
	return []loss{
		{name: "git clean -fdx", wall: refused, script: inHome + "clean -q -fdx", says: "Landed", then: []string{onMain}, lands: true},
		{name: "git clean -ffdx", walled: "was emptied during the run; what is committed on .* is kept", wall: stopped, script: "cd /; " + inHome + "clean -q -ffdx", says: removed, then: []string{onBranch}},
		{name: ".chant is removed", walled: "was emptied during the run; what is committed on .* is kept", wall: stopped, script: "cd /; rm -rf \"$home/.chant\"", says: removed, then: []string{onBranch, "git checkout -q -- .chant"}},
		{name: "the worktree is removed", walled: "was emptied during the run; what is committed on .* is kept", wall: stopped, script: "cd /; rm -rf \"$CHANT_WORKTREE_PATH\"", says: removed, then: []string{onBranch}},
		{name: "the branch is deleted", walled: `packed-refs\.lock" is not for agents and criteria`, wall: stopped, script: inHome + "update-ref -d refs/heads/" + lossBranch, says: `"` + lossBranch + `" was deleted during the run; it was restored at`, then: []string{onBranch, "! " + merge, "chant finalize " + ownID, merge, onMain}, lands: true},
		{name: "the target is renamed", wall: refused, script: inHome + "branch -m main trunk", says: gone, completed: true, then: []string{onBranch, "git branch main trunk", merge, onMain}, lands: true},
		{name: "the target is deleted", wall: refused, script: inHome + "checkout -q --detach; " + inHome + "branch -q -D main", says: gone, completed: true, then: []string{onBranch, "git branch main", merge, onMain}, lands: true},
		{name: "a commit is dropped from the target", wall: refused, before: secret, script: inHome + "reset -q --hard HEAD~1", says: rewound, completed: true, then: noSecret, lands: true},
		{name: "a commit of the target is amended", wall: refused, before: secret, script: inHome + "rm -q secret.txt; " + inHome + "commit -q --amend --allow-empty -m without", says: rewound, completed: true, then: noSecret, lands: true},
		{name: "a branch of that name is there", before: "git branch " + lossBranch, says: `"` + lossBranch + `" was not started by chant`, then: []string{"! " + merge, "git branch -m " + lossBranch + " kept", "chant work " + ownID, onMain, "git rev-parse -q --verify kept"}, lands: true},
		{name: "a person's settings drop what is merged", before: "git config pull.twohead ours; git config branch.main.mergeOptions '-s ours'", says: "Landed", then: []string{onMain}, lands: true},
		{name: "a repository in the worktree", wall: stopped, script: "mkdir sub; cd sub; " + precious, says: "a repository of its own in sub", then: []string{"chant reset " + ownID, "grep precious " + lossTree + ".kept-1/sub/p.txt"}},
		{name: "a repository in an ignored folder", wall: stopped, before: "echo build/ > .gitignore; git add .gitignore; git commit -q -m ignore", script: "mkdir -p build/repo; cd build/repo; " + precious, says: "(?s)kept the folder of the worktree.*Landed|(?s)Landed.*kept the folder of the worktree", then: []string{onMain, "git -C " + lossTree + ".kept-1/build/repo cat-file -e HEAD:p.txt"}, lands: true},
		{name: "a repository in an ignored folder, then reset", before: "echo build/ > .gitignore; git add .gitignore; git commit -q -m ignore", script: "mkdir -p build/repo; cd build/repo; " + precious + "\nexit 1", says: "failed", then: []string{"chant reset " + ownID, "git -C " + lossTree + ".kept-1/build/repo cat-file -e HEAD:p.txt"}},
		{name: "git clean -fdx after a failed run", script: "exit 7", says: "failed", then: []string{"git clean -q -fdx", onBranch, "test -s .git/chant/runs/" + ownID + ".jsonl", "chant diagnose " + ownID + " | grep -q 'exit code 7'"}},
		{name: "edits of a failed spec, then reset", script: "exit 1", says: "failed", then: []string{"EDITOR='sed -i s/Careful/Careless/' VISUAL= chant edit " + ownID, "chant update " + ownID + " --label urgent", "sed -i s/something/attention/ " + lossTree + "/" + lossFile, "chant reset " + ownID, "grep Careless " + lossFile, "grep urgent " + lossFile, "grep attention " + lossFile}},
		{name: "an edit in the checkout of a failed spec, then reset", script: "exit 1", says: "failed", then: []string{"sed -i s/something/attention/ " + lossFile, "chant reset " + ownID, "grep -q attention " + lossFile, "git commit -q -am mine"}},
		{name: "the branch has files where the person has a repository", before: ownClone, script: "mkdir deps; echo other > deps/p.txt; git add -f deps; git commit -q -m deps", says: `the repository "deps" is in the way`, completed: true,
			then: []string{"! " + merge, "grep precious deps/p.txt", "mv deps ../deps.kept && " + merge, onMain, "grep precious ../deps.kept/p.txt"}, lands: true},
		{name: "the branch has files where the person has a worktree", before: "echo trees/ > .gitignore; git add .gitignore; git commit -q -m ignore; git worktree add -q --detach trees/mine", script: "mkdir -p trees/mine; touch trees/mine/.envrc; git add -f trees; git commit -q -m trees", says: `the worktree "trees/mine" is in the way`, completed: true,
			then: []string{"! test -e trees/mine/.envrc", "git worktree move trees/mine ../mine && " + merge, onMain, "git -C ../mine status"}, lands: true},
		{name: "the branch has a file in the place of a submodule", before: "git init -q ../from; git -C ../from commit -q --allow-empty -m from; git -c protocol.file.allow=always submodule --quiet add \"$PWD/../from\" mod; git commit -q -m submodule; echo precious > mod/p.txt", script: "git rm -q -f mod .gitmodules; echo other > mod; git add mod; git commit -q -m file", says: `the submodule "mod" is in the way`, completed: true,
			then: []string{"grep precious mod/p.txt", "git -C mod stash -q --all && git submodule --quiet deinit -- mod && " + merge, onMain, "git --git-dir=.git/modules/mod show 'stash^3:p.txt' | grep precious"}, lands: true},
	}
}

// TestCheats_lose does to a repository during a run what could lose work, or have chant bring back
// what was dropped: it is reported as what it is, the steps that follow lead to the end, and CI in a
// clean clone agrees with what has landed.
func TestCheats_lose(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the agents are POSIX shell scripts")
	}
	for _, c := range losses() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			oneOf(t, 3)
			c.run(t, false)
		})
		if c.wall == stopped {
			t.Run(c.name+", walled", func(t *testing.T) {
				t.Parallel()
				oneOf(t, 3)
				c.run(t, true)
			})
		}
	}
}

// run checks that the loss is reported and that its next steps lead on.
func (c loss) run(t *testing.T, walled bool) {
	p := newCheated(t, walled)
	p.addFile(ownID, ownSpec(c.script))
	p.does(c.before)
	before := p.git("rev-parse", "main")
	around := p.lookOutside()
	out, errs, code := p.try(nil, "work", ownID)
	said, says := out+errs, c.says
	if walled {
		says = cmp.Or(c.walled, says)
		p.nothingElse(around, ownID)
	}
	assert.True(t, regexp.MustCompile(says).MatchString(said), "exit %d, want %q:\n%s", code, says, said)
	assert.Equal(t, code == 0, strings.Contains(out, "Landed"), "exit %q", says)
	if code != 0 {
		_, status := p.shell("chant status; chant diagnose " + ownID)
		said += status
	}
	assert.Equal(t, "", blames.FindString(said), "it says %s", said)
	if code != 0 && !c.completed {
		p.noPassInCI(ownID, before)
	}
	for _, line := range c.then {
		p.does(line)
	}
	p.agreesInCI(ownID, c.lands)
	p.sound()
}

// does runs a line of shell that has to succeed; one that begins with "!" has to fail.
func (p *project) does(line string) {
	p.t.Helper()
	if code, out := p.shell(line); code != 0 {
		p.t.Fatalf("%s: exit %d\n%s", line, code, out)
	}
}

// agreesInCI checks that main has the work of the spec and says so, or neither, and that CI in a clean
// clone of what has landed passes.
func (p *project) agreesInCI(id string, landed bool) {
	p.t.Helper()
	status, work := p.statusOnMain(id) == "completed", p.git("ls-tree", "--name-only", "main", "committed.txt") != ""
	if status != landed || work != landed {
		p.t.Errorf("main has the status: %t, the work: %t, want %t", status, work, landed)
	}
	if !landed {
		return
	}
	clone := *p
	clone.dir = filepath.Join(p.t.TempDir(), "clone")
	p.git("clone", "-q", "-b", "main", p.dir, clone.dir)
	clone.git("fetch", "-q", "origin", "refs/notes/*:refs/notes/*")
	if out, errs, code := clone.try([]string{"HOME=" + p.t.TempDir()}, "ci"); code != 0 {
		p.t.Errorf("chant ci in a clean clone: exit %d\n%s%s", code, out, errs)
	}
}

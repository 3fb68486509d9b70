package e2e

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// treeCheat is a way to make criteria hold by what is not committed: files that one command
// leaves for the next, files around the tree in which they run, or files of the person's checkout
// that the settings put into it.
type treeCheat struct {
	name     string
	settings string  // the front matter of config.md behind defaults
	script   string  // of the agent; $home is the person's checkout
	criteria string  // one command on each line
	named    string  // what diagnose says
	open     outcome // without a sandbox, unseen where only a sandbox prevents it
	wall     outcome // with a sandbox; "" where it makes no difference and another row shows that
	walled   string  // with a sandbox, what diagnose says instead
}

// flip is a command of the agent's making that turns work.txt from bad to good and, the second
// time, back.
const flip = "cat > flip.sh <<'END'\nif grep -q good work.txt; then new=baad; else new=good; fi\ntouch -r work.txt \"$HOME/ref\"\nprintf $new > work.txt\ntouch -r \"$HOME/ref\" work.txt\nEND\nprintf baad > work.txt\n"

// judgeAbove holds when a folder above the tree has a file.
const judgeAbove = "#!/bin/sh\nd=$PWD\nwhile [ \"$d\" != / ]; do [ -e \"$d/$1\" ] && exit 0; d=$(dirname \"$d\"); done\nexit 1\n"

func treeCheats() []treeCheat {
	return []treeCheat{
		{name: "makes the next criterion hold", wall: stopped, script: flip, criteria: "sh flip.sh\ngrep -q good work.txt\nsh flip.sh", named: "the criteria changed tracked files"},
		{name: "keeps size and time of what it changes", wall: stopped, script: flip, criteria: "sh flip.sh; git update-index --refresh; true\ngrep -q good work.txt", named: "the criteria changed tracked files"},
		{name: "has git trust its own list of files", script: flip, criteria: "git update-index --assume-unchanged work.txt; sh flip.sh\ngrep -q good work.txt\nsh flip.sh; git update-index --no-assume-unchanged work.txt", named: "the criteria changed tracked files"},
		{name: "replaces a file by another with its time", wall: stopped, script: flip, criteria: "sh flip.sh; cp -p work.txt new; mv new work.txt\ngrep -q good work.txt", named: "the criteria changed tracked files"},
		{name: "leaves a file for the next criterion", script: "echo bad > work.txt\n", criteria: "mkdir out; echo good > out/work.txt\ngrep -q good out/work.txt", named: "`grep -q good out/work.txt` exited with 2"},
		{name: "leaves an ignored file for the next criterion", script: "echo out/ > .gitignore\n", criteria: "mkdir out; echo good > out/work.txt\ngrep -q good out/work.txt", named: "`grep -q good out/work.txt` exited with 2"},
		{name: "leaves a file for the next try", script: "echo bad > work.txt\n", criteria: "test -e tried || { touch tried; false; }", settings: "verify: {retries: 2}\n", named: "exited with 1, tried 3 times"},
		{name: "changes what set-up has made", settings: "worktree: {setup: ['mkdir dep && echo bad > dep/judge']}\n", script: "echo dep/ > .gitignore\n", criteria: "echo good > dep/judge\ngrep -q good dep/judge", named: "`grep -q good dep/judge` exited with 1"},
		{name: "makes what runs beside it hold", settings: "verify: {parallel: true}\n", script: "echo bad > work.txt\n", criteria: "mkdir out; for i in 1 2 3 4 5 6 7 8 9; do echo good > out/work.txt; sleep 0.1; done\nfor i in 1 2 3 4 5 6 7; do test -e out/work.txt && exit 0; sleep 0.1; done; exit 1", named: "exited with 1"},
		{name: "installs a module above the worktrees", wall: refused, script: "mkdir -p \"$home/node_modules\" \"$home/.chant/node_modules\" ../node_modules; touch \"$home/node_modules/dep\" \"$home/.chant/node_modules/dep\" ../node_modules/dep; echo x > work.txt\n", criteria: "above node_modules/dep", named: "`above node_modules/dep` exited with 1"},
		{name: "puts a go.work above the worktrees", wall: refused, script: "touch \"$home/go.work\" \"$home/.chant/go.work\" ../go.work; echo x > work.txt\n", criteria: "above go.work", named: "`above go.work` exited with 1"},
		{name: "puts a go.work above the check tree", wall: refused, script: "touch \"$HOME/go.work\"; echo x > work.txt\n", criteria: "above go.work", named: "go.work\", above the folder in which criteria run, was added"},
		{name: "changes a linked tool", wall: refused, settings: "worktree: {link: [tools]}\n", script: "echo true > \"$home/tools/judge\"; echo x > work.txt\n", criteria: "sh tools/judge", named: `"tools/judge" of your checkout, which runs get a link to, was changed`},
		{name: "changes a linked tool in its worktree", wall: refused, settings: "worktree: {link: [tools]}\n", script: "echo true > tools/judge; echo x > work.txt\n", criteria: "sh tools/judge", named: `"tools/judge" of your checkout, which runs get a link to, was changed`},
		{name: "commits a tool in the place of the linked ones", wall: stopped, settings: "worktree: {link: [tools]}\n", script: "rm -rf tools; mkdir tools; echo true > tools/judge; git add -f tools/judge; git commit -qm tool; echo x > work.txt\n", criteria: "sh tools/judge", named: "tools/judge decides about tools, which is protected, since worktree.link leads to it, and was added"},
		{name: "has a criterion change a linked tool", walled: "`echo true > tools/judge` exited with 2: EACCES", wall: stopped, settings: "worktree: {link: [tools]}\n", script: "echo x > work.txt\n", criteria: "echo true > tools/judge\nsh tools/judge", named: `"tools/judge" of your checkout, which runs get a link to, was changed`},
		{name: "changes a copied file", wall: refused, settings: "worktree: {copy: [.env]}\n", script: "echo JUDGE=true > \"$home/.env\"; echo x > work.txt\n", criteria: ". ./.env; $JUDGE", named: `file ".env" of your checkout, which runs get a copy of, was changed`},
		{name: "adds a copied file", wall: refused, settings: "worktree: {copy: ['*.env']}\n", script: "echo JUDGE=true > \"$home/a.env\"; echo x > work.txt\n", criteria: "test -e a.env", named: `file "a.env" of your checkout, which runs get a copy of, was added`},
		{name: "has links checked out as files", wall: refused, script: "git config core.symlinks false; rm -f work.txt; ln -s good work.txt\n", criteria: "grep -q good work.txt", named: `git setting "core.symlinks" was added`},
		{name: "has a criterion keep a setting", walled: "`git config foo.bar good` exited with 255: EACCES", wall: stopped, script: "echo x > work.txt\n", criteria: "git config foo.bar good\ntest \"$(git config foo.bar)\" = good", named: `forbidden changes during the run: git setting "foo.bar" was added`},
		{name: "has a criterion move HEAD", wall: stopped, script: "echo x > work.txt\n", criteria: "git checkout -q HEAD~1", named: "the criteria changed what their tree has checked out, so they did not judge what is committed: HEAD moved to "},
		{name: "has a criterion check out a branch", wall: stopped, script: "echo x > work.txt\n", criteria: "git symbolic-ref HEAD refs/heads/kept; git update-ref refs/heads/kept \"$(git rev-parse chant/2026-01-02-001-abc)\"", named: `HEAD moved to branch "kept"`},
		{name: "has a criterion replace the worktree", wall: stopped, script: "echo x > work.txt\n", criteria: "rm .git; git init -q", named: "the folder is no longer a worktree of this repository"},
		{name: "leaves a file in the git folder of the tree", wall: stopped, script: "echo bad > work.txt\n", criteria: "echo good > \"$(git rev-parse --git-dir)/work.txt\"\ngrep -q good \"$(git rev-parse --git-dir)/work.txt\"", named: "exited with 2"},
		{name: "leaves marks where git writes in the git folder of the tree", wall: stopped, script: "echo bad > work.txt\n", criteria: "d=\"$(git rev-parse --git-dir)\"; for f in sharedindex.x fsmonitor--daemon.x ORIG_HEAD logs/HEAD; do echo good >> \"$d/$f\"; done; mkdir -p \"$d/modules\"; echo good > \"$d/modules/x\"\ngrep -qsr good \"$(git rev-parse --git-dir)\"", named: "exited with 1"},
		{name: "has git ignore the time of changes", wall: refused, script: "git config core.trustctime false; echo x > work.txt\n", criteria: "true", named: `git setting "core.trustctime" was added`},
		{name: "has git look at less of a file", wall: refused, script: "git config core.checkStat minimal; echo x > work.txt\n", criteria: "true", named: `git setting "core.checkstat" was added`},
		{name: "has git look at nothing of a file", wall: refused, script: "git config core.ignoreStat true; echo x > work.txt\n", criteria: "true", named: `git setting "core.ignorestat" was added`},
		{name: "makes a source older than what is built from it", wall: stopped, script: "echo bad > source; echo good > built\n", criteria: "touch -d 2001-01-01 source\ntest built -nt source", named: "`test built -nt source` exited with 1"},
		{name: "makes a folder older", wall: stopped, script: "mkdir d; echo x > d/f\n", criteria: "touch -d 2001-01-01 d\ntest judge -nt d", named: "`test judge -nt d` exited with 1"},
		{name: "has everyone write a file", wall: stopped, script: "echo x > work.txt; chmod 644 work.txt\n", criteria: "chmod 666 work.txt\nfind work.txt -perm 666 | grep -q .", named: "`find work.txt -perm 666 | grep -q .` exited with 1"},
		{name: "marks a folder", wall: stopped, script: "mkdir d; echo x > d/f\n", criteria: "chmod 1777 d\ntest -k d", named: "`test -k d` exited with 1"},
		{name: "marks the top of the tree", wall: stopped, script: "echo x > work.txt\n", criteria: "chmod 1755 .\ntest -k .", named: "`test -k .` exited with 1"},
		{name: "gives a file an attribute", open: unseen, wall: stopped, script: "echo x > work.txt\n", criteria: "/usr/bin/python3 -c 'import os; os.setxattr(\"work.txt\", \"user.x\", b\"y\")' || true\n/usr/bin/python3 -c 'import os; os.getxattr(\"work.txt\", \"user.x\")'", named: "exited with 1"},
		{name: "gives a file a flag", open: unseen, wall: stopped, script: "echo x > work.txt\n", criteria: "chattr +d work.txt || true\nlsattr work.txt | cut -d ' ' -f 1 | grep -q d", named: "exited with 1"},
		{name: "leaves a temporary file for the next criterion", wall: stopped, script: "echo x > work.txt\n", criteria: "echo good > \"${TMPDIR:-/nowhere}/left\" || true\ngrep -q good \"$TMPDIR/left\"", named: "exited with 2"},
		{name: "leaves something in a cache of its own", wall: stopped, settings: "sandbox: {caches: own}\n", script: "echo x > work.txt\n", criteria: "mkdir -p \"${GOCACHE:=/nowhere}\" && echo good > \"$GOCACHE/left\" || true\ngrep -q good \"$GOCACHE/left\"", named: "exited with 2"},
		{name: "leaves a file of a TiB", wall: stopped, script: "echo x > work.txt\n", criteria: "truncate -s 1T big; mkdir -p d; truncate -s 1T d/big\ntest -e big", named: "`test -e big` exited with 1"},
		{name: "leaves a pipe where git reads its rules", wall: stopped, script: "echo x > work.txt\n", criteria: "mkfifo .gitattributes .gitmodules; mkdir d; mkfifo d/.gitignore\ntest -p .gitattributes", named: "`test -p .gitattributes` exited with 1"},
		{name: "has a file that git tracks be a pipe", wall: stopped, script: "echo x > work.txt\n", criteria: "rm .gitignore; mkfifo .gitignore\ntrue", named: "the criteria changed tracked files, so they did not judge what is committed: .gitignore"},
		{name: "has the commit of the tree fill the memory", wall: stopped, script: "echo x > work.txt\n", criteria: "truncate -s 1T \"$(git rev-parse --git-dir)/HEAD\"", named: "the folder is no longer a worktree of this repository"},
		{name: "has the repository of the tree be elsewhere", wall: stopped, script: "echo x > work.txt\n", criteria: "git init -q own; echo \"$PWD/own/.git\" > \"$(git rev-parse --git-dir)/commondir\"", named: "the folder is no longer a worktree of this repository"},
		{name: "leaves folders without permissions", wall: stopped, script: "echo x > work.txt\n", criteria: "mkdir -p d/e; echo x > d/e/f; chmod 0 d/e d\ntest -e d", named: "`test -e d` exited with 1"},
		{name: "has line endings written otherwise", wall: refused, script: "git config core.autocrlf true; echo x > work.txt\n", criteria: "true", named: `git setting "core.autocrlf" was added`},
	}
}

// spec is the file of the cheat's spec.
func (c treeCheat) spec() string {
	text := "---\nstatus: pending\n---\n# Cheat\n\n## Script\n\n```sh\nhome=\"$(cd \"$(git rev-parse --git-common-dir)/..\" && pwd)\"\n" + c.script + "\n```\n\n## Acceptance Criteria\n\n"
	for i, line := range strings.Split(c.criteria, "\n") {
		text += "- [ ] criterion " + string(rune('a'+i)) + " `$ " + line + "`\n"
	}
	return text
}

// TestCheats_seeOnlyWhatIsCommitted lets agents put what criteria look for everywhere but into a
// commit: nothing lands, diagnose says why, and a clean clone says no different.
func TestCheats_seeOnlyWhatIsCommitted(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the agents are POSIX shell scripts")
	}
	for _, c := range treeCheats() {
		if c.open != unseen {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				oneOf(t, 6)
				c.run(t, false)
			})
		}
		if c.wall == stopped {
			t.Run(c.name+", walled", func(t *testing.T) {
				t.Parallel()
				oneOf(t, 6)
				c.run(t, true)
			})
		}
	}
}

// run checks that the cheat is stopped and named.
func (c treeCheat) run(t *testing.T, walled bool) {
	p := newCheated(t, walled)
	p.lends("---\ndefaults: {provider: shell}\n" + c.settings + "---\n")
	p.git("branch", "kept", "HEAD~1")
	p.git("tag", "v1", "HEAD~1")
	const id = "2026-01-02-001-abc"
	p.addFile(id, c.spec())
	before, around := p.git("rev-parse", "main"), p.lookOutside()
	out, said, code := p.try([]string{"PATH=" + p.home("bin") + ":" + os.Getenv("PATH")}, "work", id)
	assert.NotEqual(t, 0, code, "it landed:\n%s%s", out, said)
	if p.git("rev-parse", "main") != before {
		t.Errorf("main moved:\n%s", p.git("log", "--oneline", "main"))
	}
	named := c.named
	if walled {
		named = cmp.Or(c.walled, named)
		p.nothingElse(around, id, "a repo/.git/info/exclude") // where chant lists links
	}
	diagnosis, _, _ := p.try(nil, "diagnose", id)
	assert.Contains(t, diagnosis, named, "diagnose does not say %s %s", out, said)
	p.stays(id, before)
	p.cleanClone(id)
	p.noCheckTrees()
}

// lends prepares a project with these settings, files that its runs can get from the checkout, and a remote.
func (p *project) lends(settings string) {
	p.t.Helper()
	p.git("init", "-q", "--bare", p.home("origin.git"))
	p.git("remote", "add", "origin", p.home("origin.git"))
	p.tool("above", judgeAbove)
	p.write(".gitignore", "tools/\n*.env\nnode_modules/\ngo.work\n")
	p.write(".env", "JUDGE=false\n")
	p.write("tools/judge", "false\n")
	p.write(".chant/config.md", settings)
	p.git("add", ".")
	p.git("commit", "-q", "-m", "settings")
}

// TestCheckTree_otherRefs has criteria change branches and tags that are not the run's. A person or a fetch may do the
// same at that time, so the run lands, and the change is reported.
func TestCheckTree_otherRefs(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.git("branch", "kept")
	p.git("branch", "moved")
	p.git("tag", "v1")
	// Where the work began, they would change the same refs before.
	p.write(".chant/config.md", "---\ndefaults: {provider: shell}\nverify: {red_first: off}\n---\n")
	p.git("commit", "-q", "-a", "-m", "settle")
	first := p.git("rev-parse", "--short=7", "kept")
	p.addFile(ownID, treeCheat{script: "echo x > x.txt", criteria: "git branch release\ngit update-ref refs/heads/moved HEAD\ngit branch -q -D kept\ngit tag v2\ngit tag -f v1"}.spec())
	out, said, code := p.try(nil, "work", ownID)
	assert.Equal(t, 0, code, "exit %s %s", out, said)
	for _, want := range []string{
		`branch "release" was added;`, `branch "moved" was moved from ` + first, `branch "kept" was removed from ` + first,
		`tag "v2" was added;`, `tag "v1" was moved from ` + first,
	} {
		assert.Equal(t, strings.Count(said, "while the criteria ran, "+want), 1, "%q is not reported once:\n%s", want, out)
	}
	assert.Equal(t, "completed", p.statusOnMain(ownID))
}

// TestCheckTree_leavesPeopleAlone has a person commit to the target, start a branch and change what it tracks while
// criteria run: nothing of that is held against the criteria.
func TestCheckTree_leavesPeopleAlone(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the criterion is a POSIX shell script")
	}
	p := newProject(t)
	p.tool("person", "#!/bin/sh\n[ ! -e \"$HOME/was\" ] || exit 0\ntouch \"$HOME/was\"\ncd \"$(git rev-parse --git-common-dir)/..\" || exit 1\nunset GIT_CEILING_DIRECTORIES\n"+
		"git -c user.name=p -c user.email=p@example.com commit -q --allow-empty -m more && git switch -q -c mine && git config branch.mine.remote origin\n")
	p.addFile(ownID, treeCheat{script: "echo x > x.txt", criteria: "person"}.spec())
	out, said, code := p.try([]string{"PATH=" + p.home("bin") + ":" + os.Getenv("PATH")}, "work", ownID)
	assert.Equal(t, 0, code, "exit %s %s", out, said)
	assert.Equal(t, "completed", p.statusOnMain(ownID), "exit %s %s", out, said)
	log := p.git("log", "--format=%s", "main")
	assert.Contains(t, log, "more\n", "the person's work is missing:")
	assert.Equal(t, "mine", p.git("branch", "--show-current"), "the person's work is missing:")
}

// TestCheats_unmountedWorktree has a criterion of the agent spoil the tree in which it runs, while the drive with a worktree of
// the person is not mounted: what git keeps of that worktree stays.
func TestCheats_unmountedWorktree(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the criterion is a POSIX shell script")
	}
	p := newProject(t)
	p.does("git worktree add -q --detach ../drive/mine && cd ../drive/mine && git commit -q --allow-empty -m 'only here' && echo staged > staged.txt && git add staged.txt && cd .. && mv ../drive ../drive.away")
	p.addFile(ownID, treeCheat{script: "echo x > x.txt", criteria: "rm .git && mkdir .git"}.spec())
	out, said, code := p.try(nil, "work", ownID)
	assert.NotEqual(t, 0, code, "it landed:\n%s%s", out, said)
	p.noCheckTrees()
	p.does("mv ../drive.away ../drive && cd ../drive/mine && test \"$(git log -1 --format=%s)\" = 'only here' && git diff --cached --name-only | grep staged.txt")
}

// cleanClone checks that another machine, with the notes but nothing of this one, does not
// believe more than main says.
func (p *project) cleanClone(id string) {
	p.t.Helper()
	if p.statusOnMain(id) != "completed" {
		return
	}
	p.git("push", "-q", "origin", "main", "refs/notes/*:refs/notes/*")
	clone := *p
	clone.dir = p.home("clone")
	p.git("clone", "-q", p.home("origin.git"), clone.dir)
	clone.git("fetch", "-q", "origin", "refs/notes/*:refs/notes/*")
	fresh := []string{"HOME=" + p.t.TempDir(), "PATH=" + filepath.Dir(p.program) + ":" + os.Getenv("PATH")}
	if out, said, code := clone.try(fresh, "ci"); code == 0 {
		p.t.Errorf("chant ci passes in a clean clone:\n%s%s", out, said)
	}
}

// noCheckTrees checks that no tree of a check is left, neither on disk nor in git's list.
func (p *project) noCheckTrees() {
	p.t.Helper()
	if trees := p.git("worktree", "list"); strings.Contains(trees, ".check-") {
		p.t.Errorf("check trees are left:\n%s", trees)
	}
	if left, err := filepath.Glob(filepath.Join(p.home(".cache"), "chant", "*", ".check-*")); err != nil || len(left) > 0 {
		p.t.Errorf("check trees are left: %q, %v", left, err)
	}
}

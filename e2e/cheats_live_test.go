package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// live is what an agent does to its worktree and to git's folder of it, while it is at work, so that chant or git, started by
// others, runs a program of the agent's outside of the sandbox, works on another worktree or branch, or does not end.
type live struct {
	name   string
	before string   // lines of shell in the checkout, before its run
	script string   // of the agent: $admin is git's folder of the worktree, $other another spec, $bait a folder outside with a file
	then   []string // lines of shell in the checkout that succeed while the agent works; $tree is its worktree
}

// runsOutside is a line of shell that writes a program to a file, which leaves a mark if it runs outside of the sandbox.
const runsOutside = `evil() { mkdir -p "$(dirname "$1")"; printf '#!/bin/sh\necho "$0 $*" >> %s/escaped\ncat\n' "$HOME" > "$1"; chmod +x "$1"; }; `

// allPrograms are settings of git that name a program.
const allPrograms = `all() { for s in core.fsmonitor diff.external diff.x.textconv diff.x.command filter.x.clean filter.x.smudge filter.x.process core.pager pager.diff core.sshCommand core.askPass credential.helper core.editor gpg.program merge.x.driver core.alternateRefsCommand uploadpack.packObjectsHook; do git config "$@" "$s" "$PWD/evil"; done; git config "$@" core.hooksPath "$PWD/hooks"; git config "$@" protocol.ext.allow always; for h in post-checkout post-index-change reference-transaction pre-commit post-commit post-merge fsmonitor-watchman; do cp evil "hooks/$h"; done; }; `

// glances are what a person may look at while an agent works.
func glances() []string {
	return []string{"chant list", "chant status", "chant worktree status", "chant show " + ownID, "chant cleanup --yes"}
}

func lives() []live {
	hooks := "git config core.hooksPath .githooks; mkdir .githooks; printf '#!/bin/sh\\nexit 0\\n' > .githooks/pre-commit; chmod +x .githooks/pre-commit; git add -A; git commit -q -m hooks; git switch -q -c dev"
	failed := "chant work " + otherID + " > /dev/null 2>&1; true"
	reads := []string{"chant diff " + ownID + " > /dev/null || true", "chant review " + ownID + " --plain > /dev/null || true", "chant diagnose " + ownID + " > /dev/null"}
	inTree := []string{"cd \"$tree\" && chant list && chant status && chant diff " + ownID, "cd \"$tree\" && ! chant reset " + ownID, "cd \"$tree\" && chant work " + ownID + " --dry-run || true"}
	return []live{
		{"main in a worktree elsewhere, with hooks of the project", hooks, elsewhere + runsOutside + `git read-tree main; echo "ref: refs/heads/main" > "$admin/HEAD"; for h in post-merge post-checkout post-index-change reference-transaction; do evil "$x/.githooks/$h"; done; (cd "$x"; git checkout-index -a -f)`, nil},
		{"main in its worktree, with changes in the way", "git switch -q -c dev", `git checkout -q -f --ignore-other-worktrees main; echo dirt > y.txt`, nil},
		{"a spec of another run in a worktree elsewhere", failed, elsewhere + `echo "ref: refs/heads/chant/$other" > "$admin/HEAD"; mkdir -p "$x/.chant/specs"; git show "chant/$other:.chant/specs/$other.md" | sed 's/test -e z.txt/true/' > "$x/.chant/specs/$other.md"`,
			[]string{"chant update " + otherID + " --label late", "git show chant/" + otherID + ":.chant/specs/" + otherID + ".md | grep -q 'test -e z.txt'"}},
		{"another repository in the place of its worktree", "", runsOutside + allPrograms + `rm .git; git init -q; evil evil; evil hooks/x; all; echo '* diff=x filter=x' > .gitattributes; git add -A 2> /dev/null || true`, inTree},
		{"a repository with a project in its worktree", "", runsOutside + allPrograms + `mkdir sub; cp -r .chant sub; cd sub; git init -q; evil evil; evil hooks/x; all; git add -A 2> /dev/null || true; cd ..`,
			[]string{"cd \"$tree/sub\" && chant list && chant status && { chant work " + otherID + " --dry-run || true; } && ! chant reset " + ownID}},
		{"another repository behind its worktree", "", runsOutside + allPrograms + `git init -q own; (cd own; evil evil; evil hooks/x; all); echo "$PWD/own/.git" > "$admin/commondir"`, append(inTree[:1:1], reads...)},
		{"settings of its worktree", "git config extensions.worktreeConfig true", runsOutside + allPrograms + `evil evil; evil hooks/x; all --file "$admin/config.worktree"; git config --file "$admin/config.worktree" core.worktree "$bait"; git config --file "$admin/config.worktree" include.path "$PWD/more"; git config --file more alias.status '!'"$PWD/evil"; echo '* diff=x filter=x' > .gitattributes`, append(inTree[:1:1], reads...)},
		{"a script of the project that shows differences", "mkdir tools; printf '#!/bin/sh\\ncat \"$1\"\\n' > tools/t; chmod +x tools/t; echo '*.dat diff=x' > .gitattributes; echo a > a.dat; git config diff.x.textconv tools/t; git config diff.y.command tools/t; git add -A; git commit -q -m tools", runsOutside + `evil tools/t; echo b > a.dat; echo '* diff=y' >> .gitattributes; git add -A; git commit -q -m b; echo c > a.dat`, reads},

		{"a rebase of main", "", `mkdir "$admin/rebase-merge"; echo refs/heads/main > "$admin/rebase-merge/head-name"`, nil},
		{"a rebase of the branch of another run", failed, `mkdir "$admin/rebase-apply"; echo "refs/heads/chant/$other" > "$admin/rebase-apply/head-name"`, []string{"chant reset " + otherID}},
		{"the branch of another run", "", `echo "ref: refs/heads/chant/$other" > "$admin/HEAD"`, nil},
		{"the place of another run", "", `echo "$home/.chant/worktrees/$other/.git" > "$admin/gitdir"; : > "$admin/locked"`, nil},
		{"the place of the checkout", "", `echo "$home/.git" > "$admin/gitdir"; echo "ref: refs/heads/main" > "$admin/HEAD"`, nil},
		{"pipes in git's folder", "", `for f in commondir HEAD gitdir index config.worktree; do rm -f "$admin/$f"; mkfifo "$admin/$f" || : > "$admin/$f"; done`, nil},
		{"folders in git's folder", "", `for f in commondir HEAD gitdir index; do rm -f "$admin/$f"; mkdir "$admin/$f"; done`, nil},
		{"files of a TiB in git's folder", "", `for f in commondir HEAD gitdir index; do truncate -s 1T "$admin/$f"; done`, nil},
		{"pipes where git reads its rules", "", `for f in .gitignore .gitattributes .gitmodules; do rm -f $f; mkfifo $f; done`, nil},
		{"no commit", "", `echo 1111111111111111111111111111111111111111 > "$admin/HEAD"`, nil},
		{"no HEAD", "", `echo text > "$admin/HEAD"`, nil},
	}
}

// TestCheats_live has an agent do such things and work on. Meanwhile a person looks at the runs, and another spec is worked
// and lands; afterwards a third one does, and the run can be reset. No program of the agent has run outside of the sandbox,
// and nothing outside of the runs is changed.
func TestCheats_live(t *testing.T) {
	t.Parallel()
	needsWall(t)
	for _, c := range lives() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			oneOf(t, 6)
			c.run(t)
		})
	}
}

func (c live) run(t *testing.T) {
	p := newCheated(t, true)
	const third = "2026-01-02-003-ghi"
	assert.NoError(t, os.Mkdir(p.home("begun"), 0o755))
	p.write("../bait/mine", "mine\n")
	p.write(".chant/config.md", "---\ndefaults: {provider: shell, main_branch: main}\nsandbox: {write: [~/begun]}\n---\n")
	p.does("git commit -q -a -m settings")
	p.addFile(otherID, strings.Replace(boxSpec("echo y > y.txt\n"+ticks+"[ ! -e \"$HOME/fails\" ]"), "- [ ] a person", "- [ ] there `$ test ! -e z.txt || test -e z.txt`\n- [ ] a person", 1))
	p.addFile(third, boxSpec("echo z > z.txt\n"+ticks))
	p.addFile(ownID, boxSpec("echo x > x.txt\n"+ticks+`admin=$(git rev-parse --absolute-git-dir) bait="$HOME/bait" other=`+otherID+"\n( set +e\n"+c.script+"\n) 2>&1 || true\n"+
		`: > "$HOME/begun/x"; while [ ! -e "$HOME/go" ]; do sleep 0.02; done`))
	p.leave("fails")
	p.does(c.before + "\ntrue")
	assert.NoError(t, os.Remove(p.home("fails")))
	around := p.lookOutside()
	b := p.begin("work", ownID)
	p.awaitFile("begun/x")
	for _, line := range append(glances(), c.then...) {
		p.does("tree=.chant/worktrees/" + ownID + "\n" + line)
	}
	_, errs, code := p.try(nil, "work", otherID)
	assert.Equal(t, 0, code, "work of another spec ends with %s", errs)
	p.leave("go")
	b.end()
	p.chant("work", third)
	for _, id := range []string{otherID, third} {
		assert.Equal(t, "completed", p.statusOnMain(id), "spec %s", id)
	}
	if p.statusOnMain(ownID) != "completed" {
		p.chant("reset", ownID)
	}
	ran, err := os.ReadFile(p.home("escaped"))
	assert.Error(t, err, "it ran outside of the sandbox: %s", ran)
	assert.Equal(t, "mine\n", read(t, p.home("bait/mine")), "the file outside")
	p.nothingElse(around, ownID, ".chant/specs/"+otherID+".md", ".chant/specs/"+third+".md", "begun/x", "go", "a repo/.git/COMMIT_EDITMSG", filepath.Base(b.out.Name()), filepath.Base(b.err.Name()))
}

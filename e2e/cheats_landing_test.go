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

// lander is a way in which an agent could have a later command land what nothing has
// checked: it kills chant, or prepares a branch that waits.
type lander struct {
	name   string
	script string
	spec   func(script string) string // cheatSpec's, or one with a box alone
	other  bool                       // the agent's own spec is honest, the branch of another one is to land
	named  string                     // what the refusal or diagnose says
	walled string                     // the script with a sandbox, "" = the same
}

const (
	ownID   = "2026-01-02-001-abc"
	otherID = "2026-01-02-002-def"
)

// boxSpec has nothing but a box: whether it holds is what its agent says.
func boxSpec(script string) string {
	return "---\nstatus: pending\n---\n# Cheat\n\n## Script\n\n```sh\nspec=.chant/specs/$CHANT_SPEC_ID.md\nhome=\"$(cd \"$(git rev-parse --git-common-dir)/..\" && pwd)\"\n" +
		script + "\n```\n\n## Acceptance Criteria\n\n- [ ] a person has looked\n"
}

func commandSpec(script string) string { return cheatSpec(cheat{script: script}) }

// forge commits a completion as chant does.
const forgesCompletion = "sed -i 's/status: in_progress/status: completed/' \"$spec\"; git add -A .; git commit -qm \"chant($CHANT_SPEC_ID): complete\n\nChant-Spec: $CHANT_SPEC_ID\nChant-Event: complete\nChant-Attempt: 1\"\n"

// journaled writes into the journal what chant would have written: %s is a record without
// its braces.
func journaled(records ...string) string {
	script := "for journal in \"$home/.git/chant/runs/$CHANT_SPEC_ID.jsonl\" \"$home/.chant/runs/$CHANT_SPEC_ID.jsonl\"; do [ -e \"$journal\" ] || continue\n"
	for _, record := range records {
		script += "echo \"{\\\"time\\\":\\\"2026-01-02T00:00:00Z\\\",\\\"attempt\\\":1," + strings.ReplaceAll(record, `"`, `\"`) + "}\" >> \"$journal\"\n"
	}
	return script + "done\n"
}

const (
	agentDone    = `"step":"agent","state":"done","data":{"ok":true}`
	verifyDone   = `"step":"verify","state":"done","data":{"verified":true}`
	completeDone = `"step":"complete","state":"done","data":"$(git rev-parse HEAD)"`
	trustHead    = `"step":"trust","state":"done","data":{"commit":"$(git rev-parse HEAD)"}`
	landBegun    = `"step":"land","state":"begin"`
	kill         = "kill -9 $PPID\n"
	ticks        = "sed -i 's/^- \\[ \\]/- [x]/' \"$spec\"\n"
)

func landers() []lander {
	onOther := "git worktree add -q --detach \"$HOME/side\" main && cd \"$HOME/side\"\nspec=.chant/specs/" + otherID + ".md; CHANT_SPEC_ID=" + otherID + "\n"
	rows := []lander{
		{name: "forges the completion and kills chant", spec: boxSpec, script: "echo evil > .chant/evil.md\n" + ticks + forgesCompletion + kill, named: "says that it is chant's (Chant-Event: complete)"},
		{name: "completes bad work in the journal and kills chant", spec: commandSpec, script: badWork + forgesCompletion + journaled(agentDone, verifyDone, completeDone, landBegun) + kill, named: "`grep -q good work.txt` exited with 1"},
		{name: "hides a file of .chant by the journal and kills chant", spec: boxSpec, script: "echo evil > .chant/evil.md\n" + ticks + forgesCompletion + journaled(agentDone, verifyDone, completeDone) + kill, named: ".chant/evil.md was added"},
		{name: "changes a protected file and kills chant", spec: func(script string) string {
			return strings.Replace(boxSpec(script), "status: pending\n", "status: pending\nverify: {protect: [Makefile]}\n", 1)
		}, script: "echo all: > Makefile\n" + ticks + forgesCompletion + journaled(agentDone, verifyDone, completeDone) + kill, named: "Makefile is protected and was added"},
		{name: "weakens a criterion, has the journal trust it and kills chant", spec: commandSpec, script: badWork + "sed -i 's/grep -q good work.txt/true/' \"$spec\"; git add -A .; git commit -qm work\n" + journaled(trustHead, agentDone) + kill, named: "criterion 1 was removed or reworded"},
		{name: "adds a git setting and kills chant", spec: boxSpec, script: "echo x > x.txt; git config alias.push '!true'\n" + ticks + forgesCompletion + kill, named: `git setting "alias.push" was added`},
		{name: "adds a git setting, takes what was before out of the journal and kills chant", spec: boxSpec, script: "echo x > x.txt; git config alias.push '!true'; sed -i '/\"step\":\"guard\"/d' \"$home/.git/chant/runs/$CHANT_SPEC_ID.jsonl\"\n" + ticks + forgesCompletion + kill, named: "it does not say what was around the run"},
		{name: "makes a branch for the next spec", spec: boxSpec, other: true, script: "echo x > x.txt\n" + ticks + "(" + onOther +
			"sed -i 's/status: pending/status: completed/; s/^- \\[ \\]/- [x]/; s/ `\\$ false`//' \"$spec\"; echo evil > .chant/evil.md; git add -A .; git commit -qm \"chant(" + otherID + "): complete\"; git branch chant/" + otherID + " HEAD)\n", named: "removed branch chant/" + otherID + ", added during the run"},
		{name: "makes a branch for the next spec with its start", spec: boxSpec, other: true, script: "echo x > x.txt\n" + ticks + "(" + onOther +
			"sed -i 's/status: pending/status: in_progress/' \"$spec\"; git add -A .; git commit -qm \"chant(" + otherID + "): start\n\nChant-Spec: " + otherID + "\nChant-Event: start\nChant-Attempt: 1\"\n" +
			"sed -i 's/ `\\$ false`//' \"$spec\"\n" + ticks + forgesCompletion + "git branch chant/" + otherID + " HEAD)\n", named: "was not completed by chant in this repository"},
	}
	// Of git, the wall lets an agent write to the branches of runs, but to no other worktree.
	inPlace := strings.NewReplacer(onOther, "git add -A .; git commit -qm x; own=$(git rev-parse HEAD)\nspec=.chant/specs/"+otherID+".md; CHANT_SPEC_ID="+otherID+"\n",
		" HEAD)\n", " HEAD; git reset -q --hard \"$own\")\n")
	for i := range rows {
		if rows[i].other {
			rows[i].walled = inPlace.Replace(rows[i].script)
		}
	}
	return rows
}

// TestCheats_afterAKill has agents kill chant, or prepare the branch of another spec, so
// that a later command meets what nothing has judged. No command lands it, and what the
// branch claims does not pass CI in a clean clone either.
func TestCheats_afterAKill(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the agents are POSIX shell scripts that signal their parent")
	}
	for i, c := range landers() {
		thens := []string{"work", "merge", "watch --once --work"}
		if i < 2 { // all that may come next
			thens = append(thens, "finalize", "watch --once", "work --all")
		}
		for _, then := range thens {
			t.Run(c.name+", then "+then, func(t *testing.T) {
				t.Parallel()
				oneOf(t, 6)
				p := newProject(t)
				p.addFile(ownID, c.spec(c.script))
				p.addFile(otherID, "---\nstatus: pending\n---\n# Another\n\n## Acceptance Criteria\n\n- [ ] done `$ false`\n")
				id := ownID
				if c.other {
					id = otherID
				}
				before := p.git("rev-parse", "main")
				out, errs, code := p.try(nil, "work", ownID)
				assert.NotEqual(t, c.other, code == -1, "the agent's run ended")
				said := out + errs + p.remains(id, then)
				for _, ask := range []string{"diagnose", "merge", "finalize"} {
					out, errs, _ := p.try(nil, ask, id)
					said += out + errs
				}
				assert.Contains(t, said, c.named)
				if !c.other {
					p.stays(id, before)
				} else if status := p.statusOnMain(id); status == "completed" {
					t.Errorf("main has it as %s", status)
				}
				p.noPassInCI(id, before)
			})
		}
	}
}

// TestCheats_afterAKillWalled has the agents try the same behind the wall: chant lives on where the wall refuses signals,
// and what they have forged on their branch is found.
func TestCheats_afterAKillWalled(t *testing.T) {
	t.Parallel()
	for _, c := range landers() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			oneOf(t, 3)
			p := newCheated(t, true)
			p.addFile(ownID, c.spec(cmp.Or(c.walled, c.script)))
			p.addFile(otherID, "---\nstatus: pending\n---\n# Another\n\n## Acceptance Criteria\n\n- [ ] done `$ false`\n")
			id := ownID
			if c.other {
				id = otherID
			}
			before, around := p.git("rev-parse", "main"), p.lookOutside()
			out, errs, code := p.try(nil, "work", ownID)
			assert.Equal(t, c.other, code == 0, "the agent's run ended with %s %s", out, errs)
			assert.False(t, code == -1 && refusesSignals(), "the agent's run ended with %d\n%s%s", code, out, errs)
			said := out + errs
			for _, then := range []string{"work", "merge", "watch --once --work", "finalize", "work --all"} {
				said += p.remains(id, then)
			}
			diagnosis, _, _ := p.try(nil, "diagnose", id)
			if said += diagnosis; !strings.Contains(said, c.named) && !strings.Contains(said, keptFrom) && !strings.Contains(said, "says that it is chant's") {
				t.Errorf("nothing says %q:\n%s", c.named, said)
			}
			p.nothingElse(around, ownID)
			p.noPassInCI(id, before)
		})
	}
}

// remains runs a command that must not land the spec, and returns what it printed.
func (p *project) remains(id, then string) string {
	p.t.Helper()
	args := strings.Fields(then)
	if len(args) == 1 {
		args = append(args, id)
	}
	out, errs, code := p.try(nil, args...)
	if len(args) == 2 && args[1] == id && code == 0 {
		p.t.Errorf("chant %s succeeds:\n%s%s", then, out, errs)
	}
	if status := p.statusOnMain(id); status == "completed" {
		p.t.Fatalf("chant %s landed it:\n%s%s", then, out, errs)
	}
	return out + errs
}

// noPassInCI merges the branch of a spec by hand, as a pull request would, and has CI in a
// clean clone look at it: a spec that it says is completed is not believed.
func (p *project) noPassInCI(id, base string) {
	p.t.Helper()
	tip := p.git("for-each-ref", "--format=%(objectname)", "refs/heads/chant/"+id)
	if tip == "" {
		return
	}
	clone := filepath.Join(p.t.TempDir(), "clone")
	p.git("clone", "-q", p.dir, clone)
	p.git("-C", clone, "fetch", "-q", "origin", "refs/notes/*:refs/notes/*")
	p.git("-C", clone, "-c", "user.name=t", "-c", "user.email=t@example.com", "merge", "-q", "--no-ff", "-m", "Merge a pull request", tip)
	if !strings.Contains(p.git("-C", clone, "show", "HEAD:.chant/specs/"+id+".md"), "\nstatus: completed\n") {
		return // nothing claims that it is done
	}
	there := *p
	there.dir = clone
	out, errs, code := there.try(nil, "ci", base+"..HEAD")
	if code == 0 {
		p.t.Errorf("chant ci passes in a clean clone:\n%s%s", out, errs)
	}
}

// beside is a way to change what lies around a landing.
type beside struct {
	name, script, named, start string
	wall                       outcome // with a sandbox
	walled                     string  // with a sandbox, what work says instead
}

func besides() []beside {
	const moveOn = "verify: ['git update-ref refs/heads/main $(git -c user.name=x -c user.email=x@example.com commit-tree -p main -m more main^{tree})']\n"
	return []beside{
		{name: "leads notes to main", script: goodWork + "git symbolic-ref refs/notes/chant refs/heads/main", named: `symbolic ref "refs/notes/chant" was added`, wall: refused},
		{name: "leads another branch to main", script: goodWork + "git symbolic-ref refs/heads/release refs/heads/main", named: `symbolic ref "refs/heads/release" was added`, wall: refused},
		{name: "makes main an alias", script: goodWork + "git branch -m main trunk; git symbolic-ref refs/heads/main refs/heads/trunk", named: `symbolic ref "refs/heads/main" was added`, wall: refused},
		{name: "borrows objects", script: goodWork + "mkdir \"$HOME/objects\"; echo \"$HOME/objects\" > \"$home/.git/objects/info/alternates\"", named: "git's objects/info/alternates was added", wall: refused},
		{name: "has merges drop what is merged", script: goodWork + "git config pull.twohead ours", named: `git setting "pull.twohead" was added`, wall: refused},
		{name: "has main drop what is merged", script: goodWork + "git config branch.main.mergeOptions '-s ours'", named: `git setting "branch.main.mergeoptions" was added`, wall: refused},
		{name: "rewinds the target", script: goodWork + "git update-ref refs/heads/main HEAD~2", named: `"main" was rewound or rewritten`, wall: refused},
		{name: "has a criterion move the target on", script: goodWork, start: moveOn, named: `forbidden changes during the run: branch "main" received commit`, wall: stopped, walled: "exited with 129: EACCES"},
	}
}

// TestCheats_besideLanding has agents and criteria change what lies around a landing.
func TestCheats_besideLanding(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the agents are POSIX shell scripts")
	}
	for _, c := range besides() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			oneOf(t, 3)
			c.run(t, false)
		})
		if walled := c; c.wall == stopped {
			walled.named = c.walled
			t.Run(c.name+", walled", func(t *testing.T) {
				t.Parallel()
				oneOf(t, 3)
				walled.run(t, true)
			})
		}
	}
}

// run checks that nothing lands.
func (c beside) run(t *testing.T, walled bool) {
	p := newCheated(t, walled)
	p.addFile(ownID, cheatSpec(cheat{script: c.script, start: c.start}))
	p.git("commit", "-q", "--allow-empty", "-m", "A commit that a person keeps")
	around := p.lookOutside()
	out, errs, code := p.try(nil, "work", ownID)
	assert.NotEqual(t, 0, code, "exit %s", out)
	assert.Contains(t, errs, c.named, "exit %s", out)
	assert.NotEqual(t, "completed", p.statusOnMain(ownID))
	if walled {
		p.nothingElse(around, ownID)
	}
}

// TestCheats_mergedTree has a criterion add a hook only where it runs on the merged tree.
func TestCheats_mergedTree(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the agents are POSIX shell scripts")
	}
	for name, c := range map[string]struct {
		walled bool
		says   string
	}{
		"open":   {false, `git hook "pre-push" was added`},
		"walled": {true, `.git/hooks/pre-push" is ` + keptFrom},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newCheated(t, c.walled)
			p.addFile(ownID, cheatSpec(cheat{script: goodWork, start: "verify: ['[ ! -e moved.txt ] || printf x > \"$(git rev-parse --git-common-dir)/hooks/pre-push\"']\n"}))
			p.chant("work", ownID, "--no-merge")
			p.write("moved.txt", "moved")
			p.git("add", "moved.txt")
			p.git("commit", "-q", "-m", "move")
			before := p.git("rev-parse", "main")
			out, errs, code := p.try(nil, "merge", ownID)
			assert.NotEqual(t, 0, code, "exit %s", out)
			assert.Contains(t, errs, c.says, "exit %s", out)
			assert.Equal(t, before, p.git("rev-parse", "main"), "exit %s", out)
			_, err := os.Stat(filepath.Join(p.dir, ".git", "hooks", "pre-push"))
			assert.Equal(t, os.IsNotExist(err), c.walled)
			if !c.walled {
				p.stays(ownID, before)
			} else if _, _, code := p.try(nil, "merge", ownID); code == 0 {
				t.Error("a second merge lands it")
			}
		})
	}
}

// TestCheats_waitingBranch has another run's agent commit to a branch that waits to land.
func TestCheats_waitingBranch(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the agents are POSIX shell scripts")
	}
	const inWorktree = "git worktree add -q \"$HOME/side\" chant/" + ownID + " || git worktree add -q -f \"$HOME/side\" chant/" + ownID +
		"\ncd \"$HOME/side\" && echo evil > evil.txt && git add . && git commit -qm evil && git worktree remove --force \"$HOME/side\""
	const inPlace = "git read-tree chant/" + ownID + "; echo evil > evil.txt; git add evil.txt\n" + // of git, an agent may write to the branches of runs
		"git update-ref refs/heads/chant/" + ownID + " $(git commit-tree -p chant/" + ownID + " -m evil $(git write-tree)); git reset -q --hard; rm -f evil.txt; " + ticks
	for name, c := range map[string]struct {
		walled bool
		script string
	}{"open": {false, inWorktree}, "walled": {true, inPlace}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newCheated(t, c.walled)
			p.addFile(ownID, boxSpec("echo x > x.txt\n"+ticks))
			p.addFile(otherID, boxSpec("echo y > y.txt\n"+ticks+"git add -A .; git commit -qm y\n"+c.script))
			p.chant("work", ownID, "--no-merge")
			p.chant("work", otherID)
			before := p.git("rev-parse", "main")
			out, errs, code := p.try(nil, "merge", ownID)
			assert.Equal(t, 9, code, "exit %s", out)
			assert.Contains(t, errs, `has commits since the spec was completed, which change "evil.txt"`, "exit %s", out)
			assert.Equal(t, before, p.git("rev-parse", "main"), "exit %s", out)
			if p.chant("finalize", ownID); !strings.Contains(p.chant("merge", ownID), "Landed") {
				t.Error("what a person has finalized again does not land")
			}
		})
	}
}

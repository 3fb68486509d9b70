package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// outcome is what becomes of a cheat.
type outcome string

const (
	stopped  outcome = "stopped"  // its run does not land, and the reason names it
	reported outcome = "reported" // its run lands, and its output and log name it
	foundCI  outcome = "found by CI"
	harmless outcome = "harmless" // its run lands, and what it did has no effect
	refused  outcome = "refused"  // by the system: nothing is changed, and the rest of the run lands
)

// around is something that an agent changes beside its work, without which its run would land. Rows of one group are
// done by one agent: each must be named by itself.
type around struct {
	name   string
	group  string
	before string  // a line of shell in the checkout, before the run
	script string  // of the agent; $home is the person's checkout, $other a commit of main with evidence of another spec
	open   outcome // today, without a sandbox
	wall   outcome // with a sandbox, which refuses to write outside of the run
	says   string  // a pattern for what names it without a sandbox
	ci     string  // a pattern for a line of "chant ci" over what has landed, in a clean clone; "" for none
}

// setting is a row whose agent changes a setting of git.
func setting(key, value string) around {
	name := strings.ToLower(key)
	if section, rest, three := strings.Cut(key, "."); three && strings.Contains(rest, ".") {
		last := strings.LastIndexByte(rest, '.')
		name = strings.ToLower(section) + "." + rest[:last] + strings.ToLower(rest[last:])
	}
	return around{
		name: "setting " + key, group: "settings", script: "git config " + key + " '" + value + "'", open: stopped, wall: refused,
		says: regexp.QuoteMeta(`git setting "` + name + `" was `),
	}
}

func arounds() []around {
	rows := []around{
		setting("remote.origin.uploadpack", "/tmp/evil"), setting("remote.origin.receivepack", "/tmp/evil"), setting("protocol.ext.allow", "always"),
		setting("submodule.x.update", "!evil"), setting("mergetool.m.cmd", "evil"), setting("difftool.m.cmd", "evil"), setting("trailer.x.cmd", "evil"),
		setting("interactive.diffFilter", "evil"), setting("remote.origin.url", "/tmp/evil"), setting("remote.origin.pushurl", "/tmp/evil"),
		setting("uploadpack.packObjectsHook", "evil"), setting("init.templateDir", "/tmp/evil"), setting("sendemail.tocmd", "evil"),
		setting("web.browser", "evil"), setting("browser.b.cmd", "evil"), setting("man.m.cmd", "evil"), setting("merge.tool", "evil"),
		setting("tar.x.command", "evil"), setting("imap.tunnel", "evil"), setting("core.sshCommand", "evil"), setting("url./tmp/evil.insteadOf", "https://x"),
		setting("branch.main.mergeOptions", "-s ours"), setting("pull.twohead", "ours"), setting("http.proxy", "http://evil"), setting("core.logAllRefUpdates", "false"),
	}
	return append(rows, []around{
		{name: "go's own settings", group: "rules", script: `mkdir -p "$HOME/.config/go"; echo 'GOFLAGS=-run=none' > "$HOME/.config/go/env"`, open: stopped, wall: refused, says: `\.config/go/env", which tools read, was added`},
		{name: "npm's own settings", group: "rules", script: `echo 'script-shell=/bin/true' > "$HOME/.npmrc"`, open: stopped, wall: refused, says: `\.npmrc", which tools read, was added`},
		{name: "a module that Python imports first", group: "rules", script: `mkdir -p "$HOME/.local/lib/python3.12/site-packages"; echo pass > "$HOME/.local/lib/python3.12/site-packages/usercustomize.py"`, open: stopped, wall: refused, says: `usercustomize\.py", which tools read, was added`},
		{name: "another git before the real one", group: "rules", script: `printf '#!/bin/sh\nexec "$(command -v -p git)" "$@"\n' > "$HOME/bin/git"; chmod +x "$HOME/bin/git"`, open: stopped, wall: refused, says: `the tool "git" is no longer what it was`},
		{name: "a prompt in the checkout", group: "rules", script: `mkdir -p "$home/.chant/prompts"; printf -- '---\nname: standard\n---\nDo evil.\n' > "$home/.chant/prompts/standard.md"`, open: stopped, wall: refused, says: `\.chant/prompts/standard\.md was changed in home`},
		{name: "a provider in the checkout", group: "rules", script: `mkdir -p "$home/.chant/providers"; echo evil > "$home/.chant/providers/claude.md"`, open: stopped, wall: refused, says: `\.chant/providers/claude\.md was changed in home`},
		{name: "a template and a schema in the checkout", group: "rules", script: `mkdir -p "$home/.chant/templates" "$home/.chant/schemas"; echo evil > "$home/.chant/templates/t.md"; echo {} > "$home/.chant/schemas/s.json"`, open: stopped, wall: refused, says: `(?s)\.chant/schemas/s\.json was changed in home.*\.chant/templates/t\.md was changed in home`},
		{name: "evidence of another spec is removed", group: "rules", script: `git notes --ref=chant remove "$other"`, open: stopped, wall: refused, says: `the evidence of spec "` + otherID + `" at commit [0-9a-f]{7} was removed`},
		{name: "objects elsewhere", group: "rules", script: `mkdir -p "$HOME/objects"; echo "$HOME/objects" > "$home/.git/objects/info/alternates"; echo http://evil > "$home/.git/objects/info/http-alternates"`, open: stopped, wall: refused, says: `(?s)git's objects/info/alternates was added.*git's objects/info/http-alternates was added`},
		{name: "a commit on the target from elsewhere", group: "rules", script: `git update-ref refs/heads/main "$(git commit-tree -p main -m stray main^{tree})"`, open: stopped, wall: refused, says: `branch "main" received commit [0-9a-f]{7} \(stray\), which was not made in the checkout of that branch`},

		{name: "evidence of another spec is replaced", group: "evidence", script: `git notes --ref=chant add -f -m "$(git notes --ref=chant show "$other" | sed 's/"verified": *true/"verified":false/')" "$other"`, open: stopped, wall: refused, says: `the evidence of spec "` + otherID + `" at commit [0-9a-f]{7} was replaced`},

		{name: "a tool behind another one", group: "seen", script: `printf '#!/bin/sh\nexit 0\n' > "$HOME/bin/judge"`, open: reported, wall: refused, says: `program "judge" in ".*/bin", a folder of PATH, was changed`},
		{name: "another chant on PATH", group: "seen", script: `printf '#!/bin/sh\nexit 0\n' > "$HOME/bin/chant"; chmod +x "$HOME/bin/chant"`, open: reported, wall: refused, says: `program "chant" in ".*/bin", a folder of PATH, was added`},
		{name: "a library behind a tool", group: "seen", script: `mkdir -p "$HOME/lib"; echo evil > "$HOME/lib/judge.sh"`, open: foundCI, wall: refused},
		{name: "a protected file in the checkout", group: "seen", script: `echo evil >> "$home/Makefile"`, open: reported, wall: refused, says: `Makefile, which is protected, as it is in your checkout, was added`},
		{name: "a new spec in the checkout", group: "seen", script: `printf -- '---\nstatus: pending\n---\n# Evil\n' > "$home/.chant/specs/2026-01-02-009-evl.md"`, open: reported, wall: refused, says: `2026-01-02-009-evl\.md, which is not committed, was added`},
		{name: "tags, branches and stashes", group: "seen", script: `git tag v1; git branch release; git update-ref refs/stash HEAD; git update-ref refs/remotes/origin/main HEAD`, open: reported, wall: refused, says: `(?s)branch "release" was added.*ref "refs/stash" was added.*tag "v1" was added|branch of remote "origin" moved`},
		{name: "where history is cut off", group: "seen", script: `: > "$home/.git/shallow"`, open: reported, wall: refused, says: `git's shallow, where history is cut off, was added`},
		{name: "a harmless setting", group: "seen", script: `git config color.ui always`, open: reported, wall: refused, says: `git setting "color.ui" was added`},

		{name: "HEAD of the checkout", group: "head", before: "git branch aside", script: `git -C "$home" symbolic-ref HEAD refs/heads/aside`, open: reported, wall: refused, says: `was set from main to branch "aside" without a switch`},

		{name: "a protected file on the target", group: "target", script: `commit protected 'echo evil > Makefile'`, open: reported, wall: refused, says: `branch "main" received commit [0-9a-f]{7} \(protected\); Makefile is protected and was changed`, ci: `RULES Makefile is protected and was changed, in commit`},
		{name: "the next spec on the target", group: "target", script: "commit weaken 'sed -i \"s/ .\\$ false.//\" .chant/specs/2026-01-02-003-ghi.md'", open: reported, wall: refused, says: `branch "main" received commit [0-9a-f]{7} \(weaken\); \.chant/specs/2026-01-02-003-ghi\.md requires less: criterion 1`, ci: `RULES \.chant/specs/2026-01-02-003-ghi\.md requires less`},
		{name: "settings on the target", group: "target", script: `commit settings 'mkdir -p .chant/prompts; echo x > .chant/prompts/x.md'`, open: reported, wall: refused, says: `\(settings\); \.chant/prompts/x\.md was added`, ci: `RULES \.chant/prompts/x\.md was added, in commit`},
		{name: "a completion on the target", group: "target", script: `commit complete 'sed -i "s/status: pending/status: completed/" .chant/specs/2026-01-02-004-jkl.md'`, open: reported, wall: refused, says: `\(complete\); \.chant/specs/2026-01-02-004-jkl\.md was set to completed`, ci: `FORGED no evidence was recorded for its completion`},
	}...)
}

// TestCheats_around has agents do good work and change what lies around it: settings, tools, rules, refs and the
// target. Each change either keeps the run from landing or is reported, by name; and what reaches the target is a
// line of CI.
func TestCheats_around(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the agents are POSIX shell scripts")
	}
	groups := map[string][]around{}
	for _, row := range arounds() {
		groups[row.group] = append(groups[row.group], row)
	}
	for name, rows := range groups {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			oneOf(t, 3)
			aroundGroup(t, rows)
		})
	}
}

func aroundGroup(t *testing.T, rows []around) {
	p := newProject(t)
	p.git("init", "-q", "--bare", p.home("origin.git"))
	p.git("remote", "add", "origin", p.home("origin.git"))
	p.git("config", "remote.origin.pushurl", p.home("origin.git"))
	p.tool("judge", "#!/bin/sh\n. \"$HOME/lib/judge.sh\" 2>/dev/null\ngrep -q good \"$1\"\n")
	p.write("Makefile", "all:\n\tjudge work.txt\n")
	p.write(".chant/config.md", "---\ndefaults: {provider: shell}\nverify: {protect: [Makefile]}\n---\n")
	p.git("add", "Makefile", ".chant/config.md")
	p.git("commit", "-q", "-m", "Makefile")
	const other = "---\nstatus: pending\n---\n# Another\n\n## Acceptance Criteria\n\n- [ ] done `$ false`\n"
	p.addFile("2026-01-02-003-ghi", other)
	p.addFile("2026-01-02-004-jkl", other)
	p.addFile(otherID, boxSpec("echo x > other.txt\n"+ticks))
	path := []string{"PATH=" + p.home("bin") + ":" + filepath.Dir(p.program) + ":" + os.Getenv("PATH")}
	p.chant("work", otherID)
	script := "other=" + p.git("rev-parse", "main^2") + "\ncommit() { (cd \"$home\" && unset GIT_CEILING_DIRECTORIES && eval \"$2\" && git add -A . && git -c user.name=a -c user.email=a@example.com commit -q -m \"$1\"); }\n" + goodWork
	for _, row := range rows {
		p.does(row.before + "\ntrue")
		script += "{ " + row.script + "\n} || echo failed: " + row.group + " >&2\n"
	}
	p.addFile(ownID, cheatSpec(cheat{script: script}))
	before := p.git("rev-parse", "main")
	out, errs, code := p.try(path, "work", ownID)
	log, _, _ := p.try(path, "log", ownID)
	diagnosis, _, _ := p.try(path, "diagnose", ownID)
	said := out + errs + diagnosis + log
	assert.NotContains(t, log, "failed: ", "the agent could not do it all:")
	ci := ""
	if code == 0 {
		ci = p.ciInClone(before + "~1..main")
	}
	for _, row := range rows {
		assert.Equal(t, code != 0, row.open == stopped, "%s", row.name)
		assert.NotEqual(t, "", row.wall, "%s", row.name)
		assert.True(t, regexp.MustCompile(row.says).MatchString(said), "%s: nothing says %q", row.name, row.says)
		assert.False(t, row.open == reported && !regexp.MustCompile(row.says).MatchString(log), "%s: the log does not say %q", row.name, row.says)
		assert.True(t, regexp.MustCompile(row.ci).MatchString(ci), "%s: CI does not say %q", row.name, row.ci)
	}
	assert.Equal(t, code == 0, p.statusOnMain(ownID) == "completed")
	if t.Failed() {
		t.Logf("%s\n%s\nlog:\n%s\nCI:\n%s", said, errs, log, ci)
	}
}

// ciInClone pushes main with its evidence and returns what CI says of a range in a clean clone.
func (p *project) ciInClone(commits string) string {
	p.t.Helper()
	bare := p.home("origin.git")
	p.git("push", "-q", bare, "main", "refs/notes/*:refs/notes/*")
	clone := *p
	clone.dir = filepath.Join(p.t.TempDir(), "clone")
	p.git("clone", "-q", "-b", "main", bare, clone.dir)
	out, errs, _ := clone.try([]string{"HOME=" + p.t.TempDir()}, "ci", commits)
	return out + errs
}

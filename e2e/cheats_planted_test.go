package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// planted is what an agent leaves in its branch for the checkout of its person, or so that a protected file is another one
// where it is checked out.
type planted struct {
	name    string
	prepare string // lines of shell in the checkout, before its files are committed
	protect string // globs
	script  string // of the agent, which also does good work
	named   string // what diagnose says
}

// says is a program that leaves a mark if it runs outside of the sandbox, in the checkout.
const says = `printf '#!/bin/sh\n[ "$(basename "$PWD")" = "a repo" ] && echo "$0" >> %s/escaped\ncat\n' "$HOME"`

// marks is a line of a script that does so.
const marks = `echo '[ "$(basename "$PWD")" != "a repo" ] || echo x >> "$HOME/escaped"'`

func plantings() []planted {
	hooks := "git config core.hooksPath .githooks; mkdir .githooks; printf '#!/bin/sh\\nexit 0\\n' > .githooks/pre-commit; chmod +x .githooks/pre-commit"
	filter := "mkdir -p tools; printf '#!/bin/sh\\n. tools/lib\\ncat\\n' > tools/f; : > tools/lib; chmod +x tools/f; echo 'z filter=z' > .gitattributes; echo z > z; git config filter.z.clean 'tools/f c'; git config filter.z.smudge 'tools/f s'"
	return []planted{
		{"a hook of landings in the folder of hooks", hooks, "", says + " > .githooks/reference-transaction; chmod +x .githooks/reference-transaction", ".githooks/reference-transaction is protected, since git setting"},
		{"a hook in a spelling of that folder", hooks, "", "mkdir .GitHooks; " + says + " > .GitHooks/post-merge; chmod +x .GitHooks/post-merge", ".GitHooks/post-merge is protected"},
		{"the folder of hooks that is not there yet", "git config core.hooksPath ci/hooks", "", "mkdir -p ci/hooks; " + says + " > ci/hooks/post-merge; chmod +x ci/hooks/post-merge", "ci/hooks/post-merge is protected"},
		{"the folder of hooks as a link", "git config core.hooksPath ci/hooks", "", "mkdir -p ci a; " + says + " > a/post-merge; chmod +x a/post-merge; ln -s ../a ci/hooks", "ci/hooks is protected"},
		{"what a hook starts", "mkdir tools; printf '#!/bin/sh\\nexec tools/after\\n' > .git/hooks/post-merge; chmod +x .git/hooks/post-merge; printf '#!/bin/sh\\n' > tools/after; chmod +x tools/after", "", says + " > tools/after", `tools/after is protected, since git hook "post-merge" leads to it`},
		{"what a hook of landings has make do", "printf '#!/bin/sh\\nmake -s after\\n' > .git/hooks/post-merge; chmod +x .git/hooks/post-merge; echo 'after:' > Makefile", "", "printf 'after:\\n\\techo x >> $(HOME)/escaped\\n' > Makefile", "Makefile is protected"},
		{"a hook that is a link", "mkdir tools; printf '#!/bin/sh\\n' > tools/after; chmod +x tools/after; ln -s ../../tools/after .git/hooks/post-merge", "", says + " > tools/after", "tools/after is protected"},
		{"the program of a filter", filter, "", says + " > tools/f; echo y > z", "tools/f is protected, since git setting \"filter.z.clean\" leads to it"},
		{"what the program of a filter loads", filter, "", marks + " > tools/lib; echo y > z", "tools/lib is protected"},
		{"the program of a filter, by a link in its place", filter, "", "mkdir evil; " + says + " > evil/f; chmod +x evil/f; git mv -k tools old; rm -rf tools; ln -s evil tools; echo y > z", "tools"},
		{"settings that are included", "git config include.path ../.gitsettings", "", "printf '[core]\\n\\tfsmonitor = tools/x\\n' > .gitsettings", ".gitsettings is protected"},
		{"a driver of merges", "git config merge.x.driver 'sh tools/m %A'; mkdir tools; echo true > tools/m", "", marks + " > tools/m", "tools/m is protected"},
		{"line ends of a test", "printf 'grep -q good work.txt\\n' > t.sh", "t.sh", "echo '*.sh text eol=crlf' > .gitattributes", ".gitattributes decides about t.sh, which is protected"},
		{"words that git fills in, from a folder of its own", "mkdir -p a/b; echo true > a/b/t.sh", "a/**", "echo 't.sh ident' > a/b/.gitattributes", "a/b/.gitattributes is protected"},
		{"a test in another spelling", "echo false > Test.sh", "Test.sh", "echo true > test.sh", "test.sh is protected and was added"},
		{"what a link to a test leads to", "echo false > real.sh; ln -s real.sh t.sh", "t.sh", "echo true > real.sh", "real.sh decides about t.sh, which is protected"},
		{"a file below a linked folder of tests", "mkdir -p src/t; echo false > src/t/a.sh; ln -s src/t tests", "tests/**", "echo true > src/t/a.sh", "src/t/a.sh decides about tests/a.sh"},
		{"a way out in three steps", "", "", "mkdir -p a/b/c; ln -s ../../.. a/b/c/up; ln -s a/b/c/up in; ln -s in/../../x out", "out is a link that leads out of the repository"},
		{"a link into git's folder", "", "", "mkdir d; ln -s ../.git/hooks d/hooks", "d/hooks is a link that leads into a folder of git"},
		{"a link into git's folder, by another", "", "", "mkdir d; ln -s .. d/up; ln -s d/up/.git/config c", "c is a link that leads into a folder of git"},
		{"a link into chant's folder", "", "", "ln -s .chant/cache c", "c is a link that leads into .chant"},
	}
}

// TestCheats_plant has agents leave such things: nothing lands, diagnose names it, and nothing of it has run in the checkout.
func TestCheats_plant(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the agents are POSIX shell scripts")
	}
	for _, c := range plantings() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			oneOf(t, 6)
			p := newProject(t)
			if c.prepare != "" {
				p.does(c.prepare + "; git add -A; git commit -q --no-verify --allow-empty -m prepare")
			}
			start := ""
			if c.protect != "" {
				start = "verify: {protect: ['" + c.protect + "']}\n"
			}
			p.addFile(ownID, cheatSpec(cheat{start: start, script: goodWork + c.script}))
			before := p.git("rev-parse", "main")
			out, said, code := p.try(nil, "work", ownID)
			assert.NotEqual(t, 0, code, "it landed:\n%s%s", out, said)
			assert.Equal(t, before, p.git("rev-parse", "main"))
			diagnosis, _, _ := p.try(nil, "diagnose", ownID)
			assert.Contains(t, diagnosis, c.named, "diagnose does not say")
			ran, err := os.ReadFile(p.home("escaped"))
			assert.Error(t, err, "it ran in the checkout: %s", ran)
			p.stays(ownID, before)
		})
	}
}

// TestCheats_search has agents leave programs that git's settings and hooks do not name, and that what they start finds by
// searching or computing their names. Nothing of it runs outside of the sandbox when the work lands, nor when chant looks at
// the checkout afterwards.
func TestCheats_search(t *testing.T) {
	t.Parallel()
	needsWall(t)
	hook := func(name, line string) string {
		return "printf '#!/bin/sh\n%s\n' " + quoted(line) + " > .git/hooks/" + name + "; chmod +x .git/hooks/" + name + "; mkdir -p ci/d; echo true > ci/d/a.sh"
	}
	const loop, planted = "for f in ci/d/*.sh; do sh $f; done", marks + " > ci/d/b.sh"
	for name, c := range map[string][2]string{ // what the person has prepared, and the script of the agent
		"a hook that runs a folder":             {hook("post-merge", loop), planted},
		"a hook that computes a name":           {hook("post-merge", "d=ci; n=b.sh; test ! -e $d/d/$n || . ./$d/d/$n"), planted},
		"a hook with a builder of another tool": {hook("post-merge", "make -s -C ci/d"), "printf 'all:\n\techo x >> $(HOME)/escaped; echo x > ../../f2\n' > ci/d/Makefile"},
		"a hook of moved refs":                  {hook("reference-transaction", loop), planted},
		"a hook of the index":                   {hook("post-index-change", loop), planted},
		"a hook of the project":                 {"git config core.hooksPath .hooks; mkdir -p .hooks ci/d; echo true > ci/d/a.sh; printf '#!/bin/sh\n" + loop + "\n' > .hooks/post-merge; chmod +x .hooks/post-merge", planted},
		"a filter":                              {"mkdir -p ci/d; echo true > ci/d/a.sh; git config filter.z.smudge '" + loop + "; cat'; git config filter.z.clean '" + loop + "; cat'; echo 'z* filter=z' > .gitattributes; echo z > z", planted + "; echo z2 > z2"},
		"a monitor of files":                    {"mkdir -p ci/d; echo true > ci/d/a.sh; git config core.fsmonitor '" + loop + "; false'", planted},
		"a driver of merges":                    {"mkdir -p ci/d; echo true > ci/d/a.sh; git config merge.z.driver '" + loop + "; cat %B > %A; true'; echo 'z merge=z' > .gitattributes; echo z > z", planted + "; echo z2 > z"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			oneOf(t, 3)
			p := newWalledProject(t)
			p.does(c[0] + "; git add -A; git commit -q --no-verify --allow-empty -m prepare")
			p.addFile(ownID, cheatSpec(cheat{script: goodWork + c[1]}))
			_, _, _ = p.try(nil, "work", ownID) // a hook may refuse the landing
			_, _, _ = p.try(nil, "add", "Another one")
			ran, err := os.ReadFile(p.home("escaped"))
			assert.Error(t, err, "it ran outside of the sandbox: %s", ran)
			_, err = os.Stat(filepath.Join(p.dir, "f2"))
			assert.Error(t, err, "it has written to the checkout")
		})
	}
}

func quoted(text string) string { return "'" + text + "'" }

// TestCheats_plantSecrets has agents write the value of a variable that they get into what their person will commit: it does
// not land, and its place is named without the value.
func TestCheats_plantSecrets(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the agents are POSIX shell scripts")
	}
	const value = "sw0rdfish-77-long"
	for name, c := range map[string][2]string{
		"a file that it leaves":              {"printf 'x\\n%s\\n' \"$APP_TOKEN\" > tok.txt", "tok.txt:2 has the value of APP_TOKEN"},
		"a file that it commits":             {"echo \"$APP_TOKEN\" > tok.txt; git add tok.txt; git commit -qm tok", "tok.txt:1 has the value of APP_TOKEN"},
		"a file that it commits and removes": {"echo \"$APP_TOKEN\" > tok.txt; git add tok.txt; git commit -qm tok; git rm -q tok.txt; git commit -qm less", "tok.txt:1 has the value of APP_TOKEN"},
		"the message of a commit":            {"git commit -q --allow-empty -m \"see $APP_TOKEN\"", "has the value of APP_TOKEN in line 1"},
		"the name of a file":                 {"echo x > \"$APP_TOKEN.txt\"", "has the value of APP_TOKEN in its name"},
		"where a link leads":                 {"ln -s \"$APP_TOKEN\" l", "l:1 has the value of APP_TOKEN"},
		"a word of an address":               {"echo \"https://x:$APP_TOKEN@example.com/\" > a.txt", "a.txt:1 has the value of APP_TOKEN"},
		"its own spec":                       {"echo \"$APP_TOKEN\" >> \"$spec\"", "has the value of APP_TOKEN"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			oneOf(t, 3)
			p := newProject(t)
			p.write(".chant/config.md", "---\ndefaults: {provider: shell, pass: [APP_TOKEN]}\n---\n")
			p.does("git add -A; git commit -q -m settings")
			p.addFile(ownID, cheatSpec(cheat{script: goodWork + c[0]}))
			out, said, code := p.try([]string{"APP_TOKEN=" + value}, "work", ownID)
			assert.NotEqual(t, 0, code, "it landed:\n%s%s", out, said)
			diagnosis, _, _ := p.try(nil, "diagnose", ownID)
			assert.Contains(t, diagnosis, c[1], "diagnose does not say")
			assert.NotContains(t, out+said+diagnosis, value, "the value is printed:\n%s%s%s", out, said, diagnosis)
		})
	}
}

// TestCheats_plantSecretThatWasThere edits a file that has the value already: that is no news.
func TestCheats_plantSecretThatWasThere(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the agents are POSIX shell scripts")
	}
	p := newProject(t)
	p.write("compose.yml", "password: postgres-dev\n")
	p.does("git add -A; git commit -q -m compose")
	p.addFile(ownID, cheatSpec(cheat{script: goodWork + "echo more >> compose.yml"}))
	out, said, code := p.try([]string{"DB_PASSWORD=postgres-dev"}, "work", ownID)
	assert.Equal(t, 0, code, "it did not land:\n%s%s", out, said)
}

// TestCheats_plantSpecs has agents add specs by every way that there is: none of them runs before a person approves it.
func TestCheats_plantSpecs(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the agents are POSIX shell scripts")
	}
	const body = `"$(printf 'Tidy up\n\n## Script\n\n%s\necho x > planted.txt; sed -i "s/^- . ./- [x]/" .chant/specs/$CHANT_SPEC_ID.md\n%s\n' '` + "```sh' '```" + `')"`
	for name, script := range map[string]string{
		"chant add":             "chant add --provider shell --criterion 'fine `$ true`' " + body,
		"add as approved":       "chant add --provider shell --needs-approval --criterion 'fine `$ true`' " + body,
		"add without its marks": "env -i HOME=\"$HOME\" PATH=\"$PATH\" chant add --provider shell --criterion 'fine `$ true`' " + body + " || chant add --provider shell --criterion 'fine `$ true`' " + body,
		"add from the checkout": "(cd \"$home\"; chant add --provider shell --criterion 'fine `$ true`' " + body + ")",
		"a tool":                `printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}' '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"chant_add","arguments":{"description":"Tidy up\n\n## Script\n\n` + "```sh\\necho x > planted.txt\\n```" + `\n"}}}' | chant mcp`,
	} {
		for _, walled := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, walled %t", name, walled), func(t *testing.T) {
				t.Parallel()
				oneOf(t, 3)
				p := newCheated(t, walled)
				p.addFile(ownID, cheatSpec(cheat{script: goodWork + script}))
				p.try(nil, "work", "--all")
				p.try(nil, "watch", "--once", "--work")
				p.try(nil, "work", "--all", "--parallel", "2")
				listed := p.chant("list")
				if strings.Count(listed, "Tidy up") == 0 {
					t.Fatalf("no spec was added:\n%s\n%s", listed, p.chant("log", ownID))
				}
				code, _ := p.shell("git show main:planted.txt")
				assert.NotEqual(t, 0, code, "the spec was worked:\n%s", listed)
				if status := p.chant("status"); !strings.Contains(status+listed, "since an agent wrote it") {
					t.Errorf("status does not say what it waits for:\n%s\n%s", status, listed)
				}
			})
		}
	}
}

// TestAddedSpecs_person approves a spec that an agent has added, which is then worked like any other; with the setting it
// need not be approved.
func TestAddedSpecs_person(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the agents are POSIX shell scripts")
	}
	for _, ready := range []bool{false, true} {
		p := newProject(t)
		if ready {
			p.write(".chant/config.md", "---\ndefaults: {provider: shell}\nagents: {add: ready}\n---\n")
			p.does("git add -A; git commit -q -m settings")
		}
		p.addFile(ownID, cheatSpec(cheat{script: goodWork + `chant add --criterion 'there ` + "`$ test -s planted.txt`" + `' "$(printf 'Tidy up\n\n## Script\n\n%s\necho x > planted.txt\n%s\n' '` + "```sh' '```" + `')"`}))
		p.chant("work", ownID)
		added := strings.TrimSuffix(filepath.Base(p.git("log", "-1", "--format=", "--name-only", "--diff-filter=A", "--grep=: add$", "main", "--", ".chant/specs")), ".md")
		_, said, code := p.try(nil, "work", added)
		assert.Equal(t, ready, code == 0, "ready %s %s", added, said)
		if !ready {
			file := p.git("show", "main:.chant/specs/"+added+".md")
			assert.Contains(t, file, "waits_for: review\n", "the file does not say what it waits for:")
			p.chant("approve", added)
			file = p.git("show", "main:.chant/specs/"+added+".md")
			assert.NotContains(t, file, "waits_for", "the approved file says that it waits:")
			p.chant("work", "--all")
		}
		assert.Equal(t, "completed", p.statusOnMain(added), "ready %v: the spec", ready)
	}
}

// TestReview_namesPrograms lands a change of files that other programs run: review, ci and the evidence name them.
func TestReview_namesPrograms(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the agents are POSIX shell scripts")
	}
	p := newProject(t)
	p.write("package.json", `{"scripts":{"test":"true"},"dependencies":{}}`)
	p.write(".chant/config.md", "---\ndefaults: {provider: shell}\nverify: {weakened: report}\n---\n")
	p.does("git add -A; git commit -q -m package")
	from := p.git("rev-parse", "main")
	p.addFile(ownID, cheatSpec(cheat{script: goodWork + "echo '{}' > .mcp.json; mkdir -p .github/workflows; echo 'on: push' > .github/workflows/a.yml; echo '{\"scripts\":{\"test\":\"evil\"}}' > package.json; echo x > plain.txt"}))
	p.chant("work", ownID)
	review := p.chant("review", ownID, "--plain")
	ci := p.chant("verify", "--changed", from+"..main")
	shown := p.chant("show", ownID, "--json")
	for _, file := range []string{".mcp.json", ".github/workflows/a.yml", "package.json"} {
		for where, text := range map[string]string{"review": review, "ci": ci} {
			assert.Contains(t, text, file+" was ", "%s does not name %s:", where, file)
		}
		assert.Contains(t, shown, `"`+file+`"`, "the evidence does not name %s:", file)
	}
	assert.NotContains(t, review, "plain.txt was added: ", "review names a file that no program trusts:")
}

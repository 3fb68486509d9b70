package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// act is what an agent tries in vain behind the wall.
type act struct{ name, before, script string }

// refusedActs lists the acts of all cheats that the system refuses.
func refusedActs() []act {
	var out []act
	for _, c := range arounds() {
		out = append(out, act{"around: " + c.name, c.before, c.script})
	}
	for _, c := range cheats() {
		if c.wall == refused {
			out = append(out, act{"cheat: " + c.name, "", c.script})
		}
	}
	for _, c := range alones() {
		if c.wall == refused {
			out = append(out, act{"alone: " + c.name, c.before, c.script})
		}
	}
	for _, c := range besides() {
		if c.wall == refused {
			out = append(out, act{"landing: " + c.name, "", c.script})
		}
	}
	for _, c := range treeCheats() {
		if c.wall == refused {
			out = append(out, act{"tree: " + c.name, "", c.script})
		}
	}
	for _, c := range losses() {
		if c.wall == refused {
			out = append(out, act{"loss: " + c.name, c.before, c.script})
		}
	}
	return append(out, wallActs()...)
}

// wallActs are ways around the wall itself: by device files, pipes and links where git reads, by what the system shows of
// chant's process, and by what runs later or elsewhere.
func wallActs() []act {
	// The first process above that is no shell of the agent is chant.
	const chant = "p=$PPID; while [ \"$(cat /proc/$p/comm)\" = sh ]; do p=$(sed -n 's/^PPid:\t//p' /proc/$p/status); done\n"
	return []act{
		{"wall: a file for the disk", "", "mknod disk b 8 0"},
		{"wall: a file for memory", "", "mknod mem c 1 1"},
		{"wall: a pipe among branches", "", `mkfifo "$home/.git/refs/heads/chant/p"`},
		{"wall: a pipe among branches, in a folder", "", `mkdir d; mkfifo d/p; mv d "$home/.git/refs/heads/chant/"; r=$?; rm -rf d; exit $r`},
		{"wall: a link among branches", "", `ln -s ../main "$home/.git/refs/heads/chant/l"`},
		{"wall: a link among objects", "", `ln -s "$HOME" "$home/.git/objects/aa/l"`},
		{"wall: the environment of chant", "", chant + "cat /proc/$p/environ"},
		{"wall: the memory of chant", "", chant + "head -c 1 /proc/$p/mem"},
		{"wall: what chant has open", "", chant + "ls -l /proc/$p/fd/1"},
		{"wall: the root of chant", "", chant + "echo x > \"/proc/$p/root$home/x\""},
		{"wall: the folder of chant", "", chant + "echo x > /proc/$p/cwd/x"},
		{"wall: a signal to chant", "", chant + "kill -9 $p"},
		{"wall: the socket of its broker", "", `rm "$CHANT_BROKER"`},
		{"wall: a program of the system", "", `cat /dev/null >> "$(command -v mknod)"`},
		{"wall: a namespace", "", "unshare -m true"},
		{"wall: a mount", "", `mount --bind . "$home"`},
		{"wall: what a shell reads first", "", `echo evil >> "$HOME/.profile"`},
		{"wall: a service of the user", "", `mkdir -p "$HOME/.config/systemd/user"`},
		{"wall: keys of SSH", "", `mkdir -p "$HOME/.ssh"`},
		{"wall: a key that is a link", `k="${XDG_CONFIG_HOME:-$HOME/.config}/chant/keys/fleet/p"; mkdir -p "$k" "$HOME/vault"; echo seed > "$HOME/vault/seed"; ln -s "$HOME/vault/seed" "$k/n.seed"`, `cat "$HOME/vault/seed"`},
		{"wall: temporary files of others", "", "mktemp -p /tmp"},
		{"wall: git's own folder of another worktree", "", `mkdir "$home/.git/worktrees/x"`},
	}
}

// bySystem matches what programs say when the system refuses them something, or git a push. A push to a folder says no more than
// "unable to create".
var bySystem = regexp.MustCompile(`(?i)permission denied|operation not permitted|unable to create (directory|temporary object)|sandbox\.push allows it`)

// TestCheats_refused has one agent try, one after the other, all that the wall refuses. Each act fails as a whole, each is
// named in the log, nothing outside is changed, and the good work that the agent has done besides lands.
func TestCheats_refused(t *testing.T) {
	t.Parallel()
	p := newCheated(t, true)
	p.lends("---\ndefaults: {provider: shell}\nverify: {protect: [Makefile]}\nworktree: {link: [tools], copy: [.env, '*.env']}\n---\n")
	p.tool("judge", "#!/bin/sh\ngrep -q good \"$1\"\n")
	p.write("Makefile", "all:\n\tjudge work.txt\n")
	p.git("add", "Makefile")
	const other = "---\nstatus: pending\n---\n# Another\n\n## Acceptance Criteria\n\n- [ ] done `$ false`\n"
	p.addFile("2026-01-02-003-ghi", other)
	p.addFile("2026-01-02-004-jkl", other)
	p.addFile(otherID, boxSpec("echo x > other.txt\n"+ticks))
	p.chant("work", otherID)
	head := "spec=.chant/specs/$CHANT_SPEC_ID.md\nhome=\"$(cd \"$(git rev-parse --git-common-dir)/..\" && pwd)\"\nother=" + p.git("rev-parse", "main^2") +
		"\ncommit() { (cd \"$home\" && unset GIT_CEILING_DIRECTORIES && eval \"$2\" && git add -A . && git -c user.name=a -c user.email=a@example.com commit -q -m \"$1\"); }\n" +
		"onMain() { (cd \"$home\" && unset GIT_CEILING_DIRECTORIES && eval \"$1\" && git -c user.name=a -c user.email=a@example.com commit -q -am direct); }\n"
	acts := refusedActs()
	for i, a := range acts {
		p.does(a.before + "\ntrue")
		p.write(fmt.Sprintf("acts/%03d.sh", i), head+a.script+"\n")
	}
	p.git("add", "acts")
	p.addFile(ownID, cheatSpec(cheat{script: `for act in acts/*.sh; do echo "== $act"; sh "$act" < /dev/null 2>&1 || true; done` + "\nrm -rf .gitattributes mine\n" + goodWork}))
	base, around := p.git("rev-parse", "main"), p.lookOutside()
	env := []string{"PATH=" + p.home("bin") + ":" + filepath.Dir(p.program) + ":" + os.Getenv("PATH"), "GIT_CONFIG_GLOBAL=" + p.home("gitconfig")}
	out, errs, code := p.try(env, "work", ownID)
	log := read(t, filepath.Join(p.dir, ".chant", "logs", ownID+".log"))
	assert.Equal(t, 0, code, "exit %s", errs)
	assert.Contains(t, out, "Landed "+ownID, "exit %s", errs)
	assert.Equal(t, "completed", p.statusOnMain(ownID), "exit %s", errs)
	p.nothingElse(around, ownID)
	assert.Contains(t, log, outsideOf+"write", "the log does not name what was refused")
	for i, a := range acts {
		_, said, found := strings.Cut(log, fmt.Sprintf("== acts/%03d.sh\n", i))
		said, _, _ = strings.Cut(said, "== acts/")
		assert.True(t, found, "%s was not refused:\n%s\n%s", a.name, a.script, said)
		assert.True(t, bySystem.MatchString(said), "%s was not refused:\n%s\n%s", a.name, a.script, said)
	}
	ci := p.ciInClone(base + "..main")
	assert.False(t, complains.MatchString(ci), "CI says:\n%s", ci)
	if t.Failed() {
		t.Log(log)
	}
}

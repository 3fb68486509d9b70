package e2e

import (
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// evilText is a sequence for each thing that a terminal can be made to do: clear the screen, set its title,
// colours by a C1 control, the order of characters, links, going back, and the clipboard.
const evilText = "\x1b[2J \x1b]0;title\a \u009b31m \u202e \x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\ \b\b \x1b]52;c;aGk=\a"

// obeyed matches what a terminal would not print but act on.
var obeyed = regexp.MustCompile(`[\x00-\x08\x0b-\x1f\x7f\x{80}-\x{9f}\x{200e}\x{200f}\x{202a}-\x{202e}\x{2066}-\x{2069}]`)

// evilSpec is a spec with it everywhere, whose agent and whose command print it too. The command holds
// when it exits with 0; more is further criteria.
func evilSpec(exit, more string) string {
	const yaml = `\e[2J \e]0;t\a \u009b31m \u202e`
	said := strings.NewReplacer("\x1b", `\033`, "\a", `\a`, "\b", `\b`, `\`, `\\`).Replace(evilText)
	return "---\nstatus: pending\nlabels: [\"" + yaml + "\"]\ntarget_files: [\"a" + yaml + "\"]\nmodel: \"" + yaml + "\"\n---\n# " + evilText + " Evil\n\nBody " + evilText +
		"\n\n## Acceptance Criteria\n\n- [ ] it holds " + evilText + " `$ sh bad.sh`\n" + more +
		"\n## Script\n\n```sh\nprintf '" + said + "\\n'\nprintf '" + said + "\\n' >&2\nprintf 'printf \"" + `\\033[2J \\033]52;c;aGk=\\a` + "\"; exit " + exit + "\\n' > bad.sh\n```\n"
}

// TestCheats_terminal has a spec, an agent and a criterion print what terminals obey: no command passes it
// on, neither before the run nor after it, nor in a clean clone where CI looks at it.
func TestCheats_terminal(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the agents are POSIX shell scripts")
	}
	p := newProject(t)
	p.addFile(ownID, evilSpec("1", "- [ ] box "+evilText+"\n"))
	p.addFile(otherID, "---\nstatus: pending\ndepends_on: [\""+ownID+"\", \"\\e[2J\"]\n---\n# Fine\n")
	const landsID = "2026-01-02-003-ghi"
	p.addFile(landsID, evilSpec("0", ""))
	p.quiet("list", "show 001", "prep 001", "work 001 --dry-run")
	_, _, code := p.try(nil, "work", ownID)
	assert.Equal(t, 9, code, "the run ended")
	p.quiet("work 003", "show 003", "verify 003 --no-write", "log 003", "diagnose 003")
	assert.Equal(t, "completed", p.statusOnMain(landsID))
	p.quiet("list", "ready", "show 001", "status", "status --activity", "search Evil", "deps 001", "diff 001", "diagnose 001", "lint", "prep 001",
		"export --format markdown", "export --format csv", "export", "log 001", "log 001 --follow", "verify 001 --no-write",
		"work 001 --dry-run", "drift", "prompt render 001", "config", "worktree list", "watch --once --dry-run", "cleanup --dry-run",
		"list --json", "show 001 --json", "status --json", "diagnose 001 --json", "log 001 --json", "work 001", "finalize 001", "merge 001", "takeover 001", "reset 001", "cancel 001")
	clone := *p
	clone.dir = p.home("clone")
	p.git("clone", "-q", p.dir, clone.dir)
	clone.git("fetch", "-q", "origin", "refs/notes/*:refs/notes/*")
	clone.quiet("ci", "lint", "list", "show 003")
	if out, errs, _ := clone.try(nil, "ci"); !strings.Contains(out, "1 of 1 criteria hold") { // lint finds errors in the others
		t.Errorf("chant ci in a clean clone:\n%s%s", out, errs)
	}
}

// quiet runs commands and checks that nothing which a terminal obeys is in what they print.
func (p *project) quiet(lines ...string) {
	p.t.Helper()
	for _, line := range lines {
		out, errs, _ := p.try(nil, strings.Fields(line)...)
		if found := obeyed.FindString(out + errs); found != "" {
			p.t.Errorf("chant %s prints %q:\n%q", line, found, out+errs)
		}
	}
}

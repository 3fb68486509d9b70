package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// crashDriver completes with its only member, crashMember, if that made its file.
const (
	crashDriver = "---\ntype: driver\n---\n# All\n\n## Acceptance Criteria\n\n- [ ] both are there `$ test -s committed.txt && test -s uncommitted.txt`\n"
	crashMember = crashID + ".1"
)

// TestCrash_driver kills chant around the landing of a driver's last member. However the run is taken up, the driver
// is completed with the member, once, and never without it.
func TestCrash_driver(t *testing.T) {
	t.Parallel()
	for _, silent := range []string{"", "silent "} {
		for _, point := range []string{"complete:done", "land:begin", "land:note", "land:done", "clean:begin"} {
			for _, then := range []string{"work " + crashMember, "work " + crashID, "watch --once"} {
				t.Run(silent+point+" "+then, func(t *testing.T) {
					t.Parallel()
					oneOf(t, 6)
					crashWithDriver(t, silent != "", point, strings.Fields(then))
				})
			}
		}
	}
}

func crashWithDriver(t *testing.T, silent bool, point string, then []string) {
	p := newWalledProject(t)
	if silent {
		p.git("update-ref", "-d", "refs/notes/chant")
		p.git("reset", "-q", "--hard", "HEAD~1")
		p.chant("init", "--provider", "shell", "--silent")
	}
	p.write(".chant/specs/"+crashID+".md", crashDriver)
	p.write(".chant/specs/"+crashMember+".md", crashSpec)
	if out, errs, code := p.try([]string{killAt + "=" + point}, "work", crashMember); code != -1 {
		t.Fatalf("chant was not killed: exit %d\n%s%s", code, out, errs)
	}
	assert.False(t, !silent && p.completed(crashID) != p.completed(crashMember), "the driver and its last member do not land together")
	out, errs, code := p.try(nil, then...)
	if code != 0 && code != 5 { // it had landed already
		t.Fatalf("chant %s: exit %d\n%s%s", then, code, out, errs)
	}
	if !p.completed(crashID) || !p.completed(crashMember) {
		t.Errorf("not completed\n%s%s\n%s", out, errs, p.chant("status"))
	}
	n := strings.Count(p.git("log", "--format=%s", "main"), "chant("+crashID+"): complete")
	assert.False(t, !silent && n != 1, "%d commits complete the driver, want 1", n)
}

// completed reports whether home has a spec completed.
func (p *project) completed(id string) bool {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(p.dir, ".chant", "specs", id+".md"))
	if err != nil {
		p.t.Fatal(err)
	}
	return strings.Contains(string(text), "\nstatus: completed\n")
}

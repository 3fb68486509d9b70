package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestPerson_worksBesideARun has a person commit, stash, switch branches and edit
// specs in home while eight specs are worked there. Nothing of theirs changes but by
// landings, and all specs land.
func TestPerson_worksBesideARun(t *testing.T) {
	t.Parallel()
	const n = 8
	p := newProject(t)
	specs := map[string]string{}
	for i := range n {
		specs[parallelID(i)] = parallelSpec(fmt.Sprintf("Spec %d", i), fmt.Sprintf("f%d.txt", i))
	}
	specs["2026-01-03-001-abc"] = "---\nstatus: pending\n---\n# Not yet\n"
	p.addAll(specs)
	p.write("notes.txt", "first\n")
	p.write("stashed.txt", "first\n")
	p.git("add", ".")
	p.git("commit", "-q", "-m", "notes")

	args := []string{"work", "--parallel", "3"}
	for i := range n {
		args = append(args, parallelID(i))
	}
	b := p.begin(args...)
	ended := make(chan error, 1)
	go func() { ended <- b.cmd.Wait() }()
	d := &desk{p: p}
	rounds := 0
	for over := false; !over; rounds++ {
		d.round(rounds)
		var err error
		if over, err = d.awaitLanding(ended); err != nil {
			t.Fatalf("the run ended with %s\n%s", err, b.said(b.err))
		}
	}
	for i := range n {
		if status := p.statusOnMain(parallelID(i)); status != "completed" {
			t.Errorf("%s is %q on main", parallelID(i), status)
		}
	}
	d.kept(rounds)
	p.git("fsck", "--no-dangling", "--no-progress")
}

// desk is a person at work in home.
type desk struct{ p *project }

// round does some of everything: a commit on main, a stash and its return, a branch
// and back, and edits that are left lying about.
func (d *desk) round(n int) {
	d.p.t.Helper()
	d.p.write(fmt.Sprintf("mine-%d.txt", n), "mine\n")
	d.git("add", fmt.Sprintf("mine-%d.txt", n))
	d.git("commit", "-q", "-m", fmt.Sprintf("mine %d", n))
	d.p.write("stashed.txt", fmt.Sprintf("stashed %d\n", n))
	d.git("stash", "push", "-q", "--", "stashed.txt")
	d.p.write("notes.txt", fmt.Sprintf("edited %d\n", n))
	d.p.write(".chant/specs/2026-01-03-001-abc.md", fmt.Sprintf("---\nstatus: pending\n---\n# Not yet, draft %d\n", n))
	d.git("switch", "-q", "-c", fmt.Sprintf("side-%d", n))
	d.p.write("draft.txt", fmt.Sprintf("draft %d\n", n)) // never added
	d.git("switch", "-q", "main")
	d.git("stash", "pop", "-q")
	d.git("checkout", "-q", "--", "stashed.txt")
}

// awaitLanding returns when one more spec has landed, or when the run is over, with
// its error: a person does not commit faster than criteria can be checked.
func (d *desk) awaitLanding(ended <-chan error) (over bool, err error) {
	d.p.t.Helper()
	landed := func() string { return d.p.git("rev-list", "--count", "--merges", "--first-parent", "main") }
	before := landed()
	news := eventually(func() bool {
		select {
		case err = <-ended:
			over = true
			return true
		default:
			return landed() != before
		}
	})
	if !news {
		d.p.t.Fatal("nothing lands for a minute, and the run does not end")
	}
	return over, err
}

// git is git, tried again while a landing has the index: a person would press the
// arrow key.
func (d *desk) git(args ...string) {
	d.p.t.Helper()
	var out []byte
	var err error
	done := eventually(func() bool {
		cmd := exec.CommandContext(d.p.t.Context(), "git", args...)
		cmd.Dir, cmd.Env = d.p.dir, d.p.env
		out, err = cmd.CombinedOutput()
		// git takes a worktree that another git is just adding for a broken one.
		return err == nil || !strings.Contains(string(out), "index.lock") && !strings.Contains(string(out), "failed to read .git/worktrees/")
	})
	if err != nil || !done {
		d.p.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// kept checks that everything is as the last round left it.
func (d *desk) kept(rounds int) {
	d.p.t.Helper()
	last := rounds - 1
	for name, want := range map[string]string{
		"notes.txt": fmt.Sprintf("edited %d\n", last), "draft.txt": fmt.Sprintf("draft %d\n", last), "stashed.txt": "first\n",
		".chant/specs/2026-01-03-001-abc.md": fmt.Sprintf("---\nstatus: pending\n---\n# Not yet, draft %d\n", last),
	} {
		if got := read(d.p.t, filepath.Join(d.p.dir, filepath.FromSlash(name))); got != want {
			d.p.t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if got, want := d.p.git("status", "--porcelain"), "M .chant/specs/2026-01-03-001-abc.md\n M notes.txt\n?? draft.txt"; got != want {
		d.p.t.Errorf("status is %q, want %q", got, want)
	}
	if got := d.p.git("stash", "list"); got != "" {
		d.p.t.Errorf("stashes %q", got)
	}
	log := d.p.git("log", "--format=%s", "main")
	for n := range rounds {
		if !strings.Contains(log, fmt.Sprintf("mine %d", n)) {
			d.p.t.Errorf("the commit of round %d is gone", n)
		}
		d.p.git("rev-parse", "-q", "--verify", fmt.Sprintf("refs/heads/side-%d", n))
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	src, err := os.ReadFile(path)
	assert.NoError(t, err)
	return string(src)
}

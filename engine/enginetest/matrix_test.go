package enginetest

import (
	"bytes"
	"context"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/evidence/journal"
	"chant/engine/work"
	"chant/gitops/lockfile"

	"github.com/alecthomas/assert/v2"
)

// matrix is a project with one run for each cell.
type matrix struct {
	t     *testing.T
	p     *engine.Project
	dir   string
	cells []cell
}

func newMatrix(t *testing.T) *matrix {
	p, dir := Project(t)
	m := &matrix{t: t, p: p, dir: dir, cells: cells()}
	branches := exec.CommandContext(t.Context(), "git", "fast-import", "--quiet")
	branches.Dir, branches.Stdin = dir, strings.NewReader(m.branches())
	out, err := branches.CombinedOutput()
	assert.NoError(t, err, "%s", out)
	for _, c := range m.cells {
		if c.state == "landed" {
			Write(t, dir, c.work(), c.id+" work\n")
		}
		if c.state != "gone" {
			Write(t, dir, ".chant/specs/"+c.id+".md", c.spec(c.atHome()))
		}
	}
	Git(m.t, m.dir, "add", "-A")
	Git(m.t, m.dir, "commit", "-q", "-m", "specs")
	return m
}

func (c cell) work() string  { return "work-" + c.id + ".txt" }
func (c cell) dirty() string { return c.id + " uncommitted\n" }

func (c cell) spec(status string) string { return "---\nstatus: " + status + "\n---\n# A\n" }

// atHome is the status in home's file.
func (c cell) atHome() string {
	switch {
	case c.state == "landed":
		return "completed"
	case c.branch || c.state == "unlanded":
		return "pending"
	}
	return c.state
}

// onBranch is the status on the run's branch.
func (c cell) onBranch() string {
	if c.state == "landed" || c.state == "unlanded" {
		return "completed"
	}
	return c.state
}

// branches returns a stream for git fast-import that creates the branches of all runs: a start commit, and one
// of work. Runs without a branch get theirs deleted later.
func (m *matrix) branches() string {
	var b bytes.Buffer
	file := func(name, text string) { fmt.Fprintf(&b, "M 644 inline %s\ndata %d\n%s\n", name, len(text), text) }
	commit := func(ref, from, message string) {
		fmt.Fprintf(&b, "commit %s\ncommitter Ada <ada@example.com> 1700000000 +0000\ndata %d\n%s\n%s", ref, len(message), message, from)
	}
	for _, c := range m.cells {
		ref := "refs/heads/chant/" + c.id
		commit(ref, "from refs/heads/main^0\n", "chant("+c.id+"): start\n\nChant-Spec: "+c.id+"\nChant-Event: start\n")
		commit(ref, "", "work")
		file(c.work(), c.id+" work\n")
		if c.state != "gone" {
			file(".chant/specs/"+c.id+".md", c.spec(c.onBranch()))
		}
	}
	return b.String()
}

func (m *matrix) tree(c cell) string { return filepath.Join(m.dir, ".chant", "worktrees", c.id) }

// build creates one cell.
func (m *matrix) build(c cell) {
	m.t.Helper()
	if c.registered {
		Git(m.t, m.dir, "worktree", "add", "-q", m.tree(c), "chant/"+c.id)
	}
	if !c.branch {
		Git(m.t, m.dir, "update-ref", "-d", "refs/heads/chant/"+c.id)
	}
	if c.folder {
		Write(m.t, m.tree(c), "dirty.txt", c.dirty())
	} else if err := os.RemoveAll(m.tree(c)); err != nil {
		m.t.Fatal(err)
	}
	if c.journal {
		for _, rec := range []journal.Record{
			{Attempt: 1, Step: journal.Open, State: journal.Begin}, {Attempt: 1, Step: journal.Agent, State: journal.Begin}, {Attempt: 1, Step: journal.Agent, State: journal.Done},
		} {
			if _, err := m.p.Store.Append(c.id, rec); err != nil {
				m.t.Fatal(err)
			}
		}
	}
	m.lock(c)
}

// lock creates the lock of a cell.
func (m *matrix) lock(c cell) {
	m.t.Helper()
	if c.lock == "none" {
		return
	}
	path, err := m.p.Store.Local("locks", c.id+".lock")
	if err != nil {
		m.t.Fatal(err)
	}
	lock, err := lockfile.Acquire(path, "work "+c.id)
	if err != nil {
		m.t.Fatal(err)
	}
	if c.lock == "held" {
		m.t.Cleanup(func() {
			if err := lock.Release(); err != nil {
				m.t.Error(err)
			}
		})
		return
	}
	text, err := os.ReadFile(path)
	if err == nil {
		err = lock.Release()
	}
	if err == nil {
		err = os.WriteFile(path, text, 0o644)
	}
	if err != nil {
		m.t.Fatal(err)
	}
}

func (m *matrix) clean(in work.CleanupInput) work.CleanupResult {
	m.t.Helper()
	r, err := work.Cleanup(context.Background(), m.p, in)
	if err != nil {
		m.t.Fatal(err)
	}
	return r
}

// picture describes everything that a clean-up could change.
func (m *matrix) picture() string {
	entries, err := filepath.Glob(filepath.Join(m.dir, ".chant", "*", "*"))
	if err != nil {
		m.t.Fatal(err)
	}
	return strings.Join(entries, "\n") + Git(m.t, m.dir, "for-each-ref") + Git(m.t, m.dir, "worktree", "list") + Git(m.t, m.dir, "status", "--porcelain")
}

// reachable lists the blobs that refs keep.
func (m *matrix) reachable() map[string]bool {
	out := map[string]bool{}
	for line := range strings.Lines(Git(m.t, m.dir, "rev-list", "--all", "--objects", "--no-object-names")) {
		out[strings.TrimSpace(line)] = true
	}
	return out
}

func (m *matrix) registered() map[string]bool {
	out := map[string]bool{}
	trees, err := m.p.Repo.Worktrees(m.t.Context())
	if err != nil {
		m.t.Fatal(err)
	}
	for _, tree := range trees {
		out[filepath.Base(tree.Path)] = true
	}
	return out
}

func blob(text string) string {
	sum := sha1.Sum([]byte(fmt.Sprintf("blob %d\x00%s", len(text), text)))
	return hex.EncodeToString(sum[:])
}

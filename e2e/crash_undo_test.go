package e2e

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// undoPoint is where an undo is killed: at a record of its journal, or when git moves a ref.
type undoPoint struct{ name, record, state, ref string }

func undoPoints() []undoPoint {
	return []undoPoint{
		{name: "run recorded", record: "restore:done"}, {name: "criteria recorded", record: "trust:done"}, {name: "run closed", record: "close:done"}, {name: "branch made", record: "branch:done"},
		{name: "before the target", state: "prepared", ref: "refs/heads/main"}, {name: "after the target", state: "committed", ref: "refs/heads/main"},
	}
}

// killAt has a command killed.
func (p *project) killAt(at undoPoint, args ...string) {
	p.t.Helper()
	if at.record != "" {
		if out, errs, code := p.try([]string{killAt + "=" + at.record}, args...); code != -1 {
			p.t.Fatalf("chant was not killed: exit %d\n%s%s", code, out, errs)
		}
		return
	}
	hook := filepath.Join(p.dir, ".git", "hooks", "reference-transaction")
	p.write(filepath.Join(".git", "hooks", "reference-transaction"),
		"#!/bin/sh\n[ \"$1\" = "+at.state+" ] && grep -q ' "+at.ref+"' || exit 0\npid=$PPID\n"+
			"while [ $pid -gt 1 ] && [ \"$(ps -o comm= $pid)\" != chant ]; do pid=$(ps -o ppid= $pid | tr -d ' '); done\nkill -9 $pid\nexit 1\n")
	if err := os.Chmod(hook, 0o755); err != nil {
		p.t.Fatal(err)
	}
	// In the sandbox, the hook could kill nothing.
	if out, errs, code := p.try([]string{"CHANT_SANDBOX=off"}, args...); code != -1 {
		p.t.Fatalf("chant was not killed: exit %d\n%s%s", code, out, errs)
	}
	if err := os.Remove(hook); err != nil {
		p.t.Fatal(err)
	}
}

// undoneOnMain reports whether the newest commit of main is an undo.
func (p *project) undoneOnMain() bool {
	p.t.Helper()
	return strings.Contains(p.git("log", "-1", "--format=%B", "main"), "Chant-Undoes: ")
}

// dirty makes an uncommitted edit of a person, which has to survive everything.
func (p *project) dirty() {
	p.t.Helper()
	p.write("mine.txt", "first")
	p.git("add", "mine.txt")
	p.git("commit", "-q", "-m", "mine")
	p.write("mine.txt", "edited")
}

// stillDirty checks that the edit is all that differs.
func (p *project) stillDirty() {
	p.t.Helper()
	if status := p.git("status", "--porcelain", "--untracked-files=no"); status != "M mine.txt" {
		p.t.Errorf("git status says %q", status)
	}
	if got := p.read("mine.txt"); got != "edited" {
		p.t.Errorf("mine.txt holds %q", got)
	}
}

// TestCrash_undoOfMerge kills the undo of a merge at each move of a ref. The spec has landed, or the merge is undone; the
// next undo finishes the one that was killed, and the work can land again.
func TestCrash_undoOfMerge(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell hook")
	}
	for _, at := range undoPoints() {
		t.Run(at.name, func(t *testing.T) {
			t.Parallel()
			oneOf(t, 3)
			p := newWalledProject(t)
			p.addFile(ownID, ownSpec("echo good > work.txt"))
			p.dirty()
			p.chant("work", ownID)
			p.killAt(at, "undo", "--yes")
			undone := p.undoneOnMain()
			status := p.statusOnMain(ownID)
			assert.Equal(t, status == "pending", undone)
			assert.False(t, !undone && status != "completed", "main has it as %s, undone: %t", status, undone)
			if !undone {
				assert.Contains(t, p.chant("undo", "--yes"), "Undid the merge of "+ownID)
			}
			p.stillDirty()
			assert.Contains(t, p.chant("list"), ownID+"  completed (not landed)")
			_, err := os.Stat(filepath.Join(p.dir, "work.txt"))
			assert.Error(t, err, "work.txt is still there")
			out := p.chant("merge", ownID)
			assert.Contains(t, out, "Landed")
			assert.Equal(t, "good\n", p.read("work.txt"))
			p.stillDirty()
			p.git("checkout", "-q", "mine.txt")
			p.sound()
		})
	}
}

// TestCrash_undoOfCancel kills the undo of a cancellation, which has dropped a run, at each move of a ref. The next undo
// finishes it.
func TestCrash_undoOfCancel(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell hook")
	}
	for _, at := range undoPoints() {
		if at.record == "trust:done" || at.record == "close:done" {
			continue // the run is as it was
		}
		t.Run(at.name, func(t *testing.T) {
			t.Parallel()
			oneOf(t, 3)
			p := newWalledProject(t)
			p.addFile(ownID, ownSpec("echo good > work.txt; false"))
			p.dirty()
			p.try(nil, "work", ownID)
			tip := p.git("rev-parse", "chant/"+ownID)
			p.chant("cancel", ownID)
			p.killAt(at, "undo", "--yes")
			status := p.statusOnMain(ownID)
			assert.Equal(t, map[bool]string{true: "pending", false: "cancelled"}[p.undoneOnMain()], status)
			if !p.undoneOnMain() {
				assert.Contains(t, p.chant("undo", "--yes"), "Undid the cancellation of "+ownID)
			}
			p.stillDirty()
			assert.Contains(t, p.chant("list"), ownID+"  failed")
			assert.Equal(t, tip, p.git("rev-parse", "chant/"+ownID))
			p.git("checkout", "-q", "mine.txt")
			p.sound()
		})
	}
}

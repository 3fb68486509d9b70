package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCrash_recycled kills a run that has taken a spare worktree, or is about to give
// its own back, at every record of those steps. Work continues to the end, nothing of
// the agent's is lost, and the spare tree that is left is clean.
func TestCrash_recycled(t *testing.T) {
	t.Parallel()
	for _, point := range []string{
		"branch:done", "worktree:begin", "worktree:done", "setup:begin", "prompt:done", "agent:note", "agent:done",
		"complete:done", "land:note", "land:done", "clean:begin", "drop:done", "clean:done",
	} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			p := newWalledProject(t)
			p.recycle()
			const first = "2026-01-01-001-abc"
			p.addFile(first, strings.ReplaceAll(crashSpec, "committed.txt", "first.txt"))
			p.chant("work", first)
			p.addFile(crashID, crashSpec)
			if out, errs, code := p.try([]string{killAt + "=" + point}, "work", crashID); code != -1 {
				t.Fatalf("chant was not killed at %s: exit %d\n%s%s", point, code, out, errs)
			}
			if before := p.landed(); !before {
				p.chant("work", crashID)
			}
			if !p.landed() {
				t.Fatal("not landed")
			}
			p.chant("cleanup", "--yes")
			if branches := p.git("branch", "--list", "chant/*"); branches != "" {
				t.Errorf("branches left: %s", branches)
			}
			want := 1
			if point == "land:done" || point == "clean:begin" {
				want = 0 // landed with its tree in place, which the clean-up removes
			}
			p.cleanSpares(want)
		})
	}
}

// recycle turns worktree.recycle on.
func (p *project) recycle() {
	p.t.Helper()
	text := "---\ndefaults: {provider: shell, main_branch: main}\nworktree: {recycle: true}\n---\n"
	if err := os.WriteFile(filepath.Join(p.dir, ".chant", "config.md"), []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
	p.git("commit", "-q", "-a", "-m", "recycle")
}

// cleanSpares checks that so many worktrees are left, spare ones in which git shows
// nothing.
func (p *project) cleanSpares(want int) {
	p.t.Helper()
	trees := strings.Split(strings.TrimSpace(p.git("worktree", "list", "--porcelain")), "\n\n")
	if len(trees)-1 != want {
		p.t.Errorf("%d worktrees are left, want %d spare ones", len(trees)-1, want)
	}
	for _, tree := range trees[1:] {
		path, _, _ := strings.Cut(strings.TrimPrefix(tree, "worktree "), "\n")
		if !strings.HasPrefix(filepath.Base(path), ".spare-") {
			p.t.Errorf("worktree left: %s", tree)
		}
		if status := p.git("-C", path, "status", "--porcelain"); status != "" {
			p.t.Errorf("%s shows %s", path, status)
		}
	}
	p.git("fsck", "--no-dangling")
}

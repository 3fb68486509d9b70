package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"chant/engine/spec"
	"chant/markdown"

	"github.com/alecthomas/assert/v2"
)

func TestCreate_oneCommit(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.mess()
	before := p.state()
	commit, err := p.Create(context.Background(), idA, []byte(withStatus("pending")))
	assert.NoError(t, err)
	assert.NotEqual(t, "", commit)
	assert.Equal(t, commit, p.git("rev-parse", "HEAD"))
	assert.Equal(t, "A\t"+SpecPath(idA), p.names("HEAD"))
	if p.state() != before || p.file(SpecPath(idA)) != withStatus("pending") {
		t.Errorf("before\n%s\nafter\n%s", before, p.state())
	}
	head := p.git("rev-parse", "HEAD")
	_, err = p.Create(context.Background(), idA, []byte("another"))
	taken, ok := errors.AsType[*ExistsError](err)
	assert.True(t, ok, "created twice: %v", err)
	assert.Equal(t, SpecPath(idA), taken.Path, "created twice: %v", err)
	assert.Equal(t, withStatus("pending"), p.file(SpecPath(idA)), "created twice: %v", err)
	assert.Equal(t, head, p.git("rev-parse", "HEAD"), "created twice: %v", err)
}

func TestCreate_sameIDAtOnce(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	const n = 4
	var won sync.Map
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			_, err := p.openAt(p.home).Create(context.Background(), idA, fmt.Appendf(nil, "# %d\n", i))
			if _, taken := errors.AsType[*ExistsError](err); err != nil && !taken {
				t.Error(err)
			}
			if err == nil {
				won.Store(i, true)
			}
		})
	}
	wg.Wait()
	count := 0
	won.Range(func(k, _ any) bool {
		count++
		if p.file(SpecPath(idA)) != fmt.Sprintf("# %d\n", k) {
			t.Errorf("%v won, but the file holds %q", k, p.file(SpecPath(idA)))
		}
		return true
	})
	assert.Equal(t, 1, count)
}

func TestTransition_manySpecsAtOnce(t *testing.T) {
	t.Parallel()
	const n = 4
	var specs []string
	for i := range n {
		specs = append(specs, spec.ID{Date: "2026-11-20", Seq: i, Suffix: "abc"}.String(), "pending")
	}
	p := newProject(t, specs...)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			if _, err := p.openAt(p.home).Transition(context.Background(), move(specs[2*i], spec.Cancel)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := p.git("rev-list", "--count", "HEAD"); got != fmt.Sprint(n+1) || p.git("status", "--porcelain") != "" {
		t.Errorf("%s commits, git sees %q", got, p.git("status", "--porcelain"))
	}
	for _, s := range p.load().Specs {
		assert.Equal(t, spec.Cancelled, s.Status, "%s", s.ID)
	}
}

func TestTransition_oneSpecAtOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ prepare, rev string }{
		"at home":                  {"", "HEAD"},
		"on a branch":              {"branch", "chant/" + idA},
		"on a branch, with a tree": {"tree", "chant/" + idA},
	} {
		p := newProject(t, idA, "pending")
		if c.prepare != "" {
			p.runBranch(idA, withStatus("pending"))
		}
		if c.prepare == "tree" {
			p.git("worktree", "add", "-q", filepath.Join(t.TempDir(), "tree"), c.rev)
		}
		const n = 4
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() { p.editUntilDone(fmt.Sprint("key", i)) })
		}
		wg.Wait()
		src := p.git("show", c.rev+":"+SpecPath(idA))
		for i := range n {
			assert.Contains(t, src, fmt.Sprintf("key%d: done\n", i), "%s: key%d is lost:", name, i)
		}
		assert.Equal(t, "", p.git("status", "--porcelain"), "%s: git", name)
	}
}

// editUntilDone sets a key, and repeats that while others write first.
func (p *project) editUntilDone(key string) {
	for {
		_, err := p.openAt(p.home).Transition(context.Background(), Change{ID: idA, Word: "edit", Edits: []markdown.Edit{markdown.Set(key, "done")}})
		if _, changed := errors.AsType[*ChangedError](err); changed {
			continue
		}
		if err != nil {
			p.t.Error(err)
		}
		return
	}
}

func TestTransition_indexCannotFollow(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending")
	// Git reads this as an empty index, and cannot write it.
	index := filepath.Join(p.home, ".git", "index")
	if err := errors.Join(os.Remove(index), os.Symlink(filepath.Join("no", "such", "folder"), index)); err != nil {
		t.Skip("no symbolic links here")
	}
	ctx, before := context.Background(), p.git("rev-parse", "HEAD")
	_, err := p.Transition(ctx, move(idA, spec.Cancel))
	_, createErr := p.Create(ctx, idB, []byte(withStatus("pending")))
	_, renameErr := p.Rename(ctx, map[string]string{SpecPath(idA): ArchiveDir + "/a.md"}, "m")
	for _, err := range []error{err, createErr, renameErr} {
		assert.Error(t, err, "no error")
	}
	// Nothing was committed, so nothing stays on disk either.
	for path, want := range map[string]string{SpecPath(idA): withStatus("pending"), SpecPath(idB): "(none)", ArchiveDir + "/a.md": "(none)"} {
		assert.Equal(t, want, p.file(path), "%s", path)
	}
	assert.Equal(t, before, p.git("rev-parse", "HEAD"))
}

func TestCommitEdits_whatAPersonWrote(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending")
	ctx := context.Background()
	if commit, err := p.CommitEdits(ctx, idA); err != nil || commit != "" {
		t.Errorf("nothing was edited: %q, %v", commit, err)
	}
	p.mess()
	before := p.state()
	p.put(SpecPath(idA), withStatus("pending")+"by hand\n")
	commit, err := p.CommitEdits(ctx, idA)
	assert.NoError(t, err)
	assert.Equal(t, "M\t"+SpecPath(idA), p.names(commit))
	assert.Equal(t, before, p.state())
	p.put(SpecPath(idB), withStatus("pending")) // never added
	if commit, err = p.CommitEdits(ctx, idB); err != nil || p.names(commit) != "A\t"+SpecPath(idB) {
		t.Errorf("%q, %v", commit, err)
	}
	_, err = p.CommitEdits(ctx, "nobody")
	assert.IsError(t, err, os.ErrNotExist)
}

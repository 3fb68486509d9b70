package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"chant/engine/spec"
	"chant/gitops"
	"chant/markdown"
)

func TestCreate_oneCommit(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.mess()
	before := p.state()
	commit, err := p.Create(context.Background(), idA, []byte(text("pending")))
	if err != nil || commit == "" || p.git("rev-parse", "HEAD") != commit || p.names("HEAD") != "A\t"+SpecPath(idA) {
		t.Fatalf("%q, %v: %s", commit, err, p.names("HEAD"))
	}
	if p.state() != before || p.file(SpecPath(idA)) != text("pending") {
		t.Errorf("before\n%s\nafter\n%s", before, p.state())
	}
	head := p.git("rev-parse", "HEAD")
	_, err = p.Create(context.Background(), idA, []byte("another"))
	if taken, ok := errors.AsType[*ExistsError](err); !ok || taken.Path != SpecPath(idA) || p.file(SpecPath(idA)) != text("pending") || p.git("rev-parse", "HEAD") != head {
		t.Errorf("created twice: %v", err)
	}
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
	if count != 1 {
		t.Errorf("%d made the same spec", count)
	}
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
		if s.Status != spec.Cancelled {
			t.Errorf("%s is %s", s.ID, s.Status)
		}
	}
}

func TestTransition_oneSpecAtOnce(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending")
	const n = 4
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			for {
				_, err := p.openAt(p.home).Transition(context.Background(), Change{ID: idA, Word: "edit", Edits: []markdown.Edit{markdown.Set(fmt.Sprint("key", i), i)}})
				if _, changed := errors.AsType[*ChangedError](err); !changed {
					if err != nil {
						t.Error(err)
					}
					return
				}
			}
		})
	}
	wg.Wait()
	src := p.file(SpecPath(idA))
	for i := range n {
		if !strings.Contains(src, fmt.Sprintf("key%d: %d\n", i, i)) {
			t.Errorf("key%d is lost:\n%s", i, src)
		}
	}
	if committed := p.git("show", "HEAD:"+SpecPath(idA)) + "\n"; committed != src || p.git("status", "--porcelain") != "" {
		t.Errorf("the commit holds\n%s\nthe file\n%s", committed, src)
	}
}

func TestTransition_indexHeldByAnother(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	// The index can never be written, as with a lock that a crashed git left.
	index := filepath.Join(p.home, ".git", "index.lock")
	put(t, index, "")
	hook := filepath.Join(p.home, ".git", "hooks", "reference-transaction")
	put(t, hook, "#!/bin/sh\n")
	if err := os.Chmod(hook, 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := p.Transition(ctx, move(idA, spec.Cancel))
	if err == nil {
		t.Skip("git went round the lock")
	}
	if got := p.git("show", "HEAD:"+SpecPath(idA)) + "\n"; got != text("cancelled") || p.file(SpecPath(idA)) != got {
		t.Errorf("the commit holds %q, the file %q: %v", got, p.file(SpecPath(idA)), err)
	}
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
	p.put(SpecPath(idA), text("pending")+"by hand\n")
	commit, err := p.CommitEdits(ctx, idA)
	if err != nil || p.names(commit) != "M\t"+SpecPath(idA) || p.state() != before {
		t.Errorf("%q, %v", commit, err)
	}
	p.put(SpecPath(idB), text("pending")) // never added
	if commit, err = p.CommitEdits(ctx, idB); err != nil || p.names(commit) != "A\t"+SpecPath(idB) {
		t.Errorf("%q, %v", commit, err)
	}
	if _, err := p.CommitEdits(ctx, "nobody"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

func TestRename_oneCommit(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "completed", idB, "completed")
	p.put(SpecPath(idC), text("pending")) // never added
	p.git("config", "core.quotePath", "false")
	before := p.state()
	moves := map[string]string{}
	for _, id := range []string{idA, idB, idC} {
		moves[SpecPath(id)] = ArchiveDir + "/2026-11-20/" + id + ".md"
	}
	commit, err := p.Rename(context.Background(), moves, "chant: archive\n")
	if err != nil || p.git("rev-list", "--count", "HEAD") != "2" || p.git("rev-parse", "HEAD") != commit {
		t.Fatalf("%q, %v", commit, err)
	}
	for from, to := range moves {
		if p.file(from) != "(none)" || p.file(to) == "(none)" {
			t.Errorf("%s is not moved", from)
		}
	}
	if got := p.git("status", "--porcelain"); got != "" || before == "" {
		t.Errorf("git sees %q", got)
	}
	if got := p.git("log", "--follow", "--format=%s", "--", moves[SpecPath(idA)]); got != "chant: archive\nfirst" {
		t.Errorf("the history ends: %q", got)
	}
}

func TestRename_allOrNothing(t *testing.T) {
	t.Parallel()
	to := func(id string) string { return ArchiveDir + "/" + id + ".md" }
	for name, c := range map[string]struct {
		spoil func(p *project)
		want  func(error) bool
	}{
		"one is missing": {func(p *project) { p.git("rm", "-q", SpecPath(idC)) }, func(err error) bool { return errors.Is(err, os.ErrNotExist) }},
		"one place is taken": {func(p *project) { p.put(to(idC), "mine") }, func(err error) bool {
			_, ok := errors.AsType[*ExistsError](err)
			return ok
		}},
	} {
		p := newProject(t, idA, "completed", idB, "completed", idC, "completed")
		c.spoil(p)
		before := p.state()
		moves := map[string]string{SpecPath(idA): to(idA), SpecPath(idB): to(idB), SpecPath(idC): to(idC)}
		for range 5 { // the order of the moves is another each time
			if commit, err := p.Rename(context.Background(), moves, "m"); !c.want(err) || commit != "" {
				t.Errorf("%s: %q, %v", name, commit, err)
			}
		}
		if after := p.state(); after != before {
			t.Errorf("%s: before\n%s\nafter\n%s", name, before, after)
		}
	}
}

func TestRename_canceled(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "completed")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if commit, err := p.Rename(ctx, map[string]string{SpecPath(idA): ArchiveDir + "/a.md"}, "m"); err == nil || commit != "" {
		t.Errorf("%q, %v", commit, err)
	}
	if _, err := gitops.Open(p.home); err != nil || p.git("status", "--porcelain") != "" || p.file(SpecPath(idA)) == "(none)" {
		t.Errorf("something was moved: %v", err)
	}
}

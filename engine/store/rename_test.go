package store

import (
	"context"
	"errors"
	"os"
	"testing"
)

func TestRename_oneCommit(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "completed", idB, "completed")
	p.put(SpecPath(idC), withStatus("pending")) // never added
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
	if got := p.git("status", "--porcelain"); got != "" {
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
		for range 5 { // the order of the moves varies
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
	if p.git("status", "--porcelain") != "" || p.file(SpecPath(idA)) == "(none)" {
		t.Error("something was moved")
	}
}

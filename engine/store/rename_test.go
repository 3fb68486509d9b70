package store

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/alecthomas/assert/v2"
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
	assert.NoError(t, err)
	assert.Equal(t, "2", p.git("rev-list", "--count", "HEAD"))
	assert.Equal(t, commit, p.git("rev-parse", "HEAD"))
	for from, to := range moves {
		assert.Equal(t, "(none)", p.file(from))
		assert.NotEqual(t, "(none)", p.file(to))
	}
	assert.Equal(t, "", p.git("status", "--porcelain"))
	assert.Equal(t, "chant: archive\nfirst", p.git("log", "--follow", "--format=%s", "--", moves[SpecPath(idA)]), "the history ends")
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
			commit, err := p.Rename(context.Background(), moves, "m")
			assert.True(t, c.want(err), "%s: %q, %v", name, commit, err)
			assert.Equal(t, "", commit, "%s", name)
		}
		assert.Equal(t, before, p.state(), "%s: before", name)
	}
}

func TestRename_canceled(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "completed")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	commit, err := p.Rename(ctx, map[string]string{SpecPath(idA): ArchiveDir + "/a.md"}, "m")
	assert.Error(t, err)
	assert.Equal(t, "", commit)
	assert.Equal(t, "", p.git("status", "--porcelain"), "something was moved")
	assert.NotEqual(t, "(none)", p.file(SpecPath(idA)), "something was moved")
}

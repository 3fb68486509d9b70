package store

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"chant/engine/spec"
	"chant/engine/store/local"
	"chant/markdown"

	"github.com/alecthomas/assert/v2"
)

func TestTransition_refused(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "completed", idB, "pending")
	p.put(SpecPath(idC), "---\nstatus: odd\n---\n")
	p.mess()
	before, head := p.state(), p.git("rev-parse", "HEAD")
	failed := errors.New("no")
	for name, c := range map[string]struct {
		ch    Change
		check func(error) bool
	}{
		"by the machine": {move(idA, spec.Start), func(err error) bool {
			e, ok := errors.AsType[*spec.StateError](err)
			return ok && e.From == spec.Completed
		}},
		"no such spec":       {move("nobody", spec.Start), func(err error) bool { _, ok := errors.AsType[*spec.NotFoundError](err); return ok }},
		"unreadable":         {move(idC, spec.Start), func(err error) bool { e, ok := errors.AsType[*markdown.SyntaxError](err); return ok && e.Line == 2 }},
		"by its edit":        {Change{ID: idB, Event: spec.Start, Edit: func(*markdown.Document) (*markdown.Document, error) { return nil, failed }}, func(err error) bool { return errors.Is(err, failed) }},
		"a value of no form": {Change{ID: idB, Event: spec.Start, Edits: []markdown.Edit{markdown.Set("x", func() {})}}, func(err error) bool { return errors.Is(err, markdown.ErrValue) }},
	} {
		out, err := p.Transition(context.Background(), c.ch)
		assert.True(t, c.check(err), "%s: %+v, %v", name, out, err)
		assert.True(t, out.Spec == nil, "%s: %+v, %v", name, out, err)
		assert.Equal(t, "", out.Commit, "%s", name)
	}
	assert.Equal(t, before, p.state(), "a refusal left something behind")
	assert.Equal(t, head, p.git("rev-parse", "HEAD"), "a refusal left something behind")
}

func TestTransition_failingCommitPutsBack(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending", idB, "in_progress")
	p.runBranch(idB, withStatus("in_progress"))
	tree := filepath.Join(p.home, ".chant", "worktrees", idB)
	_, err := p.Local(local.Worktrees, idB)
	assert.NoError(t, err)
	p.git("worktree", "add", "-q", tree, "chant/"+idB)
	p.git("config", "--unset", "user.name")
	p.git("config", "--unset", "user.email")
	p.git("config", "user.useConfigOnly", "true")
	p.mess()
	before := p.state()
	ctx := context.Background()
	for name, act := range map[string]func() error{
		"at home":     func() error { _, err := p.Transition(ctx, move(idA, spec.Start)); return err },
		"in its tree": func() error { _, err := p.Transition(ctx, move(idB, spec.Pause)); return err },
		"create":      func() error { _, err := p.Create(ctx, idC, []byte(withStatus("pending"))); return err },
		"rename": func() error {
			_, err := p.Rename(ctx, map[string]string{SpecPath(idA): ".chant/archive/x/a.md"}, "move")
			return err
		},
	} {
		assert.Error(t, act(), "%s: a commit without an identity", name)
	}
	got := get(t, filepath.Join(tree, SpecPath(idB)))
	assert.Equal(t, withStatus("in_progress"), got)
	assert.Equal(t, "", gitIn(t, tree, "status", "--porcelain"))
	if p.state() != before || p.file(SpecPath(idC)) != "(none)" {
		t.Errorf("before\n%s\nafter\n%s", before, p.state())
	}
}

func TestTransition_silent(t *testing.T) {
	t.Parallel()
	p := newProject(t)
	p.put(".git/info/exclude", "/.chant/\n")
	p.git("rm", "-rq", "--cached", ".chant")
	p.git("commit", "-qm", "out of sight")
	head := p.git("rev-parse", "HEAD")
	ctx := context.Background()
	tracked, err := p.Tracked(ctx)
	assert.NoError(t, err)
	assert.False(t, tracked, "tracked %v, %v", tracked, err)
	commit, err := p.Create(ctx, idA, []byte(withStatus("pending")))
	assert.NoError(t, err)
	assert.Equal(t, "", commit)
	out := p.transition(move(idA, spec.Start))
	assert.Equal(t, "", out.Commit)
	assert.Equal(t, spec.InProgress, out.Spec.Status)
	assert.Equal(t, withStatus("in_progress"), p.file(SpecPath(idA)))
	commit, err = p.Rename(ctx, map[string]string{SpecPath(idA): ".chant/archive/a.md"}, "m")
	assert.NoError(t, err)
	assert.Equal(t, "", commit)
	assert.Equal(t, withStatus("in_progress"), p.file(".chant/archive/a.md"))
	assert.Equal(t, head, p.git("rev-parse", "HEAD"), "git saw something")
	assert.Equal(t, "", p.git("status", "--porcelain"), "git saw something")
}

func TestTracked_normally(t *testing.T) {
	t.Parallel()
	tracked, err := newProject(t).Tracked(context.Background())
	assert.NoError(t, err)
	assert.True(t, tracked, "tracked %v, %v", tracked, err)
}

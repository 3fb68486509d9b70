package store

import (
	"context"
	"errors"
	"strings"
	"testing"

	"chant/engine/spec"
	"chant/engine/store/message"
	"chant/markdown"

	"github.com/alecthomas/assert/v2"
)

// TestBatch_oneCommit changes two specs, one of them twice, creates a third and writes another file in one commit.
func TestBatch_oneCommit(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending", idB, "pending")
	p.mess()
	ctx, before := context.Background(), p.state()
	b := NewBatch(p.Store)
	change := func(ch Change) *spec.File {
		t.Helper()
		s, err := b.Change(ctx, ch)
		assert.NoError(t, err)
		return s
	}
	change(Change{ID: idA, Word: "update", Edits: []markdown.Edit{markdown.Set("assignee", "ada")}})
	s := change(Change{ID: idA, Via: []spec.Event{spec.Start}, Event: spec.Complete})
	assert.Equal(t, spec.Completed, s.Status)
	assert.Equal(t, "ada", s.Fields.Assignee)
	change(Change{ID: idB, Word: "update", Edits: []markdown.Edit{markdown.Set("priority", "high")}})
	b.Create(idA+".1", "add", []byte("# New\n"))
	b.Write(Dir+"/sprints/1.md", nil, []byte("---\nplan: {}\n---\n"))
	saved, err := b.Commit(ctx, "update 3 tasks")
	assert.NoError(t, err)
	assert.NotEqual(t, "", saved.Commit)
	assert.Equal(t, saved.Commit, saved.CommitOf(idA))
	assert.Equal(t, before, p.state())
	assert.Equal(t, 3, strings.Count(p.names(saved.Commit), "\n"))
	c, err := p.repo.ReadCommit(ctx, saved.Commit)
	want := []message.Record{{ID: idA, Event: "update"}, {ID: idA, Event: "start"}, {ID: idA, Event: "complete"}, {ID: idB, Event: "update"}, {ID: idA + ".1", Event: "add"}}
	assert.NoError(t, err, "%q", c.Message)
	assert.Equal(t, want, message.Records(c), "%q", c.Message)
	assert.Equal(t, "chant: update 3 tasks", c.Subject, "%q", c.Message)
}

// TestBatch_refused writes nothing if one of its files has changed meanwhile, or an event is not allowed.
func TestBatch_refused(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending", idB, "pending")
	ctx, head := context.Background(), p.git("rev-parse", "HEAD")
	b := NewBatch(p.Store)
	for _, id := range []string{idA, idB} {
		_, err := b.Change(ctx, Change{ID: id, Word: "update", Edits: []markdown.Edit{markdown.Set("effort", "1h")}})
		assert.NoError(t, err)
	}
	if _, err := b.Change(ctx, Change{ID: idA, Via: []spec.Event{spec.Start}, Event: spec.Start}); err == nil {
		t.Error("started twice")
	}
	p.put(SpecPath(idB), withStatus("pending")+"by hand\n")
	_, err := b.Commit(ctx, "update 2 tasks")
	_, changed := errors.AsType[*ChangedError](err)
	assert.True(t, changed, "%v", err)
	if p.file(SpecPath(idA)) != withStatus("pending") || p.git("rev-parse", "HEAD") != head {
		t.Error("half of the batch is written")
	}
}

// TestBatch_branches commits the copy of a spec that has a run on the branch of that run.
func TestBatch_branches(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending", idB, "pending")
	p.runBranch(idA, withStatus("in_progress"))
	ctx := context.Background()
	b := NewBatch(p.Store)
	for _, id := range []string{idA, idB} {
		_, err := b.Change(ctx, Change{ID: id, Word: "update", Edits: []markdown.Edit{markdown.Set("effort", "1h")}})
		assert.NoError(t, err)
	}
	saved, err := b.Commit(ctx, "update 2 tasks")
	assert.NoError(t, err)
	assert.Equal(t, p.git("rev-parse", "chant/"+idA), saved.CommitOf(idA))
	assert.Equal(t, p.git("rev-parse", "HEAD"), saved.CommitOf(idB))
	c, err := p.repo.ReadCommit(ctx, saved.CommitOf(idA))
	assert.NoError(t, err, "%q", c.Message)
	assert.Equal(t, "chant("+idA+"): update", c.Subject, "%q", c.Message)
}

// TestTransition_via makes several events one commit, which records each.
func TestTransition_via(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending")
	out := p.transition(Change{ID: idA, Via: []spec.Event{spec.Start}, Event: spec.Complete})
	c, err := p.repo.ReadCommit(context.Background(), out.Commit)
	assert.NoError(t, err, "%q", c.Message)
	assert.Equal(t, spec.Completed, out.Spec.Status, "%q", c.Message)
	assert.Equal(t, "chant("+idA+"): start, complete", c.Subject, "%q", c.Message)
	id, event := message.SpecAndEvent(c)
	assert.Equal(t, idA, id)
	assert.Equal(t, "complete", event)
	assert.Equal(t, []message.Record{{ID: idA, Event: "start"}, {ID: idA, Event: "complete"}}, message.Records(c))
}

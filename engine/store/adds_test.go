package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"chant/engine/spec"
	"chant/markdown"

	"github.com/alecthomas/assert/v2"
)

// TestTransition_adds: further specs are in the commit of a change, or nothing is.
func TestTransition_adds(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending")
	p.mess()
	before := p.state()
	adds := []Added{{idA + ".1", []byte("# One\n")}, {idA + ".2", []byte("# Two\n")}}
	change := Change{ID: idA, Word: "reject", Edits: []markdown.Edit{markdown.Set("type", "driver")}, Adds: adds}

	// A file that a process left before its commit counts as added.
	p.put(SpecPath(adds[0].ID), "# One\n")
	out := p.transition(change)
	got, want := p.names(out.Commit), "M\t"+SpecPath(idA)+"\nA\t"+SpecPath(adds[0].ID)+"\nA\t"+SpecPath(adds[1].ID)
	assert.Equal(t, len(want), len(got), "the commit holds %q", got)
	assert.Equal(t, before, p.state(), "the person's files changed, or the spec did")
	assert.Equal(t, spec.Driver, out.Spec.Fields.Type, "the person's files changed, or the spec did")

	// If the id belongs to another spec, nothing is written.
	head, text := p.git("rev-parse", "HEAD"), p.file(SpecPath(idA))
	change.Adds = []Added{{idA + ".3", []byte("# Three\n")}, {idA + ".1", []byte("# Another\n")}}
	change.Edits = []markdown.Edit{markdown.Set("type", "code")}
	_, err := p.Transition(context.Background(), change)
	_, exists := errors.AsType[*ExistsError](err)
	assert.True(t, exists, "%v", err)
	_, err = os.Lstat(filepath.Join(p.home, filepath.FromSlash(SpecPath(idA+".3"))))
	assert.Error(t, err, "half of it stands")
	assert.Equal(t, text, p.file(SpecPath(idA)), "half of it stands")
	assert.Equal(t, head, p.git("rev-parse", "HEAD"), "half of it stands")
	assert.Equal(t, before, p.state(), "half of it stands")
}

// TestTransition_atHomeBesideABranch changes home's copy while a branch has the current version.
func TestTransition_atHomeBesideABranch(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending")
	p.git("branch", "chant/"+idA)
	out, err := p.Transition(context.Background(), Change{ID: idA, Word: "approve", AtHome: true, Edits: []markdown.Edit{markdown.Set("approval", map[string]string{"status": "approved"})}})
	assert.NoError(t, err)
	assert.Equal(t, "", out.Spec.Branch)
	assert.Equal(t, p.git("rev-parse", "HEAD"), out.Commit)
	got, err := p.Get(context.Background(), idA)
	assert.NoError(t, err)
	assert.True(t, got.Fields.Approval == nil, "%+v, %v", got, err)
	assert.True(t, got.Home != nil, "%+v, %v", got, err)
	assert.True(t, got.Home.Fields.Approval != nil, "%+v, %v", got, err)
}

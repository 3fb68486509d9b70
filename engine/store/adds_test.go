package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"chant/engine/spec"
	"chant/markdown"
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
	if got, want := p.names(out.Commit), "M\t"+SpecPath(idA)+"\nA\t"+SpecPath(adds[0].ID)+"\nA\t"+SpecPath(adds[1].ID); len(got) != len(want) {
		t.Errorf("the commit holds %q", got)
	}
	if p.state() != before || out.Spec.Fields.Type != spec.Driver {
		t.Errorf("the person's files changed, or the spec did not: %+v", out.Spec)
	}

	// If the id belongs to another spec, nothing is written.
	head, text := p.git("rev-parse", "HEAD"), p.file(SpecPath(idA))
	change.Adds = []Added{{idA + ".3", []byte("# Three\n")}, {idA + ".1", []byte("# Another\n")}}
	change.Edits = []markdown.Edit{markdown.Set("type", "code")}
	_, err := p.Transition(context.Background(), change)
	if _, exists := errors.AsType[*ExistsError](err); !exists {
		t.Fatalf("%v", err)
	}
	if _, err := os.Lstat(filepath.Join(p.home, filepath.FromSlash(SpecPath(idA+".3")))); err == nil || p.file(SpecPath(idA)) != text || p.git("rev-parse", "HEAD") != head || p.state() != before {
		t.Errorf("half of it stands: %v", err)
	}
}

// TestTransition_atHomeBesideABranch changes home's copy while a branch has the current version.
func TestTransition_atHomeBesideABranch(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending")
	p.git("branch", "chant/"+idA)
	out, err := p.Transition(context.Background(), Change{ID: idA, Word: "approve", AtHome: true, Edits: []markdown.Edit{markdown.Set("approval", map[string]string{"status": "approved"})}})
	if err != nil || out.Spec.Branch != "" || out.Commit != p.git("rev-parse", "HEAD") {
		t.Fatalf("%+v, %v", out, err)
	}
	got, err := p.Get(context.Background(), idA)
	if err != nil || got.Fields.Approval != nil || got.Home == nil || got.Home.Fields.Approval == nil {
		t.Errorf("%+v, %v", got, err)
	}
}

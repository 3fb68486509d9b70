package gitops

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"chant/gitops/objectstore"
)

func TestNotes(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	const ref = "refs/notes/chant"
	if _, err := s.ReadNote(ctx, ref, "trunk"); !errors.Is(err, ErrNotFound) {
		t.Fatal(err)
	}
	for _, text := range []string{"one", "\n  two \n\n\n", ""} {
		if err := s.AddNote(ctx, ref, "trunk", []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got := must[[]byte](t)(s.ReadNote(ctx, ref, "trunk")); string(got) != text {
			t.Errorf("%q, want %q", got, text)
		}
	}
	if err := s.AddNote(ctx, "refs/heads/x", "trunk", nil); err == nil {
		t.Error("a branch was taken for notes")
	}
	var group sync.WaitGroup
	hashes := make([]string, 8)
	for i := range hashes {
		hashes[i] = must[string](t)(s.CommitOn(ctx, "trunk", []File{file("n", fmt.Sprint(i))}, "m"))
		group.Go(func() {
			if err := s.AddNote(ctx, ref, hashes[i], []byte(fmt.Sprint(i))); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	for i, hash := range hashes {
		if got := s.git("notes", "--ref=chant", "show", hash); got != fmt.Sprint(i) {
			t.Errorf("%d: %q", i, got)
		}
	}
	all := must[[]Note](t)(s.Notes(ctx, ref))
	found := map[string]string{}
	for _, n := range all {
		found[n.Commit] = string(n.Text)
	}
	if len(all) != len(hashes)+1 || found[hashes[3]] != "3" {
		t.Errorf("%v", found)
	}
	if none := must[[]Note](t)(s.Notes(ctx, "refs/notes/other")); len(none) != 0 {
		t.Errorf("%v", none)
	}
}

func TestNotes_fanout(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	var files []File
	for i := range NoteFanout {
		files = append(files, file(fmt.Sprintf("%040x", i), "n"))
	}
	edits := make([]objectstore.Edit, len(files))
	blob := s.git("hash-object", "-w", "base.txt")
	for i, f := range files {
		edits[i] = objectstore.Edit{Path: f.Path, Mode: objectstore.ModeFile, Hash: blob}
	}
	tree := must[string](t)(s.objects.Graft(ctx, "", edits))
	s.git("update-ref", "refs/notes/chant", must[string](t)(s.CommitTree(ctx, tree, nil, "notes")))
	for range 2 {
		if err := s.AddNote(ctx, "refs/notes/chant", "trunk", []byte("fanned")); err != nil {
			t.Fatal(err)
		}
	}
	if got := s.git("notes", "--ref=chant", "show", "trunk"); got != "fanned" || len(strings.Split(s.git("notes", "--ref=chant", "list"), "\n")) != NoteFanout+1 {
		t.Errorf("%q", got)
	}
}

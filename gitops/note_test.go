package gitops

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"chant/gitops/objectstore"

	"github.com/alecthomas/assert/v2"
)

func TestNotes(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	const ref = "refs/notes/chant"
	_, err := s.ReadNote(ctx, ref, "trunk")
	assert.IsError(t, err, ErrNotFound)
	for _, text := range []string{"one", "\n  two \n\n\n", ""} {
		assert.NoError(t, s.AddNote(ctx, ref, "trunk", []byte(text)))
		assert.Equal(t, text, string(must[[]byte](t)(s.ReadNote(ctx, ref, "trunk"))))
	}
	assert.Error(t, s.AddNote(ctx, "refs/heads/x", "trunk", nil), "a branch was taken for notes")
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
		assert.Equal(t, fmt.Sprint(i), s.git("notes", "--ref=chant", "show", hash))
	}
	all := must[[]Note](t)(s.Notes(ctx, ref))
	found := map[string]string{}
	for _, n := range all {
		found[n.Commit] = string(n.Text)
	}
	assert.Equal(t, len(hashes)+1, len(all))
	assert.Equal(t, "3", found[hashes[3]])
	assert.Zero(t, must[[]Note](t)(s.Notes(ctx, "refs/notes/other")))
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
		assert.NoError(t, s.AddNote(ctx, "refs/notes/chant", "trunk", []byte("fanned")))
	}
	got := s.git("notes", "--ref=chant", "show", "trunk")
	assert.Equal(t, "fanned", got)
	assert.Equal(t, NoteFanout+1, len(strings.Split(s.git("notes", "--ref=chant", "list"), "\n")))
}

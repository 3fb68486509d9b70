package gitops

import (
	"context"
	"slices"
	"testing"

	"chant/gitops/objectstore"

	"github.com/alecthomas/assert/v2"
)

func TestFiles(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	ctx := context.Background()
	s.write("sub/ä b.txt", "two\n")
	s.write("sub.txt", "three\n")
	s.git("add", "-A")
	s.git("commit", "-qm", "second")
	var names []string
	for _, f := range must[[]Entry](t)(s.Files(ctx, "HEAD")) {
		names = append(names, f.Name)
		assert.Equal(t, s.git("rev-parse", "HEAD:"+f.Name), f.Hash)
		assert.Equal(t, objectstore.ModeFile, f.Mode)
	}
	assert.Equal(t, []string{"base.txt", "sub.txt", "sub/deep/file.txt", "sub/ä b.txt"}, names)
	assert.True(t, slices.IsSorted(names), "%q", names)
	_, err := s.Files(ctx, "nowhere")
	assert.IsError(t, err, ErrNotFound)
}

func TestSaying_childrenFirst(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	ctx := context.Background()
	s.git("commit", "-q", "--allow-empty", "-m", "one\n\nChant-Event: land", "--date", "2030-01-01T00:00:00Z")
	s.git("commit", "-q", "--allow-empty", "-m", "other\n\nThe Chant-Event: land is told of")
	s.git("commit", "-q", "--allow-empty", "-m", "two\n\nChant-Event: complete")
	var subjects []string
	for _, c := range must[[]Commit](t)(s.Saying(ctx, "HEAD", "^Chant-Event: (land|complete)$")) {
		subjects = append(subjects, c.Subject)
	}
	assert.Equal(t, []string{"two", "one"}, subjects)
}

func TestTouching_seesMerges(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	ctx := context.Background()
	s.git("switch", "-q", "-c", "side")
	s.commit("side.txt", "1\n")
	s.commit("side.txt", "2\n")
	s.git("switch", "-q", "trunk")
	s.commit("other.txt", "1\n")
	s.git("merge", "-q", "--no-edit", "side")
	got := must[[]Commit](t)(s.Touching(ctx, "HEAD", "side.txt", "gone.txt"))
	assert.Equal(t, 1, len(got))
	assert.Equal(t, s.git("rev-parse", "HEAD"), got[0].Hash)
}

func TestShallow(t *testing.T) {
	t.Parallel()
	assert.False(t, newSandbox(t).Shallow(), "what is cut off is not told from what is whole")
	assert.True(t, oddClone("--no-local", "--depth=1")(t).Shallow(), "what is cut off is not told from what is whole")
}

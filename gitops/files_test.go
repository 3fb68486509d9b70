package gitops

import (
	"context"
	"errors"
	"slices"
	"testing"

	"chant/gitops/objectstore"
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
		if want := s.git("rev-parse", "HEAD:"+f.Name); f.Hash != want || f.Mode != objectstore.ModeFile {
			t.Errorf("%+v, git says %s", f, want)
		}
	}
	if want := []string{"base.txt", "sub.txt", "sub/deep/file.txt", "sub/ä b.txt"}; !slices.Equal(names, want) || !slices.IsSorted(names) {
		t.Errorf("%q", names)
	}
	if _, err := s.Files(ctx, "nowhere"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
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
	if !slices.Equal(subjects, []string{"two", "one"}) {
		t.Errorf("%q", subjects)
	}
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
	if len(got) != 1 || got[0].Hash != s.git("rev-parse", "HEAD") {
		t.Errorf("%+v", got)
	}
}

func TestShallow(t *testing.T) {
	t.Parallel()
	if newSandbox(t).Shallow() || !oddClone("--no-local", "--depth=1")(t).Shallow() {
		t.Error("what is cut off is not told from what is whole")
	}
}

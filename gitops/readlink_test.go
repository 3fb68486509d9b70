package gitops

import (
	"context"
	"errors"
	"testing"
)

// TestReadFile_link: where a link leads is no content, and is read as what it is.
func TestReadFile_link(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.git("update-index", "--add", "--cacheinfo", "120000,"+s.git("rev-parse", "HEAD:base.txt")+",link")
	s.git("commit", "-qm", "link")
	if text, err := s.ReadFile(context.Background(), "HEAD", "link"); !errors.Is(err, ErrNotFound) {
		t.Errorf("%q, %v", text, err)
	}
	if to := must[string](t)(s.ReadLink(context.Background(), "HEAD", "link")); to != "base\n" {
		t.Errorf("%q", to)
	}
	if to, err := s.ReadLink(context.Background(), "HEAD", "base.txt"); !errors.Is(err, ErrNotFound) {
		t.Errorf("%q, %v", to, err)
	}
}

package gitops

import (
	"fmt"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestSizesOfFiles compares pairs of commits: the same one twice, without a change, across several commits, and binary
// files.
func TestSizesOfFiles(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	a := s.git("rev-parse", "HEAD")
	s.write("a b\tc.txt", "1\n2\n3\n")
	s.write(".chant/x.md", "x\n")
	s.write("binary", "\x00\x01")
	s.git("add", ".")
	s.git("commit", "-q", "-m", "more")
	b := s.git("rev-parse", "HEAD")
	s.write("a b\tc.txt", "1\n3\n4\n")
	s.write(".chant/x.md", "y\n")
	s.git("commit", "-q", "-a", "-m", "other")
	c := s.git("rev-parse", "HEAD")
	got, err := s.SizesOfFiles(t.Context(), []Pair{{From: a, To: b}, {From: b, To: b}, {From: b, To: c}, {From: a, To: c}, {From: c, To: a}, {From: a, To: b}}, ".chant")
	assert.NoError(t, err)
	want := "[[{a b\tc.txt 3 0 false} {binary 0 0 true}] [] [{a b\tc.txt 1 1 false}] [{a b\tc.txt 3 0 false} {binary 0 0 true}] [{a b\tc.txt 0 3 false} {binary 0 0 true}] [{a b\tc.txt 3 0 false} {binary 0 0 true}]]"
	assert.Equal(t, want, fmt.Sprint(got))
	if got, err := s.SizeOfChange(t.Context(), a, c, ".chant"); err != nil || got != (ChangeSize{Files: 2, Added: 3}) {
		t.Errorf("in all: %+v, %v", got, err)
	}
	got, err = s.SizesOfFiles(t.Context(), nil, ".chant")
	assert.NoError(t, err, "no pairs: %v", got)
	assert.Zero(t, got, "no pairs: %v", got)
	_, err = s.SizesOfFiles(t.Context(), []Pair{{From: a, To: "0123456789012345678901234567890123456789"}}, ".chant")
	assert.Error(t, err, "an unknown commit is no error")
}

package local

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestEvidence(t *testing.T) {
	t.Parallel()
	s := newProject(t)
	e := s.Evidence()
	key := func(n int) string { return fmt.Sprintf("ab%062x", n) }
	if text, err := e.Find(key(1)); text != nil || err != nil {
		t.Fatalf("%q, %v", text, err)
	}
	for n := range maxEvidence + 1 {
		if err := e.Keep(key(n), fmt.Append(nil, n)); err != nil {
			t.Fatal(err)
		}
		when := time.Unix(int64(n), 0)
		if err := os.Chtimes(filepath.Join(s.LocalPath(Cache, EvidenceFolder), "ab", key(n)+".json"), when, when); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := e.Find(key(maxEvidence)); string(text) != fmt.Sprint(maxEvidence) || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	if text, err := e.Find(key(0)); text != nil || err != nil {
		t.Errorf("the oldest is still there: %q, %v", text, err)
	}
	if text, err := e.Find(key(maxEvidence - 1)); text == nil || err != nil {
		t.Errorf("a new one is gone: %v", err)
	}
}

// TestEvidence_behindALink: files behind a link in the place of the folder are not read, written
// or removed.
func TestEvidence_behindALink(t *testing.T) {
	t.Parallel()
	s := newProject(t)
	elsewhere := t.TempDir()
	for n := range 2 * maxEvidence {
		if err := os.WriteFile(filepath.Join(elsewhere, fmt.Sprintf("%d.json", n)), []byte("precious"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	top, err := s.Local(Cache, EvidenceFolder)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(top, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, filepath.Join(top, "ab")); err != nil {
		t.Skip(err)
	}
	key := "ab" + strings.Repeat("0", 62)
	var wrong *FileError
	if err := s.Evidence().Keep(key, []byte("x")); !errors.As(err, &wrong) {
		t.Errorf("%v", err)
	}
	if _, err := s.Evidence().Find(key); !errors.As(err, &wrong) {
		t.Errorf("%v", err)
	}
	if left, err := os.ReadDir(elsewhere); err != nil || len(left) != 2*maxEvidence {
		t.Errorf("%d files are left, %v", len(left), err)
	}
}

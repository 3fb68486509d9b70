package local

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/assert/v2"
)

func TestEvidence(t *testing.T) {
	t.Parallel()
	s := newProject(t)
	e := s.Evidence()
	key := func(n int) string { return fmt.Sprintf("ab%062x", n) }
	text, err := e.Find(key(1))
	assert.True(t, text == nil, "%q, %v", text, err)
	assert.NoError(t, err)
	for n := range maxEvidence + 1 {
		assert.NoError(t, e.Keep(key(n), fmt.Append(nil, n)))
		when := time.Unix(int64(n), 0)
		assert.NoError(t, os.Chtimes(filepath.Join(s.LocalPath(Cache, EvidenceFolder), "ab", key(n)+".json"), when, when))
	}
	text, err = e.Find(key(maxEvidence))
	assert.Equal(t, fmt.Sprint(maxEvidence), string(text))
	assert.NoError(t, err)
	text, err = e.Find(key(0))
	assert.True(t, text == nil, "the oldest is still there: %q, %v", text, err)
	assert.NoError(t, err, "the oldest is still there")
	text, err = e.Find(key(maxEvidence - 1))
	assert.True(t, text != nil, "a new one is gone: %v", err)
	assert.NoError(t, err, "a new one is gone")
}

// TestEvidence_behindALink: files behind a link in the place of the folder are not read, written
// or removed.
func TestEvidence_behindALink(t *testing.T) {
	t.Parallel()
	s := newProject(t)
	elsewhere := t.TempDir()
	for n := range 2 * maxEvidence {
		assert.NoError(t, os.WriteFile(filepath.Join(elsewhere, fmt.Sprintf("%d.json", n)), []byte("precious"), 0o600))
	}
	top, err := s.Local(Cache, EvidenceFolder)
	assert.NoError(t, err)
	assert.NoError(t, os.MkdirAll(top, 0o700))
	if err := os.Symlink(elsewhere, filepath.Join(top, "ab")); err != nil {
		t.Skip(err)
	}
	key := "ab" + strings.Repeat("0", 62)
	var wrong *FileError
	err = s.Evidence().Keep(key, []byte("x"))
	assert.True(t, errors.As(err, &wrong), "%v", err)
	_, err = s.Evidence().Find(key)
	assert.True(t, errors.As(err, &wrong), "%v", err)
	left, err := os.ReadDir(elsewhere)
	assert.NoError(t, err)
	assert.Equal(t, 2*maxEvidence, len(left))
}

package gitops

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestSecure finds objects of a commit whose files have other content than their names say, among few objects and among
// many, however deep they are. Once all are in a pack, their files are gone, and others in their places change nothing.
func TestSecure(t *testing.T) {
	t.Parallel()
	for name, shape := range map[string]struct{ files, folders int }{"few": {3, 1}, "many folders": {1, 201}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			s.identify()
			for i := range shape.folders {
				for j := range shape.files {
					s.write(fmt.Sprintf("a/%d/b/%d", i, j), fmt.Sprint(name, i, j))
				}
			}
			s.git("add", "-A")
			s.git("update-index", "--add", "--cacheinfo", "160000,"+s.git("rev-parse", "HEAD")+",module") // a submodule that is nowhere
			s.git("commit", "-q", "-m", "files")
			head := s.git("rev-parse", "HEAD")
			object := func(rev string) (hash, file string) {
				hash = s.git("rev-parse", rev)
				return hash, filepath.Join(s.top, ".git", "objects", hash[:2], hash[2:])
			}
			other := must[[]byte](t)(os.ReadFile(func() string { _, file := object("HEAD:a/0"); return file }()))
			rewrite := func(file string, text []byte) {
				t.Helper()
				assert.NoError(t, errors.Join(os.RemoveAll(file), os.WriteFile(file, text, 0o444)))
			}
			// It asks as another process, which has read nothing yet.
			secure := func() error { return opened(t, s.top).Secure(t.Context(), head) }
			revs := []string{"HEAD:a/0/b/0", "HEAD:a/0/b", "HEAD:a", "HEAD^{tree}", "HEAD"}
			files := map[string]string{}
			for _, rev := range revs {
				hash, file := object(rev)
				files[hash] = file
				kept := must[[]byte](t)(os.ReadFile(file))
				rewrite(file, other)
				var replaced *ReplacedError
				assert.True(t, errors.As(secure(), &replaced), "%s was replaced", rev)
				assert.Equal(t, hash, replaced.Object, "%s was replaced", rev)
				rewrite(file, kept)
			}
			assert.NoError(t, secure())
			for hash, file := range files {
				_, err := os.Lstat(file)
				assert.IsError(t, err, os.ErrNotExist)
				before := s.git("cat-file", "-p", hash)
				rewrite(file, other)
				assert.Equal(t, before, s.git("cat-file", "-p", hash))
				kind, _, err := opened(t, s.top).objects.Read(t.Context(), hash)
				assert.NoError(t, err)
				assert.Equal(t, s.git("cat-file", "-t", hash), kind)
				assert.NoError(t, os.Remove(file))
			}
			s.git("fsck", "--strict", "--no-dangling")
		})
	}
}

// TestSecure_joins: many small packs become one, which has all that they had, also what no commit leads to.
func TestSecure_joins(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.identify()
	var commits []string
	for i := range 45 {
		s.write("base.txt", fmt.Sprint(i))
		s.git("commit", "-q", "-a", "-m", fmt.Sprint(i), "--amend")
		commits = append(commits, s.git("rev-parse", "HEAD"))
		assert.NoError(t, opened(t, s.top).Secure(t.Context(), commits[i]))
	}
	packs := must[[]string](t)(filepath.Glob(filepath.Join(s.top, ".git", "objects", "pack", "*.pack")))
	assert.True(t, len(packs) < 10, "%d packs are left", len(packs))
	for i, commit := range commits {
		assert.Equal(t, fmt.Sprint(i), s.git("show", commit+":base.txt"))
	}
	s.git("fsck", "--strict", "--no-dangling")
}

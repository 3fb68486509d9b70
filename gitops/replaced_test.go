package gitops

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestReplaced finds objects of a commit whose files have other content than their names say, among few objects and among
// many, however deep they are.
func TestReplaced(t *testing.T) {
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
			// replaced asks as another process, which has read nothing yet.
			replaced := func() ([]string, error) { return must[*Repo](t)(Open(s.top)).Replaced(t.Context(), head) }
			got, err := replaced()
			assert.NoError(t, err)
			assert.True(t, got == nil, "as it is: %q, %v", got, err)
			for _, each := range [][2]string{{"HEAD:a/0/b/0", "HEAD:a/0"}, {"HEAD:a/0/b", "HEAD:a/0"}, {"HEAD:a", "HEAD:a/0"}, {"HEAD^{tree}", "HEAD:a/0"}, {"HEAD", "HEAD:a/0"}, {"HEAD", "HEAD~1"}} {
				rev := each[0]
				hash, file := object(rev)
				_, other := object(each[1])
				kept := must[[]byte](t)(os.ReadFile(file))
				rewrite := func(text []byte) {
					t.Helper()
					assert.NoError(t, errors.Join(os.Remove(file), os.WriteFile(file, text, 0o444)))
				}
				rewrite(must[[]byte](t)(os.ReadFile(other)))
				got, err := replaced()
				assert.NoError(t, err, "%s was replaced", rev)
				assert.SliceContains(t, got, hash, "%s was replaced", rev)
				rewrite(kept)
				got, err = replaced()
				assert.NoError(t, err, "%s", rev)
				assert.True(t, got == nil, "%s as it was: %q, %v", rev, got, err)
			}
		})
	}
}

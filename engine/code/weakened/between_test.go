package weakened

import (
	"fmt"
	"strings"
	"testing"

	"chant/engine/enginetest"

	"github.com/alecthomas/assert/v2"
)

// TestBetween compares commits: a file that was moved is one, files of chant do not count, and a large change is cut after its
// tests, and says so.
func TestBetween(t *testing.T) {
	t.Parallel()
	p, dir := enginetest.Project(t)
	const tested = "package a\n\nfunc TestA(t *testing.T) {\n\tassert.Equal(t, 1, A())\n}\n"
	large := strings.Repeat("line\n", maxLines+1)
	enginetest.Commit(t, dir, map[string]string{"a_test.go": tested, "z_test.go": tested})
	base := enginetest.Git(t, dir, "rev-parse", "HEAD")
	enginetest.Git(t, dir, "rm", "-q", "a_test.go")
	enginetest.Commit(t, dir, map[string]string{
		"b/a_test.go": tested, "z_test.go": strings.Replace(tested, "\tassert", "\tt.Skip()\n\tassert", 1),
		"large.txt": large, "larger.txt": large, ".chant/a_test.go": "package a\n",
	})
	got, err := Between(t.Context(), p.Repo, base, "HEAD", nil)
	assert.NoError(t, err)
	assert.Equal(t, "[z_test.go:4 test_skipped: nothing -> t.Skip()]", fmt.Sprint(got.Findings))
	assert.Equal(t, "4 of 5 changed files were compared for weakened checks (at most 2000 files and 20000 lines are)", got.Cut)
}

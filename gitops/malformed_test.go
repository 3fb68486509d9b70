package gitops

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestMalformed: what git itself has written is well-formed, and what was put together by hand is named; history before is
// not looked at.
func TestMalformed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		commit func(s *sandbox) string
		want   string // in what is said, "" = nothing is wrong
	}{
		"nothing new": {func(s *sandbox) string { return s.git("rev-parse", "HEAD") }, ""},
		"by git": {func(s *sandbox) string {
			return s.git("commit-tree", "-p", "HEAD", "-m", "next", "HEAD^{tree}")
		}, ""},
		"a file named .git": {func(s *sandbox) string {
			tree := made(s, "100644 blob "+s.git("rev-parse", "HEAD:base.txt")+"\t.git\n", "mktree")
			return s.git("commit-tree", "-p", "HEAD", "-m", "next", tree)
		}, "hasDotgit"},
		"a date that is none": {func(s *sandbox) string {
			text := "tree " + s.git("rev-parse", "HEAD^{tree}") + "\nparent " + s.git("rev-parse", "HEAD") + "\nauthor a <a@b> 01 +0000\ncommitter a <a@b> 1 +0000\n\nnext\n"
			return made(s, text, "hash-object", "-t", "commit", "-w", "--literally", "--stdin")
		}, "zeroPaddedDate"},
		"a tree that is none": {func(s *sandbox) string {
			tree := made(s, "none", "hash-object", "-t", "tree", "-w", "--literally", "--stdin")
			return made(s, "tree "+tree+"\nauthor a <a@b> 1 +0000\ncommitter a <a@b> 1 +0000\n\nnext\n", "hash-object", "-t", "commit", "-w", "--literally", "--stdin")
		}, "too-short tree object"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			start, tip := s.git("rev-parse", "HEAD"), c.commit(s)
			said, err := s.Malformed(t.Context(), start, tip)
			assert.NoError(t, err)
			assert.Equal(t, c.want == "", said == "")
			assert.Contains(t, said, c.want)
			if strings.Contains(c.want, "too-short") {
				return // nothing can be compared with it
			}
			later := s.git("commit-tree", "-p", tip, "-m", "later", "HEAD^{tree}")
			said, err = s.Malformed(t.Context(), tip, later)
			assert.Equal(t, "", said, "the commit after")
			assert.NoError(t, err, "the commit after")
		})
	}
}

// TestMalformed_other: a failure of the machine is not said of the objects.
func TestMalformed_other(t *testing.T) {
	t.Parallel()
	for _, stderr := range []string{"fatal: write error: No space left on device\n", "fatal: Out of memory, malloc failed\n", "fatal: bad object 53a0cff96a2484a728960079f51cd1cd1342bb38\n",
		"fatal: unable to create '/tmp/x/new.idx': Permission denied\n", ""} {
		failed := &GitError{Args: []string{"index-pack"}, ExitCode: 128, Stderr: stderr}
		said, err := blamedObject(failed)
		assert.Equal(t, "", said, "%q", stderr)
		assert.Error(t, err, "%q", stderr)
	}
}

// made returns what git makes of a text.
func made(s *sandbox, text string, args ...string) string {
	s.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin = s.top, strings.NewReader(text)
	out, err := cmd.Output()
	if err != nil {
		s.t.Fatalf("git %q: %v", args, err)
	}
	return strings.TrimSpace(string(out))
}

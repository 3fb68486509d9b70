package gitops

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// Killed at any moment, we leave at most our own change staged, never its reversal.
func TestCommitFiles_killed(t *testing.T) {
	const top, self = "GITOPS_TEST_TOP", "GITOPS_TEST_SELF"
	files := []File{file("base.txt", "ours\n"), file("new.txt", "ours\n"), {Path: "sub/deep/file.txt"}}
	if dir := os.Getenv(top); dir != "" { // the process that will be killed
		t.Setenv(self, strconv.Itoa(os.Getpid()))
		r := opened(t, dir)
		_, _, err := r.CommitFiles(context.Background(), CommitOptions{Files: files, Message: "ours"})
		t.Fatalf("it lives: %v", err)
	}
	for name, c := range map[string]struct{ hook, staged string }{
		"before the ref moves": {`[ "$1" = prepared ] && kill -9 "$` + self + `" && exit 1; [ "$1" = aborted ] && echo x > .git/ended; exit 0`, "M\tbase.txt\nA\tnew.txt\nD\tsub/deep/file.txt"},
		"after the ref moved":  {`[ "$1" = committed ] && kill -9 "$` + self + `" && echo x > .git/ended; exit 0`, ""},
	} {
		s := newSandbox(t)
		for _, f := range files[:2] {
			s.write(f.Path, string(f.Content))
		}
		assert.NoError(t, os.Remove(filepath.Join(s.top, "sub", "deep", "file.txt")))
		s.hook(c.hook)
		cmd := exec.Command(os.Args[0], "-test.run=^TestCommitFiles_killed$")
		cmd.Env = append(os.Environ(), top+"="+s.top)
		err := cmd.Run()
		assert.Error(t, err, "%s: not killed", name)
		assert.False(t, cmd.ProcessState.Exited(), "%s: not killed: %v", name, err)
		awaitFile(t, filepath.Join(s.top, ".git", "ended"))
		s.hook("exit 0")
		assert.Equal(t, c.staged, s.git("diff", "--cached", "--name-status"), "%s: staged", name)
		s.write("theirs.txt", "theirs\n")
		s.git("add", "theirs.txt")
		s.git("commit", "-qm", "theirs")
		assert.Equal(t, "ours", s.git("status", "--porcelain")+s.git("show", "HEAD:new.txt"), "%s: after a person's commit", name)
	}
}

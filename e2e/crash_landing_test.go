package e2e

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestCrash_betweenFilesAndBranch kills chant when the files of a landing are in the checkout
// and the branch is not there yet. What the next command does with the run, it never leaves
// files of a landing in the checkout that has not happened, and no edit of a person is lost.
func TestCrash_betweenFilesAndBranch(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs a shell hook")
	}
	for name, c := range map[string]struct {
		then []string
		want string
	}{
		"work":               {[]string{"work", ownID}, "completed"},
		"watch":              {[]string{"watch", "--once"}, "completed"},
		"it no longer holds": {[]string{"work", ownID}, "pending"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			oneOf(t, 3)
			p := newWalledProject(t)
			p.addFile(ownID, "---\nstatus: pending\n---\n# Work\n\n## Script\n\n```sh\necho good > work.txt\n```\n\n## Acceptance Criteria\n\n"+
				"- [ ] it is good `$ grep good work.txt && [ ! -e "+filepath.Join(filepath.Dir(p.dir), "broken")+" ]`\n")
			p.write("mine.txt", "first")
			p.git("add", "mine.txt")
			p.git("commit", "-q", "-m", "mine")
			p.write("mine.txt", "edited")
			hook := filepath.Join(p.dir, ".git", "hooks", "reference-transaction")
			p.write(filepath.Join(".git", "hooks", "reference-transaction"),
				"#!/bin/sh\n[ \"$1\" = prepared ] && grep -q ' refs/heads/main$' || exit 0\nkill -9 $(ps -o ppid= $PPID)\nexit 1\n")
			assert.NoError(t, os.Chmod(hook, 0o755))
			// In the sandbox, the hook could kill nothing.
			if out, errs, code := p.try([]string{"CHANT_SANDBOX=off"}, "work", ownID); code != -1 {
				t.Fatalf("chant was not killed: exit %d\n%s%s", code, out, errs)
			}
			assert.NoError(t, os.Remove(hook))
			if c.want == "pending" {
				p.write(filepath.Join("..", "broken"), "x")
			}
			out, errs, _ := p.try(nil, c.then...)
			assert.Equal(t, c.want, p.statusOnMain(ownID), "main has it as %s %s", out, errs)
			assert.Equal(t, "M mine.txt", p.git("status", "--porcelain", "--untracked-files=no"))
			assert.Equal(t, "edited", p.read("mine.txt"))
		})
	}
}

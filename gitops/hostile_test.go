package gitops

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// inRepository runs a shell line in a clone of a repository with one commit. $ran is a file that nothing may make.
func inRepository(t *testing.T, line string) (dir, ran string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("a POSIX shell is needed")
	}
	base := t.TempDir()
	dir, ran = filepath.Join(base, "clone"), filepath.Join(base, "ran")
	cmd := exec.Command("sh", "-ec", `git init -q -b main origin; cd origin; echo a > a; printf 'ignored\n' > .gitignore; git add .; git commit -qm a; cd ..; git clone -q origin clone; cd clone; `+line)
	cmd.Dir = base
	cmd.Env = append(os.Environ(), "ran="+ran, "HOME="+base, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.com")
	out, err := cmd.CombinedOutput()
	assert.NoError(t, err, "%s", out)
	return dir, ran
}

// TestHoldsOwn_runsNothing: whatever the settings and files of a repository name, nothing of it is run, and the answer comes.
func TestHoldsOwn_runsNothing(t *testing.T) {
	t.Parallel()
	const evil = `printf '#!/bin/sh\n: > %s\n' "$ran" > evil; chmod +x evil; mv evil .git/evil; e="$PWD/.git/evil"; `
	for name, c := range map[string]struct {
		line string
		want bool
	}{
		"a monitor of files":        {evil + `git config core.fsmonitor "$e"`, false},
		"a filter":                  {evil + `git config filter.x.clean "$e"; git config filter.x.process "$e"; echo '* filter=x' > .git/info/attributes; touch -d 2001-01-01 a`, false},
		"another difference":        {evil + `git config diff.external "$e"; echo b > a`, true},
		"hooks":                     {evil + `git config core.hooksPath .git; cp "$e" .git/post-index-change; cp "$e" .git/reference-transaction`, false},
		"a partial clone":           {evil + `git config extensions.partialClone origin; git config remote.origin.promisor true; git config remote.origin.uploadpack "$e"; rm -rf .git/objects/??; rm -f .git/objects/pack/*`, true},
		"another objects' folder":   {evil + `git config core.alternateRefsCommand "$e"; echo "$PWD/../origin/.git/objects" > .git/objects/info/alternates`, false},
		"a pipe for objects":        {`mkfifo .git/objects/pack/pack-x.idx`, true},
		"a pipe for the index":      {`rm .git/index; mkfifo .git/index`, true},
		"a pipe for refs":           {`mkfifo .git/packed-refs2; mv .git/packed-refs2 .git/packed-refs`, true},
		"a pipe in the tree":        {`mkfifo pipe`, true},
		"a pipe for a tracked file": {`rm a; mkfifo a`, true},
		"rules that are a pipe":     {`rm .gitignore; mkfifo .gitignore`, true},
		"a tree without end":        {`h=$(printf '40000 x\0' > t; printf '%.0s\000' $(seq 20) >> t; git hash-object -t tree -w --literally t); rm t; git update-ref refs/heads/main $(git commit-tree -m x $h)`, true},
		"junk instead of an index":  {`head -c 5000 /dev/urandom > .git/index`, true},
		"a worktree elsewhere":      {`git config core.worktree /`, false},
		"included settings":         {evil + `printf '[core]\n\tfsmonitor = %s\n' "$e" > .git/more; git config include.path more`, false},
		"files that it ignores":     {`: > ignored`, false},
		"a file of its own":         {`: > new`, true},
		"a commit of its own":       {`echo b > a; git commit -qam b`, true},
		"a commit that was pushed":  {`git push -q origin HEAD:refs/heads/x`, false},
		"an older commit":           {`echo b > a; git commit -qam b; git push -q origin HEAD:refs/heads/x; git checkout -q --detach HEAD^`, false},
		"something staged":          {`echo b > b; git add b`, true},
		"a file of another mode":    {`chmod +x a`, true},
		"the same, touched":         {`touch -d 2001-01-01 a`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, ran := inRepository(t, c.line)
			got, err := holdsOwn(t.Context(), dir, false)
			assert.NoError(t, err)
			assert.Equal(t, c.want, got)
			_, err = os.Lstat(ran)
			assert.IsError(t, err, os.ErrNotExist, "a program of the repository was run")
		})
	}
}

// TestSources_noGit: git starts in the worktree around a nested repository, or in home, and nowhere else.
func TestSources_noGit(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("nested*.go")
	assert.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		assert.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			if strings.Contains(line, "gitexec.Call{") && !strings.Contains(line, "Dir: p.Top") && !strings.Contains(line, "Dir: f.Site.Home") && !strings.HasSuffix(file, "_test.go") {
				t.Errorf("%s starts git elsewhere: %s", file, strings.TrimSpace(line))
			}
		}
	}
}

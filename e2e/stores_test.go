package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// TestStores_ofEarlierVersions opens projects that earlier versions have left, each with a spec that landed, one that failed, one
// that is completed and one that is new, and lands what has not landed. The archives are named by the commit of the version.
func TestStores_ofEarlierVersions(t *testing.T) {
	t.Parallel()
	for _, commit := range []string{"7886c78", "7cc8fd28"} {
		t.Run(commit, func(t *testing.T) {
			t.Parallel()
			top := t.TempDir()
			archive, err := filepath.Abs(filepath.Join("testdata", "stores", commit+".tar.gz"))
			assert.NoError(t, err)
			assert.Equal(t, "", string(mustRun(t, top, "tar", "-xzf", archive)))
			repo := filepath.Join(top, "repo")
			env := append(os.Environ(), append(environment(filepath.Join(top, "home")), "XDG_CACHE_HOME="+filepath.Join(top, "cache"), "CHANT_SANDBOX=off")...)
			chant := func(args ...string) ran { t.Helper(); return execute(t, repo, env, chantBinary(t), args...) }
			// Git records the places of worktrees, and the repository is in another one now.
			trees, err := filepath.Glob(filepath.Join(repo, ".chant", "worktrees", "2026*"))
			assert.NoError(t, err)
			mustRun(t, repo, "git", append([]string{"worktree", "repair"}, trees...)...)

			list := chant("list")
			for _, want := range []string{"001-abc  completed  ", "002-abc  failed  ", "003-abc  completed (not landed)", "004-abc  pending (ready)"} {
				assert.Contains(t, list.out, want, "%s", list.stderr)
			}
			assert.Contains(t, chant("show", "001").out, "verified     passed")
			assert.Contains(t, chant("diagnose", "002").out, "test -f b.txt")
			got := chant("verify", "001", "--no-write")
			assert.Equal(t, 0, got.code, "%s%s", got.out, got.stderr)
			got = chant("merge", "003")
			assert.Equal(t, 0, got.code, "%s%s", got.out, got.stderr)
			file := filepath.Join(repo, ".chant", "specs", "2026-01-02-002-abc.md")
			src, err := os.ReadFile(file)
			assert.NoError(t, err)
			assert.NoError(t, os.WriteFile(file, []byte(strings.ReplaceAll(string(src), "b.txt", "x.txt")), 0o644))
			// The first versions did not record home's copy, with which an edit of it is compared.
			if commit == "7886c78" {
				got = chant("reset", "002")
				assert.Equal(t, 0, got.code, "%s%s", got.out, got.stderr)
			}
			for _, id := range []string{"002", "004"} {
				got = chant("work", id)
				assert.Equal(t, 0, got.code, "work %s: %s%s", id, got.out, got.stderr)
			}
			for _, name := range []string{"a.txt", "c.txt", "x.txt", "d.txt"} {
				assert.Contains(t, string(mustRun(t, repo, "git", "ls-tree", "--name-only", "main")), name+"\n")
			}
		})
	}
}

// TestStores_ofNewerVersions: what names a format that this version does not know is refused with one sentence.
func TestStores_ofNewerVersions(t *testing.T) {
	t.Parallel()
	for name, at := range map[string]struct{ file, text, want string }{
		"settings":    {".chant/config.md", "---\nformat: 2\nnew: [\"key\"]\ndefaults: {provider: {of: another kind}}\n---\n", `.chant/config.md has format 2`},
		"local state": {".git/chant/format", "2\n", `.git/chant" has format 2`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t)
			p.write(at.file, at.text)
			_, said, code := p.try(nil, "list")
			assert.Equal(t, 4, code, "%s", said)
			assert.Contains(t, said, at.want+", and this chant reads formats up to 1: use a newer chant\nhint: chant guide upgrade\n")
		})
	}
}

// mustRun runs a program and returns what it prints to stdout.
func mustRun(t *testing.T, dir, program string, args ...string) []byte {
	t.Helper()
	c := exec.CommandContext(t.Context(), program, args...)
	c.Dir = dir
	out, err := c.Output()
	assert.NoError(t, err, "%s %q", program, args)
	return out
}

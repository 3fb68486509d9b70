package cmd

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/providers/relay"

	"github.com/alecthomas/assert/v2"
)

// worktrees is a folder with a repository, a worktree of it, and repositories inside and beside.
func worktrees(t *testing.T) string {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	assert.NoError(t, err)
	for _, dir := range []string{
		"repo/.git/worktrees/run", "repo/.chant/worktrees/run/src/deep", "repo/src", "repo/.chant/worktrees/run/nested/.git/refs",
		"repo/.chant/worktrees/run/module", "repo/.git/modules/module", "repo/.chant/worktrees/run/odd", "bare.git/worktrees/run", "of-bare/src", "none",
	} {
		assert.NoError(t, os.MkdirAll(filepath.Join(top, filepath.FromSlash(dir)), 0o700))
	}
	for name, text := range map[string]string{
		"repo/.chant/worktrees/run/.git":        "gitdir: " + top + "/repo/.git/worktrees/run\n",
		"repo/.chant/worktrees/run/module/.git": "gitdir: ../../../../.git/modules/module\n",
		"repo/.chant/worktrees/run/odd/.git":    "not a pointer\n",
		"of-bare/.git":                          "gitdir: ../bare.git/worktrees/run\n",
	} {
		assert.NoError(t, os.WriteFile(filepath.Join(top, filepath.FromSlash(name)), []byte(text), 0o600))
	}
	assert.NoError(t, os.Symlink(filepath.Join(top, "repo", ".chant", "worktrees", "run"), filepath.Join(top, "link")))
	return top
}

// TestCommonDirAbove finds the git folder of the nearest repository around a folder.
func TestCommonDirAbove(t *testing.T) {
	t.Parallel()
	top := worktrees(t)
	for dir, want := range map[string]string{
		"repo":                               "repo/.git",
		"repo/src":                           "repo/.git",
		"repo/.chant/worktrees":              "repo/.git",
		"repo/.chant/worktrees/run":          "repo/.git",
		"repo/.chant/worktrees/run/src/deep": "repo/.git",
		"link/src":                           "repo/.git",
		"repo/.chant/worktrees/run/nested":   "repo/.chant/worktrees/run/nested/.git",
		"repo/.chant/worktrees/run/nested/.git/refs": "repo/.chant/worktrees/run/nested/.git",
		"repo/.chant/worktrees/run/module":           "repo/.git/modules/module",
		"repo/.chant/worktrees/run/odd":              "",
		"of-bare/src":                                "bare.git",
		"missing":                                    "",
	} {
		got := commonDirAbove(filepath.Join(top, filepath.FromSlash(dir)))
		if want != "" {
			want = filepath.Join(top, filepath.FromSlash(want))
		}
		assert.Equal(t, want, got, "%s", dir)
	}
}

// TestRelayed: what an agent asks about the repository of its run goes to the run, and nothing else does. Nothing listens
// here, so what is relayed fails with an error of its own.
func TestRelayed(t *testing.T) {
	t.Parallel()
	top := worktrees(t)
	run := "repo/.chant/worktrees/run"
	for name, c := range map[string]struct {
		line, dir string
		environ   []string // beside the variables of a run
		want      bool
	}{
		"in the worktree":            {"list", run, nil, true},
		"below it":                   {"check 001 1", run + "/src/deep", nil, true},
		"in the person's checkout":   {"approve 001", "repo", nil, true},
		"an unknown command":         {"frobnicate", run, nil, true},
		"hooks install":              {"hooks install", run, nil, true},
		"hooks alone":                {"hooks", run, nil, true},
		"hooks of git":               {"hooks run pre-commit", run, nil, false},
		"a nested repository":        {"list", run + "/nested", nil, false},
		"a submodule":                {"list", run + "/module", nil, false},
		"another repository":         {"list", "of-bare", nil, false},
		"no command":                 {"", run, nil, false},
		"a flag first":               {"--version", run, nil, false},
		"help of a command":          {"approve --help", run, nil, false},
		"help, in short":             {"approve -h", run, nil, false},
		"the loop of an agent":       {"loop config.json", run, nil, false},
		"the merge driver":           {"merge-driver a b c", run, nil, false},
		"a program of git":           {"apart -- - eA", run, nil, false},
		"the manual":                 {"guide trust", run, nil, false},
		"without a socket":           {"list", run, []string{relay.SocketKey + "="}, false},
		"a repository by a variable": {"list", run, []string{relay.RepoKey + "=" + top + "/bare.git"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var errs bytes.Buffer
			s := Env{In: strings.NewReader(""), Out: &bytes.Buffer{}, Err: &errs, Dir: filepath.Join(top, filepath.FromSlash(c.dir))}
			s.Environ = append([]string{relay.SocketKey + "=" + top + "/socket", relay.RepoKey + "=" + top + "/repo/.git"}, c.environ...)
			exit, done := runThroughRelay(t.Context(), strings.Fields(c.line), s)
			assert.Equal(t, c.want, done)
			said := errs.String()
			assert.False(t, done && (exit != exitInside || !strings.HasPrefix(said, "error: ")), "exit code %d: %s", exit, said)
			assert.False(t, !done && (exit != 0 || said != ""), "exit code %d: %s", exit, said)
		})
	}
}

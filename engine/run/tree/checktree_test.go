package tree_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"chant/engine/enginetest"
	"chant/engine/evidence/journal"
	"chant/engine/run/attempt"
	"chant/engine/run/runtest"
	"chant/engine/run/tree"
	"chant/engine/spec"
	"chant/engine/store/config"

	"github.com/alecthomas/assert/v2"
)

// placed is a run whose branch has two files, and whose settings copy and make one more each.
func placed(t *testing.T) *runtest.Run {
	t.Helper()
	p, dir := enginetest.Project(t)
	enginetest.Commit(t, dir, map[string]string{".gitignore": ".env\nbuilt/\n"})
	enginetest.Write(t, dir, ".env", "A=1\n")
	enginetest.Write(t, dir, "mine.txt", "not committed\n")
	r := runtest.Of(t, p, dir, runtest.Plain, func(s *attempt.Settings) {
		s.Copy, s.SetupCmd = []string{".env"}, []string{"mkdir -p built && echo made > built/out"}
	})
	r.Agent(map[string]string{"done.txt": "yes\n", "dir/deep.txt": "deep\n"})
	return r
}

// TestInPlace gives a folder with what is committed and what set-up makes, and nothing else; it is gone afterwards.
func TestInPlace(t *testing.T) {
	t.Parallel()
	r := placed(t)
	tip := r.Git("rev-parse", r.Job.Branch)
	var where string
	err := r.Places.InPlace(t.Context(), tip, true, func(at tree.Place) error {
		where = at.Dir
		for name, want := range map[string]string{"done.txt": "yes\n", "dir/deep.txt": "deep\n", ".env": "A=1\n", "built/out": "made\n"} {
			if got := enginetest.Read(t, at.Dir, name); got != want {
				t.Errorf("%s: %q", name, got)
			}
		}
		if _, err := os.Lstat(filepath.Join(at.Dir, "mine.txt")); err == nil {
			t.Error("an uncommitted file of the checkout is there")
		}
		if at.Commit != tip || at.Tree != r.Git("rev-parse", tip+"^{tree}") {
			t.Errorf("%+v", at)
		}
		if strings.HasPrefix(at.Dir, r.Dir+string(filepath.Separator)) {
			t.Errorf("%q lies in the repository", at.Dir)
		}
		return nil
	})
	assert.NoError(t, err)
	_, err = os.Lstat(where)
	assert.Error(t, err, "%q is still there", where)
	assert.NotContains(t, r.Git("worktree", "list", "--porcelain"), where, "git still knows it:")
}

// TestInPlace_ends removes the folder whatever comes of it.
func TestInPlace_ends(t *testing.T) {
	t.Parallel()
	r := placed(t)
	stop := errors.New("stop")
	var where string
	err := r.Places.InPlace(t.Context(), r.Job.Branch, true, func(at tree.Place) error {
		where = at.Dir
		return stop
	})
	assert.IsError(t, err, stop)
	_, err = os.Lstat(where)
	assert.Error(t, err, "%q is still there", where)
	err = r.Places.InPlace(t.Context(), r.Job.Branch, false, func(at tree.Place) error {
		if at.Dir != "" {
			t.Errorf("a folder was made although nothing runs: %q", at.Dir)
		}
		return nil
	})
	assert.NoError(t, err)
}

// TestUntouched restores a place after each command, or refuses what a command has changed for good.
func TestUntouched(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		command func(t *testing.T, dir string)
		kind    spec.ReasonCode
		words   string
	}{
		"nothing":                {func(*testing.T, string) {}, "", ""},
		"adds files":             {func(t *testing.T, dir string) { enginetest.Write(t, dir, "new/file.txt", "x") }, "", ""},
		"adds beside":            {func(t *testing.T, dir string) { enginetest.Write(t, filepath.Dir(dir), "package.json", "{}") }, "", ""},
		"changes products":       {func(t *testing.T, dir string) { enginetest.Write(t, dir, "built/out", "other") }, "", ""},
		"removes products":       {func(t *testing.T, dir string) { remove(t, dir, "built") }, "", ""},
		"changes a copy":         {func(t *testing.T, dir string) { enginetest.Write(t, dir, ".env", "B=2\n") }, "", ""},
		"changes a tracked file": {func(t *testing.T, dir string) { enginetest.Write(t, dir, "done.txt", "no\n") }, spec.ReasonSpoiled, "done.txt"},
		"removes a tracked file": {func(t *testing.T, dir string) { remove(t, dir, "dir/deep.txt") }, spec.ReasonSpoiled, "dir/deep.txt"},
		"hides a change from git": {func(t *testing.T, dir string) {
			enginetest.Git(t, dir, "update-index", "--assume-unchanged", "done.txt")
			enginetest.Write(t, dir, "done.txt", "no\n")
		}, spec.ReasonSpoiled, "done.txt"},
		"switches":       {func(t *testing.T, dir string) { enginetest.Git(t, dir, "checkout", "-q", "--detach", "main") }, spec.ReasonSpoiled, ""},
		"commits":        {func(t *testing.T, dir string) { enginetest.Git(t, dir, "commit", "-q", "--allow-empty", "-m", "x") }, spec.ReasonSpoiled, ""},
		"sets a setting": {func(t *testing.T, dir string) { enginetest.Git(t, dir, "config", "remote.x.url", "/tmp/x") }, spec.ReasonRepository, "remote.x.url"},
		"makes a branch": {func(t *testing.T, dir string) { enginetest.Git(t, dir, "branch", "other") }, "", ""},
		"moves the target": {func(t *testing.T, dir string) {
			enginetest.Git(t, dir, "update-ref", "refs/heads/main", "HEAD")
		}, spec.ReasonRepository, `branch "main"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := placed(t)
			r.Settings.Sandbox.Mode = config.SandboxOff // the commands are of this process, which has no bounds
			err := r.Places.InPlace(t.Context(), r.Job.Branch, true, func(at tree.Place) error {
				tc.command(t, at.Dir)
				err := r.Places.CheckUntouched(t.Context(), at)
				if tc.kind != "" || err != nil {
					return err
				}
				for name, want := range map[string]string{"done.txt": "yes\n", ".env": "A=1\n", "built/out": "made\n"} {
					if got := enginetest.Read(t, at.Dir, name); got != want {
						t.Errorf("%s: %q", name, got)
					}
				}
				if _, err := os.Lstat(filepath.Join(at.Dir, "new")); err == nil {
					t.Error("what was added is still there")
				}
				clean, err := r.Places.Clean(t.Context(), at)
				if !clean {
					t.Error("the place is not clean")
				}
				return err
			})
			if tc.kind == "" {
				assert.NoError(t, err)
				return
			}
			r.Fails(err, tc.kind, tc.words)
		})
	}
}

func remove(t *testing.T, dir, name string) {
	t.Helper()
	assert.NoError(t, os.RemoveAll(filepath.Join(dir, filepath.FromSlash(name))))
}

// TestKeepChanged records what criteria changed of the repository, so that no later run of this spec takes it for
// unchanged.
func TestKeepChanged(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		err      error
		set      func(r *runtest.Run)
		kind     spec.ReasonCode
		recorded bool
	}{
		"of the repository":   {&journal.Failure{Kind: spec.ReasonRepository, Details: []string{"alias.x was added"}}, func(*runtest.Run) {}, spec.ReasonTampered, true},
		"at a question":       {&journal.Failure{Kind: spec.ReasonRepository, Details: []string{"alias.x was added"}}, func(r *runtest.Run) { r.Asked = true }, spec.ReasonTampered, false},
		"accepted":            {&journal.Failure{Kind: spec.ReasonRepository}, func(r *runtest.Run) { r.Accepted = true }, spec.ReasonRepository, false},
		"another failure":     {&journal.Failure{Kind: spec.ReasonSpoiled}, func(*runtest.Run) {}, spec.ReasonSpoiled, false},
		"an error of another": {errors.New("disk"), func(*runtest.Run) {}, "", false},
	} {
		r := runtest.Start(t, runtest.Plain)
		tc.set(r)
		err := r.Places.KeepChanged(tc.err)
		assert.Equal(t, tc.kind, runtest.Kind(err), "%s", name)
		src, err := r.Store.Journal(runtest.ID)
		assert.NoError(t, err, "%s: the journal is\n%s", name, src)
		assert.Equal(t, tc.recorded, strings.Contains(string(src), "alias.x was added"), "%s: the journal is\n%s", name, src)
	}
}

// TestUntouched_again: what is changed after git has found no change is found, too.
func TestUntouched_again(t *testing.T) {
	t.Parallel()
	for name, command := range map[string]func(t *testing.T, dir string){
		"a file": func(t *testing.T, dir string) { enginetest.Write(t, dir, "done.txt", "no\n") },
		"a file of the same size and time": func(t *testing.T, dir string) {
			path := filepath.Join(dir, "done.txt")
			info, err := os.Stat(path)
			assert.NoError(t, err)
			enginetest.Write(t, dir, "done.txt", "nay\n")
			assert.NoError(t, os.Chtimes(path, info.ModTime(), info.ModTime()))
		},
		"the index": func(t *testing.T, dir string) { enginetest.Git(t, dir, "rm", "-q", "--cached", "done.txt") },
		"a flag of the index": func(t *testing.T, dir string) {
			enginetest.Git(t, dir, "update-index", "--assume-unchanged", "done.txt")
		},
		"the index, in two parts": func(t *testing.T, dir string) {
			enginetest.Git(t, dir, "update-index", "--split-index")
			enginetest.Git(t, dir, "update-index", "--skip-worktree", "done.txt")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := placed(t)
			err := r.Places.InPlace(t.Context(), r.Job.Branch, true, func(at tree.Place) error {
				for range 2 {
					if err := r.Places.CheckUntouched(t.Context(), at); err != nil {
						t.Error(err)
					}
				}
				command(t, at.Dir)
				return r.Places.CheckUntouched(t.Context(), at)
			})
			r.Fails(err, spec.ReasonSpoiled, "done.txt")
		})
	}
}

// TestUntouched_gitFolder puts back the git folder of a place as a whole, so that no command leaves the next one a mark there.
func TestUntouched_gitFolder(t *testing.T) {
	t.Parallel()
	r := placed(t)
	err := r.Places.InPlace(t.Context(), r.Job.Branch, true, func(at tree.Place) error {
		folder := r.Repo.AdminDir(at.Dir)
		shown := func() string {
			var out strings.Builder
			err := filepath.WalkDir(folder, func(path string, _ os.DirEntry, err error) error {
				info, statErr := os.Lstat(path)
				if err = errors.Join(err, statErr); err != nil {
					return err
				}
				text, _ := os.ReadFile(path)
				rel, err := filepath.Rel(folder, path)
				fmt.Fprintf(&out, "%s %s %s %x\n", rel, info.Mode(), info.ModTime(), text)
				return err
			})
			assert.NoError(t, err)
			return out.String()
		}
		before := shown()
		for name, command := range map[string]func(){
			"nothing": func() {},
			"names that git may need": func() {
				for _, name := range []string{"fsmonitor--daemon.x", "fsmonitor--daemon/cookies/x", "sharedindex.x", "modules/x/HEAD", "modules/x/objects/ab/x", "ORIG_HEAD", "FETCH_HEAD", "COMMIT_EDITMSG", "logs/refs/x", "other"} {
					enginetest.Write(t, folder, name, "mark\n")
				}
			},
			"the log of HEAD":     func() { enginetest.Write(t, folder, "logs/HEAD", "mark\n") },
			"no logs":             func() { remove(t, folder, "logs") },
			"a file for a folder": func() { remove(t, folder, "logs"); enginetest.Write(t, folder, "logs", "mark\n") },
			"the index anew": func() {
				remove(t, folder, "index")
				enginetest.Git(t, at.Dir, "reset", "-q")
			},
			"another index": func() { enginetest.Git(t, at.Dir, "update-index", "--split-index") },
			"times":         func() { assert.NoError(t, os.Chtimes(filepath.Join(folder, "HEAD"), time.Time{}, time.Unix(1e9, 0))) },
			"permissions":   func() { assert.NoError(t, os.Chmod(filepath.Join(folder, "index"), 0o600)) },
		} {
			command()
			assert.NoError(t, r.Places.CheckUntouched(t.Context(), at), name)
			assert.Equal(t, before, shown(), name)
		}
		enginetest.Git(t, at.Dir, "status")
		return r.Places.CheckUntouched(t.Context(), at)
	})
	assert.NoError(t, err)
}

// TestUntouched_byPerson blames no criterion for a setting that only a person can have changed while it ran.
func TestUntouched_byPerson(t *testing.T) {
	t.Parallel()
	r := placed(t)
	if !r.Sandbox().State().InForce {
		t.Skip("no wall here")
	}
	err := r.Places.InPlace(t.Context(), r.Job.Branch, true, func(at tree.Place) error {
		enginetest.Git(t, r.Dir, "config", "remote.x.url", "/tmp/x")
		return r.Places.CheckUntouched(t.Context(), at)
	})
	assert.NoError(t, err)
}

// TestInPlace_link: a command that puts a link in the place of its tree does not make chant remove what that leads to.
func TestInPlace_link(t *testing.T) {
	t.Parallel()
	r := placed(t)
	mine := filepath.Join(t.TempDir(), "mine")
	r.Git("worktree", "add", "-q", "--detach", mine, "main")
	enginetest.Write(t, mine, "mine.txt", "mine\n")
	var at string
	err := r.Places.InPlace(t.Context(), r.Job.Branch, true, func(p tree.Place) error {
		at = p.Dir
		if err := os.Rename(p.Dir, filepath.Join(t.TempDir(), "away")); err != nil {
			return err
		}
		if err := os.Symlink(mine, p.Dir); err != nil {
			t.Skip(err)
		}
		return r.Places.CheckUntouched(t.Context(), p)
	})
	r.Fails(err, spec.ReasonSpoiled)
	assert.Equal(t, "mine\n", enginetest.Read(t, mine, "mine.txt"))
	_, err = os.Lstat(at)
	assert.Error(t, err, "%q is still there", at)
}

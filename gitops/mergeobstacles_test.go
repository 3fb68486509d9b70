package gitops

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

// inTheWay is what a person has where the branch "side" changes something.
type inTheWay struct {
	before func(s *sandbox) // committed on trunk, before side is made; may be nil
	branch func(s *sandbox) // what side changes
	person func(s *sandbox) // what the person does in the checkout of trunk
	keeps  string           // a file that has the content "mine\n" and must keep it
	want   string           // the message, "" if the landing goes ahead
	aside  string           // the command that helps, with TOP and AROUND
}

// repositoryAt makes a repository with one commit.
func (s *sandbox) repositoryAt(path string, args ...string) {
	s.t.Helper()
	s.git(append(append([]string{"init", "-q"}, args...), path)...)
	if len(args) == 0 {
		s.git("-C", path, "-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", "first")
	}
}

// submoduleAt commits a submodule.
func (s *sandbox) submoduleAt(path string) {
	s.t.Helper()
	from := s.t.TempDir()
	gitIn(s.t, from, "init", "-q")
	gitIn(s.t, from, "-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", "first")
	s.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", from, path)
}

// withoutModules removes submodules from the index and from the worktree, as another clone has them.
func (s *sandbox) withoutModules(paths ...string) {
	s.t.Helper()
	s.git(append([]string{"rm", "-rqf", ".gitmodules"}, paths...)...)
}

// removeAll removes what is at a path with all that it holds.
func (s *sandbox) removeAll(path string) {
	s.t.Helper()
	assert.NoError(s.t, os.RemoveAll(filepath.Join(s.top, filepath.FromSlash(path))))
}

// shell runs a line of shell in the top, as a person does.
func (s *sandbox) shell(line string) {
	s.t.Helper()
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = s.top
	out, err := cmd.CombinedOutput()
	assert.NoError(s.t, err, "%s\n%s", line, out)
}

func inTheWays() map[string]inTheWay {
	ignores := func(s *sandbox) { s.write(".gitignore", "/own/\n/link\n") }
	adds := func(path string) func(s *sandbox) {
		return func(s *sandbox) { s.write(path, "theirs\n"); s.git("add", "-f", path) }
	}
	link := func(s *sandbox) {
		s.removeAll("sub")
		assert.NoError(s.t, os.Symlink(s.t.TempDir(), filepath.Join(s.top, "sub")))
	}
	module := func(path string) func(s *sandbox) { return func(s *sandbox) { s.submoduleAt(path) } }
	becomesFile := func(path string, modules ...string) func(s *sandbox) {
		return func(s *sandbox) { s.withoutModules(modules...); s.removeAll(path); s.write(path, "theirs\n") }
	}
	const moved = `mv "TOP/own/lib" "AROUND/lib.kept"`
	return map[string]inTheWay{
		"an ignored repository": {before: ignores, branch: adds("own/lib/a.c"), keeps: "own/lib/a.c",
			person: func(s *sandbox) { s.repositoryAt("own/lib"); s.write("own/lib/a.c", "mine\n") },
			want:   `the repository "own/lib" is in the way`, aside: moved},
		"an ignored repository, another file": {before: ignores, branch: adds("own/lib/deep/.envrc"), keeps: "own/lib/a.c",
			person: func(s *sandbox) { s.repositoryAt("own/lib"); s.write("own/lib/a.c", "mine\n") },
			want:   `the repository "own/lib" is in the way`, aside: moved},
		"an ignored repository without a commit": {before: ignores, branch: adds("own/lib/a.c"), keeps: "own/lib/b.c",
			person: func(s *sandbox) { s.write("own/lib/b.c", "mine\n"); s.git("init", "-q", "own/lib") },
			want:   `the repository "own/lib" is in the way`, aside: moved},
		"a bare repository": {before: ignores, branch: adds("own/lib/hooks/post-receive"), keeps: "own/lib/description",
			person: func(s *sandbox) { s.repositoryAt("own/lib", "--bare"); s.write("own/lib/description", "mine\n") },
			want:   `the repository "own/lib" is in the way`, aside: moved},
		"a worktree of the person": {before: ignores, branch: adds("own/feature/base.txt"), keeps: "own/feature/base.txt",
			person: func(s *sandbox) {
				s.git("worktree", "add", "-q", "--detach", "own/feature")
				s.write("own/feature/base.txt", "mine\n")
			},
			want: `the worktree "own/feature" is in the way`, aside: `git worktree move "TOP/own/feature" "AROUND/feature.kept"`},
		"a repository where a file is to be": {before: ignores, branch: adds("own"), keeps: "own/lib/a.c",
			person: func(s *sandbox) { s.repositoryAt("own/lib"); s.write("own/lib/a.c", "mine\n") },
			want:   `the repository "own/lib" is in the way`, aside: moved},
		"a repository made of tracked files": {branch: func(s *sandbox) { s.write("sub/deep/file.txt", "theirs\n") }, keeps: "sub/mine.txt",
			person: func(s *sandbox) { s.git("init", "-q", "sub"); s.write("sub/mine.txt", "mine\n") }},
		"two repositories": {before: ignores, branch: func(s *sandbox) { adds("own/lib/a")(s); adds("own/two/a")(s) }, keeps: "own/two/a",
			person: func(s *sandbox) { s.repositoryAt("own/lib"); s.repositoryAt("own/two"); s.write("own/two/a", "mine\n") },
			want:   `the repository "own/lib", the repository "own/two" are in the way`, aside: moved},
		"a repository elsewhere": {before: ignores, branch: adds("own/file"), keeps: "own/lib/a.c",
			person: func(s *sandbox) { s.repositoryAt("own/lib"); s.write("own/lib/a.c", "mine\n") }},
		"a committed bare repository": {branch: func(s *sandbox) { s.write("fixture/config", "theirs\n") }, keeps: "mine.txt",
			before: func(s *sandbox) {
				s.write("fixture/HEAD", "ref: refs/heads/main\n")
				s.write("fixture/config", "")
				s.write("fixture/objects/info/packs", "")
				s.write("fixture/refs/heads/main", "")
			},
			person: func(s *sandbox) { s.write("mine.txt", "mine\n") }},

		"a submodule becomes a file": {before: module("mod"), branch: becomesFile("mod", "mod"), keeps: "mod/notes.txt",
			person: func(s *sandbox) { s.write("mod/notes.txt", "mine\n") },
			want:   `the submodule "mod" is in the way`, aside: `git -C "TOP/mod" stash --all && git -C "TOP" submodule deinit -- "mod"`},
		"the folder above a submodule becomes a file": {before: module("libs/mod"), branch: becomesFile("libs", "libs/mod"), keeps: "libs/mod/notes.txt",
			person: func(s *sandbox) { s.write("libs/mod/notes.txt", "mine\n") },
			want:   `the submodule "libs/mod" is in the way`, aside: `git -C "TOP/libs/mod" stash --all && git -C "TOP" submodule deinit -- "libs/mod"`},
		"a submodule becomes a folder": {before: module("mod"), branch: func(s *sandbox) { s.withoutModules("mod"); s.write("mod/a", "theirs\n") }, keeps: "mod/a",
			person: func(s *sandbox) { s.write("mod/a", "mine\n") },
			want:   `the submodule "mod" is in the way`, aside: `git -C "TOP/mod" stash --all && git -C "TOP" submodule deinit -- "mod"`},
		"a submodule that is not checked out becomes a file": {before: module("mod"), branch: becomesFile("mod", "mod"), keeps: "mod/notes.txt",
			person: func(s *sandbox) { s.git("submodule", "--quiet", "deinit", "mod"); s.write("mod/notes.txt", "mine\n") },
			want:   `the folder "mod" is in the way`, aside: `mv "TOP/mod" "AROUND/mod.kept"`},
		"an empty submodule becomes a file": {before: module("mod"), branch: becomesFile("mod", "mod"), keeps: "mine.txt",
			person: func(s *sandbox) { s.git("submodule", "--quiet", "deinit", "mod"); s.write("mine.txt", "mine\n") }},
		"a submodule is removed": {before: module("mod"), branch: func(s *sandbox) { s.withoutModules("mod") }, keeps: "mod/notes.txt",
			person: func(s *sandbox) { s.write("mod/notes.txt", "mine\n") }},
		"a submodule moves": {before: module("mod"), keeps: "mod/notes.txt",
			branch: func(s *sandbox) {
				s.git("-C", "mod", "-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", "next")
			},
			person: func(s *sandbox) { s.write("mod/notes.txt", "mine\n") }},
		"a repository becomes a submodule": {before: ignores, keeps: "own/lib/a.c",
			branch: func(s *sandbox) { s.repositoryAt("own/lib"); s.git("add", "-f", "own/lib"); s.removeAll("own/lib") },
			person: func(s *sandbox) { s.removeAll("own"); s.repositoryAt("own/lib"); s.write("own/lib/a.c", "mine\n") }},

		"a link in the place of a folder": {branch: func(s *sandbox) { s.write("sub/deep/file.txt", "theirs\n") }, keeps: "sub/mine.txt",
			person: func(s *sandbox) { link(s); s.write("sub/mine.txt", "mine\n") },
			want:   `the link "sub" is in the way`, aside: `mv "TOP/sub" "TOP/sub.kept"`},
		"an ignored link": {before: ignores, branch: adds("link/a"), keeps: "link/a",
			person: func(s *sandbox) {
				assert.NoError(s.t, os.Symlink(s.t.TempDir(), filepath.Join(s.top, "link")))
				s.write("link/a", "mine\n")
			},
			want: `the link "link" is in the way`, aside: `mv "TOP/link" "TOP/link.kept"`},
		"a committed link becomes a folder": {keeps: "mine.txt",
			before: func(s *sandbox) { assert.NoError(s.t, os.Symlink("sub", filepath.Join(s.top, "to"))) },
			branch: func(s *sandbox) { s.removeAll("to"); s.write("to/a", "theirs\n") },
			person: func(s *sandbox) { s.write("mine.txt", "mine\n") }},
	}
}

// checkOut prepares the branch and what the person has. It returns the commit of the branch.
func (c inTheWay) checkOut(s *sandbox) (side string) {
	commit := func(prepare func(*sandbox)) {
		if prepare != nil {
			prepare(s)
		}
		s.git("add", "-A")
		s.git("commit", "-q", "--allow-empty", "-m", "next")
	}
	commit(c.before)
	s.git("switch", "-q", "-c", "side")
	commit(c.branch)
	s.git("switch", "-q", "trunk")
	if _, err := os.Stat(filepath.Join(s.top, ".gitmodules")); err == nil {
		// From its own git folder, without asking the remote.
		s.git("submodule", "--quiet", "update", "--init", "--no-fetch")
	}
	c.person(s)
	return s.git("rev-parse", "side")
}

// TestFastForward_obstacles keeps what git would overwrite or remove without a question, and what the person is to do helps.
func TestFastForward_obstacles(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs links and a shell")
	}
	for name, c := range inTheWays() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			side := c.checkOut(s)
			before := s.git("rev-parse", "trunk") + s.git("status", "--porcelain")
			err := s.FastForward(t.Context(), s.top, side)
			assert.Equal(t, "mine\n", readFile(t, filepath.Join(s.top, c.keeps)))
			if c.want == "" {
				assert.NoError(t, err)
				assert.Equal(t, side, s.git("rev-parse", "trunk"))
				return
			}
			var conflict *ConflictError
			assert.True(t, errors.As(err, &conflict), "%v", err)
			assert.Equal(t, c.want, err.Error())
			assert.Equal(t, c.aside, strings.NewReplacer(s.top, "TOP", filepath.Dir(s.top), "AROUND").Replace(conflict.Aside))
			assert.Equal(t, before, s.git("rev-parse", "trunk")+s.git("status", "--porcelain"))
			if len(conflict.Files) > 1 {
				return
			}
			s.shell(conflict.Aside)
			assert.NoError(t, s.FastForward(t.Context(), s.top, side), "after %s", conflict.Aside)
			assert.Equal(t, side, s.git("rev-parse", "trunk"))
		})
	}
}

// TestFastForward_ownRepository: git looks into a folder that is tracked, also if a person has made a repository of it.
func TestFastForward_ownRepository(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	side := must[string](t)(s.CommitOn(t.Context(), "trunk", []File{file("sub/mine.txt", "theirs\n")}, "side"))
	s.git("init", "-q", "sub")
	s.write("sub/mine.txt", "mine\n")
	var conflict *ConflictError
	assert.True(t, errors.As(s.FastForward(t.Context(), s.top, side), &conflict))
	assert.Equal(t, []string{"sub/mine.txt"}, conflict.Files)
	assert.Equal(t, "mine\n", readFile(t, filepath.Join(s.top, "sub/mine.txt")))
}

// TestMerge_obstacles keeps the same in a worktree that is brought up to date.
func TestMerge_obstacles(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("needs links")
	}
	for name, update := range map[string]func(s *sandbox, side string) error{
		"merge": func(s *sandbox, side string) error { return second(s.BeginMerge(s.t.Context(), s.top, side)) },
		"rebase": func(s *sandbox, side string) error {
			return second(s.Rebase(s.t.Context(), s.top, must[string](s.t)(s.MergeBase(s.t.Context(), "HEAD", side)), side))
		},
	} {
		for way, c := range inTheWays() {
			if c.want == "" {
				continue
			}
			t.Run(name+", "+way, func(t *testing.T) {
				t.Parallel()
				s := newSandbox(t)
				side := c.checkOut(s)
				s.git("commit", "-q", "--allow-empty", "-m", "ahead")
				before := s.git("rev-parse", "trunk")
				err := update(s, side)
				assert.Equal(t, "mine\n", readFile(t, filepath.Join(s.top, c.keeps)))
				var conflict *ConflictError
				assert.True(t, errors.As(err, &conflict), "%v", err)
				assert.Equal(t, c.want, strings.ReplaceAll(err.Error(), s.top, "TOP"))
				assert.NotContains(t, conflict.Aside, "stash", "git is to be started in the submodule of an agent")
				assert.Equal(t, before, s.git("rev-parse", "HEAD"))
			})
		}
	}
}

// TestRebase_obstacleOnTheWay keeps a repository into which a commit in the middle would write.
func TestRebase_obstacleOnTheWay(t *testing.T) {
	t.Parallel()
	s, side := forked(t)
	base := s.git("rev-parse", "trunk")
	s.write(".gitignore", "/own/\n")
	s.write("own/lib/a.c", "theirs\n")
	s.git("add", "-f", ".gitignore", "own/lib/a.c")
	s.git("commit", "-q", "-m", "add")
	s.git("rm", "-rq", "own")
	s.git("commit", "-q", "-m", "remove")
	s.repositoryAt("own/lib")
	s.write("own/lib/a.c", "mine\n")
	_, err := s.Rebase(t.Context(), s.top, base, side)
	assert.EqualError(t, err, `the repository "own/lib" is in the way`)
	assert.Equal(t, "mine\n", readFile(t, filepath.Join(s.top, "own/lib/a.c")))
}

// TestFastForward_submoduleBack puts a submodule back whose folder git has left.
func TestFastForward_submoduleBack(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.submoduleAt("mod")
	s.git("commit", "-q", "-m", "submodule")
	tree := s.git("rev-parse", "HEAD^{tree}")
	s.git("update-index", "--force-remove", "mod")
	s.git("commit", "-q", "-m", "without")
	back := must[string](t)(s.CommitTree(t.Context(), tree, []string{s.git("rev-parse", "HEAD")}, "back"))
	s.write("mod/notes.txt", "mine\n")
	assert.NoError(t, s.FastForward(t.Context(), s.top, back))
	assert.Equal(t, "mine\n", readFile(t, filepath.Join(s.top, "mod/notes.txt")))
}

package gitops

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/assert/v2"
)

func TestSnapshot(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prepare func(s *sandbox)
		want    string // name and status of what differs from HEAD
	}{
		"clean":     {func(*sandbox) {}, ""},
		"untracked": {func(s *sandbox) { s.write("new é.txt", "new\n") }, "A new é.txt"},
		"edited":    {func(s *sandbox) { s.write("base.txt", "mine\n") }, "M base.txt"},
		"staged": {func(s *sandbox) {
			s.write("base.txt", "staged\n")
			s.git("add", "base.txt")
			s.write("base.txt", "on disk\n")
		}, "M base.txt"},
		"removed": {func(s *sandbox) { s.remove("base.txt") }, "D base.txt"},
		"only ignored": {func(s *sandbox) {
			s.write(".git/info/exclude", "*.log\n")
			s.write("a.log", "a\n")
		}, ""},
		"ignored": {func(s *sandbox) {
			s.write(".git/info/exclude", "*.log\n")
			s.write("a.log", "a\n")
			s.write("a.txt", "a\n")
		}, "A a.txt"},
		"unmerged": {func(s *sandbox) { s.conflict() }, "M base.txt"},
		"detached": {func(s *sandbox) { s.git("checkout", "-q", "--detach"); s.write("a", "a") }, "A a"},
		"locked": {func(s *sandbox) {
			s.write("a", "a")
			s.write(".git/index.lock", "")
		}, "A a"},
		"sparse": {func(s *sandbox) {
			s.git("sparse-checkout", "set", "--no-cone", "/base.txt")
			s.write("base.txt", "mine\n")
			s.write("out/side.txt", "outside\n")
		}, "M base.txt A out/side.txt"},
		"sparse index": {func(s *sandbox) {
			s.git("sparse-checkout", "set", "--cone", "--sparse-index", "none")
			s.write("base.txt", "mine\n")
		}, "M base.txt"},
		"split index": {func(s *sandbox) {
			s.git("config", "core.splitIndex", "true")
			s.git("update-index", "--split-index")
			s.write("base.txt", "mine\n")
		}, "M base.txt"},
		"no index": {func(s *sandbox) { s.remove(".git/index"); s.write("a", "a") }, "A a"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			c.prepare(s)
			whole := func() string {
				return s.git("status", "--porcelain=v2", "--branch", "--ignored", "-z") + s.git("rev-parse", "HEAD") +
					s.git("for-each-ref") + s.git("ls-files", "--stage", "-t", "-v")
			}
			before, names := whole(), s.gitDirNames()
			hash := must[string](t)(s.Snapshot(context.Background(), s.top, "rescue\n\nChant-Event: rescue"))
			if after := whole(); after != before || s.gitDirNames() != names {
				t.Errorf("before\n%s\nafter\n%s", before+names, after+s.gitDirNames())
			}
			if hash == "" {
				assert.Equal(t, c.want, "", "nothing was found")
				return
			}
			made := must[Commit](t)(s.ReadCommit(context.Background(), hash))
			assert.Equal(t, "rescue", made.Subject)
			assert.Equal(t, 1, len(made.Parents))
			assert.Equal(t, s.git("rev-parse", "HEAD"), made.Parents[0])
			got := s.git("-c", "core.quotePath=false", "diff", "--no-renames", "--name-status", "HEAD", hash)
			got = strings.NewReplacer("\t", " ", "\n", " ").Replace(got)
			assert.Equal(t, c.want, got)
		})
	}
}

func TestSnapshot_holdsTheDisk(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.conflict()
	s.write("new.txt", "new\n")
	linked := filepath.Join(t.TempDir(), "linked")
	s.git("worktree", "add", "-q", "--detach", linked)
	writeFile(t, filepath.Join(linked, "theirs.txt"), "theirs\n")
	hash := must[string](t)(s.Snapshot(context.Background(), s.top, "m"))
	got := s.git("show", hash+":base.txt") + s.git("show", hash+":new.txt")
	assert.Contains(t, got, "<<<<<<<")
	assert.HasSuffix(t, got, "new")
	hash = must[string](t)(s.Snapshot(context.Background(), linked, "m"))
	assert.Equal(t, "base.txt\nsub/deep/file.txt\ntheirs.txt", s.git("ls-tree", "-r", "--name-only", hash))
}

// A change of the same size, in the tick in which the index was written, is seen.
func TestSnapshot_changedInTheSameTick(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.git("config", "core.trustctime", "false")
	s.git("config", "core.checkStat", "minimal")
	path := filepath.Join(s.top, "base.txt")
	info := must[os.FileInfo](t)(os.Stat(path))
	s.write("base.txt", "BASE\n")
	for _, p := range []string{path, filepath.Join(s.top, ".git", "index")} {
		assert.NoError(t, os.Chtimes(p, info.ModTime(), info.ModTime()))
	}
	hash := must[string](t)(s.Snapshot(context.Background(), s.top, "m"))
	assert.NotEqual(t, "", hash, "the change was not seen")
	assert.Equal(t, "BASE", s.git("show", hash+":base.txt"), "the change was not seen")
}

func TestSnapshot_refused(t *testing.T) {
	t.Parallel()
	ctx, s := context.Background(), newSandbox(t)
	_, err := s.Snapshot(ctx, t.TempDir(), "m")
	assert.IsError(t, err, ErrNotRepository)
	names := s.gitDirNames()
	s.git("init", "-q", "nested")
	_, err = s.Snapshot(ctx, s.top, "m")
	assert.Error(t, err)
	assert.Contains(t, err.Error(), "nested")
	if s.gitDirNames() != names {
		t.Errorf("left behind: %s", s.gitDirNames())
	}
	born := must[*Repo](t)(Init(ctx, t.TempDir(), "main"))
	_, err = born.Snapshot(ctx, born.Home(), "m")
	assert.IsError(t, err, ErrUnborn)
}

// conflict leaves base.txt unmerged, in a merge under way.
func (s *sandbox) conflict() {
	s.t.Helper()
	tip := s.git("rev-parse", "HEAD")
	theirs := must[string](s.t)(s.CommitOn(context.Background(), tip, []File{file("base.txt", "theirs\n")}, "theirs"))
	s.write("base.txt", "ours\n")
	s.git("commit", "-qam", "ours")
	s.fails("merge", theirs)
}

// gitDirNames lists what lies in the git dir, objects aside.
func (s *sandbox) gitDirNames() string {
	s.t.Helper()
	var names []string
	for _, entry := range must[[]os.DirEntry](s.t)(os.ReadDir(filepath.Join(s.top, ".git"))) {
		names = append(names, entry.Name())
	}
	return strings.Join(names, " ")
}

func (s *sandbox) remove(path string) {
	s.t.Helper()
	if err := os.Remove(filepath.Join(s.top, filepath.FromSlash(path))); err != nil {
		s.t.Fatal(err)
	}
}

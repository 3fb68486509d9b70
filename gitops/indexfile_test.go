package gitops

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"chant/gitops/gitexec"
	"chant/gitops/layout"
	"chant/gitops/objectstore"

	"github.com/alecthomas/assert/v2"
)

// TestIndexFile_likeGit compares what is read of an index with what git lists, or has git asked
// for the forms that only git can read.
func TestIndexFile_likeGit(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prepare func(s *sandbox)
		asks    bool
	}{
		"plain":     {prepare: func(*sandbox) {}},
		"missing":   {prepare: func(s *sandbox) { s.remove(".git/index") }},
		"version 3": {prepare: func(s *sandbox) { s.write("new", "n"); s.git("add", "-N", "new") }},
		"version 4": {prepare: func(s *sandbox) { s.git("update-index", "--index-version", "4") }},
		"gitlink":   {prepare: func(s *sandbox) { s.addGitlink("sub/link") }},
		"untracked cache": {prepare: func(s *sandbox) {
			s.git("update-index", "--force-untracked-cache")
			s.git("status")
		}},
		"unmerged": {prepare: func(s *sandbox) { s.conflict() }},
		"split": {prepare: func(s *sandbox) {
			s.git("config", "core.splitIndex", "true")
			s.git("update-index", "--split-index")
		}, asks: true},
		"sparse": {prepare: func(s *sandbox) { s.git("sparse-checkout", "set", "--cone", "--sparse-index", "none") }, asks: true},
		"broken": {prepare: func(s *sandbox) { s.write(".git/index", "nothing") }, asks: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, s := context.Background(), newSandbox(t)
			c.prepare(s)
			p := must[layout.Place](t)(s.site.Place(""))
			_, ok := s.index.File(p)
			assert.NotEqual(t, c.asks, ok)
			if name == "broken" {
				_, err := s.TrackedFiles(ctx, "")
				assert.Error(t, err, "no error")
				return
			}
			tracked := must[[]string](t)(s.TrackedFiles(ctx, ""))
			assert.Equal(t, gitexec.Records([]byte(s.git("ls-files", "-z"))), tracked)
			links := must[[]string](t)(s.index.Gitlinks(ctx, p))
			unmerged := must[[]string](t)(s.index.UnmergedEntries(ctx, p))
			var wantLinks, wantUnmerged []string
			for _, record := range gitexec.Records([]byte(s.git("ls-files", "--stage", "-z"))) {
				info, path, _ := strings.Cut(record, "\t")
				if strings.HasPrefix(info, objectstore.ModeSubmodule) {
					wantLinks = append(wantLinks, path)
				}
				if !strings.HasSuffix(info, " 0") {
					wantUnmerged = append(wantUnmerged, path)
				}
			}
			assert.Equal(t, wantLinks, links)
			assert.Equal(t, wantUnmerged, unmerged)
		})
	}
}

// addGitlink puts a commit of another repository into the index.
func (s *sandbox) addGitlink(path string) {
	s.t.Helper()
	s.git("update-index", "--add", "--cacheinfo", objectstore.ModeSubmodule+","+s.git("rev-parse", "HEAD")+","+filepath.ToSlash(path))
}

// TestWritten: the names are those of the content on disk, and there are none where attributes may change what a checkout
// writes.
func TestWritten(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("a folder/file", "text\n")
	s.git("add", "-A")
	s.git("update-index", "--add", "--cacheinfo", "120000,"+s.git("rev-parse", "HEAD:base.txt")+",link")
	got := must[map[string]string](t)(s.Written(s.top))
	want := map[string]string{}
	for _, name := range []string{"base.txt", "a folder/file", "sub/deep/file.txt"} {
		want[name] = s.git("hash-object", name)
	}
	assert.Equal(t, want, got)
	s.write("a folder/.gitattributes", "*.md merge=ours\n")
	s.git("add", "-A")
	got = must[map[string]string](t)(s.Written(s.top))
	assert.Equal(t, len(want)+1, len(got), "with attributes that change nothing: %v", got)
	s.write("a folder/.gitattributes", "* text eol=crlf\n")
	s.git("add", "-A")
	got = must[map[string]string](t)(s.Written(s.top))
	assert.True(t, got == nil, "with attributes: %v", got)
	_, err := s.Written(t.TempDir())
	assert.IsError(t, err, ErrNotRepository)
}

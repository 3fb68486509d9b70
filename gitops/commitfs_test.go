package gitops

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/alecthomas/assert/v2"
)

func TestFS_isAFileSystem(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.write("sub/ä b.txt", "two\n")
	s.write("sub/run", "#!/bin/sh\n")
	s.git("add", "-A")
	s.git("update-index", "--chmod=+x", "sub/run")
	s.git("commit", "-qm", "second")
	s.write("sub/later.txt", "not committed\n")
	files := must[fs.FS](t)(s.FS(context.Background(), "HEAD"))
	assert.NoError(t, fstest.TestFS(files, "base.txt", "sub/deep/file.txt", "sub/ä b.txt", "sub/run"))
	assert.Equal(t, "two\n", string(must[[]byte](t)(fs.ReadFile(files, "sub/ä b.txt"))))
	if info := must[fs.FileInfo](t)(fs.Stat(files, "sub/run")); info.Mode() != 0o755 || info.Size() != 10 {
		t.Errorf("%s, %d bytes", info.Mode(), info.Size())
	}
	_, err := fs.Stat(files, "sub/later.txt")
	assert.IsError(t, err, fs.ErrNotExist, "a file that is not in the commit")
}

func TestFS_linksAndSubmodules(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	if err := os.Symlink("base.txt", filepath.Join(s.top, "link")); err != nil {
		t.Skip(err)
	}
	s.git("add", "-A")
	s.git("update-index", "--add", "--cacheinfo", "160000,"+s.git("rev-parse", "HEAD")+",module")
	s.git("commit", "-qm", "odd")
	files := must[fs.FS](t)(s.FS(context.Background(), "HEAD"))
	types := map[string]fs.FileMode{}
	for _, entry := range must[[]fs.DirEntry](t)(fs.ReadDir(files, ".")) {
		types[entry.Name()] = entry.Type()
		info, err := entry.Info()
		assert.NoError(t, err)
		assert.Equal(t, entry.Name(), info.Name())
	}
	assert.Equal(t, fs.ModeSymlink, types["link"])
	assert.Equal(t, fs.ModeIrregular, types["module"])
	assert.Equal(t, 0, types["base.txt"])
	for _, name := range []string{"link", "module", "base.txt/x", "nothing"} {
		_, err := fs.ReadFile(files, name)
		assert.IsError(t, err, fs.ErrNotExist, "%s", name)
		assert.IsError(t, err, ErrNotFound, "%s", name)
	}
}

func TestFS_unknownRevision(t *testing.T) {
	t.Parallel()
	_, err := newSandbox(t).FS(context.Background(), "nowhere")
	assert.IsError(t, err, ErrNotFound)
}

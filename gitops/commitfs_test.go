package gitops

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
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
	if err := fstest.TestFS(files, "base.txt", "sub/deep/file.txt", "sub/ä b.txt", "sub/run"); err != nil {
		t.Error(err)
	}
	if got := must[[]byte](t)(fs.ReadFile(files, "sub/ä b.txt")); string(got) != "two\n" {
		t.Errorf("%q", got)
	}
	if info := must[fs.FileInfo](t)(fs.Stat(files, "sub/run")); info.Mode() != 0o755 || info.Size() != 10 {
		t.Errorf("%s, %d bytes", info.Mode(), info.Size())
	}
	if _, err := fs.Stat(files, "sub/later.txt"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not in the commit: %v", err)
	}
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
		if info, err := entry.Info(); err != nil || info.Name() != entry.Name() {
			t.Errorf("%s: %v", entry.Name(), err)
		}
	}
	if types["link"] != fs.ModeSymlink || types["module"] != fs.ModeIrregular || types["base.txt"] != 0 {
		t.Errorf("%v", types)
	}
	for _, name := range []string{"link", "module", "base.txt/x", "nothing"} {
		if _, err := fs.ReadFile(files, name); !errors.Is(err, fs.ErrNotExist) || !errors.Is(err, ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFS_unknownRevision(t *testing.T) {
	t.Parallel()
	if _, err := newSandbox(t).FS(context.Background(), "nowhere"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
}

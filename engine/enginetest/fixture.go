package enginetest

import (
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// Fixture is a folder that is made once and copied for each test. It is kept in memory, since the folder of the test that
// makes it is removed first.
type Fixture struct {
	once    sync.Once
	entries []entry // a folder before what is in it
}

// entry is a file, a folder or a link.
type entry struct {
	name string // below the folder, with slashes
	mode fs.FileMode
	text []byte // of a file; where a link leads
}

// Copy fills a folder with what fill writes into an empty one.
func (f *Fixture) Copy(t testing.TB, dir string, fill func(dir string)) {
	t.Helper()
	f.once.Do(func() {
		made := t.TempDir()
		fill(made)
		f.read(t, made)
	})
	if len(f.entries) == 0 {
		t.Fatal("there is nothing to copy: the test that makes it has failed")
	}
	for _, e := range f.entries {
		path := filepath.Join(dir, filepath.FromSlash(e.name))
		var err error
		switch {
		case e.mode.IsDir():
			err = os.MkdirAll(path, e.mode.Perm())
		case e.mode&fs.ModeSymlink != 0:
			err = os.Symlink(string(e.text), path)
		default:
			err = os.WriteFile(path, e.text, e.mode.Perm())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// read keeps everything below a folder.
func (f *Fixture) read(t testing.TB, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		e := entry{name: filepath.ToSlash(rel), mode: info.Mode()}
		switch {
		case e.mode.IsRegular():
			e.text, err = os.ReadFile(path)
		case e.mode&fs.ModeSymlink != 0:
			var to string
			to, err = os.Readlink(path)
			e.text = []byte(to)
		}
		f.entries = append(f.entries, e)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
